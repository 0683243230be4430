import AssetTypes
import MediaAssets
import MediaCodecs
import MediaTypes

/// Renders the sound of a source sequentially, from a start time.
///
/// - Important: Confined to one thread at a time.
final class SoundRenderer {
    /// The number of asset frames that are rendered before the requested ones, so that filters have settled.
    private static let leadFrameCount = 4096.0
    /// The number of asset frames that are mixed at once.
    private static let blockFrameCount: Int64 = 1024
    /// The number of rendered frames that can be read again.
    private static let keptFrameCount: Int64 = 9600
    /// At rate 1, the maximum number of unneeded frames that are rendered before a requested one.
    private static let longestSkip: Int64 = 96_000

    /// Nil without audio tracks.
    private let mixer: SoundMixReader?
    private let timePitch: AudioTimePitch?
    /// The next frame of the asset to mix; negative before its start.
    private var assetFrame: Int64
    /// Rendered samples. Invariant: the first one belongs to the clock's audio frame `outputStart`.
    private var output: [Float] = []
    private var outputStart: Int64

    /// Creates a renderer.
    ///
    /// - Parameter frame: The first audio frame of the clock that will be requested.
    init(_ source: SoundSource, from frame: Int64) throws {
        outputStart = frame - Int64((Self.leadFrameCount / source.rate).rounded(.up))
        let first = source.assetFrame(at: outputStart)
        assetFrame = first
        mixer =
            source.tracks.isEmpty
            ? nil
            : try SoundMixReader(
                source.tracks, of: source.asset, source.mix, from: first, pitch: source.pitchAlgorithm)
        do throws(MediaFileError) {
            timePitch =
                source.rate == 1
                ? nil
                : try AudioTimePitch(
                    AudioStreamFormat(
                        sampleRate: Double(SoundOutput.sampleRate), channelCount: SoundOutput.channelCount,
                        sample: .float32),
                    speed: source.rate, method: source.pitchAlgorithm.method, path: source.asset.path)
        } catch {
            throw AVError(error)
        }
    }

    private var outputEnd: Int64 { outputStart + Int64(output.count / SoundOutput.channelCount) }

    /// Whether frames can be rendered without a new renderer.
    func canRender(_ frames: Range<Int64>) -> Bool {
        frames.lowerBound >= outputStart
            && (timePitch != nil || frames.lowerBound - outputEnd <= Self.longestSkip)
    }

    /// Returns rendered frames: interleaved stereo.
    ///
    /// - Parameter frames: Audio frames of the clock; `canRender(_:)` must be true.
    /// - Throws: An `AVError` if a track cannot be read or decoded.
    func samples(_ frames: Range<Int64>) throws -> [Float] {
        while outputEnd < frames.upperBound {
            try renderBlock()
            release(before: min(outputEnd, frames.lowerBound) - Self.keptFrameCount)
        }
        let first = Int(frames.lowerBound - outputStart) * SoundOutput.channelCount
        return Array(output[first..<first + frames.count * SoundOutput.channelCount])
    }

    private func renderBlock() throws {
        let frames = assetFrame..<assetFrame + Self.blockFrameCount
        var mix = [Float](repeating: 0, count: frames.count * SoundOutput.channelCount)
        try mixer?.add(frames, to: &mix)
        assetFrame = frames.upperBound
        guard let timePitch else {
            output += mix
            return
        }
        do throws(MediaFileError) {
            let bytes = try timePitch.convert(mix.withUnsafeBytes { Array($0) }, frameCount: frames.count)
            bytes.withUnsafeBytes { output += $0.bindMemory(to: Float.self) }
        } catch {
            throw AVError(error)
        }
    }

    private func release(before frame: Int64) {
        let count = frame - outputStart
        // Not for each block, because the removal moves the remaining samples.
        guard count > Self.keptFrameCount else { return }
        output.removeFirst(Int(count) * SoundOutput.channelCount)
        outputStart = frame
    }
}
