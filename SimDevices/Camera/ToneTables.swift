import CSimKernels
import MediaTypes
import ThreeA

/// Lookup tables from light to signal and noise, for one sensitivity and white balance.
///
/// Confined to the stream's generator.
final class ToneTables {
    private struct Key: Equatable {
        var iso: Double
        var gains: ColorGains
        var matrix: ColorMatrix
        var headroom: Double
        var isHLG: Bool
    }

    let raw: UnsafeMutablePointer<csim_tables>
    /// The scale of the noise deviations in the tables; see `csim_frame.noiseShift`.
    private(set) var noiseShift: Int32 = 0
    /// Incremented with each change.
    private(set) var version = 0
    private let sensor: SensorProfile
    private let lowestISO: Double
    private let isFullRange: Bool
    private var key: Key?

    init(sensor: SensorProfile, lowestISO: Double, isFullRange: Bool) {
        self.sensor = sensor
        self.lowestISO = lowestISO
        self.isFullRange = isFullRange
        raw = .allocate(capacity: 1)
        raw.initialize(to: csim_tables())
    }

    deinit { raw.deallocate() }

    /// Recomputes the tables if a parameter has changed.
    ///
    /// - Parameters:
    ///   - matrix: The matrix from the sensor's white-balanced colors to those of the frame.
    ///   - headroom: The maximum luminance that is preserved, relative to white.
    func set(iso: Double, gains: ColorGains, matrix: ColorMatrix, headroom: Double, isHLG: Bool) {
        let newKey = Key(iso: iso, gains: gains, matrix: matrix, headroom: headroom, isHLG: isHLG)
        guard key != newKey else { return }
        key = newKey
        version += 1
        var raw = csim_sensor()
        // With more amplification, fewer electrons result in full scale.
        raw.fullWell = sensor.fullWell * lowestISO / iso
        raw.readNoise = sensor.readNoise
        (raw.redGain, raw.greenGain, raw.blueGain) = (gains.red, gains.green, gains.blue)
        raw.redNoise = Self.noise(of: matrix.row(0), gains, channelGain: gains.red)
        raw.blueNoise = Self.noise(of: matrix.row(2), gains, channelGain: gains.blue)
        raw.headroom = headroom
        raw.codes = isFullRange ? 255 : 219
        raw.isHLG = isHLG ? 1 : 0
        noiseShift = (isHLG ? Self.hlgSignal : Self.power).withUnsafeBufferPointer {
            csim_tabulate(&raw, $0.baseAddress, self.raw)
        }
    }

    /// Returns the noise of a color after the color matrix, relative to the noise of its channel on a gray surface.
    ///
    /// The variance of a channel is proportional to its gain, because fewer electrons result in the same signal.
    private static func noise(of row: ArraySlice<Double>, _ gains: ColorGains, channelGain: Double) -> Double {
        let variance = zip(row, [gains.red, gains.green, gains.blue]).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
        // Demosaicing and chroma subsampling average neighboring pixels.
        return 0.5 * (variance / channelGain).squareRoot()
    }

    /// The HLG signal of the light x^2, for x from 0 to 1.
    private static let hlgSignal: [Double] = (0...Int(csim_levels)).map { index in
        let root = Double(index) / Double(csim_levels)
        return HybridLogGamma.signal(ofLight: root * root)
    }

    /// x^0.9 for x from 0 to 1: the power of BT.709's transfer function, for the light x^2.
    ///
    /// The tenth root is computed by Newton's method, because `pow` differs between platforms.
    private static let power: [Double] = (0...Int(csim_levels)).map { index in
        guard index > 0 else { return 0 }
        let x = Double(index) / Double(csim_levels)
        var root = 1.0
        for _ in 0..<24 {
            let square = root * root
            let fourth = square * square
            let ninth = fourth * fourth * root
            root -= (ninth * root - x) / (10 * ninth)
        }
        return x / root
    }
}
