package import AssetTypes
import Foundation
package import MediaCodecs
import MediaFiles
package import MediaTypes

/// Decodes an audio track to linear PCM, accurate to one audio frame.
package final class AudioSampleReader: SampleReader {
    /// The maximum number of audio frames in one buffer.
    private static let maximumFrameCount = 8192

    /// The decoder of the current segment's media.
    private var audio: AudioFrameSource
    private var media: MediaSource
    private let pitchMethod: AudioTimePitch.Method
    private let settings: AudioOutputSettings
    /// The format of decoded audio after resampling.
    private let output: AudioStreamFormat
    /// Changes the rate of the current segment's audio; nil for a segment that is not scaled.
    private var timePitch: AudioTimePitch?
    /// Converts the current segment's audio to the output format; nil if it has that format.
    private var resampler: AudioResampler?
    /// The format that `resampler` converts.
    private var resamplerSource: AudioStreamFormat?
    private let segments: [TimelineSegment]
    private let description: CMFormatDescription
    private var segmentIndex = 0
    private var hasStarted = false
    /// Decoded samples for the next buffers.
    private var pending: [UInt8] = []
    /// The first pending frame's position on the track's timeline, in frames of the output.
    private var position: Int64 = 0
    /// A decoded chunk that is not yet appended to `pending`.
    private var chunk: AudioFrameSource.Chunk?
    /// The next audio frame of the media if there is no gap; nil at a segment's start.
    private var expected: Int64?

    /// Creates a reader.
    ///
    /// - Parameter pitch: The algorithm that adjusts the pitch of audio in scaled edits.
    package init(
        _ track: AVAssetTrack, _ settings: AudioOutputSettings, _ ranges: [CMTimeRange],
        pitch: AVAudioTimePitchAlgorithm = .spectral
    ) throws(AVError) {
        pitchMethod = pitch.method
        segments = TimelineSegment.segments(of: track, in: ranges)
        guard let media = segments.first?.media ?? track.timeline.first?.media else {
            throw AVError(.operationNotSupportedForAsset, "\(track.path) has no audio to decode")
        }
        self.media = media
        do throws(MediaFileError) {
            audio = try AudioFrameSource(media.file, media.map, sample: settings.intermediate)
            let native = audio.format
            output = AudioStreamFormat(
                sampleRate: settings.sampleRate ?? native.sampleRate,
                channelCount: settings.channelCount ?? native.channelCount, sample: settings.intermediate)
            self.settings = settings.resolved(rate: output.sampleRate, channels: output.channelCount)
        } catch {
            throw AVError(error)
        }
        description = CMFormatDescription(pcm: self.settings.stream)
    }

    private var rate: Double { settings.sampleRate ?? audio.format.sampleRate }
    private var frameByteCount: Int { output.bytesPerFrame }

    package func next() throws(AVError) -> CMSampleBuffer? {
        while true {
            if pending.count >= Self.maximumFrameCount * frameByteCount { return try sample(Self.maximumFrameCount) }
            guard segmentIndex < segments.count else { return nil }
            do throws(MediaFileError) {
                if !hasStarted { try begin(segments[segmentIndex]) }
                if let next = try nextChunk() {
                    try append(next)
                    continue
                }
                if let timePitch { try resample(try timePitch.finish()) }
                if let resampler { pending += try resampler.finish() }
            } catch {
                throw AVError(readingSamples: error)
            }
            trim(to: segments[segmentIndex])
            if !pending.isEmpty { return try sample(min(Self.maximumFrameCount, pending.count / frameByteCount)) }
            segmentIndex += 1
            hasStarted = false
        }
    }

    private func nextChunk() throws(MediaFileError) -> AudioFrameSource.Chunk? {
        if let chunk { return chunk }
        return try audio.next()
    }

    private func begin(_ segment: TimelineSegment) throws(MediaFileError) {
        let sample = segment.isScaled ? .float32 : settings.intermediate
        if media !== segment.media || audio.format.sample != sample {
            audio = try AudioFrameSource(segment.media.file, segment.media.map, sample: sample)
            media = segment.media
        }
        timePitch =
            segment.isScaled
            ? try AudioTimePitch(
                audio.format, speed: segment.speed, method: pitchMethod, path: media.file.url.path) : nil
        if audio.format == output {
            (resampler, resamplerSource) = (nil, nil)
        } else if audio.format != resamplerSource {
            resampler = try AudioResampler(from: audio.format, to: output, path: media.file.url.path)
            resamplerSource = audio.format
        } else {
            resampler?.reset()
        }
        hasStarted = true
        let start = audio.frame(at: segment.tick(at: segment.range.start))
        let end = audio.frame(at: segment.tickEnd(at: segment.range.end))
        audio.start(start..<max(start, end))
        position = frame(at: segment.range.start)
        pending = []
        (chunk, expected) = (nil, nil)
    }

    private func frame(at time: CMTime) -> Int64 {
        CMTimeConvertScale(time, timescale: CMTimeScale(rate), method: .roundHalfAwayFromZero).value
    }

    /// Appends a chunk, or a part of the silence before it. In the latter case, `chunk` stores the chunk for the next
    /// call.
    private func append(_ next: AudioFrameSource.Chunk) throws(MediaFileError) {
        chunk = nil
        if let expected, next.start - expected > audio.tickFrameCount {
            // Gaps in the media become silence.
            let count = Int(min(next.start - expected, Int64(Self.maximumFrameCount)))
            try append([UInt8](repeating: 0, count: count * audio.format.bytesPerFrame), count)
            self.expected = expected + Int64(count)
            chunk = next
            return
        }
        if expected == nil {
            let segment = segments[segmentIndex]
            let offset = next.start - audio.frame(at: segment.tick(at: segment.target.start))
            let length = CMTime(value: offset, timescale: CMTimeScale(audio.format.sampleRate))
            position = frame(at: segment.trackTime(ofMediaTime: segment.source.start + length))
        }
        try append(next.bytes, next.frameCount)
        expected = next.start + Int64(next.frameCount)
    }

    private func append(_ bytes: [UInt8], _ frameCount: Int) throws(MediaFileError) {
        if let timePitch {
            try resample(try timePitch.convert(bytes, frameCount: frameCount))
        } else {
            try resample(bytes)
        }
    }

    /// Converts samples from the format of the media and appends them to `pending`.
    private func resample(_ bytes: [UInt8]) throws(MediaFileError) {
        if let resampler {
            pending += try resampler.convert(bytes, frameCount: bytes.count / audio.format.bytesPerFrame)
        } else {
            pending += bytes
        }
    }

    /// Removes converted audio after the segment's end.
    private func trim(to segment: TimelineSegment) {
        guard timePitch != nil || resampler != nil else { return }
        let byteCount = max(0, Int(frame(at: segment.range.end) - position)) * frameByteCount
        if pending.count > byteCount { pending.removeLast(pending.count - byteCount) }
    }

    private func sample(_ frameCount: Int) throws(AVError) -> CMSampleBuffer {
        let byteCount = frameCount * frameByteCount
        let bytes = pending[..<byteCount]
        pending.removeFirst(byteCount)
        let time = CMTime(value: position, timescale: CMTimeScale(rate))
        position += Int64(frameCount)
        return try settings.sampleBuffer(bytes, from: output.sample, description, at: time)
    }
}

