/// A block of consecutive audio samples.
public struct AudioChunk: Sendable {
    /// The samples, in interleaved frames.
    public var data: CMBlockBuffer
    /// The format of the samples.
    public var format: AudioStreamFormat
    /// The number of frames in `data`.
    public var frameCount: Int
    /// The time of the first frame on the clock of the capture system.
    public var presentationTime: CMTime
    /// The position of the first frame in the stream, in frames, including lost frames.
    public var samplePosition: Int64
    /// Whether frames were lost immediately before this chunk.
    public var followsDiscontinuity: Bool

    /// Creates a chunk from its fields.
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
