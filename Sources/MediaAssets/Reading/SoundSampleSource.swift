import Foundation
import MediaCodecs
import MediaTypes

/// Decodes a sound track to linear PCM, exact to a frame.
final class SoundSampleSource: SampleSource {
    /// The most frames in one buffer.
    private static let portion = 8192

    private let sound: SoundSource
    private let settings: SoundOutputSettings
    private let resampler: SoundResampler?
    private let pieces: [TimelinePiece]
    private let description: CMFormatDescription
    private var pieceIndex = 0
    private var hasStarted = false
    /// What has come and waits to be a buffer: its place on the track's timeline, in frames of the output.
    private var waiting: [UInt8] = []
    private var position: Int64 = 0
    /// Decoded, and not yet among what waits.
    private var chunk: SoundSource.Chunk?
    /// The media's frame that is to come next; nil at a piece's begin.
    private var expected: Int64?

    init(_ track: AVAssetTrack, _ settings: SoundOutputSettings, _ ranges: [CMTimeRange]) throws(AVError) {
        pieces = TimelinePiece.pieces(of: track.map, in: ranges)
        do throws(MediaFileError) {
            sound = try SoundSource(track.file, track.map, sample: settings.intermediate)
            let native = sound.format
            let output = AudioStreamFormat(
                sampleRate: settings.sampleRate ?? native.sampleRate,
                channelCount: settings.channelCount ?? native.channelCount, sample: native.sample)
            resampler = output == native ? nil : try SoundResampler(from: native, to: output, path: track.file.url.path)
            self.settings = settings.resolved(rate: output.sampleRate, channels: output.channelCount)
        } catch {
            throw AVError(error)
        }
        description = CMFormatDescription(pcm: self.settings.stream)
    }

    private var rate: Double { settings.sampleRate ?? sound.format.sampleRate }
    private var frameByteCount: Int { sound.format.sample.byteCount * (settings.channelCount ?? 1) }

    func next() throws(AVError) -> CMSampleBuffer? {
        while true {
            if waiting.count >= Self.portion * frameByteCount { return try sample(Self.portion) }
            guard pieceIndex < pieces.count else { return nil }
            if !hasStarted { begin(pieces[pieceIndex]) }
            do throws(MediaFileError) {
                if let next = try nextChunk() {
                    try take(next)
                    continue
                }
                if let resampler { waiting += try resampler.finish() }
            } catch {
                throw error.code == .unsupportedCodec
                    ? AVError(.decodeFailed, error.message, cause: error) : AVError(error)
            }
            trim(to: pieces[pieceIndex])
            if !waiting.isEmpty { return try sample(min(Self.portion, waiting.count / frameByteCount)) }
            pieceIndex += 1
            hasStarted = false
        }
    }

    private func nextChunk() throws(MediaFileError) -> SoundSource.Chunk? {
        if let chunk { return chunk }
        return try sound.next()
    }

    private func begin(_ piece: TimelinePiece) {
        hasStarted = true
        let begin = sound.frame(at: piece.tick(at: piece.range.start))
        let end = sound.frame(at: piece.tickEnd(at: piece.range.end))
        sound.start(begin..<max(begin, end))
        resampler?.reset()
        position = frame(at: piece.range.start)
        waiting = []
        (chunk, expected) = (nil, nil)
    }

    private func frame(at time: CMTime) -> Int64 {
        CMTimeConvertScale(time, timescale: CMTimeScale(rate), method: .roundHalfAwayFromZero).value
    }

    /// Takes a chunk in, or a portion of the silence before it; then the chunk stays.
    private func take(_ next: SoundSource.Chunk) throws(MediaFileError) {
        chunk = nil
        if let expected, next.start - expected > sound.tickFrameCount {
            // A hole in the media is silence.
            let count = Int(min(next.start - expected, Int64(Self.portion)))
            try append([UInt8](repeating: 0, count: count * sound.format.bytesPerFrame), count)
            self.expected = expected + Int64(count)
            chunk = next
            return
        }
        if expected == nil {
            let piece = pieces[pieceIndex]
            let offset = next.start - sound.frame(at: piece.tick(at: piece.target.start))
            position = frame(
                at: piece.target.start + CMTime(value: offset, timescale: CMTimeScale(sound.format.sampleRate)))
        }
        try append(next.bytes, next.frameCount)
        expected = next.start + Int64(next.frameCount)
    }

    private func append(_ bytes: [UInt8], _ frameCount: Int) throws(MediaFileError) {
        if let resampler {
            waiting += try resampler.convert(bytes, frameCount: frameCount)
        } else {
            waiting += bytes
        }
    }

