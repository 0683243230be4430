import CaptureHAL
import MediaTypes

/// How long is waited for a camera that delivers nothing.
struct Patience {
    /// For its first frame, and for the next one in real time.
    static let limit = CMTime(value: 30, timescale: 1)
    /// A camera was still delivering at the end of a capture where its last frame was not older than this, or than
    /// three frames.
    private static let usual = CMTime(value: 1, timescale: 2)

    private let clock: any CaptureClock
    private var count = -1
    private var since: CMTime

    init(_ clock: any CaptureClock) {
        self.clock = clock
        since = clock.now
    }

    /// Whether so much time has passed since a count of what came was another.
    mutating func isOver(_ count: Int) -> Bool {
        let now = clock.now
        if count != self.count { (self.count, since) = (count, now) }
        return now - since >= Self.limit
    }

    /// Whether a camera had stopped delivering before an end.
    ///
    /// - Parameters:
    ///   - last: The begin of its last frame, delivered or lost.
    ///   - duration: The frame's length.
    static func hadStopped(at end: CMTime, last: CMTime, duration: CMTime) -> Bool {
        let length = duration.isNumeric ? max(duration, .zero) : .zero
        return end - last > max(usual, length + length + length)
    }
}
