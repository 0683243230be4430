import Foundation
import MediaTypes

/// Gives the samples of one track, as they are stored or decoded.
public final class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects.
    private enum Form {
        case stored
        case frames(VideoOutputSettings)
        case sound(SoundOutputSettings)
    }

    public let track: AVAssetTrack
    /// Nil for samples as they are stored.
    public let outputSettings: [String: Any]?
    private let form: Form

    /// - Parameter outputSettings: Nil for samples as they are stored; for video pixel-buffer attributes, for sound the
    ///   keys of linear PCM. Others are misuse, and samples come as they are stored.
    public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
        self.track = track
        self.outputSettings = outputSettings
        form = Self.form(track, outputSettings)
    }

    private static func form(_ track: AVAssetTrack, _ settings: [String: Any]?) -> Form {
        guard let settings else { return .stored }
        let refusal: SettingsRefusal
        switch track.mediaType {
        case .video:
            switch VideoOutputSettings.read(settings) {
            case .success(let settings): return .frames(settings)
            case .failure(let reason): refusal = reason
            }
        case .audio:
            switch SoundOutputSettings.read(settings) {
            case .success(let settings): return .sound(settings)
            case .failure(let reason): refusal = reason
            }
        default:
            refusal = SettingsRefusal("samples of media type \(track.mediaType.rawValue) come as they are stored only")
        }
        track.asset?.system.misuse.report(
            .invalidArgument, "-[AVAssetReaderTrackOutput initWithTrack:outputSettings:] \(refusal.reason)")
        return .stored
    }

    override var tracks: [AVAssetTrack] { [track] }

    override func makeSource(_ ranges: [CMTimeRange]) throws(AVError) -> any SampleSource {
        switch form {
        case .stored: StoredSampleSource(track, ranges)
        case .frames(let settings): try FrameSampleSource(track, settings, ranges)
        case .sound(let settings): try SoundSampleSource(track, settings, ranges)
        }
    }
}
