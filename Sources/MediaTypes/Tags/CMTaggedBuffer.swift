/// A pixel buffer or a sample buffer with tags, such as one of the views of stereo video.
public struct CMTaggedBuffer: Sendable, CustomStringConvertible {
    /// The buffer.
    public enum Buffer: Sendable {
        case pixelBuffer(CVPixelBuffer)
        case sampleBuffer(CMSampleBuffer)
    }

    public let tags: [CMTag]
    public let buffer: Buffer

    /// Creates a tagged buffer.
    public init(tags: [CMTag], buffer: Buffer) {
        self.tags = tags
        self.buffer = buffer
    }

    public init(tags: [CMTag], pixelBuffer: CVPixelBuffer) { self.init(tags: tags, buffer: .pixelBuffer(pixelBuffer)) }

    public init(tags: [CMTag], sampleBuffer: CMSampleBuffer) {
        self.init(tags: tags, buffer: .sampleBuffer(sampleBuffer))
    }

    public var description: String { "CMTaggedBuffer(tags: \(tags), buffer: \(buffer))" }
}
