import Foundation
import MediaCodecs
import MediaTypes

/// Codes the sound of a writer input.
///
/// Sound that comes before the movie's zero is cut, what is missing between two buffers becomes silence, and what
/// comes twice is dropped.
final class AudioTrackFeed: TrackFeed {
    /// How far sound may be off its time before it is cut or filled: a clock's jitter is not heard.
    private static let tolerance = CMTime(value: 1, timescale: 1000)

    /// nil writes PCM as it comes.
    private let settings: WriterAudioSettings?
    private let options: TrackOptions
    private var source: PCMSource?
    private var encoder: AudioEncoder?
    private(set) var track: MovieTrackConfiguration?
    /// The first frame's place on the movie's timeline, counted at the source's rate.
    private var start: Int64 = 0

    init(_ settings: WriterAudioSettings?, _ options: TrackOptions) {
        self.settings = settings
        self.options = options
    }

    var end: CMTime {
        guard let encoder, encoder.inputFrameCount > 0 else { return .invalid }
        return CMTime(value: start + encoder.inputFrameCount, timescale: rate)
    }

    var endsPresentation: Bool { true }

    /// Of sound that begins late in a file the encoder's priming lies behind the movie's zero, and must be hidden.
    var presentationStart: CMTime {
        guard start > 0, !options.segmentStart.isNumeric, isCompressed else { return .invalid }
        return CMTime(value: start, timescale: rate)
    }

    func take(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample] {
        guard case .buffer(let buffer) = sample else { throw AVError(.unknown, "a picture came to an input of sound") }
        guard buffer.numSamples > 0 else { return [] }
        let time = buffer.outputPresentationTimeStamp - origin
        guard time.isNumeric else { throw AVError(.unknown, "a buffer of sound needs a time") }
        let source = try PCMSource(buffer.formatDescription)
        if let known = self.source, known != source {
            throw AVError(
                .formatUnsupported, "sound of \(source.format) came to a track of \(known.format); it must not change")
        }
        self.source = source
        let encoder = if let known = self.encoder { known } else { try begin(source) }
        var position = CMTimeConvertScale(time, timescale: rate, method: .roundHalfAwayFromZero).value
        let count = Int64(buffer.numSamples)
        let isFirst = encoder.inputFrameCount == 0
        // A file without a timeline of its own begins at zero whatever comes first.
        let first = options.beginsAtZero ? 0 : max(0, position)
        let expected = isFirst ? first : start + encoder.inputFrameCount
        let tolerance = CMTimeConvertScale(Self.tolerance, timescale: rate, method: .roundHalfAwayFromZero).value
        if abs(position - expected) <= tolerance { position = expected }
        let begin = max(position, expected)
        guard begin < position + count else { return [] }
        if isFirst { start = expected }
        var samples = try appendSilence(begin - expected, to: encoder)
        let sound = try source.sound(of: buffer)
        let skipped = Int(begin - position) * source.format.bytesPerFrame
        samples += try encode(sound.dropFirst(skipped), frameCount: Int(position + count - begin), encoder)
        return samples
    }

    func finish() throws(AVError) -> [EncodedSample] {
        let samples = try encoding { () throws(EncodingError) in try encoder?.finish() ?? [] }
        return samples.map(shifted)
    }

    private func begin(_ source: PCMSource) throws(AVError) -> AudioEncoder {
        let asItIs = AudioEncoderSettings(codec: .pcm, input: source.format, pcmFormat: source.pcmFormat)
        let new = try encoding { () throws(EncodingError) in
            try AudioEncoder(settings?.encoder(for: source.format) ?? asItIs)
        }
        encoder = new
        track = options.track(
            .audio(new.format), timescale: new.format.sampleRate,
            expectedSampleRate: Double(new.format.sampleRate) / Double(new.format.framesPerPacket))
        return new
    }

    private func appendSilence(_ frameCount: Int64, to encoder: AudioEncoder) throws(AVError) -> [EncodedSample] {
        var samples: [EncodedSample] = []
        var rest = frameCount
        while rest > 0 {
            let count = Int(min(rest, 4096))
            // Zero is silence in all sample types.
            let silence = Data(count: count * encoder.settings.input.bytesPerFrame)
            samples += try encode(silence, frameCount: count, encoder)
            rest -= Int64(count)
        }
        return samples
    }

    private func encode(
        _ sound: Data, frameCount: Int, _ encoder: AudioEncoder
    ) throws(AVError) -> [EncodedSample] {
        let result = sound.withUnsafeBytes { bytes in
            Result { () throws(EncodingError) in try encoder.encode(bytes, frameCount: frameCount) }
        }
        return try encoding { () throws(EncodingError) in try result.get() }.map(shifted)
    }

    /// A sample on the movie's timeline.
    private func shifted(_ sample: EncodedSample) -> EncodedSample {
        var sample = sample
        let shift = CMTime(value: start, timescale: rate)
        sample.presentationTime = sample.presentationTime + shift
        sample.decodeTime = sample.presentationTime
        return sample
    }

    private var isCompressed: Bool {
        guard case .audio(let audio) = track?.format else { return false }
        return !audio.isPCM
    }

    /// Frames of the source a second.
    private var rate: CMTimeScale { CMTimeScale(clamping: Int((source?.format.sampleRate ?? 1).rounded())) }
}
