/// An exposure as the sensor takes it: time and gain.
struct Exposure: Sendable, Hashable {
    /// At least 1.
    var nanoseconds: Int64
    var iso: Double

    var seconds: Double { Double(nanoseconds) / 1e9 }
    /// What the picture's brightness is proportional to, at a given aperture and light.
    var product: Double { seconds * iso }
}

/// The loop that brings the mean of the picture to its target, as a pure state machine.
///
/// One step answers one measured frame; it closes half the distance in EV, so that it neither jumps nor oscillates, and
/// rests while the picture stays near the target.
struct AutoExposure: Sendable, Hashable {
    /// The mean of linear light that is aimed at with no bias; 1 is white.
    static let target = 0.22
    /// As a factor: the loop comes to rest within this, and starts again outside `restlessness`.
    static let tolerance = 1.06
    static let restlessness = 1.2
    /// The most that one step changes, as a factor.
    static let largestStep = 2.8

    /// Seconds.
    var durations: ClosedRange<Double>
    var isos: ClosedRange<Double>
    /// Whether the loop is at rest.
    private(set) var isSettled = false

    init(durations: ClosedRange<Double>, isos: ClosedRange<Double>) {
        self.durations = durations
        self.isos = isos
    }

    /// Starts looking again, as after a change of mode or point.
    mutating func restart() { isSettled = false }

    /// The exposure for the next frame.
    ///
    /// - Parameters:
    ///   - exposure: What formed the measured frame.
    ///   - mean: The metered mean of its linear light, 0 … 1.
    ///   - aim: The target by the bias: `target` × 2^bias.
    ///   - longest: The longest time that the frame rate leaves, in seconds.
    ///   - isImmediate: Whether to go the whole way at once, as before the first frame.
    mutating func step(
        after exposure: Exposure, mean: Double, aim: Double, longest: Double, isImmediate: Bool = false
    ) -> Exposure {
        let ratio = aim / max(mean, 0.0005)
        let distance = max(ratio, 1 / ratio)
        if distance <= (isSettled ? Self.restlessness : Self.tolerance) {
            isSettled = true
            return exposure
        }
        let factor = min(max(isImmediate ? ratio : ratio.squareRoot(), 1 / Self.largestStep), Self.largestStep)
        let next = program(exposure.product * factor, longest: longest)
        // At the end of the range there is nothing left to do.
        isSettled = next == exposure
        return next
    }

    /// Splits a product of time and ISO: low ISO first, then the longest time, then higher ISO.
    func program(_ product: Double, longest: Double) -> Exposure {
        let longest = max(durations.lowerBound, min(longest, durations.upperBound))
        let seconds = min(max(product / isos.lowerBound, durations.lowerBound), longest)
        let nanoseconds = max(1, Int64((seconds * 1e9).rounded()))
        // Whole hundredths, so that what is told is what acts.
        let iso = (product / (Double(nanoseconds) / 1e9) * 100).rounded() / 100
        return Exposure(nanoseconds: nanoseconds, iso: min(max(iso, isos.lowerBound), isos.upperBound))
    }
}
