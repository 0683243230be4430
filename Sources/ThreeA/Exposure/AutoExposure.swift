import MediaTypes

/// The automatic exposure loop as a pure state machine: it brings the metered mean of the frames to a target.
///
/// Each step processes one measured frame. The loop computes the scene's light from the frame and the exposure with
/// which it was captured, and moves from the current exposure to the one that the scene needs. Changes that are not
/// visible in a frame yet are therefore not applied twice. The loop stops near the target, and restarts only when the
/// error has been larger for several frames.
package struct AutoExposure: Sendable, Hashable {
    /// The parameters of the loop.
    package struct Dynamics: Sendable, Hashable {
        /// The step response.
        package var response: Response
        /// The loop stops when the error is within this value in EV.
        package var tolerance: Double
        /// The loop restarts when the error exceeds this value in EV.
        package var restartThreshold: Double
        /// The number of consecutive frames above `restartThreshold` after which the loop restarts.
        package var confirmationFrameCount: Int
        /// The maximum change in one step, in EV.
        package var largestStep: Double

        /// Creates parameters.
        ///
        /// - Parameter response: By default, each step halves the distance.
        package init(
            response: Response = Response(timeConstant: 1.4426950408889634), tolerance: Double = 0.084,
            restartThreshold: Double = 0.263, confirmationFrameCount: Int = 1, largestStep: Double = 1.5
        ) {
            self.response = response
            self.tolerance = tolerance
            self.restartThreshold = max(restartThreshold, tolerance)
            self.confirmationFrameCount = max(1, confirmationFrameCount)
            self.largestStep = largestStep
        }

        /// Parameters for hardware with an unknown delay between a write and its effect.
        package static let forUnknownDelay = Dynamics(response: Response(timeConstant: 3.5), confirmationFrameCount: 3)
    }

    /// The target of the metered mean of linear light without a bias; 1 is white.
    ///
    /// Clipped samples count as white. With the sensitivity of ISO 12232:2019 (standard output sensitivity) the mean of
    /// a scene is 18 % of white; like phones, this loop uses 1/3 EV more. With a bias, the target is the exposure that
    /// differs by the bias from the exposure without it. The target is not a multiple of this mean, because the mean of
    /// a clipped frame could not reach it.
    package static let target = 0.22
    /// A mean below this value is indistinguishable from black with 8 bits.
    private static let minimumMean = 0.0005
    /// The maximum share of clipped samples in a frame that can be used as the reference.
    private static let maximumClippedShare = 0.02
    /// A frame with a mean above this value is mostly clipped.
    private static let mostlyClipped = 0.85

    /// The exposures that the camera supports.
    package var program: ExposureProgram
    /// The parameters of the loop.
    package var dynamics: Dynamics
    /// Whether the loop is running.
    package private(set) var isAdjusting = true
    /// The last step in EV; 0 if the loop is stopped.
    private var lastStep = 0.0
    /// The number of consecutive frames above `restartThreshold`.
    private var aboveThresholdCount = 0
    /// The difference of the last measured frame's brightness to the target, in EV; positive if it is brighter.
    package private(set) var offset = 0.0
    /// The light of the last frame that had no positive bias or few clipped samples.
    private var reference: MeteredLight?
    /// Whether the exposure must be split into time and sensitivity again, for example after a change of the program.
    private var needsSplit = true

    /// Creates a running loop.
    package init(program: ExposureProgram, dynamics: Dynamics = Dynamics()) {
        self.program = program
        self.dynamics = dynamics
    }

    /// Starts the loop, for example after a change of mode, point or bias.
    package mutating func restart() {
        isAdjusting = true
        lastStep = 0
        aboveThresholdCount = 0
        needsSplit = true
    }

    /// Stops the loop, for example when the mode becomes locked.
    package mutating func stop() {
        isAdjusting = false
        lastStep = 0
        aboveThresholdCount = 0
    }

    /// Computes the exposure for the next frames.
    ///
    /// - Parameters:
    ///   - captured: The exposure with which the measured frame was captured.
    ///   - current: The current exposure.
    ///   - light: The metered light of the frame.
    ///   - bias: The exposure bias in EV.
    ///   - longest: The longest exposure time that the frame rate allows, in seconds.
    ///   - isImmediate: Whether to reach the target in one step, for example before the first frame.
    package mutating func step(
        after captured: Exposure, current: Exposure, light: MeteredLight, bias: Double, longest: Double,
        isImmediate: Bool = false
    ) -> Exposure {
        let isPredicted = measure(light, bias: bias)
        let (error, mean) = (-offset, light.mean)
        let isTooLong = current.seconds > max(longest * 1.0001, program.durations.lowerBound)
        if !isAdjusting {
            aboveThresholdCount = abs(error) > dynamics.restartThreshold || isTooLong ? aboveThresholdCount + 1 : 0
            guard aboveThresholdCount >= dynamics.confirmationFrameCount else { return current }
        }
        let product = captured.product * RepeatableMath.exp2(error)
        var remaining = RepeatableMath.log2(product / current.product)
        // A completely white or black frame is only a limit of the scene's brightness.
        if mean > Self.mostlyClipped, !isPredicted { remaining = min(remaining, 0) }
        if mean <= Self.minimumMean { remaining = max(remaining, 0) }
        if abs(error) <= dynamics.tolerance, abs(remaining) <= dynamics.tolerance, !isTooLong,
            abs(lastStep) <= 2 * dynamics.tolerance
        {
            if needsSplit {
                needsSplit = false
                let split = program.exposure(product: current.product, longest: longest)
                if split != current, program.distance(split, current.product) <= dynamics.restartThreshold {
                    return split
                }
            }
            stop()
            return current
        }
        needsSplit = false
        guard let next = next(current, remaining, longest, isImmediate, isTooLong) else {
            // The camera has no exposure closer to the target. The loop stops after a frame with the current exposure.
            if captured == current { stop() } else { lastStep = 0 }
            return current
        }
        aboveThresholdCount = 0
        isAdjusting = true
        lastStep = RepeatableMath.log2(next.product / current.product)
        return next
    }

    /// Computes `offset` for a frame.
    ///
    /// The exposure cannot be determined from the mean of a clipped frame. If a bias causes clipping, the frame is
    /// therefore compared with the prediction from the last frame with little clipping.
    /// - Returns: Whether such a prediction was used.
    @discardableResult
    package mutating func measure(_ light: MeteredLight, bias: Double) -> Bool {
        if bias <= 0 || light.saturatedShare <= Self.maximumClippedShare { reference = light }
        guard light.saturatedShare > Self.maximumClippedShare, bias > 0, let reference,
            reference.mean > Self.minimumMean
        else {
            offset = RepeatableMath.log2(max(light.mean, Self.minimumMean) / Self.target) - bias
            return false
        }
        // Both exposures are relative to that of the reference.
        let targetExposure = Self.target / reference.mean * RepeatableMath.exp2(bias)
        let measuredExposure = reference.exposure(
            forMean: light.mean, in: targetExposure / 64...targetExposure * 64)
        offset = RepeatableMath.log2(measuredExposure / targetExposure)
        return true
    }

    /// Returns the next exposure closer to the goal; nil if there is none.
    private func next(
        _ current: Exposure, _ remaining: Double, _ longest: Double, _ isImmediate: Bool, _ isTooLong: Bool
    ) -> Exposure? {
        let limit = isImmediate ? 1000 : dynamics.largestStep
        func exposure(after step: Double) -> Exposure {
            program.exposure(product: current.product * RepeatableMath.exp2(step), longest: longest)
        }
        let step = isImmediate ? remaining : dynamics.response.step(distance: remaining, last: lastStep, limit: limit)
        let next = exposure(after: step)
        let goal = current.product * RepeatableMath.exp2(remaining)
        if isTooLong { return next == current ? nil : next }
        // The overshoot moves past the target.
        if dynamics.response.overshoot > 0, abs(lastStep) > dynamics.tolerance, next != current { return next }
        // Requiring a minimum improvement prevents noise from alternating between two exposures of a coarse camera.
        let nearest = exposure(after: min(max(remaining, -limit), limit))
        let minimum = isAdjusting ? dynamics.tolerance / 4 : dynamics.tolerance
        guard nearest != current, abs(remaining) - program.distance(nearest, goal) > minimum else { return nil }
        // If the camera has no exposure in between, use the nearest one to the goal.
        let isCloser = next.product != current.product && program.distance(next, goal) < abs(remaining)
        return isCloser ? next : nearest
    }
}
