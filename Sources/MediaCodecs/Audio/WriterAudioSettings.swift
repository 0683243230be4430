package import AssetTypes
import Foundation
package import MediaTypes

/// A writer input's audio encoding settings, read from a client's dictionary.
package struct WriterAudioSettings: Sendable, Hashable {
    /// The error for settings that cannot be used.
    package typealias SettingsError = SettingsDictionary.SettingsError

    /// The codec of the output.
    package var codec: AudioEncoderSettings.Codec
    /// In hertz; nil for the source's.
    var sampleRate: Int32?
    /// Nil for the source's.
    var channelCount: Int?
    /// In bits per second; nil for the default of the codec or `bitRatePerChannel`.
    var bitRate: Int?
    /// In bits per second.
    var bitRatePerChannel: Int?
    var pcmFormat: PCMFormat?

    /// Creates settings with the defaults of a codec.
    package init(codec: AudioEncoderSettings.Codec) { self.codec = codec }

    /// Reads settings from a dictionary.
    ///
    /// - Parameters:
    ///   - isComplete: Whether all keys are required because no hint specifies the source's format.
    ///   - sourceChannelCount: The number of channels of the hint, which more than two channels without a layout must
    ///     equal; nil if it is unknown.
    package init(
        _ dictionary: [String: Any], isComplete: Bool, sourceChannelCount: Int? = nil
    ) throws(SettingsError) {
        let settings = SettingsDictionary(dictionary)
        guard let code = try settings.integer(AVFormatIDKey, 0...Int(UInt32.max)).map({ AudioFormatID($0) }) else {
            throw SettingsError("AVFormatIDKey is missing")
        }
        guard let codec = Self.codecs[code] else {
            throw SettingsError(
                "format \(fourCharacterText(code)) is not available; 'lpcm', 'aac ', 'alac' and 'opus' are")
        }
        self.codec = codec
        sampleRate = try settings.number(AVSampleRateKey, 1000...768_000).map { Int32($0.rounded()) }
        channelCount = try settings.integer(AVNumberOfChannelsKey, 1...8)
        if isComplete, sampleRate == nil || channelCount == nil {
            throw SettingsError("AVSampleRateKey and AVNumberOfChannelsKey are required")
        }
        if let channelCount, channelCount > 2, !settings.contains(AVChannelLayoutKey),
            isComplete || sourceChannelCount.map({ $0 != channelCount }) == true
        {
            throw SettingsError("\(channelCount) channels need AVChannelLayoutKey")
        }
        try settings.checkChannelLayout(channelCount: channelCount)
        if settings.contains(AVSampleRateConverterAudioQualityKey) {
            throw SettingsError("AVSampleRateConverterAudioQualityKey is not supported")
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

    private mutating func readPCM(_ settings: SettingsDictionary, isComplete: Bool) throws(SettingsError) {
        let depth = try settings.integer(AVLinearPCMBitDepthKey, 8...64)
        let isFloat = try settings.bool(AVLinearPCMIsFloatKey)
        let isBigEndian = try settings.bool(AVLinearPCMIsBigEndianKey)
        if try settings.bool(AVLinearPCMIsNonInterleaved) == true {
            throw SettingsError("PCM in a file is interleaved; AVLinearPCMIsNonInterleaved must be false")
        }
        if isComplete {
            for key in [AVLinearPCMBitDepthKey, AVLinearPCMIsFloatKey, AVLinearPCMIsBigEndianKey]
            where !settings.contains(key) {
                throw SettingsError("\(key) is missing; linear PCM needs its bit depth, sample type and byte order")
            }
        }
        guard depth != nil || isFloat != nil || isBigEndian != nil else { return }
        let format = PCMFormat(
            bitsPerSample: depth ?? (isFloat == true ? 32 : 16), isFloat: isFloat ?? false,
            isBigEndian: isBigEndian ?? false)
        guard format.isValid else {
            throw SettingsError(
                "PCM of \(format.bitsPerSample) bits is not supported; "
                    + "integers of 16, 24 or 32 bits and floating point of 32 or 64 bits are")
        }
        pcmFormat = format
    }

    /// Returns the encoder settings for a source's format.
    package func encoder(for input: AudioStreamFormat) -> AudioEncoderSettings {
        let channels = channelCount ?? input.channelCount
        return AudioEncoderSettings(
            codec: codec, input: input, sampleRate: sampleRate, channelCount: channelCount,
            bitRate: bitRate ?? bitRatePerChannel.map { $0 * channels }, pcmFormat: pcmFormat)
    }
}
