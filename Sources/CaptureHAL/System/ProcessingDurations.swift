/// The virtual time that the media services of a machine take for work that runs beside the app.
///
/// The results of the work are the same with all durations; only the times at which they are reported differ.
public struct ProcessingDurations: Sendable, Hashable {
    /// The time to encode one video frame; each track has an encoder of its own.
    public var videoFrame: Duration
    /// The time to complete a file after the last sample.
    public var finishing: Duration

    /// Creates durations.
    public init(videoFrame: Duration, finishing: Duration) {
        self.videoFrame = videoFrame
        self.finishing = finishing
    }

    /// The work takes no virtual time.
    public static let zero = ProcessingDurations(videoFrame: .zero, finishing: .zero)
    /// The durations of a machine that specifies none: 500 frames per second, and 20 ms to complete a file.
    public static let standard = ProcessingDurations(videoFrame: .milliseconds(2), finishing: .milliseconds(20))
}
