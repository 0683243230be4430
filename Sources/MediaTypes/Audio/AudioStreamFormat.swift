/// The format of linear PCM audio: interleaved, native endian; channels in the order left, right.
public struct AudioStreamFormat: Sendable, Hashable {
    /// The type of one sample of one channel: a full-scale signed integer, or a floating-point number from −1 to 1.
    public enum Sample: String, Sendable, Hashable, CaseIterable {
        case int16, int32, float32

        /// The size of a sample in bytes.
        public var byteCount: Int { self == .int16 ? 2 : 4 }
    }

    /// Frames per second; a frame is one sample of each channel.
    public var sampleRate: Double
    /// The number of interleaved channels.
    public var channelCount: Int
    /// The type of the samples.
    public var sample: Sample

    /// Creates a format.
    public init(sampleRate: Double, channelCount: Int, sample: Sample) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sample = sample
    }

    /// The size of a frame in bytes.
    public var bytesPerFrame: Int { channelCount * sample.byteCount }
}
