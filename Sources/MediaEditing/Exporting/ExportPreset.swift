// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import AssetTypes
import Foundation
import MediaAssets
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
/// An M4V file of H.264 at no more than 176x144.
public let AVAssetExportPresetAppleM4VCellular = "AVAssetExportPresetAppleM4VCellular"
/// An M4V file of H.264 at no more than 320x240.
public let AVAssetExportPresetAppleM4ViPod = "AVAssetExportPresetAppleM4ViPod"
/// An M4V file of H.264 at no more than 640x480.
public let AVAssetExportPresetAppleM4V480pSD = "AVAssetExportPresetAppleM4V480pSD"
/// An M4V file of H.264 at no more than 960x540.
public let AVAssetExportPresetAppleM4VAppleTV = "AVAssetExportPresetAppleM4VAppleTV"
/// An M4V file of H.264 at no more than 640x480.
public let AVAssetExportPresetAppleM4VWiFi = "AVAssetExportPresetAppleM4VWiFi"
/// An M4V file of H.264 at no more than 1280x720.
public let AVAssetExportPresetAppleM4V720pHD = "AVAssetExportPresetAppleM4V720pHD"
/// An M4V file of H.264 at no more than 1920x1080.
public let AVAssetExportPresetAppleM4V1080pHD = "AVAssetExportPresetAppleM4V1080pHD"
/// Audio only, as AAC.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
/// ProRes 422 at the asset's size, and linear PCM, in a QuickTime file.
public let AVAssetExportPresetAppleProRes422LPCM = "AVAssetExportPresetAppleProRes422LPCM"
/// ProRes 4444 at the asset's size, without alpha, and linear PCM, in a QuickTime file.
public let AVAssetExportPresetAppleProRes4444LPCM = "AVAssetExportPresetAppleProRes4444LPCM"
/// Samples as stored, without transcoding.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"

// No encoder is available for the following presets: no session can be created with them.

/// HEVC with alpha at no more than 1920x1080; not available.
public let AVAssetExportPresetHEVC1920x1080WithAlpha = "AVAssetExportPresetHEVC1920x1080WithAlpha"
/// HEVC with alpha at no more than 3840x2160; not available.
public let AVAssetExportPresetHEVC3840x2160WithAlpha = "AVAssetExportPresetHEVC3840x2160WithAlpha"
/// HEVC with alpha at the asset's size; not available.
public let AVAssetExportPresetHEVCHighestQualityWithAlpha = "AVAssetExportPresetHEVCHighestQualityWithAlpha"
/// Stereo HEVC at no more than 960x960 for each eye; not available.
public let AVAssetExportPresetMVHEVC960x960 = "AVAssetExportPresetMVHEVC960x960"
/// Stereo HEVC at no more than 1440x1440 for each eye; not available.
public let AVAssetExportPresetMVHEVC1440x1440 = "AVAssetExportPresetMVHEVC1440x1440"
/// Stereo HEVC at no more than 4320x4320 for each eye; not available.
public let AVAssetExportPresetMVHEVC4320x4320 = "AVAssetExportPresetMVHEVC4320x4320"
/// Stereo HEVC at no more than 7680x7680 for each eye; not available.
public let AVAssetExportPresetMVHEVC7680x7680 = "AVAssetExportPresetMVHEVC7680x7680"

/// The output format of an export.
struct ExportPreset: Sendable {
    enum Video: Sendable {
        case none
        case stored
        /// Transcoded. The longer side is at most the width of `limit`, and the shorter side at most its height; nil
        /// keeps the size.
        case transcoded(AVVideoCodecType, limit: CMVideoDimensions?)
    }

