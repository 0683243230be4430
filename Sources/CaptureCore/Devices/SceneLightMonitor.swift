import CaptureHAL
import MediaTypes
import Synchronization

/// Whether frames are looked at for the light of their scene; nothing is done, and nothing locked, while they are not.
///
/// - Important: Thread-safe.
final class SceneLightMonitor: Sendable {
    private let automatic = Atomic(false)

    var isTorchAutomatic: Bool {
        get { automatic.load(ordering: .relaxed) }
        set { automatic.store(newValue, ordering: .relaxed) }
    }
}

extension AVCaptureDevice {
    /// Whether exposure time and sensitivity can be read, which tell the light.
    var tellsLight: Bool { number(.exposureDuration) != nil && number(.iso) != nil && lensAperture > 0 }

    /// The light of the scene as the exposure in force tells it; nil where the device does not tell that.
    var sceneLux: Double? {
        guard let seconds = number(.exposureDuration), let iso = number(.iso) else { return nil }
        return LightMeter.lux(
            seconds: seconds, iso: iso, aperture: Double(lensAperture), offset: number(.exposureOffset) ?? 0)
    }

    /// Whether a still would better be lit.
    var isDim: Bool { sceneLux.map { $0 < LightMeter.flashLux } ?? false }

    /// Lets the automatic torch look at a frame; runs on the device's thread.
    func lookAtLight(of frame: VideoFrame) {
        guard sceneLight.isTorchAutomatic, let seconds = frame.settings.exposureDuration?.seconds,
            let iso = frame.settings.iso, let aperture = frame.settings.aperture ?? Optional(Double(lensAperture)),
            let lux = LightMeter.lux(
                seconds: seconds, iso: iso, aperture: aperture, offset: number(.exposureOffset) ?? 0)
        else { return }
        let isSteady = !(flag(.exposureAdjusting) ?? false)
        let level = state.withLock {
            $0.automaticTorch?.frame(lux: lux, isSteady: isSteady, at: frame.presentationTime) ?? nil
        }
        guard let level else { return }
        // Not on the device's own thread, which may not be asked while it delivers.
        surroundings.clock.deliver(on: changeQueue) { [weak self] in
            guard let self, torchMode == .auto, let range = range(.torchLevel) else { return }
            set(.torchLevel, to: .number(isTorchAvailable ? min(level, range.upperBound) : 0))
        }
    }
}
