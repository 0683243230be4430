import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// The delegate of an output that delivers media when playback reaches it.
///
/// - Important: Thread-safe.
final class PushDelegate: Sendable {
    private struct State {
        weak var delegate: (any AVPlayerItemOutputPushDelegate)?
        var queue: DispatchQueue?
        var advance = CMTime.zero
    }

    private let state = Lock(State())

    var delegate: (any AVPlayerItemOutputPushDelegate)? { state.withLock { $0.delegate } }
    var queue: DispatchQueue? { state.withLock { $0.queue } }

    func set(_ delegate: (any AVPlayerItemOutputPushDelegate)?, queue: DispatchQueue?) {
        state.withLock { ($0.delegate, $0.queue) = (delegate, queue) }
    }

    /// The item's time by which media is delivered before playback reaches it.
    var advance: CMTime { state.withLock { $0.advance } }

    /// Sets the advance; negative and infinite values are replaced by 0.
    func setAdvance(seconds: TimeInterval) {
        let advance = CMTime(seconds: max(0, seconds.isFinite ? seconds : 0), preferredTimescale: 1_000_000)
        state.withLock { $0.advance = advance }
    }

    /// Returns the times at which the media of time ranges is delivered: their starts minus `advance` and, for reverse
    /// playback, their ends.
    func boundaries(of ranges: [CMTimeRange]) -> [CMTime] {
        let advance = advance
        return Set(ranges.map { max(.zero, $0.start - advance) } + ranges.map(\.end)).sorted()
    }

    /// Returns whether the media of a time range is delivered when playback reaches a time.
    func isReached(_ range: CMTimeRange, at time: CMTime, isReversed: Bool) -> Bool {
        if isReversed { return range.end == time }
        let advance = advance
        // Earlier media is delivered when the sequence starts.
        return range.start > advance && range.start - advance == time
    }

    /// Returns whether the media of a time range is delivered when a sequence starts at a time.
    func isIncluded(_ range: CMTimeRange, startingAt time: CMTime) -> Bool {
        range.start <= time + advance && range.end > time
    }

    /// Calls the delegate on its queue, the main queue by default; does nothing without one.
    func notify(
        from output: AVPlayerItemOutput, _ call: @escaping @Sendable (any AVPlayerItemOutputPushDelegate) -> Void
    ) {
        guard let system = output.item?.system else { return }
        let (delegate, queue) = state.withLock { ($0.delegate, $0.queue) }
        guard delegate != nil else { return }
        system.deliver(on: queue ?? .main) { [weak output, weak delegate] in
            if output != nil, let delegate { call(delegate) }
        }
    }
}
