import MediaAssets
import MediaCodecs
import MediaEditing
import MediaTypes

/// The sound of an asset that is played at one rate.
///
/// - Important: Thread-safe; one thread at a time decodes.
final class SoundSource: Sendable {
    private enum State {
        case idle
        case rendering(SoundRenderer)
        case failed(any Error)
    }

    let asset: AVAsset
    /// A time of the clock.
    let hostStart: CMTime
    /// The time of the asset at `hostStart`.
    let assetStart: CMTime
    let rate: Double
    let pitchAlgorithm: AVAudioTimePitchAlgorithm
    /// The audio tracks that are heard.
    let tracks: [AVAssetTrack]
    /// The volumes of the tracks; nil for their preferred volumes.
    let mix: AVAudioMix?
    private let state = Lock(State.idle, order: .imageGenerator)

    init(
        _ asset: AVAsset, hostStart: CMTime, assetStart: CMTime, rate: Double,
        pitchAlgorithm: AVAudioTimePitchAlgorithm, tracks: [AVAssetTrack], mix: AVAudioMix?
    ) {
        self.asset = asset
        self.hostStart = hostStart
        self.assetStart = assetStart
        self.rate = rate
        self.pitchAlgorithm = pitchAlgorithm
        self.tracks = tracks
        self.mix = mix
    }

    /// Whether playback at the rate is audible: reverse playback is silent, as are rates outside
    /// `AudioTimePitch.speeds`.
    var isAudible: Bool { AudioTimePitch.speeds.contains(rate) }

    /// Whether the source sounds like another one that started earlier.
    func continues(_ other: SoundSource) -> Bool {
        let expected = other.assetStart.seconds + (hostStart - other.hostStart).seconds * other.rate
        // Times of the clock are rounded to nanoseconds, so the times can differ by less than half a sample.
        return asset === other.asset && rate == other.rate && pitchAlgorithm == other.pitchAlgorithm
            && mix === other.mix && tracks.map(\.trackID) == other.tracks.map(\.trackID)
            && abs(expected - assetStart.seconds) < 0.5 / Double(SoundOutput.sampleRate)
    }

    /// Returns the frame of the asset that is played with an audio frame of the clock, both at the output's rate.
    func assetFrame(at frame: Int64) -> Int64 {
        let offset = Double(frame) / Double(SoundOutput.sampleRate) - hostStart.seconds
        return Int64(((assetStart.seconds + offset * rate) * Double(SoundOutput.sampleRate)).rounded())
    }

    /// Decodes and mixes the tracks. Consecutive ranges are decoded once.
    ///
    /// - Parameter frames: Audio frames of the clock.
    /// - Returns: Interleaved stereo samples, silent where the asset has no audio.
    /// - Throws: An `AVError`; the same one for all later calls.
    func samples(_ frames: Range<Int64>) throws -> [Float] {
        try state.withLock { state in
            do {
                if case .failed(let error) = state { throw error }
                if case .rendering(let renderer) = state, renderer.canRender(frames) {
                    return try renderer.samples(frames)
                }
                // At other rates than 1, rendering begins at the start of the source, so that the result does not
                // depend on the requested ranges.
                let first = rate == 1 ? frames.lowerBound : min(frames.lowerBound, SoundOutput.frame(at: hostStart))
                let renderer = try SoundRenderer(self, from: first)
                state = .rendering(renderer)
                return try renderer.samples(frames)
            } catch {
                state = .failed(error)
                throw error
            }
        }
    }

    /// Releases the decoders, which a later call creates again.
    func close() {
        state.withLock { state in
            if case .rendering = state { state = .idle }
        }
    }
}
