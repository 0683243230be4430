/// A search for the lens position with the highest contrast.
struct FocusScan: Sendable, Hashable {
    /// The next step after a measurement.
    enum Step: Sendable, Hashable {
        /// Measure the next frame at `position`.
        case measure
        /// The scan has finished. The value is the position with the highest contrast.
        case found(Double)
        /// The contrast hardly differs between positions. The value is the original position, to which the lens
        /// returns.
        case noPeak(Double)
    }

    private struct Sample: Sendable, Hashable {
        var position: Double
        var contrast: Double
    }

    private enum Stage: Sendable, Hashable {
        /// Large steps, first in `direction`, then in the other one.
        case coarse(isReversed: Bool)
        /// Small steps around the best position of the coarse stage.
        case fine
    }

    /// The position at which to measure the next frame.
    private(set) var position: Double
    private let origin: Double
    /// The range of lens positions of the scan.
    private let range: ClosedRange<Double>
    /// The first direction of the coarse stage; +1 is toward the far end.
    private let direction: Double
    private var stage = Stage.coarse(isReversed: false)
    /// The samples of the coarse stage, in order.
    private var coarse: [Sample] = []
    /// The number of samples in the current direction.
    private var passSampleCount = 0
    /// The samples of the fine stage, in order.
    private var fine: [Sample] = []
    /// The remaining positions of the fine stage, in order.
    private var remaining: [Double] = []
    /// The contrasts of the frames at the current position.
    private var contrasts: [Double] = []

    /// Starts a scan at `position`, clamped to `range`, first toward the end of the range that is farther from it.
    ///
    /// - Parameter dynamics: The steps and thresholds of the scan.
    init(from position: Double, in range: ClosedRange<Double>, _ dynamics: AutoFocus.Dynamics) {
        let start = Self.rounded(min(max(position, range.lowerBound), range.upperBound), dynamics)
        self.range = range
        (origin, self.position) = (start, start)
        direction = start <= (range.lowerBound + range.upperBound) / 2 ? 1 : -1
    }

    /// Adds the contrast of a frame at `position`.
    mutating func measure(_ contrast: Double, _ dynamics: AutoFocus.Dynamics) -> Step {
        contrasts.append(contrast)
        guard contrasts.count >= dynamics.framesPerPosition else { return .measure }
        let sample = Sample(position: position, contrast: contrasts.reduce(0, +) / Double(contrasts.count))
        contrasts = []
        switch stage {
        case .coarse(let isReversed):
            coarse.append(sample)
            passSampleCount += 1
            if !isPeakPassed(dynamics), let next = nextCoarse(isReversed ? -direction : direction, dynamics) {
                position = next
                return .measure
            }
            if !isReversed, !isPeakBetweenOriginAndEnd(dynamics) {
                stage = .coarse(isReversed: true)
                passSampleCount = 0
                if let next = nextCoarse(-direction, dynamics) {
                    position = next
                    return .measure
                }
            }
            return startFineStage(dynamics)
        case .fine:
            fine.append(sample)
            if let next = remaining.first {
                remaining.removeFirst()
                position = next
                return .measure
            }
            return .found(vertex(dynamics))
        }
    }

    /// Returns the next coarse position in a direction; nil at the end of the range.
    private func nextCoarse(_ direction: Double, _ dynamics: AutoFocus.Dynamics) -> Double? {
        let last = passSampleCount == 0 || coarse.isEmpty ? origin : coarse[coarse.count - 1].position
        let end = direction > 0 ? range.upperBound : range.lowerBound
        guard abs(end - last) >= dynamics.lensStep / 2 else { return nil }
        let next = last + direction * dynamics.coarseStep
        // If less than half a step would remain, the next position is the end.
        return direction * (end - next) < dynamics.coarseStep / 2 ? end : Self.rounded(next, dynamics)
    }

    /// Whether the contrast of the last two positions is less than the share `decline` of the highest one.
    private func isPeakPassed(_ dynamics: AutoFocus.Dynamics) -> Bool {
        guard passSampleCount >= 2, let best = coarse.map(\.contrast).max() else { return false }
        return coarse.suffix(2).allSatisfy { $0.contrast < dynamics.decline * best }
    }

    /// Whether the contrast increased from the origin and then decreased. Then the peak is in the first direction, and
    /// the other one is not scanned.
    private func isPeakBetweenOriginAndEnd(_ dynamics: AutoFocus.Dynamics) -> Bool {
        guard let best = coarse.map(\.contrast).max(), let first = coarse.first else { return false }
        return isPeakPassed(dynamics) && first.contrast < dynamics.decline * best
    }

    private mutating func startFineStage(_ dynamics: AutoFocus.Dynamics) -> Step {
        guard let best = coarse.max(by: { $0.contrast < $1.contrast }),
            let worst = coarse.min(by: { $0.contrast < $1.contrast }),
            best.contrast > 0, (best.contrast - worst.contrast) / best.contrast >= dynamics.minimumRise
        else { return .noPeak(origin) }
        let low = max(range.lowerBound, best.position - dynamics.coarseStep)
        let high = min(range.upperBound, best.position + dynamics.coarseStep)
        let count = max(1, Int(((high - low) / dynamics.fineStep).rounded()))
        var positions = (0...count).map { Self.rounded(low + (high - low) * Double($0) / Double(count), dynamics) }
        // The first position is the end of the fine stage that is nearer to the current position of the lens.
        if abs(position - high) < abs(position - low) { positions.reverse() }
        stage = .fine
        position = positions.removeFirst()
        remaining = positions
        return .measure
    }

    /// Returns the vertex of the parabola through the best fine position and its neighbors.
    private func vertex(_ dynamics: AutoFocus.Dynamics) -> Double {
        let samples = fine.sorted { $0.position < $1.position }
        guard let index = samples.indices.max(by: { samples[$0].contrast < samples[$1].contrast }) else {
            return origin
        }
        guard samples.indices.contains(index - 1), samples.indices.contains(index + 1) else {
            return samples[index].position
        }
        let (left, middle, right) = (samples[index - 1], samples[index], samples[index + 1])
        let curvature = left.contrast - 2 * middle.contrast + right.contrast
        guard curvature < 0 else { return middle.position }
        let shift = min(max(0.5 * (left.contrast - right.contrast) / curvature, -1), 1)
        return Self.rounded(middle.position + shift * (right.position - left.position) / 2, dynamics)
    }

    /// Returns the nearest supported lens position.
    private static func rounded(_ position: Double, _ dynamics: AutoFocus.Dynamics) -> Double {
        min(max((position / dynamics.lensStep).rounded() * dynamics.lensStep, 0), 1)
    }
}