    /// What a resampler gives beyond the piece's end is not part of it.
    private func trim(to piece: TimelinePiece) {
        guard resampler != nil else { return }
        let room = max(0, Int(frame(at: piece.range.end) - position)) * frameByteCount
        if waiting.count > room { waiting.removeLast(waiting.count - room) }
    }

    private func sample(_ frameCount: Int) throws(AVError) -> CMSampleBuffer {
        let byteCount = frameCount * frameByteCount
        let data = settings.write(waiting[..<byteCount], from: sound.format.sample)
        waiting.removeFirst(byteCount)
        let time = CMTime(value: position, timescale: CMTimeScale(rate))
        position += Int64(frameCount)
        var buffer: CMSampleBuffer?
        let status = CMAudioSampleBufferCreateReadyWithPacketDescriptions(
            allocator: nil, dataBuffer: CMBlockBuffer(copying: data), formatDescription: description,
            sampleCount: frameCount, presentationTimeStamp: time, packetDescriptions: nil, sampleBufferOut: &buffer)
        guard let buffer else {
            throw AVError(.decodeFailed, "decoded sound cannot be put into a buffer: status \(status)")
        }
        return buffer
    }
}

/// How decoded sound is to be written, from `AVAssetReaderTrackOutput`'s settings.
struct SoundOutputSettings: Sendable {
    var format: PCMFormat
    var isNonInterleaved = false
    /// Nil for the track's own.
    var sampleRate: Double?
    var channelCount: Int?

    /// The form of samples in which it is decoded and, where needed, resampled.
    var intermediate: AudioStreamFormat.Sample {
        if format.isFloat { return .float32 }
        return format.bitsPerSample == 16 ? .int16 : .int32
    }

    func resolved(rate: Double, channels: Int) -> SoundOutputSettings {
        var result = self
        result.sampleRate = rate
        result.channelCount = channels
        return result
    }

    var stream: AudioStreamBasicDescription {
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

    /// Interleaved native samples in the form that was asked for.
    func write(_ bytes: ArraySlice<UInt8>, from sample: AudioStreamFormat.Sample) -> Data {
        let converted = bytes.withUnsafeBytes { PCMConverter(from: PCMFormat(sample), to: format).convert($0) }
        let channels = channelCount ?? 1
        guard isNonInterleaved, channels > 1 else { return converted }
        let width = format.byteCount
        let frames = converted.count / (width * channels)
        var result = Data(count: converted.count)
        for channel in 0..<channels {
            for frame in 0..<frames {
                let source = (frame * channels + channel) * width
                let target = (channel * frames + frame) * width
                result.replaceSubrange(target..<target + width, with: converted[source..<source + width])
            }
        }
        return result
    }

    /// - Returns: The settings, or why they cannot be.
    static func read(_ settings: [String: Any]) -> Result<SoundOutputSettings, SettingsRefusal> {
        func number(_ key: String) -> Int? { (settings[key] as? any BinaryInteger).flatMap { Int(exactly: $0) } }
        func flag(_ key: String) -> Bool { settings[key] as? Bool ?? (number(key).map { $0 != 0 } ?? false) }
        guard let id = number(AVFormatIDKey) else {
            return .failure(SettingsRefusal("AVFormatIDKey is missing"))
        }
        guard id == Int(kAudioFormatLinearPCM) else {
            return .failure(SettingsRefusal("the output would be compressed: only kAudioFormatLinearPCM can be made"))
        }
        let isFloat = flag(AVLinearPCMIsFloatKey)
        let bits = number(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
        let format = PCMFormat(
            bitsPerSample: bits, isFloat: isFloat, isBigEndian: flag(AVLinearPCMIsBigEndianKey))
        guard format.isValid else {
            return .failure(
                SettingsRefusal("samples of \(bits) bits\(isFloat ? " floating point" : "") cannot be made"))
        }
        var rate: Double?
        if let value = settings[AVSampleRateKey] {
            rate = (value as? any BinaryFloatingPoint).map { Double($0) } ?? number(AVSampleRateKey).map { Double($0) }
            guard let rate, (8000...768_000).contains(rate), rate.rounded() == rate else {
                return .failure(SettingsRefusal("a sample rate of \(value) cannot be made"))
            }
        }
        let channels = number(AVNumberOfChannelsKey)
        if let channels, !(1...8).contains(channels) {
            return .failure(SettingsRefusal("\(channels) channels cannot be made"))
        }
        return .success(
            SoundOutputSettings(
                format: format, isNonInterleaved: flag(AVLinearPCMIsNonInterleaved), sampleRate: rate,
                channelCount: channels))
    }
}
