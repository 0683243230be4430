import AssetTypes
import Foundation
import MediaTypes

/// Reads the samples of one track, as stored or decoded.
public final class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects.
    private enum SampleFormat: Sendable {
        case stored
        case frames(VideoOutputSettings)
        case audio(AudioOutputSettings)
    }

    public let track: AVAssetTrack
    /// The format of decoded samples; nil for stored samples.
    public let outputSettings: [String: Any]?
    private let pitchAlgorithm: Lock<AVAudioTimePitchAlgorithm>

    /// Creates an output.
    ///
    /// - Parameter outputSettings: Pixel buffer attributes for video or linear PCM keys for audio; nil for stored
    ///   samples. Invalid settings are misuse and treated as nil.
    public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
        self.track = track
        self.outputSettings = outputSettings?.plainSettings
        let format = Self.format(track, outputSettings)
        let pitchAlgorithm = Lock(AVAudioTimePitchAlgorithm.spectral)
        self.pitchAlgorithm = pitchAlgorithm
        super.init([track]) { (ranges) throws(AVError) in
            switch format {
            case .stored: StoredSampleReader(track, ranges)
            case .frames(let settings): try VideoFrameReader(track, settings, ranges)
            case .audio(let settings):
                try AudioSampleReader(track, settings, ranges, pitch: pitchAlgorithm.withLock { $0 })
            }
        }
    }

    private static func format(_ track: AVAssetTrack, _ settings: [String: Any]?) -> SampleFormat {
        guard let settings else { return .stored }
        let problem: SettingsDictionary.SettingsError
        switch track.mediaType {
        case .video:
            switch VideoOutputSettings.read(settings) {
            case .success(let settings): return .frames(settings)
            case .failure(let error): problem = error
            }
        case .audio:
            switch AudioOutputSettings.read(settings) {
            case .success(let settings): return .audio(settings)
            case .failure(let error): problem = error
            }
        default:
            problem = SettingsDictionary.SettingsError(
                "samples of media type \(track.mediaType.rawValue) can only be read as stored")
        }
        track.asset?.system.misuse.report(
            .invalidArgument, "-[AVAssetReaderTrackOutput initWithTrack:outputSettings:] \(problem.reason)")
        return .stored
    }

    /// The algorithm that adjusts the pitch of decoded audio in scaled edits; `spectral` by default. Cannot be set
    /// after reading has started.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { pitchAlgorithm.withLock { $0 } }
        set {
            if let reader, reader.status != .unknown {
                return reader.misuse.report(
                    .internalInconsistency,
                    "-[AVAssetReaderTrackOutput setAudioTimePitchAlgorithm:] cannot be called after reading has started"
                )
            }
            pitchAlgorithm.withLock { $0 = newValue }
        }
    }
}
