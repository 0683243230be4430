import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes

/// Decodes audio tracks and sums their samples.
final class AudioMixReader: SampleReader {
    /// The maximum number of audio frames in one buffer.
    private static let maximumFrameCount = 8192

    private let settings: AudioOutputSettings
    private let description: CMFormatDescription
    private let channels: Int
    private let rate: CMTimeScale
    private let inputs: [AudioMixInput]
    /// The ranges to read, in audio frames at `rate`.
    private var ranges: ArraySlice<Range<Int64>>

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - settings: The output format. A sample rate or channel count of nil is the highest one of the tracks.
    ///   - parameters: The parameters of the mix. Tracks without parameters are mixed at volume 1.
    ///   - pitch: The pitch algorithm of tracks whose parameters do not specify one.
    init(
        _ tracks: [AVAssetTrack], _ settings: AudioOutputSettings, _ ranges: [CMTimeRange],
        _ parameters: [AVAudioMixInputParameters], pitch: AVAudioTimePitchAlgorithm
    ) throws(AVError) {
        let formats = tracks.compactMap { $0.typedFormatDescriptions.first?.audioStreamBasicDescription }
        let rate = settings.sampleRate ?? formats.map(\.mSampleRate).max() ?? 48_000
        channels = settings.channelCount ?? formats.map { Int($0.mChannelsPerFrame) }.max() ?? 2
        self.rate = CMTimeScale(rate)
        self.settings = settings.resolved(rate: rate, channels: channels)
        description = CMFormatDescription(pcm: self.settings.stream)
        let end = tracks.map(\.timeRange.end).max() ?? .zero
        let timeScale = self.rate
        let parts = ranges.map { $0.intersection(CMTimeRange(start: .zero, end: end)) }
        self.ranges =
            parts.map { part in
                let first = CMTimeConvertScale(part.start, timescale: timeScale, method: .roundHalfAwayFromZero).value
                let last = CMTimeConvertScale(part.end, timescale: timeScale, method: .roundHalfAwayFromZero).value
                return first..<max(first, last)
            }[...]
        let channels = channels
        inputs = try tracks.map { (track) throws(AVError) in
            let parameters = parameters.last { $0.trackID == track.trackID }
            return try AudioMixInput(
                track, parts, parameters?.state.withLock { $0 } ?? AVAudioMixInputParameters.State(), rate: rate,
                channels: channels, pitch: pitch, maximumFrameCount: Self.maximumFrameCount)
        }
    }

    func next() throws(AVError) -> CMSampleBuffer? {
        while let range = ranges.first, range.isEmpty { ranges.removeFirst() }
        guard let range = ranges.first, let index = ranges.indices.first else {
            for input in inputs { input.finish() }
            return nil
        }
        let count = Int(min(Int64(Self.maximumFrameCount), range.upperBound - range.lowerBound))
        var mix = [Float](repeating: 0, count: count * channels)
        for input in inputs { try input.add(to: &mix, at: range.lowerBound) }
        ranges[index] = range.lowerBound + Int64(count)..<range.upperBound
        return try settings.sampleBuffer(
            mix.withUnsafeBytes { [UInt8]($0) }[...], from: .float32, description,
            at: CMTime(value: range.lowerBound, timescale: rate))
    }
}

/// One track of a mix.
///
/// - Important: Confined to one thread at a time.
final class AudioMixInput {
    private let reader: AudioSampleReader
    private let rate: CMTimeScale
    /// The number of channels of decoded samples, and of the mix.
    private let (channels, mixChannels): (Int, Int)
    private let volume: ValueRamps<Float>
    private let tap: MTAudioProcessingTap?
    private var isTapPrepared = false
    private let maximumFrameCount: Int
    /// Decoded samples, interleaved.
    private var pending: [Float] = []
    /// The position of the first pending frame, in frames of the mix.
    private var position: Int64 = 0
    private var isAtEnd = false
    /// The position after the last frame to read, in frames of the mix.
    private let end: Int64
    /// The position after the last frame that the tap processed; nil before the first one.
    private var tapEnd: Int64?

    init(
        _ track: AVAssetTrack, _ ranges: [CMTimeRange], _ parameters: AVAudioMixInputParameters.State, rate: Double,
        channels: Int, pitch: AVAudioTimePitchAlgorithm, maximumFrameCount: Int
    ) throws(AVError) {
        // A mono track plays at its level in both channels of a stereo mix; a conversion would attenuate it.
        let native = track.typedFormatDescriptions.first?.audioStreamBasicDescription?.mChannelsPerFrame
        self.channels = native == 1 ? 1 : channels
        mixChannels = channels
        let settings = AudioOutputSettings(
            format: PCMFormat(.float32), sampleRate: rate, channelCount: self.channels)
        reader = try AudioSampleReader(
            track, settings, ranges, pitch: parameters.pitchAlgorithm ?? pitch)
        self.rate = CMTimeScale(rate)
        end =
            CMTimeConvertScale(
                min(track.timeRange.end, ranges.last?.end ?? .zero), timescale: CMTimeScale(rate),
                method: .roundHalfAwayFromZero
            ).value
        volume = parameters.volume
        tap = parameters.tap
        self.maximumFrameCount = maximumFrameCount
    }

