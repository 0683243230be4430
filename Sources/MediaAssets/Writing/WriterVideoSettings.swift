import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// How a writer input compresses pictures, read from a client's dictionary.
///
/// Compression properties that are not known here are ignored, as encoders ignore what they cannot do.
struct WriterVideoSettings: Sendable, Hashable {
    package typealias Refusal = SettingsDictionary.Refusal

    var codec: VideoSampleFormat.Codec
    /// In pixels; nil takes the first picture's.
    var dimensions: CMVideoDimensions?
    var fitting = PixelTransform.Fitting.fill
    var averageBitRate: Int?
    /// 0 … 1.
    var quality: Double?
    var maximumKeyFrameInterval: Int?
    var maximumKeyFrameDuration: CMTime?
    var profile: VideoEncoderSettings.Profile?
    var level: String?
    var entropyMode: VideoEncoderSettings.EntropyMode?
    var allowsFrameReordering: Bool?
    /// Frames a second.
    var expectedFrameRate: Double?
    /// How many frames a second a player must decode.
    var nonDroppableFrameRate: Double?
    var color: ColorDescription?
    var pixelAspectRatio: CMVideoDimensions?
    var cleanAperture: CleanAperture?

    /// - Parameter hint: The format of what will come: then the codec is the only key that must be there.
    init(_ dictionary: [String: Any], hint: CMFormatDescription?) throws(Refusal) {
        let settings = SettingsDictionary(dictionary)
        guard let name = try settings.text(AVVideoCodecKey) else { throw Refusal("AVVideoCodecKey is missing") }
        guard let codec = Self.codecs[AVVideoCodecType(rawValue: name)] else {
            let known = Self.codecs.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw Refusal("codec \(name) is not available; the codecs are \(known)")
        }
        self.codec = codec
        let width = try settings.integer(AVVideoWidthKey, 16...16384)
        let height = try settings.integer(AVVideoHeightKey, 16...16384)
        switch (width, height) {
        case (let width?, let height?): dimensions = CMVideoDimensions(width: Int32(width), height: Int32(height))
        case (nil, nil) where hint != nil:
            dimensions = hint?.dimensions
            guard let hint, hint.dimensions.width > 0, hint.dimensions.height > 0 else {
                throw Refusal("the source format hint must have a size")
            }
        default: throw Refusal("AVVideoWidthKey and AVVideoHeightKey must both be given")
        }
        if settings.contains(AVVideoDecompressionPropertiesKey) {
            throw Refusal("AVVideoDecompressionPropertiesKey cannot be used where pictures are compressed")
        }
        if let mode = try settings.text(AVVideoScalingModeKey) { fitting = try Self.fitting(mode) }
        try readProperties(try settings.dictionary(AVVideoCompressionPropertiesKey) ?? SettingsDictionary([:]))
        if let properties = try settings.dictionary(AVVideoColorPropertiesKey) { color = try Self.color(properties) }
        if let aperture = try settings.dictionary(AVVideoCleanApertureKey) {
            cleanAperture = try Self.cleanAperture(aperture)
        }
        if let ratio = try settings.dictionary(AVVideoPixelAspectRatioKey) {
            guard let horizontal = try ratio.integer(AVVideoPixelAspectRatioHorizontalSpacingKey, 1...65535),
                let vertical = try ratio.integer(AVVideoPixelAspectRatioVerticalSpacingKey, 1...65535)
            else { throw Refusal("AVVideoPixelAspectRatioKey needs a horizontal and a vertical spacing") }
            pixelAspectRatio = CMVideoDimensions(width: Int32(horizontal), height: Int32(vertical))
        }
    }

    private static func cleanAperture(_ aperture: SettingsDictionary) throws(Refusal) -> CleanAperture {
        func fraction(_ key: String, _ range: ClosedRange<Double>) throws(Refusal) -> CleanAperture.Fraction? {
            guard let value = try aperture.number(key, range) else { return nil }
            // Whole pixels stay whole; parts of a pixel are told in 1/1000.
            return value.rounded() == value
                ? CleanAperture.Fraction(Int32(value)) : CleanAperture.Fraction(Int32((value * 1000).rounded()), 1000)
        }
        guard let width = try fraction(AVVideoCleanApertureWidthKey, 1...16384),
            let height = try fraction(AVVideoCleanApertureHeightKey, 1...16384)
        else { throw Refusal("AVVideoCleanApertureKey needs a width and a height") }
        let none = CleanAperture.Fraction(0)
        return CleanAperture(
            width: width, height: height,
            horizontalOffset: try fraction(AVVideoCleanApertureHorizontalOffsetKey, -16384...16384) ?? none,
            verticalOffset: try fraction(AVVideoCleanApertureVerticalOffsetKey, -16384...16384) ?? none)
    }

