import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// A writer input's video encoding settings, read from a client's dictionary.
///
/// Unknown compression properties are ignored, as encoders ignore properties that they do not support.
struct WriterVideoSettings: Sendable {
    /// The error for settings that cannot be used.
    typealias SettingsError = SettingsDictionary.SettingsError

    var codec: VideoSampleFormat.Codec
    /// In pixels; nil for the size of the first frame.
    var dimensions: CMVideoDimensions?
    var fitting = PixelTransform.Fitting.fill
    /// In bits per second.
    var averageBitRate: Int?
    /// From 0 to 1.
    var quality: Double?
    /// In frames.
    var maximumKeyFrameInterval: Int?
    var maximumKeyFrameDuration: CMTime?
    var profile: VideoEncoderSettings.Profile?
    var level: String?
    /// 10 or 8, from the HEVC profile; nil for the bit depth of the frames.
    var bitsPerComponent: Int?
    var entropyMode: VideoEncoderSettings.EntropyMode?
    var allowsFrameReordering: Bool?
    /// In frames per second.
    var expectedFrameRate: Double?
    /// The number of frames per second that are not droppable.
    var nonDroppableFrameRate: Double?
    var color: ColorDescription?
    var pixelAspectRatio: PixelAspectRatio?
    var cleanAperture: CleanAperture?

    /// Reads settings from a dictionary.
    ///
    /// - Parameter hint: The format of the media to append. With it, only the codec key is required.
    init(_ dictionary: [String: Any], hint: CMFormatDescription?) throws(SettingsError) {
        let settings = SettingsDictionary(dictionary)
        guard let name = try settings.text(AVVideoCodecKey) else { throw SettingsError("AVVideoCodecKey is missing") }
        guard let codec = Self.codecs[AVVideoCodecType(rawValue: name)] else {
            let known = Self.codecs.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw SettingsError("codec \(name) is not available; the codecs are \(known)")
        }
        self.codec = codec
        let width = try settings.integer(AVVideoWidthKey, 16...16384)
        let height = try settings.integer(AVVideoHeightKey, 16...16384)
        switch (width, height) {
        case (let width?, let height?): dimensions = CMVideoDimensions(width: Int32(width), height: Int32(height))
        case (nil, nil) where hint != nil:
            dimensions = hint?.dimensions
            guard let hint, hint.dimensions.width > 0, hint.dimensions.height > 0 else {
                throw SettingsError("the source format hint must have dimensions")
            }
        default: throw SettingsError("AVVideoWidthKey and AVVideoHeightKey are both required")
        }
        if settings.contains(AVVideoDecompressionPropertiesKey) {
            throw SettingsError("AVVideoDecompressionPropertiesKey cannot be used for compression")
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
            else { throw SettingsError("AVVideoPixelAspectRatioKey needs a horizontal and a vertical spacing") }
            pixelAspectRatio = PixelAspectRatio(
                horizontalSpacing: UInt32(horizontal), verticalSpacing: UInt32(vertical))
        }
    }

    private static func cleanAperture(_ aperture: SettingsDictionary) throws(SettingsError) -> CleanAperture {
        func fraction(_ key: String, _ range: ClosedRange<Double>) throws(SettingsError) -> CleanAperture.Fraction? {
            try aperture.number(key, range).flatMap { CleanAperture.Fraction(rounding: $0) }
        }
        guard let width = try fraction(AVVideoCleanApertureWidthKey, 1...16384),
            let height = try fraction(AVVideoCleanApertureHeightKey, 1...16384)
        else { throw SettingsError("AVVideoCleanApertureKey needs a width and a height") }
        let none = CleanAperture.Fraction(0)
        return CleanAperture(
            width: width, height: height,
            horizontalOffset: try fraction(AVVideoCleanApertureHorizontalOffsetKey, -16384...16384) ?? none,
            verticalOffset: try fraction(AVVideoCleanApertureVerticalOffsetKey, -16384...16384) ?? none)
    }

    private static let codecs: [AVVideoCodecType: VideoSampleFormat.Codec] = [
        .h264: .h264, .hevc: .hevc, .jpeg: .jpeg, .proRes422Proxy: .proRes422Proxy, .proRes422LT: .proRes422LT,
        .proRes422: .proRes422, .proRes422HQ: .proRes422HQ, .proRes4444: .proRes4444,
    ]

    private static func fitting(_ mode: String) throws(SettingsError) -> PixelTransform.Fitting {
        switch mode {
        case AVVideoScalingModeResize: .stretch
        case AVVideoScalingModeResizeAspect: .fit
        case AVVideoScalingModeResizeAspectFill: .fill
        default:
            throw SettingsError(
                "\(mode) is not a scaling mode of a writer input; use \(AVVideoScalingModeResize), "
                    + "\(AVVideoScalingModeResizeAspect) or \(AVVideoScalingModeResizeAspectFill)")
        }
    }

    private mutating func readProperties(_ properties: SettingsDictionary) throws(SettingsError) {
        averageBitRate = try properties.integer(AVVideoAverageBitRateKey, 1000...1_000_000_000)
        quality = try properties.number(AVVideoQualityKey, 0...1)
        maximumKeyFrameInterval = try properties.integer(AVVideoMaxKeyFrameIntervalKey, 0...1_000_000)
            .flatMap { $0 == 0 ? nil : $0 }
        // 0 means no limit, as in VideoToolbox.
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
                throw SettingsError("\(mode) is not a value for AVVideoH264EntropyModeKey: use CAVLC or CABAC")
            }
            entropyMode = known
        }
        if let name = try properties.text(AVVideoProfileLevelKey) { try readProfile(name) }
    }

    /// Reads a name such as `H264_Main_3_1` or `HEVC_Main_AutoLevel`.
    private mutating func readProfile(_ name: String) throws(SettingsError) {
        let parts = name.split(separator: "_").map(String.init)
        let invalid = SettingsError("\(name) is not a profile and level of \(codec.rawValue)")
        guard parts.count >= 3 else { throw invalid }
        switch (codec, parts[0]) {
        case (.h264, "H264"):
            guard let known = VideoEncoderSettings.Profile(rawValue: parts[1].lowercased()) else { throw invalid }
            profile = known
            if parts[2] != "AutoLevel" { level = parts[2...].joined(separator: ".") }
        // The level of HEVC follows from the frame size and rate.
        case (.hevc, "HEVC") where parts[1] == "Main": bitsPerComponent = 8
        case (.hevc, "HEVC") where parts[1] == "Main10": bitsPerComponent = 10
        default: throw invalid
        }
    }

    private static func color(_ properties: SettingsDictionary) throws(SettingsError) -> ColorDescription {
        let names = [AVVideoColorPrimariesKey, AVVideoTransferFunctionKey, AVVideoYCbCrMatrixKey]
        var values: [String] = []
        for name in names {
            guard let value = try properties.text(name) else {
                throw SettingsError(
                    "AVVideoColorPropertiesKey needs primaries, transfer function and matrix; \(name) is missing")
            }
            values.append(value)
        }
        guard let color = ColorDescription(primaries: values[0], transfer: values[1], matrix: values[2]) else {
            throw SettingsError("\(values.joined(separator: ", ")) are not primaries, transfer function and matrix")
        }
        return color
    }
}
