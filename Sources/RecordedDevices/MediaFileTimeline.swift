import CaptureHAL
import MediaTypes

/// The moment on the clock at which a file began, common to its streams.
final class MediaFileTimeline: Sendable {
    /// How long a file takes to begin in real time, as a camera does: what a client does right after the start, as to begin
    /// a recording, then meets the first frame. In virtual time no time passes in between.
    static let startNanoseconds: Int64 = 250_000_000

    private struct State {
        // Invariant: `origin` is nil exactly while `streamCount` is 0.
        var origin: Int64?
        var streamCount = 0
    }

    private let state = Lock(State())

    /// The file's beginning, which is `now` for the first stream.
    func join(at now: Int64) -> Int64 {
        state.withLock { state in
            state.streamCount += 1
            let origin = state.origin ?? now
            state.origin = origin
            return origin
        }
    }

    func leave() {
        state.withLock { state in
            state.streamCount -= 1
            if state.streamCount == 0 { state.origin = nil }
        }
    }
}
