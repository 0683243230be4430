import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// How pictures are compressed, read from a client's dictionary.
struct MovieVideoSettings: Sendable, Hashable {
    /// Why a dictionary cannot be used.
    struct Refusal: Error {
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

    init(_ dictionary: [String: Any], available: [AVVideoCodecType]) throws(Refusal) {
        try Self.refuse(dictionary, except: Self.keys)
        switch dictionary[AVVideoCodecKey] {
        case let type as AVVideoCodecType: codec = type
        case let name as String: codec = AVVideoCodecType(rawValue: name)
        case nil: break
        case let other?: throw Refusal(reason: "\(other) is not a codec for AVVideoCodecKey")
        }
        guard available.contains(codec) else {
            throw Refusal(
                reason: "codec \(codec.rawValue) is not available; "
                    + "the codecs are \(available.map(\.rawValue).joined(separator: ", "))")
        }
        guard dictionary[AVVideoCompressionPropertiesKey] == nil || dictionary[AVVideoCodecKey] != nil else {
            throw Refusal(reason: "\(AVVideoCompressionPropertiesKey) needs \(AVVideoCodecKey) beside it")
        }
        let properties = dictionary[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:]
        try Self.refuse(properties, except: Self.properties)
        averageBitRate = try Self.number(properties, AVVideoAverageBitRateKey, 1...1_000_000_000).map { Int($0) }
        quality = try Self.number(properties, AVVideoQualityKey, 0...1)
        maximumKeyFrameInterval = try Self.number(properties, AVVideoMaxKeyFrameIntervalKey, 1...1_000_000)
            .map { Int($0) }
        maximumKeyFrameDuration = try Self.number(properties, AVVideoMaxKeyFrameIntervalDurationKey, 0.001...86400)
            .map { CMTime(seconds: $0, preferredTimescale: 1_000_000) }
    }

    /// All settings, with the size that the pictures have.
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

    /// Keys that would have no effect are refused, so that nobody relies on them.
    static func refuse(_ dictionary: [String: Any], except keys: [String]) throws(Refusal) {
        guard let key = dictionary.keys.filter({ !keys.contains($0) }).min() else { return }
        throw Refusal(reason: "\(key) is not supported; the keys are \(keys.joined(separator: ", "))")
    }

    static func number(
        _ properties: [String: Any], _ key: String, _ range: ClosedRange<Double>
    ) throws(Refusal) -> Double? {
        guard let value = properties[key] else { return nil }
        let number: Double? =
            switch value {
            case let integer as any BinaryInteger: Double(integer)
            case let real as any BinaryFloatingPoint: Double(real)
            default: nil
            }
        guard let number, range.contains(number) else {
            throw Refusal(
                reason: "\(value) is not a value for \(key): it takes \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
