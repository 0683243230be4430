/// The loop that brings the lens to where the picture has the most contrast, as a pure state machine.
///
/// A scan climbs the hill of contrast from where the lens is: by coarse places one way until the contrast has clearly
/// fallen from its peak, or to the end, and the other way where the peak was not passed; then through fine places round
/// the best one, and ends at the top of the parabola through the best three (as S. K. Nayar, Y. Nakagawa: "Shape from
/// focus", IEEE PAMI 16 (1994), with a parabola in place of the Gaussian). A picture whose contrast hardly changes has no
/// focus to be found: the lens goes back to where it was.
package struct AutoFocus: Sendable, Hashable {
    /// How the loop moves; places and steps are parts of the lens's way, 0 nearest … 1 farthest.
    package struct Dynamics: Sendable, Hashable {
        package var coarseStep: Double
        package var fineStep: Double
        /// The most that the lens moves from one frame to the next.
        package var largestStep: Double
        /// The same while focus is to be smooth, as for movies.
        package var smoothLargestStep: Double
        /// Frames measured at a place, after the first one that shows it.
        package var framesAtPlace: Int
        /// The contrast, over the best, below which the peak has been passed.
        package var decline: Double
        /// The least that contrast must rise over its least, as a share of the best, for there to be a focus.
        package var leastRise: Double
        /// The change of contrast, as a factor, or of the zones' light, as a share, that makes a scene another one.
        package var contrastChange: Double
        package var lightChange: Double
        /// Frames in a row of another scene, and then of an unchanging one, before a continuous loop looks anew.
        package var patience: Int
        /// Places that the lens can take.
        package var lensStep: Double

        package init(
            coarseStep: Double = 1.0 / 12, fineStep: Double = 1.0 / 48, largestStep: Double = 1,
            smoothLargestStep: Double = 0.03, framesAtPlace: Int = 1, decline: Double = 0.6, leastRise: Double = 0.15,
            contrastChange: Double = 1.6, lightChange: Double = 0.25, patience: Int = 5, lensStep: Double = 0.0001
        ) {
            self.lensStep = min(max(lensStep, 0.000001), 1)
            self.coarseStep = max(coarseStep, self.lensStep)
            self.fineStep = max(min(fineStep, coarseStep), self.lensStep)
            self.largestStep = max(largestStep, self.lensStep)
            self.smoothLargestStep = max(smoothLargestStep, self.lensStep)
            self.framesAtPlace = max(1, framesAtPlace)
            self.decline = decline
            self.leastRise = leastRise
            self.contrastChange = max(contrastChange, 1.01)
            self.lightChange = lightChange
            self.patience = max(1, patience)
        }
    }

    /// How a scan ended.
    package enum Outcome: Sendable, Hashable {
        case focused
        /// The picture has too little contrast anywhere.
        case failed
    }

    /// What one frame tells the loop.
    package struct Frame: Sendable, Hashable {
        /// In the focus window; see `FrameStatistics`.
        package var contrast: Double
        /// The zones' light.
        package var zones: [UInt16]
        /// Where the lens was when the frame was formed.
        package var position: Double
        /// Whether the exposure was at rest; a loop at rest does not take its changes for changes of the scene.
        package var isExposureSteady: Bool

        package init(contrast: Double, zones: [UInt16], position: Double, isExposureSteady: Bool = true) {
            self.contrast = contrast
            self.zones = zones
            self.position = position
            self.isExposureSteady = isExposureSteady
        }
    }

    package var dynamics: Dynamics
    /// Whether the lens moves slowly, as for movies.
    package var isSmooth = false
    /// The part of the lens's way that a scan looks at.
    package var range = 0.0...1.0
    /// How the last scan ended; nil before the first has.
    package private(set) var outcome: Outcome?
    private var phase = Phase.rest

    package init(dynamics: Dynamics = Dynamics()) { self.dynamics = dynamics }

    /// Whether the loop moves.
    package var isAdjusting: Bool {
        switch phase {
        case .rest, .watching: false
        case .waiting, .scanning, .going: true
        }
    }

    /// Begins a scan with the next frame.
    package mutating func start() {
        phase = .waiting(0)
        outcome = nil
    }

    /// Comes to rest, as when the mode becomes locked.
    package mutating func rest() { phase = .rest }

    /// Where the lens goes for the next frames.
    ///
    /// - Parameters:
    ///   - current: Where the lens was last told to go.
    ///   - isContinuous: Whether the loop looks anew when the scene has changed.
    package mutating func step(_ frame: Frame, current: Double, isContinuous: Bool) -> Double {
        switch phase {
        case .rest:
            if isContinuous { phase = .watching(SceneWatch(frame)) }
            return current
        case .watching(var watch):
            guard isContinuous else {
                phase = .rest
                return current
            }
            let hasChanged = watch.hasChanged(frame, dynamics)
            phase = hasChanged ? .waiting(0) : .watching(watch)
            return current
        case .waiting(let count):
            // Contrast cannot be compared while the exposure moves; one that never rests is not waited for.
            guard frame.isExposureSteady || count >= 8 * dynamics.patience else {
                phase = .waiting(count + 1)
                return current
            }
            let scan = FocusScan(from: current, in: range, dynamics)
            phase = .scanning(scan)
            return advance(current, to: scan.place)
        case .scanning(var scan):
            // Not there yet, or the frames do not show it yet.
            guard abs(current - scan.place) < dynamics.lensStep / 2 else { return advance(current, to: scan.place) }
            guard abs(frame.position - scan.place) <= dynamics.lensStep else {
                phase = .scanning(scan)
                return current
            }
            switch scan.measure(frame.contrast, dynamics) {
            case .goOn: phase = .scanning(scan)
            case .found(let place): phase = .going(place, .focused)
            case .nothing(let place): phase = .going(place, .failed)
            }
            if case .going(let place, _) = phase { return advance(current, to: place) }
            return advance(current, to: scan.place)
        case .going(let place, let outcome):
            guard abs(current - place) < dynamics.lensStep / 2 else { return advance(current, to: place) }
            guard abs(frame.position - place) <= dynamics.lensStep else { return current }
            self.outcome = outcome
            phase = .rest
            return current
        }
    }

    private func advance(_ current: Double, to goal: Double) -> Double {
        let limit = isSmooth ? dynamics.smoothLargestStep : dynamics.largestStep
        if abs(goal - current) <= limit { return goal }
        return current + (goal > current ? limit : -limit)
    }

    private enum Phase: Sendable, Hashable {
        case rest
        case watching(SceneWatch)
        /// A scan begins with the next frame of a steady exposure; so many have been waited for.
        case waiting(Int)
        case scanning(FocusScan)
        /// On the way to where the lens will stay.
        case going(Double, Outcome)
    }
}
