import MediaAssets
import MediaCodecs
import MediaTypes

/// How sound is compressed, read from a client's dictionary.
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

    init(_ dictionary: [String: Any]) throws(MovieVideoSettings.Refusal) {
        try MovieVideoSettings.refuse(dictionary, except: Self.keys)
        if let id = try MovieVideoSettings.number(dictionary, AVFormatIDKey, 0...Double(UInt32.max)) {
            guard let known = Self.codecs.first(where: { Double($0.format) == id }) else {
                throw MovieVideoSettings.Refusal(
                    reason: "sound of type \(fourCharacterText(UInt32(id))) cannot be written; the types are "
                        + Self.codecs.map { fourCharacterText($0.format) }.joined(separator: ", "))
            }
            codec = known.codec
        }
        sampleRate = try MovieVideoSettings.number(dictionary, AVSampleRateKey, 1000...768_000).map { Int32($0) }
        channelCount = try MovieVideoSettings.number(dictionary, AVNumberOfChannelsKey, 1...8).map { Int($0) }
        bitRate = try MovieVideoSettings.number(dictionary, AVEncoderBitRateKey, 1000...10_000_000).map { Int($0) }
    }

    func encoderSettings(for input: AudioStreamFormat) -> AudioEncoderSettings {
        AudioEncoderSettings(
            codec: codec, input: input, sampleRate: sampleRate, channelCount: channelCount,
            bitRate: codec == .aac ? bitRate : nil)
    }

    /// All settings, with what the sound has where nothing was chosen.
    func dictionary(for input: AudioStreamFormat?) -> [String: Any] {
        let format = Self.codecs.first { $0.codec == codec }?.format ?? kAudioFormatMPEG4AAC
        var result: [String: Any] = [AVFormatIDKey: format]
        result[AVSampleRateKey] = sampleRate.map(Double.init) ?? input?.sampleRate
        result[AVNumberOfChannelsKey] = channelCount ?? input?.channelCount
        result[AVEncoderBitRateKey] = bitRate
        return result
    }
}