    let name: String
    let video: Video
    /// The possible file types. With stored samples, the asset restricts them further.
    var fileTypes: [AVFileType] = [.mov, .mp4, .m4v]
    /// The format of encoded audio.
    var audioFormat = kAudioFormatMPEG4AAC
    /// Whether samples are exported as stored.
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
        m4v(AVAssetExportPresetAppleM4VCellular, 176, 144),
        m4v(AVAssetExportPresetAppleM4ViPod, 320, 240),
        m4v(AVAssetExportPresetAppleM4V480pSD, 640, 480),
        m4v(AVAssetExportPresetAppleM4VAppleTV, 960, 540),
        m4v(AVAssetExportPresetAppleM4VWiFi, 640, 480),
        m4v(AVAssetExportPresetAppleM4V720pHD, 1280, 720),
        m4v(AVAssetExportPresetAppleM4V1080pHD, 1920, 1080),
        proRes(AVAssetExportPresetAppleProRes422LPCM, .proRes422),
        proRes(AVAssetExportPresetAppleProRes4444LPCM, .proRes4444),
        ExportPreset(name: AVAssetExportPresetAppleM4A, video: .none, fileTypes: [.m4a]),
        ExportPreset(name: AVAssetExportPresetPassthrough, video: .stored, fileTypes: [.mov, .mp4, .m4v, .m4a]),
    ]

    private static func m4v(_ name: String, _ width: Int32, _ height: Int32) -> ExportPreset {
        var preset = transcoded(name, .h264, width, height)
        preset.fileTypes = [.m4v]
        return preset
    }

    private static func proRes(_ name: String, _ codec: AVVideoCodecType) -> ExportPreset {
        var preset = ExportPreset(name: name, video: .transcoded(codec, limit: nil), fileTypes: [.mov])
        preset.audioFormat = kAudioFormatLinearPCM
        return preset
    }

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

    /// Whether the preset encodes a track, if it exports it. It copies tracks of other media, and disabled video tracks,
    /// which are the images of chapters.
    func encodes(_ track: AVAssetTrack) -> Bool {
        switch video {
        case .stored: false
        case .transcoded: track.mediaType == .audio || track.mediaType == .video && track.isEnabled
        case .none: track.mediaType == .audio
        }
    }

    /// Returns the tracks of an asset to export. Presets with stored samples export all. Other presets export the enabled
    /// video and audio tracks, the disabled audio tracks in the alternate groups of enabled ones if alternatives are
    /// preserved, the images of chapters, and all tracks of other media.
    func tracks(of asset: AVAsset, _ handling: AVAssetTrackGroupOutputHandling = .defaultPolicy) -> [AVAssetTrack] {
        let tracks = asset.tracks
        let alternatives = Self.alternatives(tracks, handling)
        return tracks.filter { omissionReason(of: $0, among: tracks, alternatives) == nil }
    }

    /// Returns the tracks of an asset that are not exported.
    func omittedTracks(of asset: AVAsset, _ handling: AVAssetTrackGroupOutputHandling) -> [OmittedTrack] {
        let tracks = asset.tracks
        let alternatives = Self.alternatives(tracks, handling)
        return tracks.compactMap { track in
            omissionReason(of: track, among: tracks, alternatives).map { OmittedTrack(track, $0) }
        }
    }

    /// Returns the alternate groups with disabled audio tracks to export.
    private static func alternatives(
        _ tracks: [AVAssetTrack], _ handling: AVAssetTrackGroupOutputHandling
    ) -> Set<Int16> {
        guard handling.contains(.preserveAlternateTracks) else { return [] }
        return Set(tracks.filter { $0.mediaType == .audio && $0.isEnabled }.map(\.map.alternateGroup)).subtracting([0])
    }

    /// Returns why a track is not exported; nil if it is.
    ///
    /// - Parameters:
    ///   - tracks: All tracks of the asset.
    ///   - alternatives: The alternate groups with disabled audio tracks to export.
    private func omissionReason(
        of track: AVAssetTrack, among tracks: [AVAssetTrack], _ alternatives: Set<Int16>
    ) -> String? {
        if isPassthrough { return nil }
        if track.mediaType == .video, case .none = video { return "the preset exports no video" }
        if track.mediaType == .video, !track.isEnabled {
            let hasChapters = tracks.contains { $0.map.references["chap"]?.contains(track.map.number) ?? false }
            return hasChapters ? nil : "it is disabled"
        }
        guard encodes(track) else { return nil }
        guard track.isEnabled || alternatives.contains(track.map.alternateGroup) else { return "it is disabled" }
        return track.decoderRejectionReason
    }

    /// Returns the settings of decoded audio: 16-bit linear PCM at no more than 48 kHz with one or two channels.
    ///
    /// - Parameter keepsSampleType: Whether the samples have the source's bit depth, sample type, rate and channels
    ///   instead.
    static func decodedAudioSettings(
        of stream: AudioStreamBasicDescription?, keepsSampleType: Bool = false
    ) -> [String: Any] {
        let (rate, channels) = limitedRateAndChannels(of: stream)
        guard keepsSampleType, let stream else {
            return [
                AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVSampleRateKey: rate,
                AVNumberOfChannelsKey: channels,
            ]
        }
        let isFloat = stream.mFormatFlags & kAudioFormatFlagIsFloat != 0
        // Readers return no samples of 8, 12 or 20 bits: the next larger size contains them.
        let sizes = isFloat ? [32, 64] : [16, 24, 32]
        let bitDepth = sizes.first { $0 >= Int(stream.mBitsPerChannel) } ?? 32
        return [
            AVFormatIDKey: kAudioFormatLinearPCM,
            AVLinearPCMBitDepthKey: bitDepth,
            AVLinearPCMIsFloatKey: isFloat,
            AVLinearPCMIsBigEndianKey: stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0,
        ]
    }

    /// Returns the settings of encoded audio: AAC or linear PCM with 16 bits.
    static func encodedAudioSettings(
        of stream: AudioStreamBasicDescription?, as format: AudioFormatID = kAudioFormatMPEG4AAC
    ) -> [String: Any] {
        guard format != kAudioFormatLinearPCM else {
            var settings = decodedAudioSettings(of: stream)
            settings[AVLinearPCMIsFloatKey] = false
            settings[AVLinearPCMIsBigEndianKey] = false
            settings[AVLinearPCMIsNonInterleaved] = false
            return settings
        }
        let (rate, channels) = limitedRateAndChannels(of: stream)
        return [AVFormatIDKey: format, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels]
    }

    /// Returns the sample rate in hertz and the channel count of a source, at most 48 kHz and 2.
    private static func limitedRateAndChannels(
        of stream: AudioStreamBasicDescription?
    ) -> (rate: Double, channels: Int) {
        (min(48_000, stream?.mSampleRate ?? 48_000), min(2, Int(stream?.mChannelsPerFrame ?? 2)))
    }

    /// Returns the encoded frame size: scaled down to the limit with the same aspect ratio, then rounded to the nearest
    /// even numbers that do not exceed the original size.
    static func size(_ dimensions: CMVideoDimensions, within limit: CMVideoDimensions?) -> CMVideoDimensions {
        var scale = 1.0
        if let limit {
            let (longer, shorter) = (max(dimensions.width, dimensions.height), min(dimensions.width, dimensions.height))
            scale = min(1, Double(limit.width) / Double(max(1, longer)), Double(limit.height) / Double(max(1, shorter)))
        }
        func even(_ side: Int32) -> Int32 { max(2, min(side / 2, Int32((Double(side) * scale / 2).rounded())) * 2) }
        return CMVideoDimensions(width: even(dimensions.width), height: even(dimensions.height))
    }
}