/// The format of decoded audio, from the settings of a reader output.
package struct AudioOutputSettings: Sendable {
    package typealias SettingsError = SettingsDictionary.SettingsError

    package var format: PCMFormat
    var isNonInterleaved = false
    /// Nil for the track's sample rate.
    package var sampleRate: Double?
    /// Nil for the track's channel count.
    package var channelCount: Int?

    package init(
        format: PCMFormat, isNonInterleaved: Bool = false, sampleRate: Double? = nil, channelCount: Int? = nil
    ) {
        self.format = format
        self.isNonInterleaved = isNonInterleaved
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The sample type for decoding and resampling.
    var intermediate: AudioStreamFormat.Sample {
        if format.isFloat { return .float32 }
        return format.bitsPerSample == 16 ? .int16 : .int32
    }

    /// Returns the settings with defaults replaced by a rate and a channel count.
    package func resolved(rate: Double, channels: Int) -> AudioOutputSettings {
        var result = self
        result.sampleRate = rate
        result.channelCount = channels
        return result
    }

    package var stream: AudioStreamBasicDescription {
        var stream = AudioStreamBasicDescription()
        let channels = isNonInterleaved ? 1 : channelCount ?? 1
        stream.mSampleRate = sampleRate ?? 0
        stream.mFormatID = kAudioFormatLinearPCM
        stream.mFormatFlags =
            kAudioFormatFlagIsPacked | (format.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
            | (format.isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
            | (isNonInterleaved ? kAudioFormatFlagIsNonInterleaved : 0)
        stream.mBitsPerChannel = UInt32(format.bitsPerSample)
        stream.mChannelsPerFrame = UInt32(channelCount ?? 1)
        stream.mFramesPerPacket = 1
        stream.mBytesPerFrame = UInt32(format.byteCount * channels)
        stream.mBytesPerPacket = stream.mBytesPerFrame
        return stream
    }

    /// Creates a sample buffer in the requested format from interleaved samples in native byte order.
    package func sampleBuffer(
        _ bytes: ArraySlice<UInt8>, from sample: AudioStreamFormat.Sample, _ description: CMFormatDescription,
        at time: CMTime
    ) throws(AVError) -> CMSampleBuffer {
        var buffer: CMSampleBuffer?
        let status = CMAudioSampleBufferCreateReadyWithPacketDescriptions(
            allocator: nil, dataBuffer: CMBlockBuffer(copying: converted(bytes, from: sample)),
            formatDescription: description, sampleCount: bytes.count / (sample.byteCount * (channelCount ?? 1)),
            presentationTimeStamp: time, packetDescriptions: nil, sampleBufferOut: &buffer)
        guard let buffer else {
            throw AVError(.decodeFailed, "cannot create a sample buffer of decoded audio: status \(status)")
        }
        return buffer
    }

    /// Converts interleaved samples in native byte order to the requested format.
    func converted(_ bytes: ArraySlice<UInt8>, from sample: AudioStreamFormat.Sample) -> Data {
        let interleaved = bytes.withUnsafeBytes { PCMConverter(from: PCMFormat(sample), to: format).convert($0) }
        let channels = channelCount ?? 1
        guard isNonInterleaved, channels > 1 else { return interleaved }
        let width = format.byteCount
        let frames = interleaved.count / (width * channels)
        var result = Data(count: interleaved.count)
        for channel in 0..<channels {
            for frame in 0..<frames {
                let source = (frame * channels + channel) * width
                let target = (channel * frames + frame) * width
                result.replaceSubrange(target..<target + width, with: interleaved[source..<source + width])
            }
        }
        return result
    }
}

extension AudioOutputSettings {
    /// Reads settings from a dictionary, or returns the reason that they cannot be used.
    package static func read(_ settings: [String: Any]) -> Result<AudioOutputSettings, SettingsError> {
        Result { () throws(SettingsError) in try AudioOutputSettings(SettingsDictionary(settings)) }
    }

    private init(_ settings: SettingsDictionary) throws(SettingsError) {
        guard let id = try settings.integer(AVFormatIDKey, 0...Int(AudioFormatID.max)) else {
            throw SettingsError("AVFormatIDKey is missing")
        }
        guard id == Int(kAudioFormatLinearPCM) else {
            throw SettingsError("decoded audio cannot be compressed; AVFormatIDKey must be kAudioFormatLinearPCM")
        }
        if settings.contains(AVSampleRateConverterAudioQualityKey) {
            throw SettingsError("AVSampleRateConverterAudioQualityKey is not supported")
        }
        let isFloat = try settings.bool(AVLinearPCMIsFloatKey) ?? false
        let bits = try settings.integer(AVLinearPCMBitDepthKey, 8...64) ?? (isFloat ? 32 : 16)
        format = PCMFormat(
            bitsPerSample: bits, isFloat: isFloat,
            isBigEndian: try settings.bool(AVLinearPCMIsBigEndianKey) ?? false)
        guard format.isValid else {
            throw SettingsError("\(bits)-bit \(isFloat ? "floating-point" : "integer") samples are not supported")
        }
        isNonInterleaved = try settings.bool(AVLinearPCMIsNonInterleaved) ?? false
        sampleRate = try settings.integer(AVSampleRateKey, 8000...768_000).map(Double.init)
        channelCount = try settings.integer(AVNumberOfChannelsKey, 1...8)
        try settings.checkChannelLayout(channelCount: channelCount)
    }
}
