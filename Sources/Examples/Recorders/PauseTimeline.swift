import AVFoundation

/// Moves the samples after a pause to earlier times, so that the movie continues where it was paused.
struct PauseTimeline {
    /// The assumed duration of the last frame before a pause.
    private static let frameDuration = CMTime(value: 1, timescale: 30)

    /// The duration of all pauses.
    private var pausedTime = CMTime.zero
    /// The end of the last frame in the movie.
    private var end: CMTime?
    private var isResuming = false

    /// Ends a pause. The movie continues with the next frame.
    mutating func resume() { isResuming = end != nil }

    /// Returns a sample with its time in the movie; nil for audio between a pause and the first frame after it.
    mutating func retime(_ sampleBuffer: CMSampleBuffer, isVideo: Bool) throws -> CMSampleBuffer? {
        let time = sampleBuffer.presentationTimeStamp
        if isResuming, let end {
            guard isVideo else { return nil }
            pausedTime = time - end
            isResuming = false
        }
        if isVideo { end = time - pausedTime + Self.frameDuration }
        guard pausedTime > .zero else { return sampleBuffer }
        let timings = try sampleBuffer.sampleTimingInfos().map { timing in
            CMSampleTimingInfo(
                duration: timing.duration, presentationTimeStamp: timing.presentationTimeStamp - pausedTime,
                decodeTimeStamp: timing.decodeTimeStamp.isValid ? timing.decodeTimeStamp - pausedTime : .invalid)
        }
        return try CMSampleBuffer(copying: sampleBuffer, withNewTiming: timings)
    }
}
