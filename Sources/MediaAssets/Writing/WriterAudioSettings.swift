import Foundation
package import MediaCodecs
package import MediaTypes

/// How a writer input codes sound, read from a client's dictionary.
package struct WriterAudioSettings: Sendable, Hashable {
    package typealias Refusal = SettingsDictionary.Refusal

    package var codec: AudioEncoderSettings.Codec
    /// nil takes the source's.
    var sampleRate: Int32?
    /// nil takes the source's.
    var channelCount: Int?
    var bitRate: Int?
    var bitRatePerChannel: Int?
    var pcmFormat: PCMFormat?

    package init(codec: AudioEncoderSettings.Codec) { self.codec = codec }

    /// - Parameter isComplete: Whether all keys must be there, as where no hint tells the source's format.
    package init(_ dictionary: [String: Any], isComplete: Bool) throws(Refusal) {
        let settings = SettingsDictionary(dictionary)
        guard let code = try settings.integer(AVFormatIDKey, 0...Int(UInt32.max)).map({ AudioFormatID($0) }) else {
            throw Refusal("AVFormatIDKey is missing")
        }
        guard let codec = Self.codecs[code] else {
            throw Refusal(
                "format \(fourCharacterText(code)) is not available; 'lpcm', 'aac ', 'alac' and 'opus' are")
        }
        self.codec = codec
        sampleRate = try settings.number(AVSampleRateKey, 1000...768_000).map { Int32($0.rounded()) }
        channelCount = try settings.integer(AVNumberOfChannelsKey, 1...8)
        if isComplete, sampleRate == nil || channelCount == nil {
            throw Refusal("AVSampleRateKey and AVNumberOfChannelsKey must be given")
        }
        if isComplete, let channelCount, channelCount > 2, !settings.contains(AVChannelLayoutKey) {
            throw Refusal("\(channelCount) channels need an AVChannelLayoutKey")
        }
        if settings.contains(AVSampleRateConverterAudioQualityKey) {
            throw Refusal("AVSampleRateConverterAudioQualityKey is not supported")
        }
        bitRate = try settings.integer(AVEncoderBitRateKey, 1000...10_000_000)
        bitRatePerChannel = try settings.integer(AVEncoderBitRatePerChannelKey, 1000...10_000_000)
        switch codec {
        case .pcm: try readPCM(settings, isComplete: isComplete)
        case .alac:
            let depth = try settings.integer(AVEncoderBitDepthHintKey, 16...32)
            pcmFormat = depth.map { $0 > 16 ? .int24 : .int16 }
        case .aac, .opus: break
        }
    }

    private static let codecs: [AudioFormatID: AudioEncoderSettings.Codec] = [
        kAudioFormatLinearPCM: .pcm, kAudioFormatMPEG4AAC: .aac, kAudioFormatAppleLossless: .alac,
        kAudioFormatOpus: .opus,
    ]

    private mutating func readPCM(_ settings: SettingsDictionary, isComplete: Bool) throws(Refusal) {
        let depth = try settings.integer(AVLinearPCMBitDepthKey, 8...64)
        let isFloat = try settings.bool(AVLinearPCMIsFloatKey)
        let isBigEndian = try settings.bool(AVLinearPCMIsBigEndianKey)
        if try settings.bool(AVLinearPCMIsNonInterleaved) == true {
            throw Refusal("PCM in a file is interleaved; AVLinearPCMIsNonInterleaved must be false")
        }
        if isComplete {
            for key in [AVLinearPCMBitDepthKey, AVLinearPCMIsFloatKey, AVLinearPCMIsBigEndianKey]
            where !settings.contains(key) {
                throw Refusal("\(key) is missing; linear PCM needs its depth, form and byte order")
            }
        }
        guard depth != nil || isFloat != nil || isBigEndian != nil else { return }
        let format = PCMFormat(
            bitsPerSample: depth ?? (isFloat == true ? 32 : 16), isFloat: isFloat ?? false,
            isBigEndian: isBigEndian ?? false)
        guard format.isValid else {
            throw Refusal(
                "PCM of \(format.bitsPerSample) bits is not supported; "
                    + "integers of 16, 24 and 32 and floating point of 32 and 64 are")
        }
        pcmFormat = format
    }

    /// The same for an encoder of a source's sound.
    package func encoder(for input: AudioStreamFormat) -> AudioEncoderSettings {
        let channels = channelCount ?? input.channelCount
        return AudioEncoderSettings(
            codec: codec, input: input, sampleRate: sampleRate, channelCount: channelCount,
            bitRate: bitRate ?? bitRatePerChannel.map { $0 * channels }, pcmFormat: pcmFormat)
    }
}
