/// The virtual time that the media services of a machine take for work that runs beside the app.
///
/// The results of the work are the same with all durations; only the times at which they are reported differ.
public struct ProcessingDurations: Sendable, Hashable {
    /// The time to encode one video frame; each track has an encoder of its own.
    public var videoFrame: Duration
    /// The time to complete a file after the last sample.
    public var finishing: Duration
    /// The time to process and encode a photo after its frame is captured; photos are processed in parallel.
    public var photo: Duration
    /// The time in which `startRunning()` starts a session.
    public var starting: Duration
    /// The time in which `stopRunning()` stops a session.
    public var stopping: Duration
    /// The time in which `startRunning()` opens a device, in addition to `starting`; devices are opened one after another.
    public var opening: Duration
    /// The time to prepare an output of a starting session, in addition to `starting`. Outputs with a deferred start are
    /// prepared during it.
    public var output: Duration

    /// Creates durations.
    public init(
        videoFrame: Duration = .zero, finishing: Duration = .zero, photo: Duration = .zero, starting: Duration = .zero,
        stopping: Duration = .zero, opening: Duration = .zero, output: Duration = .zero
    ) {
        self.videoFrame = videoFrame
        self.finishing = finishing
        self.photo = photo
        self.starting = starting
        self.stopping = stopping
        self.opening = opening
        self.output = output
    }

    /// The work takes no virtual time.
    public static let zero = ProcessingDurations()
    /// The durations of a machine that specifies none: 500 frames per second, and less than the duration of a frame for
    /// files and photos. Sessions start and stop in no time, so that their frames begin with the call.
    public static let standard = ProcessingDurations(
        videoFrame: .milliseconds(2), finishing: .milliseconds(20), photo: .milliseconds(20))
}
