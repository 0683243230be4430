import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes

/// The audio encoding of a movie, parsed from a settings dictionary.
struct MovieAudioSettings: Sendable, Hashable {
    static let keys = [
        AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVChannelLayoutKey, AVEncoderBitRateKey,
        AVEncoderBitRatePerChannelKey, AVEncoderBitRateStrategyKey, AVEncoderAudioQualityKey,
        AVEncoderBitDepthHintKey, AVLinearPCMBitDepthKey, AVLinearPCMIsFloatKey, AVLinearPCMIsBigEndianKey,
        AVLinearPCMIsNonInterleaved,
    ]

    /// The encoding; nil writes the device's samples unchanged.
    private var encoding: WriterAudioSettings? = WriterAudioSettings(codec: .aac)

    /// Creates the default settings, AAC.
    init() {}

    /// Reads settings from a dictionary; an empty one writes the device's samples unchanged.
    init(_ dictionary: [String: Any]) throws(SettingsDictionary.SettingsError) {
        try SettingsDictionary(dictionary).checkKeys(Self.keys)
        guard !dictionary.isEmpty else {
            encoding = nil
            return
        }
        let withDefault: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC].merging(dictionary) { $1 }
        encoding = try WriterAudioSettings(withDefault, isComplete: false)
    }

    /// Returns the settings of the encoder for an input format.
    func encoderSettings(for input: AudioStreamFormat) -> AudioEncoderSettings {
        (encoding ?? WriterAudioSettings(codec: .pcm)).encoder(for: input)
    }

    /// Returns all settings, with the values of the input for those that are not set; empty if the device's samples are
    /// written unchanged.
    func dictionary(for input: AudioStreamFormat) -> [String: Any] {
        guard encoding != nil else { return [:] }
        let encoder = encoderSettings(for: input)
        var result: [String: Any] = [
            AVSampleRateKey: Double(encoder.outputSampleRate), AVNumberOfChannelsKey: encoder.outputChannelCount,
        ]
        let format = encoder.outputPCMFormat
        switch encoder.codec {
        case .aac:
            result[AVFormatIDKey] = kAudioFormatMPEG4AAC
            result[AVEncoderBitRateKey] = encoder.outputBitRate
        case .opus:
            result[AVFormatIDKey] = kAudioFormatOpus
            result[AVEncoderBitRateKey] = encoder.outputBitRate
        case .alac:
            result[AVFormatIDKey] = kAudioFormatAppleLossless
            result[AVEncoderBitDepthHintKey] = format.bitsPerSample
        case .pcm:
            result[AVFormatIDKey] = kAudioFormatLinearPCM
            result[AVLinearPCMBitDepthKey] = format.bitsPerSample
            result[AVLinearPCMIsFloatKey] = format.isFloat
            result[AVLinearPCMIsBigEndianKey] = format.isBigEndian
            result[AVLinearPCMIsNonInterleaved] = false
        }
        return result.plainSettings
    }
}
