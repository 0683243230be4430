import CaptureHAL
import MediaTypes

/// The start time of a file's playback on the clock, shared by its streams.
final class MediaFileTimeline: Sendable {
    /// The delay before the first frame on a real clock, as with a camera. A client that starts a recording right after
    /// starting the stream then still receives the first frame. On a virtual clock there is no delay, because no time
    /// passes between the two calls.
    static let startDelayNanoseconds: Int64 = 250_000_000

    private struct State {
        // Invariant: `origin` is nil exactly while `streamCount` is 0.
        var origin: Int64?
        var streamCount = 0
    }

    private let state = Lock(State())

    /// Adds a stream and returns the clock time of the start of the file: `now` if it is the only stream.
    func join(at now: Int64) -> Int64 {
        state.withLock { state in
            state.streamCount += 1
            let origin = state.origin ?? now
            state.origin = origin
            return origin
        }
    }

    /// Removes a stream.
    func leave() {
        state.withLock { state in
            state.streamCount -= 1
            if state.streamCount == 0 { state.origin = nil }
        }
    }
}
