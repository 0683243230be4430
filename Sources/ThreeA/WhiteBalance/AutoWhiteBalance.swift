import MediaTypes

/// The automatic white balance loop as a pure state machine: it makes the mean color of the frames gray.
///
/// It uses the gray-world assumption: G. Buchsbaum: "A spatial processor model for object color perception", J.
/// Franklin Institute 310 (1980), 1–26. The statistics ignore clipped samples, because their color is lost. The ratios
/// of red and blue to green are limited, so that a scene that is not gray keeps its colors. As in `AutoExposure`, each
/// step processes one measured frame together with the gains that were in effect when it was captured.
package struct AutoWhiteBalance: Sendable, Hashable {
    /// The parameters of the loop. Distances are differences of logarithms to base 2 of the gains' ratios.
    package struct Dynamics: Sendable, Hashable {
        /// The step response.
        package var response: Response
        /// The loop stops when the error on both axes is within this value.
        package var tolerance: Double
        /// The loop restarts when the error exceeds this value.
        package var restartThreshold: Double
        /// The number of consecutive frames above `restartThreshold` after which the loop restarts.
        package var confirmationFrameCount: Int
        /// The maximum change in one step.
        package var largestStep: Double
        /// The allowed logarithm of red over green.
        package var redLimits: ClosedRange<Double>
        /// The allowed logarithm of blue over green.
        package var blueLimits: ClosedRange<Double>
        /// The minimum share of valid samples in a frame.
        package var minimumShare: Double

        /// Creates parameters.
        package init(
            response: Response = Response(timeConstant: 6), tolerance: Double = 0.015, restartThreshold: Double = 0.06,
            confirmationFrameCount: Int = 3, largestStep: Double = 0.5, redLimits: ClosedRange<Double> = -1.5...2,
            blueLimits: ClosedRange<Double> = -1.5...2.5, minimumShare: Double = 0.05
        ) {
            self.response = response
            self.tolerance = tolerance
            self.restartThreshold = max(restartThreshold, tolerance)
            self.confirmationFrameCount = max(1, confirmationFrameCount)
            self.largestStep = largestStep
            self.redLimits = redLimits
            self.blueLimits = blueLimits
            self.minimumShare = minimumShare
        }

        /// The number of frames within `restartThreshold` after which the loop stops even if it has not reached
        /// `tolerance`.
        ///
        /// The set of grayish samples depends on the gains. The goal, and with it the loop, can therefore oscillate by
        /// more than `tolerance`. Normally the loop needs less than two time constants from `restartThreshold` to
        /// `tolerance`.
        var maximumNearFrameCount: Int { 2 * confirmationFrameCount + Int((4 * response.timeConstant).rounded(.up)) }

        /// Returns the parameters with limits relative to `gains` instead of equal gains.
        package func centered(on gains: ColorGains) -> Dynamics {
            func shifted(_ limits: ClosedRange<Double>, _ gain: Double) -> ClosedRange<Double> {
                let shift = RepeatableMath.log2(max(gain, 0.000001) / max(gains.green, 0.000001))
                return limits.lowerBound + shift...limits.upperBound + shift
            }
            var centered = self
            centered.redLimits = shifted(redLimits, gains.red)
            centered.blueLimits = shifted(blueLimits, gains.blue)
            return centered
        }
    }

    /// The logarithms to base 2 of red over green and blue over green.
    private struct LogRatios: Sendable, Hashable {
        var red: Double
        var blue: Double

        init(red: Double, blue: Double) { (self.red, self.blue) = (red, blue) }

        init(_ gains: ColorGains) {
            red = RepeatableMath.log2(gains.red / gains.green)
            blue = RepeatableMath.log2(gains.blue / gains.green)
        }

        /// Returns the greater of the distances along the axes.
        func distance(to other: LogRatios) -> Double { max(abs(red - other.red), abs(blue - other.blue)) }

        /// Returns the sum of the distances along the axes. A step toward the goal decreases the sum even if limited
        /// gains increase the distance along one axis.
        func taxicabDistance(to other: LogRatios) -> Double { abs(red - other.red) + abs(blue - other.blue) }
    }

    /// The gains that the camera supports.
    package var limits: GainLimits
    /// The parameters of the loop.
    package var dynamics: Dynamics
    /// Whether the loop is running.
    package private(set) var isAdjusting = true
    /// The last step; 0 if the loop is stopped.
    private var lastStep = LogRatios(red: 0, blue: 0)
    /// The number of consecutive frames above `restartThreshold`.
    private var aboveThresholdCount = 0
    /// The number of consecutive frames within `restartThreshold` while the loop is running.
    private var nearCount = 0

    /// Creates a running loop.
    package init(limits: GainLimits, dynamics: Dynamics = Dynamics()) {
        self.limits = limits
        self.dynamics = dynamics
    }

    /// Starts the loop, for example after a change of mode.
    package mutating func restart() { reset(isAdjusting: true) }

    /// Stops the loop, for example when the mode becomes locked.
    package mutating func stop() { reset(isAdjusting: false) }

    private mutating func reset(isAdjusting: Bool) {
        self.isAdjusting = isAdjusting
        (lastStep, aboveThresholdCount, nearCount) = (LogRatios(red: 0, blue: 0), 0, 0)
    }

    /// Computes the gains for the next frames.
    ///
    /// - Parameters:
    ///   - captured: The gains with which the measured frame was captured.
    ///   - current: The current gains.
    ///   - color: The mean color of the frame after white balance; nil if it is unknown.
    ///   - isImmediate: Whether to reach the goal in one step, for example before the first frame.
    package mutating func step(
        after captured: ColorGains, current: ColorGains, color: ColorMeans?, isImmediate: Bool = false
    ) -> ColorGains {
        guard let color, color.share >= dynamics.minimumShare, color.red > 0, color.green > 0, color.blue > 0 else {
            // The frame is too dark or too bright to measure a color.
            stop()
            return current
        }
        let correction = LogRatios(
            red: RepeatableMath.log2(color.green / color.red), blue: RepeatableMath.log2(color.green / color.blue))
        let capturedRatios = LogRatios(captured)
        let goal = allowed(
            LogRatios(red: capturedRatios.red + correction.red, blue: capturedRatios.blue + correction.blue))
        let error = goal.distance(to: capturedRatios)
        if !isAdjusting {
            aboveThresholdCount = error > dynamics.restartThreshold ? aboveThresholdCount + 1 : 0
            guard aboveThresholdCount >= dynamics.confirmationFrameCount else { return current }
        }
        let currentRatios = LogRatios(current)
        let remaining = goal.distance(to: currentRatios)
        let speed = max(abs(lastStep.red), abs(lastStep.blue))
        if error <= dynamics.tolerance, remaining <= dynamics.tolerance, speed <= 2 * dynamics.tolerance {
            stop()
            return current
        }
        nearCount = max(error, remaining) <= dynamics.restartThreshold ? nearCount + 1 : 0
        if nearCount > dynamics.maximumNearFrameCount {
            stop()
            return current
        }
        guard let next = next(current, currentRatios, goal, isImmediate) else {
            if captured == current { stop() } else { lastStep = LogRatios(red: 0, blue: 0) }
            return current
        }
        aboveThresholdCount = 0
        isAdjusting = true
        let reached = LogRatios(next)
        // A step that reaches the goal has no momentum.
        lastStep =
            isImmediate
            ? LogRatios(red: 0, blue: 0)
            : LogRatios(red: reached.red - currentRatios.red, blue: reached.blue - currentRatios.blue)
        return next
    }

    /// Returns the ratios limited to those that `dynamics` allows.
    private func allowed(_ ratios: LogRatios) -> LogRatios {
        LogRatios(
            red: min(max(ratios.red, dynamics.redLimits.lowerBound), dynamics.redLimits.upperBound),
            blue: min(max(ratios.blue, dynamics.blueLimits.lowerBound), dynamics.blueLimits.upperBound))
    }

    /// Returns the next gains closer to the goal; nil if there are none.
    private func next(_ current: ColorGains, _ currentRatios: LogRatios, _ goal: LogRatios, _ isImmediate: Bool)
        -> ColorGains?
    {
        func step(_ distance: Double, _ last: Double) -> Double {
            dynamics.response.step(distance: distance, last: last, limit: dynamics.largestStep)
        }
        let next = limits.gains(
            red: currentRatios.red + step(goal.red - currentRatios.red, lastStep.red),
            blue: currentRatios.blue + step(goal.blue - currentRatios.blue, lastStep.blue))
        let hasMomentum = max(abs(lastStep.red), abs(lastStep.blue)) > dynamics.tolerance
        if dynamics.response.overshoot > 0, hasMomentum, next != current { return next }
        let remaining = goal.taxicabDistance(to: currentRatios)
        let nearest = limits.gains(red: goal.red, blue: goal.blue)
        let minimum = isAdjusting ? dynamics.tolerance / 4 : dynamics.tolerance
        guard nearest != current, remaining - goal.taxicabDistance(to: LogRatios(nearest)) > minimum else { return nil }
        if isImmediate { return nearest }
        return next != current && goal.taxicabDistance(to: LogRatios(next)) < remaining ? next : nearest
    }
}
