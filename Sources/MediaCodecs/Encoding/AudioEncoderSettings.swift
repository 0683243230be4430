package import CaptureHAL

/// What an audio encoder is made for.
package struct AudioEncoderSettings: Sendable, Hashable {
    package enum Codec: String, Sendable, Hashable, CaseIterable {
        case aac
        /// Linear PCM as it comes; rate and channels are the input's.
        case pcm
    }

    package var codec: Codec
    /// The sound that will come in.
    package var input: AudioStreamFormat
    /// Frames a second of the coded sound; nil for the input's, or for AAC the nearest that it has.
    package var sampleRate: Int32?
    /// Channels of the coded sound; nil for the input's.
    package var channelCount: Int?
    /// Bits a second of AAC; nil for 64 000 a channel at 44.1 kHz and above, less below.
    package var bitRate: Int?

    package init(
        codec: Codec = .aac, input: AudioStreamFormat, sampleRate: Int32? = nil, channelCount: Int? = nil,
        bitRate: Int? = nil
    ) {
        self.codec = codec
        self.input = input
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
    }

    /// The sampling frequencies of AAC (ISO/IEC 14496-3, Table 1.18).
    static let aacSampleRates: [Int32] = [
        7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]

    var outputSampleRate: Int32 {
        let wanted = sampleRate ?? Int32(clamping: Int(input.sampleRate.rounded()))
        guard codec == .aac, sampleRate == nil else { return wanted }
        return Self.aacSampleRates.first { $0 >= wanted } ?? 96000
    }

    var outputChannelCount: Int { channelCount ?? input.channelCount }

    var outputBitRate: Int {
        bitRate ?? outputChannelCount * min(64000, Int(outputSampleRate) * 3 / 2)
    }

    func check() throws(EncodingError) {
        guard input.sampleRate.isFinite, input.sampleRate >= 1000, input.sampleRate <= 768_000 else {
            throw EncodingError(
                .invalidSettings, "a sample rate of \(input.sampleRate) Hz cannot be encoded; 1000 to 768000 can")
        }
        guard (1...8).contains(input.channelCount), (1...8).contains(outputChannelCount) else {
            throw EncodingError(
                .invalidSettings,
                "\(input.channelCount) channels cannot be encoded as \(outputChannelCount); 1 to 8 can")
        }
        switch codec {
        case .aac:
            guard Self.aacSampleRates.contains(outputSampleRate) else {
                throw EncodingError(
                    .invalidSettings,
                    "AAC has no sample rate of \(outputSampleRate) Hz; it has \(Self.aacSampleRates)")
            }
        case .pcm:
            guard Double(outputSampleRate) == input.sampleRate, outputChannelCount == input.channelCount else {
                throw EncodingError(.invalidSettings, "PCM keeps the sample rate and the channels of its input")
            }
        }
    }
}