    deinit { finish() }

    /// Ends the use of the tap.
    func finish() {
        if isTapPrepared { tap?.unprepare() }
        isTapPrepared = false
    }

    /// Adds the track's samples from a position of the mix. The position must not be before the end of the previous
    /// call's samples.
    func add(to mix: inout [Float], at start: Int64) throws(AVError) {
        let count = mix.count / mixChannels
        var samples = [Float](repeating: 0, count: count * channels)
        let hasSamples = try read(into: &samples, at: start)
        guard hasSamples || tap != nil else { return }
        if let tap, !tap.processesAfterEffects { process(&samples, tap, at: start) }
        applyVolume(to: &samples, at: start)
        if let tap, tap.processesAfterEffects { process(&samples, tap, at: start) }
        for frame in 0..<count {
            // A mono track is in the first two channels of a mix.
            for channel in 0..<(channels == 1 ? min(2, mixChannels) : mixChannels) {
                mix[frame * mixChannels + channel] += samples[frame * channels + (channels == 1 ? 0 : channel)]
            }
        }
    }

    /// Reads decoded samples. Samples stay unchanged where the track has no media.
    ///
    /// - Returns: Whether any samples were read.
    private func read(into samples: inout [Float], at start: Int64) throws(AVError) -> Bool {
        let end = start + Int64(samples.count / channels)
        var hasSamples = false
        while true {
            let pendingEnd = position + Int64(pending.count / channels)
            let (low, high) = (max(start, position), min(end, pendingEnd))
            if low < high {
                hasSamples = true
                let source = Int(low - position) * channels..<Int(high - position) * channels
                samples.replaceSubrange(
                    Int(low - start) * channels..<Int(high - start) * channels, with: pending[source])
            }
            if pendingEnd >= end || isAtEnd { return hasSamples }
            try decode()
        }
    }

    private func decode() throws(AVError) {
        guard let sample = try reader.next(), let data = sample.dataBuffer else {
            isAtEnd = true
            return
        }
        position =
            CMTimeConvertScale(sample.presentationTimeStamp, timescale: rate, method: .roundHalfAwayFromZero).value
        pending = data.withUnsafeBytes { [Float]($0.bindMemory(to: Float.self)) }
    }

    private func process(_ samples: inout [Float], _ tap: MTAudioProcessingTap, at start: Int64) {
        if !isTapPrepared {
            tap.prepare(maximumFrameCount, rate: Double(rate), channels: channels)
            isTapPrepared = true
        }
        let count = Int64(samples.count / channels)
        let time = CMTimeRange(
            start: CMTime(value: start, timescale: rate), duration: CMTime(value: count, timescale: rate))
        var flags = tapEnd == start ? 0 : kMTAudioProcessingTapFlag_StartOfStream
        if start + count >= end { flags |= kMTAudioProcessingTapFlag_EndOfStream }
        tap.process(&samples, channels: channels, at: time, flags)
        tapEnd = start + count
    }

    /// Applies the volume, which changes with each frame of a ramp.
    private func applyVolume(to samples: inout [Float], at start: Int64) {
        guard !volume.isEmpty else { return }
        let end = start + Int64(samples.count / channels)
        var frame = start
        while frame < end {
            let time = CMTime(value: frame, timescale: rate)
            let (gain, slope, changeEnd) = change(at: time)
            let limit = min(end, max(frame + 1, changeEnd ?? end))
            for index in frame..<limit {
                let factor = gain + slope * Float(index - frame)
                for channel in 0..<channels { samples[Int(index - start) * channels + channel] *= factor }
            }
            frame = limit
        }
    }

    /// Returns the volume at a time, its change per frame, and the frame at which that change ends; nil for no end.
    private func change(at time: CMTime) -> (gain: Float, slope: Float, end: Int64?) {
        let next = volume.ramps.first { $0.start > time }.map { frame(at: $0.start) }
        let gain = volume.value(at: time)
        guard let ramp = volume.ramps.last(where: { $0.start <= time }), time < ramp.end else {
            return (gain, 0, next)
        }
        let length = (ramp.end - ramp.start).seconds * Double(rate)
        let end = frame(at: ramp.end)
        return (gain, (ramp.last - ramp.first) / Float(length), next.map { min($0, end) } ?? end)
    }

    /// Returns the first frame that does not precede a time.
    private func frame(at time: CMTime) -> Int64 {
        CMTimeConvertScale(time, timescale: rate, method: .roundTowardPositiveInfinity).value
    }
}
