package import MediaTypes

/// What an audio encoder is made for.
package struct AudioEncoderSettings: Sendable, Hashable {
    package enum Codec: String, Sendable, Hashable, CaseIterable {
        case aac
        /// Linear PCM.
        case pcm
        /// Apple Lossless.
        case alac
        case opus
    }

    package var codec: Codec
    /// The sound that will come in.
    package var input: AudioStreamFormat
    /// Frames a second of the coded sound; nil for the input's, or the nearest that the codec has.
    package var sampleRate: Int32?
    /// Channels of the coded sound; nil for the input's.
    package var channelCount: Int?
    /// Bits a second of AAC and Opus; nil for 64 000 a channel at 44.1 kHz and above, less below.
    package var bitRate: Int?
    /// The form of PCM samples, or the bits of those that ALAC keeps; nil for the input's.
    package var pcmFormat: PCMFormat?
    /// How many frames of PCM come out at a time where its rate or channels are not the input's.
    package var pcmPacketFrameCount = 4096

    package init(
        codec: Codec = .aac, input: AudioStreamFormat, sampleRate: Int32? = nil, channelCount: Int? = nil,
        bitRate: Int? = nil, pcmFormat: PCMFormat? = nil
    ) {
        self.codec = codec
        self.input = input
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
        self.pcmFormat = pcmFormat
    }

    /// The sampling frequencies of AAC (ISO/IEC 14496-3, Table 1.18).
    static let aacSampleRates: [Int32] = [
        7350, 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]

    var outputSampleRate: Int32 {
        // Opus runs at 48 kHz whatever the sound (RFC 6716, 2), and movies count its times so.
        if codec == .opus { return 48000 }
        let wanted = sampleRate ?? Int32(clamping: Int(input.sampleRate.rounded()))
        guard codec == .aac, sampleRate == nil else { return wanted }
        return Self.aacSampleRates.first { $0 >= wanted } ?? 96000
    }

    var outputChannelCount: Int { channelCount ?? input.channelCount }

    var outputBitRate: Int {
        bitRate ?? outputChannelCount * min(64000, Int(outputSampleRate) * 3 / 2)
    }

    /// The form of PCM, and of what ALAC keeps, where 32 bits and floating point count as 24.
    package var outputPCMFormat: PCMFormat {
        let wanted = pcmFormat ?? PCMFormat(input.sample)
        guard codec == .alac else { return wanted }
        return wanted.isFloat || wanted.bitsPerSample > 16 ? .int24 : .int16
    }

    /// Whether the input's frames are the output's, but for the form of their samples.
    var keepsFrames: Bool {
        Double(outputSampleRate) == input.sampleRate && outputChannelCount == input.channelCount
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
        guard (1000...768_000).contains(outputSampleRate) else {
            throw EncodingError(
                .invalidSettings, "sound cannot be written at \(outputSampleRate) Hz; at 1000 to 768000 it can")
        }
        if let pcmFormat, !pcmFormat.isValid {
            throw EncodingError(
                .invalidSettings,
                "PCM of \(pcmFormat.bitsPerSample) bits is not supported; "
                    + "integers of 16, 24 and 32 and floating point of 32 and 64 are")
        }
        if let bitRate, !(1000...10_000_000).contains(bitRate) {
            throw EncodingError(
                .invalidSettings, "sound cannot be encoded at \(bitRate) bit/s; at 1000 to 10000000 it can")
        }
        if codec == .aac, !Self.aacSampleRates.contains(outputSampleRate) {
            throw EncodingError(
                .invalidSettings,
                "AAC has no sample rate of \(outputSampleRate) Hz; it has \(Self.aacSampleRates)")
        }
    }
}
