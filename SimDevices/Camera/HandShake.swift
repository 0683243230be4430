import CaptureHAL
import MediaTypes
package import StrictYAML

/// How steadily the cameras are held.
public struct HandShake: Sendable, Hashable {
    /// Root mean square of the angle by which the cameras turn, about each of the two axes across the view.
    ///
    /// About 1 for someone who takes care, 3 for someone who walks slowly.
    public var milliradians: Double

    public init(milliradians: Double) { self.milliradians = min(max(milliradians, 0), 50) }

    package init(_ value: YAMLValue) throws(YAMLError) {
        self.init(milliradians: try value.quantity(.milliradians, in: 0...50))
    }
}

extension YAMLUnit {
    static let milliradians = YAMLUnit(names: [("mrad", 1)])
}

/// The angles by which a hand turns a camera, at any time, and what a stabilizer leaves of them.
///
/// A sum of sines with seeded phases (S. O. Rice: "Mathematical analysis of random noise", Bell System Technical Journal
/// 23, 1944) has any spectrum, and can be asked for any moment without its past. Nine tenths of the power drift slowly, as
/// a random walk with a pull to the middle does, whose spectrum falls with the square of the frequency above 0.3 Hz; the
/// rest is physiological tremor, a peak at 8 to 12 Hz (J. McAuley, C. Marsden: "Physiological and pathological tremors and
/// rhythmic central motor control", Brain 123, 2000).
///
/// Integers alone are added for a moment, so that all machines agree.
struct ShakePath: Sendable {
    /// About the vertical axis, by which the view moves to the right, and about the horizontal one, down; 2^-40 radians.
    struct Angles: Sendable, Hashable {
        var x: Int64
        var y: Int64

        static let unit = 1.0 / Double(1 << 40)

        static func - (a: Angles, b: Angles) -> Angles { Angles(x: a.x - b.x, y: a.y - b.y) }
        static func + (a: Angles, b: Angles) -> Angles { Angles(x: a.x + b.x, y: a.y + b.y) }
    }

    /// One sine of an axis.
    private struct Component: Sendable {
        /// Hertz.
        var frequency: Double
        /// Root mean square, 2^-40 radians.
        var strength: Double
        /// 2^64 is one turn.
        var phase: UInt64
        /// Of the phase in a nanosecond.
        var step: UInt64
        /// For each filter: what the sine and the cosine of the phase count, 2^-40 radians.
        var weights: [(sine: Int64, cosine: Int64)]
    }

    private let horizontal: [Component]
    private let vertical: [Component]

    init(_ shake: HandShake, seed: UInt64) {
        var dice = SceneDice(seed: seed)
        let radians = shake.milliradians / 1000
        horizontal = Self.components(radians, &dice)
        vertical = Self.components(radians, &dice)
    }

    /// Where the camera points at a time, or where what is steadied shows it to point.
    func angles(at nanoseconds: Int64, through filter: StabilizationFilter = .none) -> Angles {
        Angles(x: Self.sum(horizontal, nanoseconds, filter), y: Self.sum(vertical, nanoseconds, filter))
    }

    /// The part of the angle's root mean square that a filter leaves, or of the angle's change.
    ///
    /// - Parameter spacing: Of the frames between which the change is taken, in seconds; nil for the angle itself.
    func residual(of filter: StabilizationFilter, between spacing: Double? = nil) -> Double {
        var (left, all) = (0.0, 0.0)
        for component in horizontal + vertical {
            let gain = filter.gain(at: component.frequency)
            // A sine changes over a time t by 2 sin π f t of it.
            let change = spacing.map { 2 * Circle.sine(turns: component.frequency * $0 / 2) } ?? 1
            let strength = component.strength * change
            let power = strength * strength
            left += power * (gain.real * gain.real + gain.imaginary * gain.imaginary)
            all += power
        }
        return all > 0 ? (left / all).squareRoot() : 1
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

    private static let driftCorner = 0.3
    private static let driftShare = 0.9

    private static func components(_ radians: Double, _ dice: inout SceneDice) -> [Component] {
        var components: [Component] = []
        // Steps of a fifth in frequency, each at a random place in its step.
        var edge = 0.03
        while edge < 6 {
            let next = edge * 1.2
            let frequency = dice.number(edge...next)
            let density = 1 / (driftCorner * driftCorner + frequency * frequency)
            components.append(component(frequency, power: density * (next - edge), &dice))
            edge = next
        }
        let drift = components.count
        for index in 0..<16 {
            let low = 7.5 + Double(index) * 0.3125
            let frequency = dice.number(low...low + 0.3125)
            let distance = (frequency - 10) / 1.2
            components.append(component(frequency, power: RepeatableMath.exp2(-distance * distance), &dice))
        }
        scale(&components[..<drift], to: radians * driftShare.squareRoot())
        scale(&components[drift...], to: radians * (1 - driftShare).squareRoot())
        return components
    }

    /// - Parameter power: In any unit; `scale` sets the strength.
    private static func component(_ frequency: Double, power: Double, _ dice: inout SceneDice) -> Component {
        Component(
            frequency: frequency, strength: power.squareRoot(), phase: dice.next(),
            step: UInt64((frequency * 18_446_744_073.709551616).rounded()), weights: [])
    }

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

    /// One turn in 4,096 steps, 2^24 is 1.
    private static let table: [Int64] = (0...4096).map { index in
        Int64((Circle.sine(turns: Double(index) / 4096) * 16_777_216).rounded())
    }

    private static func sine(_ phase: UInt64) -> Int64 {
        let index = Int(phase >> 52)
        let fraction = Int64(truncatingIfNeeded: (phase >> 28) & 0xff_ffff)
        return table[index] + ((table[index + 1] - table[index]) * fraction) >> 24
    }
}

/// How a stabilizer smooths a camera's path.
enum StabilizationFilter: Int, Sendable, Hashable, CaseIterable {
    case none
    /// Two low-passes of the first order at 1.2 Hz, one after the other: the past alone.
    case standard
    /// The mean of the path over half a second before and after, weighed by a triangle.
    case cinematic
    /// The same over a second.
    case cinematicExtended

    init(_ mode: VideoStabilization) {
        switch mode {
        case .off: self = .none
        case .standard, .previewOptimized, .lowLatency: self = .standard
        case .cinematic: self = .cinematic
        case .cinematicExtended, .cinematicExtendedEnhanced: self = .cinematicExtended
        }
    }

    /// How much of the path to come it needs, in nanoseconds: by so much frames come later.
    var lookAheadNanoseconds: Int64 {
        switch self {
        case .none, .standard: 0
        case .cinematic: 500_000_000
        case .cinematicExtended: 1_000_000_000
        }
    }

    /// What becomes of a sine of a frequency: of itself, and of the cosine.
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
            // A triangle of half width T is a box of width T over itself: (sin π f T / π f T)².
            let turns = hertz * Double(lookAheadNanoseconds) / 1e9
            guard turns > 1e-9 else { return (1, 0) }
            let box = Circle.sine(turns: turns / 2) / (3.141592653589793 * turns)
            return (box * box, 0)
        }
    }
}
