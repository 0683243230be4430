import CSimKernels
import ThreeA

/// What a camera's sensor and tone curve make of light, at one sensitivity and white balance.
///
/// Confined to the turn of a stream's source.
final class ToneTables {
    private struct Key: Equatable {
        var iso: Double
        var gains: ColorGains
        var matrix: ColorMatrix
        var headroom: Double
    }

    let raw: UnsafeMutablePointer<csim_tables>
    /// By which the deviations are counted.
    private(set) var noiseShift: Int32 = 0
    /// Rises with each change.
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

    /// Fills the tables where they are those of another sensitivity or balance.
    func set(iso: Double, gains: ColorGains, matrix: ColorMatrix, headroom: Double) {
        let wanted = Key(iso: iso, gains: gains, matrix: matrix, headroom: headroom)
        guard key != wanted else { return }
        key = wanted
        version += 1
        var raw = csim_sensor()
        // Amplified more, fewer electrons fill the range.
        raw.fullWell = sensor.fullWell * lowestISO / iso
        raw.readNoise = sensor.readNoise
        (raw.redGain, raw.greenGain, raw.blueGain) = (gains.red, gains.green, gains.blue)
        raw.redNoise = Self.noise(of: matrix.row(0), gains, own: gains.red)
        raw.blueNoise = Self.noise(of: matrix.row(2), gains, own: gains.blue)
        raw.headroom = headroom
        raw.codes = isFullRange ? 255 : 219
        noiseShift = Self.power.withUnsafeBufferPointer { csim_tabulate(&raw, $0.baseAddress, self.raw) }
    }

    /// The noise of a colour after the colour matrix in proportion to what its own channel brings, where all are grey.
    ///
    /// A channel that is amplified more has counted fewer electrons: its variance is in proportion to its gain.
    private static func noise(of row: ArraySlice<Double>, _ gains: ColorGains, own: Double) -> Double {
        let variance = zip(row, [gains.red, gains.green, gains.blue]).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
        // Demosaicing and the quarter of the resolution average the colours of neighbours.
        return 0.5 * (variance / own).squareRoot()
    }

    /// x^0.9 for x from 0 to 1.
    ///
    /// By Newton's method for the tenth root, as powers are not the same on every machine.
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
