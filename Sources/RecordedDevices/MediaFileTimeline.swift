import CaptureHAL
import MediaFiles
import MediaTypes

/// The start time of a file's playback on the clock, shared by its streams.
final class MediaFileTimeline: Sendable {
    /// The delay before the first frame on a real clock.
    ///
    /// With this delay, a client that starts the stream and then a recording still records the first frame. A virtual
    /// clock needs no delay, because no time passes between the two calls.
    static let startDelayNanoseconds: Int64 = 250_000_000

    private struct State {
        /// The start time in nanoseconds. Invariant: nil if and only if `streamCount` is 0.
        var origin: Int64?
        var streamCount = 0
        /// The jumps in the file's timestamps that were read so far, each once.
        var jumps: [TimestampJump] = []
    }

    private let state = Lock(State())

    /// Adds a stream.
    ///
    /// - Returns: The clock time of the start of the file in nanoseconds: `now` if this is the only stream.
    func addStream(at now: Int64) -> Int64 {
        state.withLock { state in
            state.streamCount += 1
            let origin = state.origin ?? now
            state.origin = origin
            return origin
        }
    }

    /// Removes a stream.
    func removeStream() {
        state.withLock { state in
            state.streamCount -= 1
            if state.streamCount == 0 { state.origin = nil }
        }
    }

    /// The jumps in the file's timestamps that were read so far, in the order of the file.
    var jumps: [TimestampJump] { state.withLock { $0.jumps } }

    /// Adds the jumps that a stream has read. The streams of a file read the same ones.
    ///
    /// - Parameter start: The time of the file's beginning in nanoseconds.
    func add(_ jumps: [TimestampJump], startingAt start: Int64) {
        guard !jumps.isEmpty else { return }
        state.withLock { state in
            for var jump in jumps {
                jump.time = CMTime(nanoseconds: jump.time.nanoseconds - start)
                if !state.jumps.contains(jump) { state.jumps.append(jump) }
            }
        }
    }
}
