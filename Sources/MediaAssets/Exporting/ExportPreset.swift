// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Foundation
import MediaTypes

/// H.264 at no more than 192x144.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// H.264 at no more than 480x360.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// H.264 at the asset's size.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// HEVC at the asset's size.
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
/// H.264 at no more than 640x480.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// H.264 at no more than 960x540.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// H.264 at no more than 1280x720.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// H.264 at no more than 1920x1080.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// H.264 at no more than 3840x2160.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// HEVC at no more than 1920x1080.
public let AVAssetExportPresetHEVC1920x1080 = "AVAssetExportPresetHEVC1920x1080"
/// HEVC at no more than 3840x2160.
public let AVAssetExportPresetHEVC3840x2160 = "AVAssetExportPresetHEVC3840x2160"
/// HEVC at no more than 4320x2160.
public let AVAssetExportPresetHEVC4320x2160 = "AVAssetExportPresetHEVC4320x2160"
/// HEVC at no more than 7680x4320.
public let AVAssetExportPresetHEVC7680x4320 = "AVAssetExportPresetHEVC7680x4320"
/// Audio only, as AAC.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// Samples as stored, without transcoding.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

/// The output format of an export.
struct ExportPreset: Sendable {
    enum Video: Sendable {
        case none
        case stored
        /// Transcoded, with the longer and shorter side within `limit`; nil keeps the size.
        case transcoded(AVVideoCodecType, limit: CMVideoDimensions?)
    }

    let name: String
    let video: Video
    var isPassthrough: Bool { if case .stored = video { true } else { false } }

    static let all: [ExportPreset] = [
        transcoded(AVAssetExportPresetLowQuality, .h264, 192, 144),
        transcoded(AVAssetExportPresetMediumQuality, .h264, 480, 360),
        ExportPreset(name: AVAssetExportPresetHighestQuality, video: .transcoded(.h264, limit: nil)),
        ExportPreset(name: AVAssetExportPresetHEVCHighestQuality, video: .transcoded(.hevc, limit: nil)),
        transcoded(AVAssetExportPreset640x480, .h264, 640, 480),
        transcoded(AVAssetExportPreset960x540, .h264, 960, 540),
        transcoded(AVAssetExportPreset1280x720, .h264, 1280, 720),
        transcoded(AVAssetExportPreset1920x1080, .h264, 1920, 1080),
        transcoded(AVAssetExportPreset3840x2160, .h264, 3840, 2160),
        transcoded(AVAssetExportPresetHEVC1920x1080, .hevc, 1920, 1080),
        transcoded(AVAssetExportPresetHEVC3840x2160, .hevc, 3840, 2160),
        transcoded(AVAssetExportPresetHEVC4320x2160, .hevc, 4320, 2160),
        transcoded(AVAssetExportPresetHEVC7680x4320, .hevc, 7680, 4320),
        ExportPreset(name: AVAssetExportPresetAppleM4A, video: .none),
        ExportPreset(name: AVAssetExportPresetPassthrough, video: .stored),
    ]

    private static func transcoded(_ name: String, _ codec: AVVideoCodecType, _ width: Int32, _ height: Int32)
        -> ExportPreset
    {
        ExportPreset(
            name: name, video: .transcoded(codec, limit: CMVideoDimensions(width: width, height: height)))
    }

    static func named(_ name: String) -> ExportPreset? { all.first { $0.name == name } }

    /// Whether an asset has the media that the preset needs.
    func supports(_ asset: AVAsset) -> Bool {
        let (video, audio) = (asset.tracks(withMediaType: .video), asset.tracks(withMediaType: .audio))
        return switch self.video {
        case .none: audio.contains(where: \.isDecodable)
        case .stored: !video.isEmpty || !audio.isEmpty
        case .transcoded: video.contains(where: \.isDecodable)
        }
    }

    /// Returns the tracks of an asset that are exported.
    func tracks(of asset: AVAsset) -> [AVAssetTrack] {
        asset.tracks.filter { track in
            guard track.isEnabled, isPassthrough || track.isDecodable else { return false }
            if case .none = video { return track.mediaType == .audio }
            return track.mediaType == .video || track.mediaType == .audio
                || (isPassthrough && track.mediaType == .subtitle)
        }
    }

    /// Returns the settings of decoded sound: 16-bit linear PCM at no more than 48 kHz with one or two channels.
    ///
    /// - Parameter keepsSampleType: Whether the samples have the source's type, rate and channels instead.
    static func decodedAudioSettings(
        of stream: AudioStreamBasicDescription?, keepsSampleType: Bool = false
    ) -> [String: Any] {
        let (rate, channels) = audioShape(of: stream)
        guard keepsSampleType, let stream else {
            return [
                AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVSampleRateKey: rate,
                AVNumberOfChannelsKey: channels,
            ]
        }
        return [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: Int(stream.mBitsPerChannel),
            AVLinearPCMIsFloatKey: stream.mFormatFlags & kAudioFormatFlagIsFloat != 0,
            AVLinearPCMIsBigEndianKey: stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0,
        ]
    }

    /// Returns the settings of encoded sound: AAC.
    static func encodedAudioSettings(of stream: AudioStreamBasicDescription?) -> [String: Any] {
        let (rate, channels) = audioShape(of: stream)
        return [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels]
    }

    private static func audioShape(of stream: AudioStreamBasicDescription?) -> (rate: Double, channels: Int) {
        (min(48_000, stream?.mSampleRate ?? 48_000), min(2, Int(stream?.mChannelsPerFrame ?? 2)))
    }

    /// Returns the encoded frame size: even, with the same aspect ratio, never larger than the original.
    static func size(_ dimensions: CMVideoDimensions, within limit: CMVideoDimensions?) -> CMVideoDimensions {
        var scale = 1.0
        if let limit {
            let (longer, shorter) = (max(dimensions.width, dimensions.height), min(dimensions.width, dimensions.height))
            scale = min(1, Double(limit.width) / Double(max(1, longer)), Double(limit.height) / Double(max(1, shorter)))
        }
        func even(_ side: Int32) -> Int32 { max(2, Int32((Double(side) * scale / 2).rounded()) * 2) }
        return CMVideoDimensions(width: even(dimensions.width), height: even(dimensions.height))
    }
}
