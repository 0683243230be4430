import CaptureHAL
import MediaTypes
import ThreeA

/// Determines the exposure and white balance of a photo with flash.
///
/// Pre-flashes of increasing energy measure the light that the subject reflects. The part of the frame that reflects the
/// most counts the most: that is the subject, because the light of the flash decreases with the squared distance. The
/// photo's sensitivity and the energy of the flash then bring the subject to the mean at which automatic exposure keeps
/// a scene without flash.
///
/// Confined to the stream's generator.
struct FlashMeter {
    /// The longest exposure time with flash, in seconds. A longer one would blur what the flash does not light.
    private static let longestSeconds = 1.0 / 60
    /// The means of linear light between which a pre-flash is measured; 1 is white.
    private static let measurable = 0.02...0.5

    private let renderer: FrameRenderer
    private let buffer: CVPixelBuffer
    private let time: Int64
    private let meter = FrameMeter()

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - renderer: The renderer of frames with the size of the buffer.
    ///   - buffer: Receives the pre-flashes.
    ///   - time: The time of the exposure in nanoseconds.
    init(_ renderer: FrameRenderer, _ buffer: CVPixelBuffer, time: Int64) {
        (self.renderer, self.buffer, self.time) = (renderer, buffer, time)
    }

    /// Returns the state for a photo with flash.
    ///
    /// - Parameter state: The state of the stream's frame. A manual exposure keeps its time and sensitivity.
    func metered(_ state: CameraState) -> CameraState {
        var photo = state
        photo.lamps.isFlashArmed = true
        let isAutomatic = state.exposureControl.isAutomatic
        if isAutomatic {
            photo.exposure.nanoseconds = min(photo.exposure.nanoseconds, Int64(Self.longestSeconds * 1e9))
        }
        guard let measurement = measure(photo) else { return state }
        let target = AutoExposure.target * RepeatableMath.exp2(state.exposureControl.bias)
        let isos = state.exposureControl.loop.program.isos
        if isAutomatic {
            let iso = target / (measurement.ambient + measurement.flash)
            photo.exposure.iso = min(max(iso, isos.lowerBound), isos.upperBound)
        }
        // The remaining light at the chosen sensitivity is that of the flash.
        let iso = photo.exposure.iso
        photo.lamps.flashPower = min(max((target / iso - measurement.ambient) / measurement.flash, 0.001), 1)
        if state.whiteBalance.isAutomatic {
            let flash = measurement.flash * photo.lamps.flashPower
            let share = flash / (flash + measurement.ambient)
            let ambientKelvin = state.whiteBalance.kelvin ?? state.temperature(of: state.gains)
            // Color temperatures are mixed as reciprocals, in which equal differences are about equally visible.
            photo.setTemperature(1 / (share / Illumination.torchKelvin + (1 - share) / ambientKelvin))
        }
        return photo
    }

    /// The light of the subject at ISO 1 and with the photo's exposure time; 1 is white.
    private struct Measurement {
        /// Without flash.
        var ambient: Double
        /// That of the flash with its full energy.
        var flash: Double
    }

    private func measure(_ photo: CameraState) -> Measurement? {
        var probe = photo
        probe.colorSpace = .bt709
        probe.hdr.isEnabled = false
        let isos = photo.exposureControl.loop.program.isos
        if photo.whiteBalance.isAutomatic { probe.setTemperature(Illumination.torchKelvin) }
        // From the least energy and sensitivity on.
        let levels: [(power: Double, iso: Double)] = [
            (1.0 / 256, isos.lowerBound), (1.0 / 32, isos.lowerBound), (1.0 / 4, isos.lowerBound),
            (1, min(isos.lowerBound * 2, isos.upperBound)), (1, min(isos.lowerBound * 16, isos.upperBound)),
            (1, isos.upperBound),
        ]
        var last: Measurement?
        for level in levels {
            probe.exposure.iso = level.iso
            probe.lamps.flashPower = level.power
            probe.lamps.isFlashArmed = true
            guard let lit = zones(probe) else { return last }
            probe.lamps.isFlashArmed = false
            guard let unlit = zones(probe) else { return last }
            let flash = zip(lit, unlit).map { max(0, $0 - $1) }
            let weight = flash.reduce(0, +)
            guard weight > 0 else { continue }
            func subject(_ values: [Double]) -> Double { zip(values, flash).reduce(0) { $0 + $1.0 * $1.1 } / weight }
            let (subjectLit, subjectFlash) = (subject(lit), subject(flash))
            if subjectLit > Self.measurable.upperBound, last != nil { break }
            last = Measurement(
                ambient: max(0, subjectLit - subjectFlash) / level.iso, flash: subjectFlash / (level.iso * level.power))
            if subjectFlash > 0.1 { break }
        }
        guard let last, last.flash > 0 else { return nil }
        return last
    }

    /// Renders the metered rows of a pre-flash and returns the mean linear light of its zones.
    private func zones(_ state: CameraState) -> [Double]? {
        renderer.render(
            buffer, time: time, state: state, rowPairs: FrameMeter.meteredRowPairs(height: buffer.height))
        var statistics = FrameStatistics()
        guard meter.measure(buffer, color: false, focus: nil, into: &statistics) else { return nil }
        return statistics.zones.map { Double($0) / 65535 }
    }
}
