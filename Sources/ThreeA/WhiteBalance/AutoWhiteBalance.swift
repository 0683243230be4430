import MediaTypes

/// The loop that makes the mean of the picture grey, as a pure state machine.
///
/// The world is grey on average: G. Buchsbaum: "A spatial processor model for object colour perception", J. Franklin
/// Institute 310 (1980), 1–26. Clipped samples, whose colour is lost, are left out by the statistics; how far red and
/// blue may go from green is limited, as a scene that is not grey would else lose its colours. As with exposure, a step
/// answers one measured frame by what formed it.
package struct AutoWhiteBalance: Sendable, Hashable {
    /// How the loop moves, in logarithms to base 2 of the gains' ratios.
    package struct Dynamics: Sendable, Hashable {
        package var response: Response
        /// The loop comes to rest within this on both axes, and begins again outside `restlessness`.
        package var tolerance: Double
        package var restlessness: Double
        /// Frames in a row outside `restlessness` after which the loop begins again.
        package var patience: Int
        /// The most that one step changes.
        package var largestStep: Double
        /// How far red and blue may go from green, as logarithms.
        package var redLimits: ClosedRange<Double>
        package var blueLimits: ClosedRange<Double>
        /// The least share of samples that must count.
        package var leastShare: Double

        package init(
            response: Response = Response(timeConstant: 6), tolerance: Double = 0.015, restlessness: Double = 0.06,
            patience: Int = 3, largestStep: Double = 0.5, redLimits: ClosedRange<Double> = -1.5...2,
            blueLimits: ClosedRange<Double> = -1.5...2.5, leastShare: Double = 0.05
        ) {
            self.response = response
            self.tolerance = tolerance
            self.restlessness = max(restlessness, tolerance)
            self.patience = max(1, patience)
            self.largestStep = largestStep
            self.redLimits = redLimits
            self.blueLimits = blueLimits
            self.leastShare = leastShare
        }

        /// Frames after which the loop rests where it is near and comes no nearer.
        ///
        /// Which samples are greyish depends on the gains, so the goal may move to and fro by more than `tolerance` with
        /// the loop after it. From `restlessness` to `tolerance` it takes fewer than two time constants.
        var nearFrames: Int { 2 * patience + Int((4 * response.timeConstant).rounded(.up)) }

        /// The same with limits that count from these gains instead of from equal ones.
        package func centred(on gains: ColorGains) -> Dynamics {
            func moved(_ limits: ClosedRange<Double>, _ gain: Double) -> ClosedRange<Double> {
                let shift = RepeatableMath.log2(max(gain, 0.000001) / max(gains.green, 0.000001))
                return limits.lowerBound + shift...limits.upperBound + shift
            }
            var centred = self
            centred.redLimits = moved(redLimits, gains.red)
            centred.blueLimits = moved(blueLimits, gains.blue)
            return centred
        }
    }

    /// A place among the gains: logarithms to base 2 of red and blue over green.
    private struct Place: Sendable, Hashable {
        var red: Double
        var blue: Double

        init(red: Double, blue: Double) { (self.red, self.blue) = (red, blue) }

        init(_ gains: ColorGains) {
            red = RepeatableMath.log2(gains.red / gains.green)
            blue = RepeatableMath.log2(gains.blue / gains.green)
        }

        /// The distance on the axis on which it is greater.
        func distance(to other: Place) -> Double { max(abs(red - other.red), abs(blue - other.blue)) }

        /// The way along both axes, which shrinks even where gains at their ends let one axis grow.
        func way(to other: Place) -> Double { abs(red - other.red) + abs(blue - other.blue) }
    }

    package var limits: GainLimits
    package var dynamics: Dynamics
    /// Whether the loop moves.
    package private(set) var isAdjusting = true
    private var lastStep = Place(red: 0, blue: 0)
    private var restlessCount = 0
    /// Frames in a row, while the loop moves, that were as near as would let a resting loop rest.
    private var nearCount = 0

    package init(limits: GainLimits, dynamics: Dynamics = Dynamics()) {
        self.limits = limits
        self.dynamics = dynamics
    }

    /// Begins to look, as after a change of mode.
    package mutating func restart() { begin(true) }

    /// Comes to rest, as when the mode becomes locked.
    package mutating func rest() { begin(false) }

    private mutating func begin(_ isAdjusting: Bool) {
        self.isAdjusting = isAdjusting
        (lastStep, restlessCount, nearCount) = (Place(red: 0, blue: 0), 0, 0)
    }

    /// The gains for the next frames.
    ///
    /// - Parameters:
    ///   - formed: What formed the measured frame.
    ///   - current: What is set now.
    ///   - color: The means of the frame as it was delivered, gains and all; nil where it has none.
    ///   - isImmediate: Whether to go the whole way at once, as before the first frame.
    package mutating func step(
        after formed: ColorGains, current: ColorGains, color: ColorMeans?, isImmediate: Bool = false
    ) -> ColorGains {
        guard let color, color.share >= dynamics.leastShare, color.red > 0, color.green > 0, color.blue > 0 else {
            // Too dark or too bright to tell a colour.
            rest()
            return current
        }
        let seen = Place(
            red: RepeatableMath.log2(color.green / color.red), blue: RepeatableMath.log2(color.green / color.blue))
        let formedPlace = Place(formed)
        let goal = allowed(Place(red: formedPlace.red + seen.red, blue: formedPlace.blue + seen.blue))
        let error = goal.distance(to: formedPlace)
        if !isAdjusting {
            restlessCount = error > dynamics.restlessness ? restlessCount + 1 : 0
            guard restlessCount >= dynamics.patience else { return current }
        }
        let here = Place(current)
        let remaining = goal.distance(to: here)
        let speed = max(abs(lastStep.red), abs(lastStep.blue))
        if error <= dynamics.tolerance, remaining <= dynamics.tolerance, speed <= 2 * dynamics.tolerance {
            rest()
            return current
        }
        nearCount = max(error, remaining) <= dynamics.restlessness ? nearCount + 1 : 0
        if nearCount > dynamics.nearFrames {
            rest()
            return current
        }
        guard let next = next(current, here, goal, isImmediate) else {
            if formed == current { rest() } else { lastStep = Place(red: 0, blue: 0) }
            return current
        }
        restlessCount = 0
        isAdjusting = true
        let reached = Place(next)
        // What goes the whole way does not swing on.
        lastStep =
            isImmediate
            ? Place(red: 0, blue: 0) : Place(red: reached.red - here.red, blue: reached.blue - here.blue)
        return next
    }

    private func allowed(_ place: Place) -> Place {
        Place(
            red: min(max(place.red, dynamics.redLimits.lowerBound), dynamics.redLimits.upperBound),
            blue: min(max(place.blue, dynamics.blueLimits.lowerBound), dynamics.blueLimits.upperBound))
    }

    /// The next gains that bring the picture nearer to grey; nil where none do.
    private func next(_ current: ColorGains, _ here: Place, _ goal: Place, _ isImmediate: Bool) -> ColorGains? {
        func step(_ distance: Double, _ last: Double) -> Double {
            dynamics.response.step(distance: distance, last: last, limit: dynamics.largestStep)
        }
        let next = limits.gains(
            red: here.red + step(goal.red - here.red, lastStep.red),
            blue: here.blue + step(goal.blue - here.blue, lastStep.blue))
        let isSwinging = max(abs(lastStep.red), abs(lastStep.blue)) > dynamics.tolerance
        if dynamics.response.overshoot > 0, isSwinging, next != current { return next }
        let remaining = goal.way(to: here)
        let whole = limits.gains(red: goal.red, blue: goal.blue)
        let least = isAdjusting ? dynamics.tolerance / 4 : dynamics.tolerance
        guard whole != current, remaining - goal.way(to: Place(whole)) > least else { return nil }
        if isImmediate { return whole }
        return next != current && goal.way(to: Place(next)) < remaining ? next : whole
    }
}
