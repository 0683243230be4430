// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// A media type; the raw values are QuickTime's handler types.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let video = AVMediaType("vide")
    public static let audio = AVMediaType("soun")
    public static let text = AVMediaType("text")
    public static let closedCaption = AVMediaType("clcp")
    public static let subtitle = AVMediaType("sbtl")
    public static let timecode = AVMediaType("tmcd")
    public static let metadata = AVMediaType("meta")
    public static let metadataObject = AVMediaType("mobj")
    public static let muxed = AVMediaType("muxx")
    public static let depthData = AVMediaType("dpth")
    public static let haptic = AVMediaType("hapt")
    public static let auxiliaryPicture = AVMediaType("auxv")
}

/// A file type; the raw values are uniform type identifiers.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let mov = AVFileType("com.apple.quicktime-movie")
    public static let mp4 = AVFileType("public.mpeg-4")
    public static let m4v = AVFileType("com.apple.m4v-video")
    public static let m4a = AVFileType("com.apple.m4a-audio")
    public static let caf = AVFileType("com.apple.coreaudio-format")
    public static let wav = AVFileType("com.microsoft.waveform-audio")
    public static let jpg = AVFileType("public.jpeg")
    public static let heic = AVFileType("public.heic")
    public static let heif = AVFileType("public.heif")
    public static let dng = AVFileType("com.adobe.raw-image")
    public static let tif = AVFileType("public.tiff")

    // Types that the package neither reads nor writes.
    public static let qta = AVFileType("com.apple.quicktime-audio")
    public static let mobile3GPP = AVFileType("public.3gpp")
    public static let mobile3GPP2 = AVFileType("public.3gpp2")
    public static let aiff = AVFileType("public.aiff-audio")
    public static let aifc = AVFileType("public.aifc-audio")
    public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")
    public static let mp3 = AVFileType("public.mp3")
    public static let au = AVFileType("public.au-audio")
    public static let ac3 = AVFileType("public.ac3-audio")
    public static let eac3 = AVFileType("public.enhanced-ac3-audio")
    public static let avci = AVFileType("public.avci")
    public static let appleiTT = AVFileType("com.apple.itunes-timed-text")
    public static let SCC = AVFileType("com.scenarist.closed-caption")
    public static let AHAP = AVFileType("public.haptics-content")
    public static let dcm = AVFileType("org.nema.dicom")
}

/// A video codec; the raw values are four-character codes.
public struct AVVideoCodecType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let h264 = AVVideoCodecType(rawValue: "avc1")
    public static let hevc = AVVideoCodecType(rawValue: "hvc1")
    public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
    public static let proRes422 = AVVideoCodecType(rawValue: "apcn")
    public static let proRes422HQ = AVVideoCodecType(rawValue: "apch")
    public static let proRes422LT = AVVideoCodecType(rawValue: "apcs")
    public static let proRes422Proxy = AVVideoCodecType(rawValue: "apco")
    /// Encoded without an alpha channel.
    public static let proRes4444 = AVVideoCodecType(rawValue: "ap4h")

    // Codecs without an available encoder.
    public static let JPEGXL = AVVideoCodecType(rawValue: "jxlc")
    public static let hevcWithAlpha = AVVideoCodecType(rawValue: "muxa")
    public static let appleProRes4444XQ = AVVideoCodecType(rawValue: "ap4x")
    public static let appleProResRAW = AVVideoCodecType(rawValue: "aprn")
    public static let appleProResRAWHQ = AVVideoCodecType(rawValue: "aprh")
}

/// Makes the strings in settings dictionaries castable to the type, as on Apple's systems.
extension AVVideoCodecType: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout AVVideoCodecType?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSString, result: inout AVVideoCodecType?
    ) -> Bool {
        result = _unconditionallyBridgeFromObjectiveC(source)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> AVVideoCodecType {
        AVVideoCodecType(rawValue: String._unconditionallyBridgeFromObjectiveC(source))
    }
}

// The names of codecs in releases before `AVVideoCodecType`.

/// The former name of `AVVideoCodecType.h264`.
public let AVVideoCodecH264: String = AVVideoCodecType.h264.rawValue
/// The former name of `AVVideoCodecType.hevc`.
public let AVVideoCodecHEVC: String = AVVideoCodecType.hevc.rawValue
/// The former name of `AVVideoCodecType.jpeg`.
public let AVVideoCodecJPEG: String = AVVideoCodecType.jpeg.rawValue
/// The former name of `AVVideoCodecType.proRes422`.
public let AVVideoCodecAppleProRes422: String = AVVideoCodecType.proRes422.rawValue
/// The former name of `AVVideoCodecType.proRes4444`.
public let AVVideoCodecAppleProRes4444: String = AVVideoCodecType.proRes4444.rawValue

/// Output-settings key: an `AVVideoCodecType` or its raw value.
public let AVVideoCodecKey = "AVVideoCodecKey"
/// Output-settings key: width in pixels.
public let AVVideoWidthKey = "AVVideoWidthKey"
/// Output-settings key: height in pixels.
public let AVVideoHeightKey = "AVVideoHeightKey"
/// Output-settings key: a dictionary of properties for the encoder.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"
/// Compression property: the average bit rate in bits per second.
public let AVVideoAverageBitRateKey = "AverageBitRate"
/// Compression property: the quality from 0 to 1, for JPEG.
public let AVVideoQualityKey = "Quality"
/// Compression property: the maximum number of frames between key frames.
public let AVVideoMaxKeyFrameIntervalKey = "MaxKeyFrameInterval"
/// Compression property: the maximum time between key frames, in seconds.
public let AVVideoMaxKeyFrameIntervalDurationKey = "MaxKeyFrameIntervalDuration"
/// Compression property: the expected frame rate of the source, in frames per second.
public let AVVideoExpectedSourceFrameRateKey = "ExpectedFrameRate"
