import CaptureHAL
import MediaTypes
package import StrictYAML

/// The rotation of hand-held cameras.
public struct HandShake: Sendable, Hashable {
    /// Root mean square of the rotation about each of the two axes perpendicular to the optical axis, 0 to 50.
    ///
    /// About 1 for a careful photographer, 3 while walking slowly.
    public let milliradians: Double

    /// Creates a hand shake; the value is clamped to 0 … 50.
    public init(milliradians: Double) { self.milliradians = min(max(milliradians, 0), 50) }

    /// Reads the `shake` value of a scenario.
    package init(_ value: YAMLValue) throws(YAMLError) {
        self.init(milliradians: try value.quantity(.milliradians, in: 0...50))
    }
}

extension YAMLUnit {
    static let milliradians = YAMLUnit(names: [("mrad", 1)])
}

/// The rotation of a hand-held camera as a function of time, with and without stabilization.
///
/// It is a sum of sines with seeded phases, which can have any spectrum and can be evaluated at any time (S. O. Rice,
/// "Mathematical analysis of random noise", Bell System Technical Journal 23, 1944). Nine tenths of the power is slow
/// drift: a mean-reverting random walk. Its spectrum decreases with the square of the frequency above 0.3 Hz. The
/// rest is physiological tremor, a peak at 8 to 12 Hz (J. McAuley, C. Marsden, "Physiological and pathological tremors
/// and rhythmic central motor control", Brain 123, 2000).
///
/// The values are sums of integers, so that all processors compute the same results.
struct ShakePath: Sendable {
    /// Rotation about the vertical axis, positive when the camera turns right and the image moves left, and about the
    /// horizontal axis, positive when the camera turns down and the image moves up; in units of 2^-40 radians.
    struct Angles: Sendable, Hashable {
        var x: Int64
        var y: Int64

        /// The unit in radians.
        static let unit = 1.0 / Double(1 << 40)

        static func - (a: Angles, b: Angles) -> Angles { Angles(x: a.x - b.x, y: a.y - b.y) }
        static func + (a: Angles, b: Angles) -> Angles { Angles(x: a.x + b.x, y: a.y + b.y) }
    }

    /// One sine of an axis.
    struct Component: Sendable {
        /// Hertz.
        var frequency: Double
        /// Root mean square, 2^-40 radians.
        var strength: Double
        /// The phase at time 0, in units of 2^-64 of a turn.
        var phase: UInt64
        /// Increment of the phase per nanosecond, in units of 2^-64 of a turn.
        var step: UInt64
        /// For each filter, the coefficients of the phase's sine and cosine, in units of 2^-40 radians.
        var weights: [(sine: Int64, cosine: Int64)]
    }

    let horizontal: [Component]
    let vertical: [Component]

    /// Creates the path of a hand shake; equal seeds result in equal paths.
    init(_ shake: HandShake, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let radians = shake.milliradians / 1000
        horizontal = Self.components(radians, &random)
        vertical = Self.components(radians, &random)
    }

    /// Returns the camera's direction at a time, or the direction after stabilization.
    func angles(at nanoseconds: Int64, through filter: StabilizationFilter = .none) -> Angles {
        Angles(x: Self.sum(horizontal, nanoseconds, filter), y: Self.sum(vertical, nanoseconds, filter))
    }

    private static func sum(_ components: [Component], _ nanoseconds: Int64, _ filter: StabilizationFilter) -> Int64 {
        var sum: Int64 = 0
        let time = UInt64(bitPattern: nanoseconds)
        for component in components {
            let phase = component.phase &+ component.step &* time
            let weight = component.weights[filter.rawValue]
            sum += (weight.sine * sine(phase)) >> 24
            if weight.cosine != 0 { sum += (weight.cosine * sine(phase &+ 1 << 62)) >> 24 }
        }
        return sum
    }

    // MARK: The spectrum

    /// The corner frequency of the drift, in hertz.
    private static let driftCorner = 0.3
    /// The fraction of the power that is drift.
    private static let driftShare = 0.9

