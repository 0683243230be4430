import AssetTypes
import CaptureHAL
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// Reads the mixed samples of audio tracks.
public final class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects, and all state is behind `mixing`.
    private struct Mixing: Sendable {
        var mix: AVAudioMix?
        var pitchAlgorithm = AVAudioTimePitchAlgorithm.spectral
    }

    /// The tracks that are mixed.
    public let audioTracks: [AVAssetTrack]
    /// The format of the samples; nil for 32-bit floating-point samples, interleaved, with the highest sample rate and
    /// channel count of the tracks.
    public let audioSettings: [String: Any]?
    private let mixing: Lock<Mixing>

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - audioTracks: Audio tracks of one asset.
    ///   - audioSettings: Linear PCM keys. Invalid settings are misuse and treated as nil.
    public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
        self.audioTracks = audioTracks
        self.audioSettings = audioSettings?.plainSettings
        let misuse = (audioTracks.first?.asset?.system ?? .current).misuse
        let method = "-[AVAssetReaderAudioMixOutput initWithAudioTracks:audioSettings:]"
        if audioTracks.isEmpty || audioTracks.contains(where: { $0.mediaType != .audio }) {
            misuse.report(.invalidArgument, "\(method) tracks must contain audio tracks only")
        } else if audioTracks.contains(where: { $0.asset !== audioTracks[0].asset }) {
            misuse.report(.invalidArgument, "\(method) the tracks must belong to one asset")
        }
        let standard = AudioOutputSettings(format: PCMFormat(.float32))
        let settings: AudioOutputSettings
        switch audioSettings.map(AudioOutputSettings.read) {
        case nil: settings = standard
        case .success(let read): settings = read
        case .failure(let error):
            misuse.report(.invalidArgument, "\(method) \(error.reason)")
            settings = standard
        }
        let mixing = Lock(Mixing())
        self.mixing = mixing
        super.init(audioTracks) { (ranges) throws(AVError) in
            let mixing = mixing.withLock { $0 }
            return try AudioMixReader(
                audioTracks, settings, ranges, mixing.mix?.inputParameters ?? [], pitch: mixing.pitchAlgorithm)
        }
    }

    /// How the tracks are mixed; nil, the default, mixes them at volume 1. Cannot be set after reading has started.
    public var audioMix: AVAudioMix? {
        get { mixing.withLock { $0.mix } }
        set {
            guard canSet("setAudioMix:") else { return }
            let copy = newValue?.copy() as? AVAudioMix
            let ids = audioTracks.map(\.trackID)
            if let unknown = copy?.inputParameters.first(where: { !ids.contains($0.trackID) }) {
                (reader?.misuse ?? audioTracks.first?.asset?.system.misuse)?.report(
                    .invalidArgument,
                    "-[AVAssetReaderAudioMixOutput setAudioMix:] track \(unknown.trackID) is not one of the output's "
                        + "audio tracks")
                return
            }
            mixing.withLock { $0.mix = copy }
        }
    }

    /// The algorithm that adjusts the pitch of audio in scaled edits; `spectral` by default. Cannot be set after
    /// reading has started.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { mixing.withLock { $0.pitchAlgorithm } }
        set {
            guard canSet("setAudioTimePitchAlgorithm:") else { return }
            mixing.withLock { $0.pitchAlgorithm = newValue }
        }
    }

    private func canSet(_ method: String) -> Bool {
        guard let reader, reader.status != .unknown else { return true }
        reader.misuse.report(
            .internalInconsistency,
            "-[AVAssetReaderAudioMixOutput \(method)] cannot be called after reading has started")
        return false
    }
}
