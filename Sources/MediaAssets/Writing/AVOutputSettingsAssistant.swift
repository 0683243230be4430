import AssetTypes
public import Foundation
public import MediaTypes

/// A preset for a common kind of movie.
public struct AVOutputSettingsPreset: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let preset640x480 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset640x480")
    public static let preset960x540 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset960x540")
    public static let preset1280x720 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset1280x720")
    public static let preset1920x1080 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset1920x1080")
    public static let preset3840x2160 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPreset3840x2160")
    public static let hevc1920x1080 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPresetHEVC1920x1080")
    public static let hevc3840x2160 = AVOutputSettingsPreset(rawValue: "AVOutputSettingsPresetHEVC3840x2160")
}

/// Creates output settings for writer inputs from a preset and the source's formats.
///
/// - Important: Thread-safe.
public final class AVOutputSettingsAssistant: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `source`.
    private struct Source: Sendable {
        var audioFormat: CMAudioFormatDescription?
        var videoFormat: CMVideoFormatDescription?
        var averageFrameDuration = CMTime(value: 1, timescale: 30)
        var minimumFrameDuration = CMTime(value: 1, timescale: 30)
    }

    private static let sizes: [AVOutputSettingsPreset: (codec: AVVideoCodecType, width: Int, height: Int)] = [
        .preset640x480: (.h264, 640, 480), .preset960x540: (.h264, 960, 540), .preset1280x720: (.h264, 1280, 720),
        .preset1920x1080: (.h264, 1920, 1080), .preset3840x2160: (.h264, 3840, 2160),
        .hevc1920x1080: (.hevc, 1920, 1080), .hevc3840x2160: (.hevc, 3840, 2160),
    ]

    private let size: (codec: AVVideoCodecType, width: Int, height: Int)
    private let source = Lock(Source())

    /// Creates an assistant; nil if the preset is unknown.
    public init?(preset presetIdentifier: AVOutputSettingsPreset) {
        guard let size = Self.sizes[presetIdentifier] else { return nil }
        self.size = size
    }

    public class func availableOutputSettingsPresets() -> [AVOutputSettingsPreset] {
        sizes.keys.sorted { $0.rawValue < $1.rawValue }
    }

    public var outputFileType: AVFileType { .mov }

    /// The source's audio format; nil, the default, means stereo at 44.1 kHz.
    public var sourceAudioFormat: CMAudioFormatDescription? {
        get { source.withLock { $0.audioFormat } }
        set { source.withLock { $0.audioFormat = newValue } }
    }

    /// The source's video format; video smaller than the preset keeps its size.
    public var sourceVideoFormat: CMVideoFormatDescription? {
        get { source.withLock { $0.videoFormat } }
        set { source.withLock { $0.videoFormat = newValue } }
    }

    /// The average time between frames, 1/30 s by default.
    public var sourceVideoAverageFrameDuration: CMTime {
        get { source.withLock { $0.averageFrameDuration } }
        set { source.withLock { $0.averageFrameDuration = newValue } }
    }

    /// The minimum time between frames, 1/30 s by default. The value has no effect.
    public var sourceVideoMinFrameDuration: CMTime {
        get { source.withLock { $0.minimumFrameDuration } }
        set { source.withLock { $0.minimumFrameDuration = newValue } }
    }

    public var audioSettings: [String: Any]? {
        let stream = sourceAudioFormat?.audioStreamBasicDescription
        let channelCount = min(2, Int(stream?.mChannelsPerFrame ?? 2))
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: min(48000, stream?.mSampleRate ?? 44100),
            AVNumberOfChannelsKey: channelCount, AVEncoderBitRateKey: 64000 * channelCount,
        ]
        return settings.plainSettings
    }

    public var videoSettings: [String: Any]? {
        let source = source.withLock { $0 }
        let frameDuration = source.averageFrameDuration.seconds
        let rate = frameDuration.isFinite && frameDuration > 0 ? 1 / frameDuration : 30
        var (width, height) = (size.width, size.height)
        if let dimensions = source.videoFormat?.dimensions, dimensions.width > 0, dimensions.height > 0 {
            // Keeps the source's aspect ratio within the preset's size and never enlarges; H.264 and HEVC need even
            // sizes.
            let scale = min(
                1, Double(size.width) / Double(dimensions.width), Double(size.height) / Double(dimensions.height))
            width = max(16, Int(Double(dimensions.width) * scale / 2) * 2)
            height = max(16, Int(Double(dimensions.height) * scale / 2) * 2)
        }
        // At 1080p and 30 frames per second, 6.2 Mbit/s for HEVC and 10.6 Mbit/s for H.264.
        let bitsPerPixel = size.codec == .hevc ? 0.1 : 0.17
        let settings: [String: Any] = [
            AVVideoCodecKey: size.codec, AVVideoWidthKey: width, AVVideoHeightKey: height,
            AVVideoCompressionPropertiesKey: [
                AVVideoAverageBitRateKey: Int(Double(width * height) * rate * bitsPerPixel),
                AVVideoExpectedSourceFrameRateKey: Int(rate.rounded()),
            ],
        ]
        return settings.plainSettings
    }
}
