import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes

/// A part of an asset that is played at one rate and one volume.
struct SoundSegment: Sendable {
    /// Nil for silence.
    let asset: AVAsset?
    /// The time of the clock at which the segment starts.
    let hostStart: CMTime
    /// The time of the asset at `hostStart`.
    let assetStart: CMTime
    let rate: Double
    let gain: Float
    let pitchAlgorithm: AVAudioTimePitchAlgorithm

    static func silence(atHostTime hostTime: CMTime) -> SoundSegment {
        SoundSegment(
            asset: nil, hostStart: hostTime, assetStart: .zero, rate: 0, gain: 0, pitchAlgorithm: .varispeed)
    }

    /// Audio frames that are decoded before and after the requested ones, so that the filter of a rate converter has
    /// settled.
    private static let marginFrameCount: Int64 = 1024

    /// The sample rate at which the asset is decoded, so that the samples at the output's rate play at `rate`; nil if
    /// this rate is silent.
    private var decodingRate: Int32? {
        if rate == 1 { return Int32(SoundOutput.sampleRate) }
        // The range is that of the decoder's sample rates.
        guard pitchAlgorithm == .varispeed, rate >= 1 / 16, rate <= 6 else { return nil }
        return Int32((Double(SoundOutput.sampleRate) / rate).rounded())
    }

    var isAudible: Bool { asset != nil && gain > 0 && decodingRate != nil }

    /// Whether the segment would be played in the same way without its start.
    func continues(_ other: SoundSegment) -> Bool {
        guard isAudible || other.isAudible else { return true }
        let expected = other.assetStart.seconds + (hostStart - other.hostStart).seconds * other.rate
        // Half a sample: times of the clock are rounded to nanoseconds.
        return asset === other.asset && rate == other.rate && gain == other.gain
            && pitchAlgorithm == other.pitchAlgorithm
            && abs(expected - assetStart.seconds) < 0.5 / Double(SoundOutput.sampleRate)
    }

    /// Decodes and mixes all enabled audio tracks.
    ///
    /// - Parameter frames: Audio frames of the clock.
    /// - Returns: Interleaved stereo samples, silent where the asset has no audio.
    func samples(_ frames: Range<Int64>) throws -> [Float] {
        var mix = [Float](repeating: 0, count: frames.count * SoundOutput.channelCount)
        guard let asset, let decodingRate else { return mix }
        let offset = Double(frames.lowerBound) / Double(SoundOutput.sampleRate) - hostStart.seconds
        let first = Int64(((assetStart.seconds + offset * rate) * Double(decodingRate)).rounded())
        let range = CMTimeRange(
            start: max(.zero, CMTime(value: first - Self.marginFrameCount, timescale: decodingRate)),
            end: min(
                asset.duration,
                CMTime(value: first + Int64(frames.count) + Self.marginFrameCount, timescale: decodingRate)))
        guard range.duration > .zero else { return mix }
        for track in asset.tracks where track.mediaType == .audio && track.isEnabled {
            try add(track, of: asset, range, from: first, at: decodingRate, to: &mix)
        }
        return mix
    }

    private func add(
        _ track: AVAssetTrack, of asset: AVAsset, _ range: CMTimeRange, from first: Int64, at decodingRate: Int32,
        to mix: inout [Float]
    ) throws {
        // A mono track is played at its level by both channels; a conversion to stereo would attenuate it.
        let isMono =
            (track.formatDescriptions.first as? CMFormatDescription)?.audioStreamBasicDescription?
            .mChannelsPerFrame == 1
        let channels = isMono ? 1 : SoundOutput.channelCount
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(
            track: track,
            outputSettings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32,
                AVSampleRateKey: Double(decodingRate), AVNumberOfChannelsKey: channels,
            ])
        reader.timeRange = range
        reader.add(output)
        reader.startReading()
        while let sample = output.copyNextSampleBuffer() {
            guard let data = sample.dataBuffer else { continue }
            let position =
                CMTimeConvertScale(
                    sample.presentationTimeStamp, timescale: decodingRate, method: .roundHalfAwayFromZero
                ).value - first
            data.withUnsafeBytes { bytes in
                let values = bytes.bindMemory(to: Float.self)
                let count = Int64(values.count / channels)
                for frame in max(0, -position)..<max(0, -position, min(count, Int64(mix.count / 2) - position)) {
                    for channel in 0..<SoundOutput.channelCount {
                        mix[Int(position + frame) * SoundOutput.channelCount + channel] +=
                            values[Int(frame) * channels + (isMono ? 0 : channel)]
                    }
                }
            }
        }
        if reader.status == .failed { throw reader.error ?? AVError(.decodeFailed, "audio cannot be decoded") }
    }
}
