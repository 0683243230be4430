import AssetTypes
import Foundation
import MediaAssets
import MediaEditing
import MediaTypes

/// Decodes and mixes audio tracks to stereo at the output's sample rate, in ascending order of time.
///
/// - Important: Confined to one thread at a time.
final class SoundMixReader {
    private let reader: AVAssetReader
    private let output: AVAssetReaderAudioMixOutput
    private var isAtEnd = false
    /// Decoded samples, interleaved stereo. Invariant: the first one belongs to audio frame `pendingStart` of the
    /// asset.
    private var pending: [Float] = []
    private var pendingStart: Int64 = 0

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - mix: The volumes of the tracks; parameters of other tracks have no effect.
    ///   - frame: The first audio frame of the asset to decode; a negative one is replaced by 0.
    ///   - pitch: How the audio of scaled edits keeps its pitch.
    init(
        _ tracks: [AVAssetTrack], of asset: AVAsset, _ mix: AVAudioMix?, from frame: Int64,
        pitch: AVAudioTimePitchAlgorithm
    ) throws {
        reader = try AVAssetReader(asset: asset)
        output = AVAssetReaderAudioMixOutput(
            audioTracks: tracks,
            audioSettings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32,
                AVSampleRateKey: Double(SoundOutput.sampleRate), AVNumberOfChannelsKey: SoundOutput.channelCount,
            ])
        output.audioTimePitchAlgorithm = pitch
        let ids = Set(tracks.map(\.trackID))
        let audible = AVMutableAudioMix()
        audible.inputParameters = (mix?.inputParameters ?? []).filter { ids.contains($0.trackID) }
        output.audioMix = audible
        reader.timeRange = CMTimeRange(
            start: CMTime(value: max(0, frame), timescale: CMTimeScale(SoundOutput.sampleRate)),
            duration: .positiveInfinity)
        reader.add(output)
        reader.startReading()
    }

    /// Adds the sound in a range of audio frames of the asset to interleaved stereo samples.
    ///
    /// - Parameter frames: The range, which must follow that of the previous call.
    func add(_ frames: Range<Int64>, to mix: inout [Float]) throws {
        var position = frames.lowerBound
        while position < frames.upperBound {
            let end = pendingStart + Int64(pending.count / SoundOutput.channelCount)
            guard position < end else {
                guard try decode() else { return }
                continue
            }
            position = max(position, pendingStart)
            let low = Int(position - pendingStart) * SoundOutput.channelCount
            let high = Int(min(end, frames.upperBound) - pendingStart) * SoundOutput.channelCount
            guard low < high else { return }
            let target = Int(position - frames.lowerBound) * SoundOutput.channelCount
            for index in low..<high { mix[target + index - low] += pending[index] }
            position = min(end, frames.upperBound)
        }
    }

    /// Decodes the next samples; false at the end.
    private func decode() throws -> Bool {
        while !isAtEnd {
            guard let sample = output.copyNextSampleBuffer() else {
                isAtEnd = true
                if reader.status == .failed { throw reader.error ?? AVError(.decodeFailed, "audio cannot be decoded") }
                return false
            }
            guard let data = sample.dataBuffer else { continue }
            pendingStart =
                CMTimeConvertScale(
                    sample.presentationTimeStamp, timescale: CMTimeScale(SoundOutput.sampleRate),
                    method: .roundHalfAwayFromZero
                ).value
            pending = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            return true
        }
        return false
    }
}
