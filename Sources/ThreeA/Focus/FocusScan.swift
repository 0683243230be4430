/// One search for the place of the most contrast.
struct FocusScan: Sendable, Hashable {
    /// What a measured place leads to.
    enum Move: Sendable, Hashable {
        /// The next frame is to be measured at `place`.
        case goOn
        case found(Double)
        /// No place is sharper than another; back to where the lens was.
        case nothing(Double)
    }

    private struct Sample: Sendable, Hashable {
        var place: Double
        var contrast: Double
    }

    private enum Stage: Sendable, Hashable {
        /// The first way, then the other one.
        case coarse(isSecondWay: Bool)
        case fine
    }

    /// Where the next frame is measured.
    private(set) var place: Double
    private let origin: Double
    /// The part of the lens's way that is looked at.
    private let range: ClosedRange<Double>
    /// +1 towards the far end; the first way of the coarse stage.
    private let direction: Double
    private var stage = Stage.coarse(isSecondWay: false)
    private var coarse: [Sample] = []
    /// Samples of the present way.
    private var wayCount = 0
    private var fine: [Sample] = []
    /// Places still to be measured in the fine stage, in order.
    private var plan: [Double] = []
    /// Contrasts at the present place.
    private var frames: [Double] = []

    /// Begins where the lens is, or at the end of the range that is nearest to it, and goes towards the end that is further
    /// away.
    init(from position: Double, in range: ClosedRange<Double>, _ dynamics: AutoFocus.Dynamics) {
        let start = Self.aligned(min(max(position, range.lowerBound), range.upperBound), dynamics)
        self.range = range
        (origin, place) = (start, start)
        direction = start <= (range.lowerBound + range.upperBound) / 2 ? 1 : -1
    }

    mutating func measure(_ contrast: Double, _ dynamics: AutoFocus.Dynamics) -> Move {
        frames.append(contrast)
        guard frames.count >= dynamics.framesAtPlace else { return .goOn }
        let sample = Sample(place: place, contrast: frames.reduce(0, +) / Double(frames.count))
        frames = []
        switch stage {
        case .coarse(let isSecondWay):
            coarse.append(sample)
            wayCount += 1
            if !isPeakPassed(dynamics), let next = nextCoarse(isSecondWay ? -direction : direction, dynamics) {
                place = next
                return .goOn
            }
            if !isSecondWay, !isPeakOnFirstWay(dynamics) {
                stage = .coarse(isSecondWay: true)
                wayCount = 0
                if let next = nextCoarse(-direction, dynamics) {
                    place = next
                    return .goOn
                }
            }
            return beginFine(dynamics)
        case .fine:
            fine.append(sample)
            if let next = plan.first {
                plan.removeFirst()
                place = next
                return .goOn
            }
            return .found(top(dynamics))
        }
    }

    /// The coarse place after the last one on a way; nil at the end.
    private func nextCoarse(_ way: Double, _ dynamics: AutoFocus.Dynamics) -> Double? {
        let last = wayCount == 0 || coarse.isEmpty ? origin : coarse[coarse.count - 1].place
        let end = way > 0 ? range.upperBound : range.lowerBound
        guard abs(end - last) >= dynamics.lensStep / 2 else { return nil }
        let next = last + way * dynamics.coarseStep
        // A rest that is shorter than half a step goes with this one.
        return way * (end - next) < dynamics.coarseStep / 2 ? end : Self.aligned(next, dynamics)
    }

    /// Whether the last two places of this way are clearly less sharp than the best.
    private func isPeakPassed(_ dynamics: AutoFocus.Dynamics) -> Bool {
        guard wayCount >= 2, let best = coarse.map(\.contrast).max() else { return false }
        return coarse.suffix(2).allSatisfy { $0.contrast < dynamics.decline * best }
    }

    /// Whether the contrast rose from the origin and fell again, so that the other way need not be gone.
    private func isPeakOnFirstWay(_ dynamics: AutoFocus.Dynamics) -> Bool {
        guard let best = coarse.map(\.contrast).max(), let first = coarse.first else { return false }
        return isPeakPassed(dynamics) && first.contrast < dynamics.decline * best
    }

    private mutating func beginFine(_ dynamics: AutoFocus.Dynamics) -> Move {
        guard let best = coarse.max(by: { $0.contrast < $1.contrast }),
            let worst = coarse.min(by: { $0.contrast < $1.contrast }),
            best.contrast > 0, (best.contrast - worst.contrast) / best.contrast >= dynamics.leastRise
        else { return .nothing(origin) }
        let low = max(range.lowerBound, best.place - dynamics.coarseStep)
        let high = min(range.upperBound, best.place + dynamics.coarseStep)
        let count = max(1, Int(((high - low) / dynamics.fineStep).rounded()))
        var places = (0...count).map { Self.aligned(low + (high - low) * Double($0) / Double(count), dynamics) }
        // From the side where the lens is.
        if abs(place - high) < abs(place - low) { places.reverse() }
        stage = .fine
        place = places.removeFirst()
        plan = places
        return .goOn
    }

    /// The top of the parabola through the best fine place and its neighbours.
    private func top(_ dynamics: AutoFocus.Dynamics) -> Double {
        let samples = fine.sorted { $0.place < $1.place }
        guard let index = samples.indices.max(by: { samples[$0].contrast < samples[$1].contrast }) else {
            return origin
        }
        guard samples.indices.contains(index - 1), samples.indices.contains(index + 1) else {
            return samples[index].place
        }
        let (left, middle, right) = (samples[index - 1], samples[index], samples[index + 1])
        let bend = left.contrast - 2 * middle.contrast + right.contrast
        guard bend < 0 else { return middle.place }
        let shift = min(max(0.5 * (left.contrast - right.contrast) / bend, -1), 1)
        return Self.aligned(middle.place + shift * (right.place - left.place) / 2, dynamics)
    }

    /// The nearest place that the lens can take.
    private static func aligned(_ place: Double, _ dynamics: AutoFocus.Dynamics) -> Double {
        min(max((place / dynamics.lensStep).rounded() * dynamics.lensStep, 0), 1)
    }
}
