/// A run of sound samples without a gap.
public struct AudioChunk: Sendable {
    /// Interleaved frames of the stream's `AudioStreamFormat`.
    public var data: CMBlockBuffer
    public var format: AudioStreamFormat
    /// The number of frames in `data`.
    public var frameCount: Int
    /// The moment of the first frame, on the system's clock.
    public var presentationTime: CMTime
    /// The position of the first frame in the stream, counting lost frames; a jump tells how many were lost.
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