    /// Returns the components of one axis, with a root mean square of `radians`.
    private static func components(_ radians: Double, _ random: inout SplitMix64) -> [Component] {
        var components: [Component] = []
        // Drift: bands from 0.03 to 6 Hz with a frequency ratio of 1.2, each with a sine of a random frequency in the
        // band.
        var edge = 0.03
        while edge < 6 {
            let next = edge * 1.2
            let frequency = random.number(in: edge...next)
            let density = 1 / (driftCorner * driftCorner + frequency * frequency)
            components.append(component(frequency, power: density * (next - edge), &random))
            edge = next
        }
        let driftCount = components.count
        // Tremor: bands of 0.3125 Hz from 7.5 to 12.5 Hz.
        for index in 0..<16 {
            let low = 7.5 + Double(index) * 0.3125
            let frequency = random.number(in: low...low + 0.3125)
            let distance = (frequency - 10) / 1.2
            components.append(component(frequency, power: RepeatableMath.exp2(-distance * distance), &random))
        }
        scale(&components[..<driftCount], to: radians * driftShare.squareRoot())
        scale(&components[driftCount...], to: radians * (1 - driftShare).squareRoot())
        return components
    }

    /// Creates a sine with a random phase, without weights.
    ///
    /// - Parameters:
    ///   - frequency: Hertz.
    ///   - power: Relative power; `scale` normalizes it.
    private static func component(_ frequency: Double, power: Double, _ random: inout SplitMix64) -> Component {
        Component(
            frequency: frequency, strength: power.squareRoot(), phase: random.next(),
            // 2^64 / 10^9.
            step: UInt64((frequency * 18_446_744_073.709551616).rounded()), weights: [])
    }

    /// Scales components to a total root mean square of `radians`, and computes their weights.
    private static func scale(_ components: inout ArraySlice<Component>, to radians: Double) {
        let power = components.reduce(0) { $0 + $1.strength * $1.strength }
        for index in components.indices {
            components[index].strength *= radians / Angles.unit / power.squareRoot()
            let component = components[index]
            // A sine's amplitude is the square root of 2 times its root mean square.
            let amplitude = component.strength * 2.0.squareRoot()
            components[index].weights = StabilizationFilter.allCases.map { filter in
                let gain = filter.gain(at: component.frequency)
                return (
                    Int64((amplitude * gain.real).rounded()), Int64((amplitude * gain.imaginary).rounded())
                )
            }
        }
    }

    // MARK: Sines

    /// One period in 4,096 steps, in units of 2^-24.
    private static let table: [Int64] = (0...4096).map { index in
        Int64((Circle.sine(turns: Double(index) / 4096) * 16_777_216).rounded())
    }

    /// Returns the sine, in units of 2^-24, of a phase in units of 2^-64 of a turn.
    private static func sine(_ phase: UInt64) -> Int64 {
        let index = Int(phase >> 52)
        let fraction = Int64(truncatingIfNeeded: (phase >> 28) & 0xff_ffff)
        return table[index] + ((table[index + 1] - table[index]) * fraction) >> 24
    }
}

/// The filter that a stabilization mode applies to the camera path.
enum StabilizationFilter: Int, Sendable, Hashable, CaseIterable {
    case none
    /// Two causal first-order low-pass filters at 1.2 Hz in series.
    case standard
    /// A triangular window of half a second before and after the frame.
    case cinematic
    /// A triangular window of one second before and after the frame.
    case cinematicExtended

    init(_ mode: VideoStabilization) {
        switch mode {
        case .off: self = .none
        case .standard, .previewOptimized, .lowLatency: self = .standard
        case .cinematic: self = .cinematic
        case .cinematicExtended, .cinematicExtendedEnhanced: self = .cinematicExtended
        }
    }

    /// The filter needs the path up to this time after a frame, in nanoseconds. Frames are delayed by it.
    var lookAheadNanoseconds: Int64 {
        switch self {
        case .none, .standard: 0
        case .cinematic: 500_000_000
        case .cinematicExtended: 1_000_000_000
        }
    }

    /// Returns the complex gain at a frequency in hertz.
    func gain(at hertz: Double) -> (real: Double, imaginary: Double) {
        switch self {
        case .none: return (1, 0)
        case .standard:
            // 1 / (1 + i f / f0), squared.
            let ratio = hertz / 1.2
            let square = 1 + ratio * ratio
            let (real, imaginary) = (1 / square, -ratio / square)
            return (real * real - imaginary * imaginary, 2 * real * imaginary)
        case .cinematic, .cinematicExtended:
            // A triangular window of half width T is a box of width T convolved with itself: (sin π f T / π f T)².
            let turns = hertz * Double(lookAheadNanoseconds) / 1e9
            guard turns > 1e-9 else { return (1, 0) }
            let box = Circle.sine(turns: turns / 2) / (3.141592653589793 * turns)
            return (box * box, 0)
        }
    }
}
