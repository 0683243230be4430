/// Consecutive audio samples without a gap.
public struct AudioChunk: Sendable {
    /// Interleaved frames of the stream's `AudioStreamFormat`.
    public var data: CMBlockBuffer
    public var format: AudioStreamFormat
    /// The number of frames in `data`.
    public var frameCount: Int
    /// The time of the first frame, on the system's clock.
    public var presentationTime: CMTime
    /// The position of the first frame in the stream, lost frames included; a jump is the number of lost frames.
    public var samplePosition: Int64
    /// Whether frames were lost just before this chunk.
    public var followsDiscontinuity: Bool

    public init(
        data: CMBlockBuffer, format: AudioStreamFormat, frameCount: Int, presentationTime: CMTime,
        samplePosition: Int64, followsDiscontinuity: Bool = false
    ) {
        self.data = data
        self.format = format
        self.frameCount = frameCount
        self.presentationTime = presentationTime
        self.samplePosition = samplePosition
        self.followsDiscontinuity = followsDiscontinuity
    }
}
