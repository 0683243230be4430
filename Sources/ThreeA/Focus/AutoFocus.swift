/// The contrast autofocus loop as a pure state machine: it moves the lens to the position with the highest contrast.
///
/// A scan starts at the current position. The coarse stage moves in one direction until the contrast has clearly
/// decreased after a peak, or to the end of the range. If the peak was not passed, it then moves in the other
/// direction. The fine stage measures positions around the best one. The result is the vertex of the parabola through
/// the best three positions (S. K. Nayar, Y. Nakagawa: "Shape from focus", IEEE PAMI 16 (1994), with a parabola instead
/// of a Gaussian). If the contrast hardly differs between positions, the scan fails and the lens returns to its
/// original position.
package struct AutoFocus: Sendable, Hashable {
    /// The parameters of the loop: its steps, limits and thresholds. Lens positions are from 0 (nearest) to 1
    /// (farthest).
    package struct Dynamics: Sendable, Hashable {
        /// The distance between positions in the coarse stage.
        package var coarseStep: Double
        /// The distance between positions in the fine stage.
        package var fineStep: Double
        /// The maximum movement of the lens from one frame to the next.
        package var largestStep: Double
        /// The maximum movement per frame with smooth focus, as for movies.
        package var smoothLargestStep: Double
        /// The number of frames to measure at a position.
        package var framesPerPosition: Int
        /// The share of the highest contrast below which the peak has been passed.
        package var decline: Double
        /// The minimum difference of the highest and lowest contrast, relative to the highest one. Below it the scan
        /// fails.
        package var minimumRise: Double
        /// The factor of a contrast change that indicates a new scene.
        package var contrastChange: Double
        /// The share of a change of the zones' light that indicates a new scene.
        package var lightChange: Double
        /// The number of consecutive frames with a new and steady scene before continuous focus restarts.
        package var confirmationFrameCount: Int
        /// The distance between adjacent lens positions.
        package var lensStep: Double

        /// Creates parameters.
        package init(
            coarseStep: Double = 1.0 / 12, fineStep: Double = 1.0 / 48, largestStep: Double = 1,
            smoothLargestStep: Double = 0.03, framesPerPosition: Int = 1, decline: Double = 0.6,
            minimumRise: Double = 0.15,
            contrastChange: Double = 1.6, lightChange: Double = 0.25, confirmationFrameCount: Int = 5,
            lensStep: Double = 0.0001
        ) {
            self.lensStep = min(max(lensStep, 0.000001), 1)
            self.coarseStep = max(coarseStep, self.lensStep)
            self.fineStep = max(min(fineStep, coarseStep), self.lensStep)
            self.largestStep = max(largestStep, self.lensStep)
            self.smoothLargestStep = max(smoothLargestStep, self.lensStep)
            self.framesPerPosition = max(1, framesPerPosition)
            self.decline = decline
            self.minimumRise = minimumRise
            self.contrastChange = max(contrastChange, 1.01)
            self.lightChange = lightChange
            self.confirmationFrameCount = max(1, confirmationFrameCount)
        }
    }

    /// The result of a scan.
    package enum Outcome: Sendable, Hashable {
        case focused
        /// The contrast is too low at all positions.
        case failed
    }

    /// The measurements of a frame.
    package struct Frame: Sendable, Hashable {
        /// The contrast in the focus window; see `FrameStatistics`.
        package var contrast: Double
        /// The mean squared gradient in the focus window, in squared codes.
        package var gradient: Double
        /// The mean luma of the zones; see `FrameStatistics`.
        package var zones: [UInt16]
        /// The lens position with which the frame was captured.
        package var position: Double
        /// Whether the exposure loop was stopped. A change of the exposure is not a change of the scene.
        package var isExposureSteady: Bool

        /// Creates measurements.
        package init(
            contrast: Double, gradient: Double, zones: [UInt16], position: Double, isExposureSteady: Bool = true
        ) {
            self.contrast = contrast
            self.gradient = gradient
            self.zones = zones
            self.position = position
            self.isExposureSteady = isExposureSteady
        }
    }

    /// The parameters of the loop.
    package var dynamics: Dynamics
    /// Whether the lens moves slowly, as for movies.
    package var isSmooth = false
    /// The range of lens positions in a scan.
    package var range = 0.0...1.0
    /// The result of the last scan; nil if none has finished.
    package private(set) var outcome: Outcome?
    private var phase = Phase.stopped

    /// Creates a stopped loop.
    package init(dynamics: Dynamics = Dynamics()) { self.dynamics = dynamics }

    /// Whether a scan is in progress.
    package var isAdjusting: Bool {
        switch phase {
        case .stopped, .watching: false
        case .waiting, .scanning, .moving: true
        }
    }

    /// Whether the contrasts of different lens positions are being compared, or the lens moves to the best one.
    package var isScanning: Bool {
        switch phase {
        case .stopped, .watching, .waiting: false
        case .scanning, .moving: true
        }
    }

    /// Starts a scan with the next frame.
    package mutating func start() {
        phase = .waiting(0)
        outcome = nil
    }

    /// Stops the loop, for example when the mode becomes locked.
    package mutating func stop() { phase = .stopped }

    /// Computes the lens position for the next frames.
    ///
    /// - Parameters:
    ///   - frame: The measured frame.
    ///   - current: The lens position that was set last.
    ///   - isContinuous: Whether a change of the scene starts a scan.
    package mutating func step(_ frame: Frame, current: Double, isContinuous: Bool) -> Double {
        switch phase {
        case .stopped:
            if isContinuous { phase = .watching(SceneChangeDetector(frame)) }
            return current
        case .watching(var detector):
            guard isContinuous else {
                phase = .stopped
                return current
            }
            let hasChanged = detector.hasChanged(frame, dynamics)
            phase = hasChanged ? .waiting(0) : .watching(detector)
            return current
        case .waiting(let count):
            // Contrast cannot be compared while the exposure changes. The scan waits for a steady exposure, but only
            // for a limited time.
            guard frame.isExposureSteady || count >= 8 * dynamics.confirmationFrameCount else {
                phase = .waiting(count + 1)
                return current
            }
            let scan = FocusScan(from: current, in: range, dynamics)
            phase = .scanning(scan)
            return advance(current, to: scan.position)
        case .scanning(var scan):
            // The lens is not at the position yet, or the frame was captured before.
            guard abs(current - scan.position) < dynamics.lensStep / 2 else {
                return advance(current, to: scan.position)
            }
            guard abs(frame.position - scan.position) <= dynamics.lensStep else {
                phase = .scanning(scan)
                return current
            }
            switch scan.measure(frame.contrast, dynamics) {
            case .measure: phase = .scanning(scan)
            case .found(let position): phase = .moving(position, .focused)
            case .noPeak(let position): phase = .moving(position, .failed)
            }
            if case .moving(let position, _) = phase { return advance(current, to: position) }
            return advance(current, to: scan.position)
        case .moving(let position, let outcome):
            guard abs(current - position) < dynamics.lensStep / 2 else { return advance(current, to: position) }
            guard abs(frame.position - position) <= dynamics.lensStep else { return current }
            self.outcome = outcome
            phase = .stopped
            return current
        }
    }

    /// Returns the next lens position on the way to a goal.
    private func advance(_ current: Double, to goal: Double) -> Double {
        let limit = isSmooth ? dynamics.smoothLargestStep : dynamics.largestStep
        if abs(goal - current) <= limit { return goal }
        return current + (goal > current ? limit : -limit)
    }

    private enum Phase: Sendable, Hashable {
        case stopped
        /// Continuous focus waits for a change of the scene.
        case watching(SceneChangeDetector)
        /// A scan starts with the next frame with a steady exposure. The value is the number of frames waited for.
        case waiting(Int)
        case scanning(FocusScan)
        /// The lens is moving to its final position. The values are that position and the result of the scan.
        case moving(Double, Outcome)
    }
}
