/// The linear PCM that a microphone delivers: interleaved, native endian.
public struct AudioStreamFormat: Sendable, Hashable {
    /// The type of one sample of one channel.
    public enum Sample: String, Sendable, Hashable, CaseIterable {
        case int16, int32, float32

        public var byteCount: Int { self == .int16 ? 2 : 4 }
    }

    /// Frames a second; a frame is one sample of every channel.
    public var sampleRate: Double
    public var channelCount: Int
    public var sample: Sample

    public init(sampleRate: Double, channelCount: Int, sample: Sample) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sample = sample
    }

    public var bytesPerFrame: Int { channelCount * sample.byteCount }
}
