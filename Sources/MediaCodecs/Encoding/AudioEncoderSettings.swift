package import MediaTypes

/// The settings of an audio encoder.
package struct AudioEncoderSettings: Sendable, Hashable {
    /// The codecs.
    package enum Codec: String, Sendable, Hashable, CaseIterable {
        /// MPEG-4 AAC-LC.
        case aac
        /// Linear PCM.
        case pcm
        /// Apple Lossless.
        case alac
        case opus
    }

    /// The codec.
    package var codec: Codec
    /// The format of the input.
    package var input: AudioStreamFormat
    /// The sample rate of the output in hertz; nil for the input's, or for AAC the next higher one that AAC supports.
    /// Ignored for Opus, whose output always has 48 000 Hz.
    package var sampleRate: Int32?
    /// The channel count of the output; nil for the input's.
    package var channelCount: Int?
    /// The bit rate of AAC and Opus in bit/s; nil for 64 000 per channel at 44.1 kHz and above, and less below.
    package var bitRate: Int?
    /// The sample format of PCM, or the bit depth of ALAC; nil for the input's.
    package var pcmFormat: PCMFormat?
    /// The number of frames in each `EncodedSample` of PCM output if its sample rate or channel count differs from the
    /// input's.
    package var pcmPacketFrameCount = 4096

    /// Creates settings.
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

    /// The sample rate of the output in hertz.
    package var outputSampleRate: Int32 {
        // Opus always runs at 48 kHz (RFC 6716, 2), and movies use that time scale.
        if codec == .opus { return 48000 }
        let requested = sampleRate ?? Int32(clamping: Int(input.sampleRate.rounded()))
        guard codec == .aac, sampleRate == nil else { return requested }
        return Self.aacSampleRates.first { $0 >= requested } ?? 96000
    }

    /// The channel count of the output.
    package var outputChannelCount: Int { channelCount ?? input.channelCount }

    /// The bit rate of AAC and Opus in bit/s.
    package var outputBitRate: Int {
        bitRate ?? outputChannelCount * min(64000, Int(outputSampleRate) * 3 / 2)
    }

    /// The sample format of PCM, or the bit depth of ALAC, which is 24 for 32-bit integers and floating point.
    package var outputPCMFormat: PCMFormat {
        let requested = pcmFormat ?? PCMFormat(input.sample)
        guard codec == .alac else { return requested }
        return requested.isFloat || requested.bitsPerSample > 16 ? .int24 : .int16
    }

    /// Whether the output has the sample rate and channel count of the input.
    var keepsRateAndChannelCount: Bool {
        Double(outputSampleRate) == input.sampleRate && outputChannelCount == input.channelCount
    }

    /// - Throws: `.invalidSettings` if the settings are out of range.
    func check() throws(EncodingError) {
        guard input.sampleRate.isFinite, input.sampleRate >= 1000, input.sampleRate <= 768_000 else {
            throw EncodingError(
                .invalidSettings,
                "a sample rate of \(input.sampleRate) Hz cannot be encoded: use 1000 to 768000 Hz")
        }
        guard (1...8).contains(input.channelCount), (1...8).contains(outputChannelCount) else {
            throw EncodingError(
                .invalidSettings,
                "\(input.channelCount) channels cannot be encoded as \(outputChannelCount): use 1 to 8")
        }
        guard (1000...768_000).contains(outputSampleRate) else {
            throw EncodingError(
                .invalidSettings, "audio cannot be written at \(outputSampleRate) Hz: use 1000 to 768000 Hz")
        }
        if let pcmFormat, !pcmFormat.isValid {
            throw EncodingError(
                .invalidSettings,
                "PCM with \(pcmFormat.bitsPerSample) bits is not supported: "
                    + "use integers of 16, 24 or 32 bits or floating point of 32 or 64 bits")
        }
        if let bitRate, !(1000...10_000_000).contains(bitRate) {
            throw EncodingError(
                .invalidSettings, "audio cannot be encoded at \(bitRate) bit/s: use 1000 to 10000000 bit/s")
        }
        if codec == .aac, !Self.aacSampleRates.contains(outputSampleRate) {
            throw EncodingError(
                .invalidSettings,
                "AAC does not support a sample rate of \(outputSampleRate) Hz: use one of \(Self.aacSampleRates)")
        }
    }
}
