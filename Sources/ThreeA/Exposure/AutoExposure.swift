import MediaTypes

/// The loop that brings the metered mean of the picture to its target, as a pure state machine.
///
/// A step answers one measured frame. The frame and what formed it tell the scene; the loop goes from the exposure in
/// force towards the one that the scene asks for, so that what is set but not yet seen is not set twice. It comes to
/// rest near the target, and begins again only when the picture has been further away for some frames.
package struct AutoExposure: Sendable, Hashable {
    /// How the loop moves.
    package struct Dynamics: Sendable, Hashable {
        package var response: Response
        /// In EV: the loop comes to rest within this, and begins again outside `restlessness`.
        package var tolerance: Double
        package var restlessness: Double
        /// Frames in a row outside `restlessness` after which the loop begins again.
        package var patience: Int
        /// The most that one step changes, in EV.
        package var largestStep: Double

        /// - Parameter response: Half the distance each frame where nothing else is said.
        package init(
            response: Response = Response(timeConstant: 1.4426950408889634), tolerance: Double = 0.084,
            restlessness: Double = 0.263, patience: Int = 1, largestStep: Double = 1.5
        ) {
            self.response = response
            self.tolerance = tolerance
            self.restlessness = max(restlessness, tolerance)
            self.patience = max(1, patience)
            self.largestStep = largestStep
        }

        /// Dynamics for hardware whose delay between a write and its effect is not known exactly.
        package static let forUnknownDelay = Dynamics(response: Response(timeConstant: 3.5), patience: 3)
    }

    /// The metered mean of linear light that is aimed at with no bias; 1 is white.
    ///
    /// What is clipped counts as white. Sensitivity by ISO 12232:2019 (standard output sensitivity) puts the mean of a scene
    /// at 18 % of white; here it is a third of an EV above that, as phones have it. With a bias the aim is the exposure
    /// that is so many EV from that one, not a mean so many times as great, which a picture that clips could not reach.
    package static let target = 0.22
    /// A mean below this cannot be told from black in eight bits.
    private static let darkest = 0.0005
    /// The share of clipped samples up to which a picture tells the scene's light.
    private static let tellingShare = 0.02
    /// A mean above this is of a picture that is clipped for the most part.
    private static let blown = 0.85

    package var program: ExposureProgram
    package var dynamics: Dynamics
    /// Whether the loop moves.
    package private(set) var isAdjusting = true
    /// The last step, in EV; 0 at rest.
    private var lastStep = 0.0
    /// Frames in a row that were outside `restlessness`.
    private var restlessCount = 0
    /// How much brighter the last measured picture was than the aim, in EV.
    package private(set) var offset = 0.0
    /// The last picture that tells the scene's light: one without a bias to more exposure, or in which hardly anything
    /// is clipped.
    private var reference: MeteredLight?
    /// Whether time and sensitivity are still to be shared anew, as after a change of what the program may do.
    private var needsSplit = true

    package init(program: ExposureProgram, dynamics: Dynamics = Dynamics()) {
        self.program = program
        self.dynamics = dynamics
    }

    /// Begins to look, as after a change of mode, point or bias.
    package mutating func restart() {
        isAdjusting = true
        lastStep = 0
        restlessCount = 0
        needsSplit = true
    }

    /// Comes to rest, as when the mode becomes locked.
    package mutating func rest() {
        isAdjusting = false
        lastStep = 0
        restlessCount = 0
    }

    /// The exposure for the next frames.
    ///
    /// - Parameters:
    ///   - formed: What formed the measured frame.
    ///   - current: What is set now.
    ///   - light: The metered light of the frame.
    ///   - bias: EV by which the exposure is to be raised.
    ///   - longest: The longest time that the frame rate leaves, in seconds.
    ///   - isImmediate: Whether to go the whole way at once, as before the first frame.
    package mutating func step(
        after formed: Exposure, current: Exposure, light: MeteredLight, bias: Double, longest: Double,
        isImmediate: Bool = false
    ) -> Exposure {
        let isKnown = measure(light, bias: bias)
        let (error, mean) = (-offset, light.mean)
        let isTooLong = current.seconds > max(longest * 1.0001, program.durations.lowerBound)
        if !isAdjusting {
            restlessCount = abs(error) > dynamics.restlessness || isTooLong ? restlessCount + 1 : 0
            guard restlessCount >= dynamics.patience else { return current }
        }
        let product = formed.product * RepeatableMath.exp2(error)
        var remaining = RepeatableMath.log2(product / current.product)
        // A picture that is white or black all over tells only that the scene is at least so bright, or so dark.
        if mean > Self.blown, !isKnown { remaining = min(remaining, 0) }
        if mean <= Self.darkest { remaining = max(remaining, 0) }
        if abs(error) <= dynamics.tolerance, abs(remaining) <= dynamics.tolerance, !isTooLong,
            abs(lastStep) <= 2 * dynamics.tolerance
        {
            if needsSplit {
                needsSplit = false
                let place = program.exposure(product: current.product, longest: longest)
                if place != current, program.distance(place, current.product) <= dynamics.restlessness { return place }
            }
            rest()
            return current
        }
        needsSplit = false
        guard let next = next(current, remaining, longest, isImmediate, isTooLong) else {
            // As near as the camera can come; while changes are on their way, the picture has not come to rest.
            if formed == current { rest() } else { lastStep = 0 }
            return current
        }
        restlessCount = 0
        isAdjusting = true
        lastStep = RepeatableMath.log2(next.product / current.product)
        return next
    }

    /// Finds how far a picture is from the aim.
    ///
    /// The mean of a picture that clips says little about its exposure. Where a bias makes it clip, it is therefore
    /// compared with what the last picture that did not clip would look like with more exposure.
    /// - Returns: Whether there was such a picture to compare with.
    @discardableResult
    package mutating func measure(_ light: MeteredLight, bias: Double) -> Bool {
        if bias <= 0 || light.saturatedShare <= Self.tellingShare { reference = light }
        guard light.saturatedShare > Self.tellingShare, bias > 0, let reference, reference.mean > Self.darkest else {
            offset = RepeatableMath.log2(max(light.mean, Self.darkest) / Self.target) - bias
            return false
        }
        // The exposures, in proportion to the reference's, at the aim and of a picture as bright as this one.
        let aimed = Self.target / reference.mean * RepeatableMath.exp2(bias)
        let alike = reference.exposure(forMean: light.mean, in: aimed / 64...aimed * 64)
        offset = RepeatableMath.log2(alike / aimed)
        return true
    }

    /// The next exposure that brings the camera nearer; nil where none does.
    private func next(
        _ current: Exposure, _ remaining: Double, _ longest: Double, _ isImmediate: Bool, _ isTooLong: Bool
    ) -> Exposure? {
        let limit = isImmediate ? 1000 : dynamics.largestStep
        func place(_ step: Double) -> Exposure {
            program.exposure(product: current.product * RepeatableMath.exp2(step), longest: longest)
        }
        let step = isImmediate ? remaining : dynamics.response.step(distance: remaining, last: lastStep, limit: limit)
        let next = place(step)
        let goal = current.product * RepeatableMath.exp2(remaining)
        if isTooLong { return next == current ? nil : next }
        // On its way past the target.
        if dynamics.response.overshoot > 0, abs(lastStep) > dynamics.tolerance, next != current { return next }
        // Better by a little only would let noise choose between two places of a coarse camera for ever.
        let whole = place(min(max(remaining, -limit), limit))
        let least = isAdjusting ? dynamics.tolerance / 4 : dynamics.tolerance
        guard whole != current, abs(remaining) - program.distance(whole, goal) > least else { return nil }
        // Where the camera has no place on the way, it goes there at once.
        let isOnTheWay = next.product != current.product && program.distance(next, goal) < abs(remaining)
        return isOnTheWay ? next : whole
    }
}
