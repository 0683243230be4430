import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes

/// The video encoding of a movie, parsed from a settings dictionary.
struct MovieVideoSettings: Sendable, Hashable {
    /// The error for settings that cannot be used.
    typealias SettingsError = SettingsDictionary.SettingsError

    var codec: AVVideoCodecType = .h264
    /// Bits per second.
    var averageBitRate: Int?
    /// 0 … 1.
    var quality: Double?
    /// Frames.
    var maximumKeyFrameInterval: Int?
    var maximumKeyFrameDuration: CMTime?
    /// Whether the JPEG frames of a camera are written unchanged.
    private(set) var isPassthrough = false

    static let keys = [AVVideoCodecKey, AVVideoCompressionPropertiesKey]
    private static let properties = [
        AVVideoAverageBitRateKey, AVVideoQualityKey, AVVideoMaxKeyFrameIntervalKey,
        AVVideoMaxKeyFrameIntervalDurationKey,
    ]

    init(codec: AVVideoCodecType = .h264) { self.codec = codec }

    /// Reads settings from a dictionary; an empty one writes the JPEG frames of a camera unchanged.
    ///
    /// - Parameters:
    ///   - available: The codecs that the settings may contain, the default first.
    ///   - dimensions: The size of the frames, the only size that the settings may contain; nil if it is unknown.
    init(
        _ dictionary: [String: Any], available: [AVVideoCodecType], dimensions: CMVideoDimensions?
    ) throws(SettingsError) {
        isPassthrough = dictionary.isEmpty
        let settings = SettingsDictionary(dictionary)
        try Self.checkSize(settings, dimensions)
        try settings.checkKeys(Self.keys, ignoring: [AVVideoWidthKey, AVVideoHeightKey])
        codec = try settings.text(AVVideoCodecKey).map { AVVideoCodecType(rawValue: $0) } ?? available.first ?? codec
        guard available.contains(codec) else {
            throw SettingsError(
                "codec \(codec.rawValue) is not available; "
                    + "the available codecs are \(available.map(\.rawValue).joined(separator: ", "))")
        }
        guard let properties = try settings.dictionary(AVVideoCompressionPropertiesKey) else { return }
        guard settings.contains(AVVideoCodecKey) else {
            throw SettingsError("\(AVVideoCompressionPropertiesKey) requires \(AVVideoCodecKey)")
        }
        try properties.checkKeys(Self.properties)
        averageBitRate = try properties.number(AVVideoAverageBitRateKey, 1...1_000_000_000).map { Int($0) }
        quality = try properties.number(AVVideoQualityKey, 0...1)
        maximumKeyFrameInterval = try properties.integer(AVVideoMaxKeyFrameIntervalKey, 1...1_000_000)
        maximumKeyFrameDuration = try properties.number(AVVideoMaxKeyFrameIntervalDurationKey, 0.001...86400)
            .map { CMTime(seconds: $0, preferredTimescale: 1_000_000) }
    }

    /// Returns all settings, with the size of the frames.
    func dictionary(for dimensions: CMVideoDimensions?) -> [String: Any] {
        var properties: [String: Any] = [:]
        properties[AVVideoAverageBitRateKey] = averageBitRate
        properties[AVVideoQualityKey] = quality
        properties[AVVideoMaxKeyFrameIntervalKey] = maximumKeyFrameInterval
        properties[AVVideoMaxKeyFrameIntervalDurationKey] = maximumKeyFrameDuration?.seconds
        var result: [String: Any] = [AVVideoCodecKey: codec]
        result[AVVideoWidthKey] = dimensions.map { Int($0.width) }
        result[AVVideoHeightKey] = dimensions.map { Int($0.height) }
        if !properties.isEmpty { result[AVVideoCompressionPropertiesKey] = properties }
        return result.plainSettings
    }

    var sampleCodec: VideoSampleFormat.Codec {
        switch codec {
        case .hevc: .hevc
        case .jpeg: .jpeg
        case .proRes422Proxy: .proRes422Proxy
        case .proRes422LT: .proRes422LT
        case .proRes422: .proRes422
        case .proRes422HQ: .proRes422HQ
        default: .h264
        }
    }

    /// Throws if the settings contain a size other than the size of the frames, since frames are not scaled.
    private static func checkSize(
        _ settings: SettingsDictionary, _ dimensions: CMVideoDimensions?
    ) throws(SettingsError) {
        let width = try settings.integer(AVVideoWidthKey, 1...16384)
        let height = try settings.integer(AVVideoHeightKey, 1...16384)
        guard let dimensions else { return }
        guard width ?? Int(dimensions.width) == Int(dimensions.width),
            height ?? Int(dimensions.height) == Int(dimensions.height)
        else {
            throw SettingsError(
                "frames are not scaled: width and height must be those of the active format, "
                    + "\(dimensions.width)x\(dimensions.height)")
        }
    }
}
