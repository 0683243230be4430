import CaptureHAL
import MediaTypes

/// The exposure of a still that begins with a frame of a stream.
struct StillShot {
    let request: StillRequest
    let exposureIndex: Int
    /// The start of the last exposure of another still; `.min` if there was none. Recent frames up to this time cannot
    /// be used.
    let lastStart: Int64

    var exposure: StillRequest.Exposure { request.exposures[exposureIndex] }
}

/// The requested stills of a stream. The sensor makes one exposure at a time, in the order of the requests.
///
/// All times are in nanoseconds on the clock of the capture system.
struct StillQueue {
    /// The requests that have exposures left.
    private var requests: [StillRequest] = []
    /// The index of the next exposure of the first request.
    private var exposureIndex = 0
    /// The time of the first frame that could have been used for the next exposure; nil if there was none.
    private var waitingSince: Int64?
    private var lastStart = Int64.min
    /// The exposure that takes longer than its frame, and its end.
    private var inProgress: (still: StillFrame, end: Int64)?

    /// The time after which a still no longer waits for a depth map.
    private static let depthTimeout: Int64 = 1_000_000_000

    mutating func add(_ request: StillRequest) { requests.append(request) }

    /// Returns the exposure that begins with the frame at a time; nil if none is due.
    mutating func begin(at time: Int64) -> StillShot? {
        guard inProgress == nil, let request = requests.first else { return nil }
        if case .next(let notBefore) = request.timing, time < notBefore.nanoseconds { return nil }
        return StillShot(request: request, exposureIndex: exposureIndex, lastStart: lastStart)
    }

    /// Returns whether the frame at a time cannot be used for a still, because it has no depth map.
    mutating func mustWait(_ shot: StillShot, for frame: VideoFrame) -> Bool {
        let time = frame.presentationTime.nanoseconds
        let start = waitingSince ?? time
        waitingSince = start
        guard shot.request.needsDepth, time < start + Self.depthTimeout else { return false }
        if case .map? = frame.depth { return false }
        return true
    }

    /// Records an exposure, and returns the still if it is complete at the end of its frame.
    mutating func record(_ still: StillFrame, of shot: StillShot, frameEnd: Int64) -> StillFrame? {
        let start = still.presentationTime.nanoseconds
        lastStart = max(lastStart, start)
        waitingSince = nil
        exposureIndex += 1
        if still.error != nil || exposureIndex == shot.request.exposures.count {
            requests.removeAll { $0.id == shot.request.id }
            exposureIndex = 0
        }
        let end = start + (still.settings.exposureDuration?.nanoseconds ?? 0)
        guard end > frameEnd else { return still }
        inProgress = (still, end)
        return nil
    }

    /// Returns the exposure in progress if it is complete at a time.
    mutating func takeCompleted(by time: Int64) -> StillFrame? {
        guard let (still, end) = inProgress, end <= time else { return nil }
        inProgress = nil
        return still
    }
}
