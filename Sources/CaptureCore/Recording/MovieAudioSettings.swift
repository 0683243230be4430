import MediaAssets
import MediaCodecs
import MediaTypes

/// The audio encoding of a movie, parsed from a settings dictionary.
struct MovieAudioSettings: Sendable, Hashable {
    static let keys = [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVEncoderBitRateKey]
    private static let codecs: [(format: AudioFormatID, codec: AudioEncoderSettings.Codec)] = [
        (kAudioFormatMPEG4AAC, .aac), (kAudioFormatLinearPCM, .pcm), (kAudioFormatAppleLossless, .alac),
    ]

    var codec = AudioEncoderSettings.Codec.aac
    var sampleRate: Int32?
    var channelCount: Int?
    var bitRate: Int?

    init() {}

    init(_ dictionary: [String: Any]) throws(MovieVideoSettings.SettingsError) {
        try MovieVideoSettings.checkKeys(dictionary, except: Self.keys)
        if let id = try MovieVideoSettings.number(dictionary, AVFormatIDKey, 0...Double(UInt32.max)) {
            guard let known = Self.codecs.first(where: { Double($0.format) == id }) else {
                throw MovieVideoSettings.SettingsError(
                    reason: "audio of type \(fourCharacterText(UInt32(id))) cannot be written; the supported types are "
                        + Self.codecs.map { fourCharacterText($0.format) }.joined(separator: ", "))
            }
            codec = known.codec
        }
        sampleRate = try MovieVideoSettings.number(dictionary, AVSampleRateKey, 1000...768_000).map { Int32($0) }
        channelCount = try MovieVideoSettings.number(dictionary, AVNumberOfChannelsKey, 1...8).map { Int($0) }
        bitRate = try MovieVideoSettings.number(dictionary, AVEncoderBitRateKey, 1000...10_000_000).map { Int($0) }
    }

    /// Returns the settings of the encoder for an input format.
    func encoderSettings(for input: AudioStreamFormat) -> AudioEncoderSettings {
        AudioEncoderSettings(
            codec: codec, input: input, sampleRate: sampleRate, channelCount: channelCount,
            bitRate: codec == .aac ? bitRate : nil)
    }

    /// Returns all settings, with the values of the input for those that are not set.
    func dictionary(for input: AudioStreamFormat?) -> [String: Any] {
        let format = Self.codecs.first { $0.codec == codec }?.format ?? kAudioFormatMPEG4AAC
        var result: [String: Any] = [AVFormatIDKey: format]
        result[AVSampleRateKey] = sampleRate.map(Double.init) ?? input?.sampleRate
        result[AVNumberOfChannelsKey] = channelCount ?? input?.channelCount
        result[AVEncoderBitRateKey] = bitRate
        return result
    }
}