    private static let codecs: [AVVideoCodecType: VideoSampleFormat.Codec] = [
        .h264: .h264, .hevc: .hevc, .jpeg: .jpeg,
    ]

    private static func fitting(_ mode: String) throws(Refusal) -> PixelTransform.Fitting {
        switch mode {
        case AVVideoScalingModeResize: .stretch
        case AVVideoScalingModeResizeAspect: .fit
        case AVVideoScalingModeResizeAspectFill: .fill
        default:
            throw Refusal(
                "\(mode) is not a scaling mode for a writer input; they are \(AVVideoScalingModeResize), "
                    + "\(AVVideoScalingModeResizeAspect) and \(AVVideoScalingModeResizeAspectFill)")
        }
    }

    private mutating func readProperties(_ properties: SettingsDictionary) throws(Refusal) {
        averageBitRate = try properties.integer(AVVideoAverageBitRateKey, 1000...1_000_000_000)
        quality = try properties.number(AVVideoQualityKey, 0...1)
        maximumKeyFrameInterval = try properties.integer(AVVideoMaxKeyFrameIntervalKey, 0...1_000_000)
            .flatMap { $0 == 0 ? nil : $0 }
        // 0, as in VideoToolbox, is no limit.
        if let seconds = try properties.number(AVVideoMaxKeyFrameIntervalDurationKey, 0...86400), seconds > 0 {
            maximumKeyFrameDuration = CMTime(seconds: seconds, preferredTimescale: 1_000_000)
        }
        expectedFrameRate = try properties.number(AVVideoExpectedSourceFrameRateKey, 0...1000)
            .flatMap { $0 > 0 ? $0 : nil }
        nonDroppableFrameRate = try properties.number(AVVideoAverageNonDroppableFrameRateKey, 0...1000)
            .flatMap { $0 > 0 ? $0 : nil }
        allowsFrameReordering = try properties.bool(AVVideoAllowFrameReorderingKey)
        if let mode = try properties.text(AVVideoH264EntropyModeKey) {
            guard let known = VideoEncoderSettings.EntropyMode(rawValue: mode.lowercased()) else {
                throw Refusal("\(mode) is not a value for AVVideoH264EntropyModeKey: it takes CAVLC or CABAC")
            }
            entropyMode = known
        }
        if let name = try properties.text(AVVideoProfileLevelKey) { try readProfile(name) }
    }

    /// Reads a name as `H264_Main_3_1` or `HEVC_Main_AutoLevel`.
    private mutating func readProfile(_ name: String) throws(Refusal) {
        let parts = name.split(separator: "_").map(String.init)
        let wrong = Refusal("\(name) is not a profile and level of \(codec.rawValue)")
        guard parts.count >= 3 else { throw wrong }
        switch (codec, parts[0]) {
        case (.h264, "H264"):
            guard let known = VideoEncoderSettings.Profile(rawValue: parts[1].lowercased()) else { throw wrong }
            profile = known
            if parts[2] != "AutoLevel" { level = parts[2...].joined(separator: ".") }
        // HEVC is written in the Main profile, and its level follows from the pictures.
        case (.hevc, "HEVC") where parts[1] == "Main": return
        default: throw wrong
        }
    }

    private static func color(_ properties: SettingsDictionary) throws(Refusal) -> ColorDescription {
        let names = [AVVideoColorPrimariesKey, AVVideoTransferFunctionKey, AVVideoYCbCrMatrixKey]
        var values: [String] = []
        for name in names {
            guard let value = try properties.text(name) else {
                throw Refusal(
                    "AVVideoColorPropertiesKey needs primaries, transfer function and matrix; \(name) is missing")
            }
            values.append(value)
        }
        guard let color = ColorDescription(primaries: values[0], transfer: values[1], matrix: values[2]) else {
            throw Refusal("\(values.joined(separator: ", ")) are not primaries, transfer function and matrix")
        }
        return color
    }
}
