import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// The video encoding of a movie, parsed from a settings dictionary.
struct MovieVideoSettings: Sendable, Hashable {
    /// An error in a settings dictionary.
    struct SettingsError: Error {
        let reason: String
    }

    var codec: AVVideoCodecType = .h264
    var averageBitRate: Int?
    /// 0 … 1.
    var quality: Double?
    var maximumKeyFrameInterval: Int?
    var maximumKeyFrameDuration: CMTime?

    static let keys = [AVVideoCodecKey, AVVideoCompressionPropertiesKey]
    private static let properties = [
        AVVideoAverageBitRateKey, AVVideoQualityKey, AVVideoMaxKeyFrameIntervalKey,
        AVVideoMaxKeyFrameIntervalDurationKey,
    ]

    init() {}

    init(_ dictionary: [String: Any], available: [AVVideoCodecType]) throws(SettingsError) {
        try Self.checkKeys(dictionary, except: Self.keys)
        switch dictionary[AVVideoCodecKey] {
        case let type as AVVideoCodecType: codec = type
        case let name as String: codec = AVVideoCodecType(rawValue: name)
        case nil: break
        case let other?: throw SettingsError(reason: "\(other) is not a valid codec for AVVideoCodecKey")
        }
        guard available.contains(codec) else {
            throw SettingsError(
                reason: "codec \(codec.rawValue) is not available; "
                    + "the available codecs are \(available.map(\.rawValue).joined(separator: ", "))")
        }
        guard dictionary[AVVideoCompressionPropertiesKey] == nil || dictionary[AVVideoCodecKey] != nil else {
            throw SettingsError(reason: "\(AVVideoCompressionPropertiesKey) requires \(AVVideoCodecKey)")
        }
        let properties = dictionary[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:]
        try Self.checkKeys(properties, except: Self.properties)
        averageBitRate = try Self.number(properties, AVVideoAverageBitRateKey, 1...1_000_000_000).map { Int($0) }
        quality = try Self.number(properties, AVVideoQualityKey, 0...1)
        maximumKeyFrameInterval = try Self.number(properties, AVVideoMaxKeyFrameIntervalKey, 1...1_000_000)
            .map { Int($0) }
        maximumKeyFrameDuration = try Self.number(properties, AVVideoMaxKeyFrameIntervalDurationKey, 0.001...86400)
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
        return result
    }

    var sampleCodec: VideoSampleFormat.Codec {
        switch codec {
        case .hevc: .hevc
        case .jpeg: .jpeg
        default: .h264
        }
    }

    /// Throws for unsupported keys, which would otherwise be ignored silently.
    static func checkKeys(_ dictionary: [String: Any], except keys: [String]) throws(SettingsError) {
        guard let key = dictionary.keys.filter({ !keys.contains($0) }).min() else { return }
        throw SettingsError(reason: "\(key) is not supported; the supported keys are \(keys.joined(separator: ", "))")
    }

    /// Returns a number, nil if it is missing; throws if it is out of range or not a number.
    static func number(
        _ properties: [String: Any], _ key: String, _ range: ClosedRange<Double>
    ) throws(SettingsError) -> Double? {
        guard let value = properties[key] else { return nil }
        let number: Double? =
            switch value {
            case let integer as any BinaryInteger: Double(integer)
            case let real as any BinaryFloatingPoint: Double(real)
            default: nil
            }
        guard let number, range.contains(number) else {
            throw SettingsError(
                reason: "\(value) is not valid for \(key): the range is \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
