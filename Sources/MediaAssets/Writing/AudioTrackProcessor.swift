package import AssetTypes
import Foundation
package import MediaCodecs
package import MediaTypes

/// Encodes the audio of a writer input.
///
/// Audio before the movie's zero is trimmed, gaps between buffers become silence, and overlaps are dropped.
package final class AudioTrackProcessor: TrackProcessor {
    /// The maximum deviation of a buffer's time that is ignored: 1 ms of clock jitter is inaudible.
    private static let tolerance = CMTime(value: 1, timescale: 1000)

    /// Nil to write PCM unchanged.
    private let settings: WriterAudioSettings?
    private let options: TrackOptions
    private var source: PCMSourceFormat?
    private var encoder: AudioEncoder?
    package private(set) var track: MovieTrackConfiguration?
    /// The first audio frame's position on the movie's timeline, at the source's sample rate.
    private var start: Int64 = 0

    package init(_ settings: WriterAudioSettings?, _ options: TrackOptions = TrackOptions()) {
        self.settings = settings
        self.options = options
    }

    package var end: CMTime {
        guard let encoder, encoder.inputFrameCount > 0 else { return .invalid }
        return CMTime(value: start + encoder.inputFrameCount, timescale: rate)
    }

    var endsPresentation: Bool { true }

    /// If audio starts after the movie's zero, the encoder's priming samples have times after zero and must not be
    /// presented.
    package var presentationStart: CMTime {
        guard start > 0, !options.segmentStart.isNumeric, isCompressed else { return .invalid }
        return CMTime(value: start, timescale: rate)
    }

    /// Converts and encodes a sample; returns the encoded samples that are complete. `origin` is the start of the session.
    package func process(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample] {
        guard case .buffer(let buffer) = sample else {
            throw AVError(.unknown, "an audio input cannot accept a pixel buffer or metadata")
        }
        guard buffer.numSamples > 0 else { return [] }
        let time = buffer.outputPresentationTimeStamp - origin
        guard time.isNumeric else {
            throw AVError(.unknown, "an audio sample buffer needs a numeric presentation time")
        }
        let source = try PCMSourceFormat(buffer.formatDescription)
        if let known = self.source, known != source {
            throw AVError(
                .formatUnsupported,
                "the audio format of a track must not change from \(known.format) to \(source.format)")
        }
        self.source = source
        let encoder = if let known = self.encoder { known } else { try begin(source) }
        var position = CMTimeConvertScale(time, timescale: rate, method: .roundHalfAwayFromZero).value
        let count = Int64(buffer.numSamples)
        let isFirst = encoder.inputFrameCount == 0
        // A file without a timeline starts at zero, regardless of the first sample's time.
        let first = options.beginsAtZero ? 0 : max(0, position)
        let expected = isFirst ? first : start + encoder.inputFrameCount
        let tolerance = CMTimeConvertScale(Self.tolerance, timescale: rate, method: .roundHalfAwayFromZero).value
        if abs(position - expected) <= tolerance { position = expected }
        let writeStart = max(position, expected)
        guard writeStart < position + count else { return [] }
        if isFirst { start = expected }
        var samples = try appendSilence(writeStart - expected, to: encoder)
        let audio = try source.interleavedSamples(of: buffer)
        let skipped = Int(writeStart - position) * source.format.bytesPerFrame
        samples += try encode(audio.dropFirst(skipped), frameCount: Int(position + count - writeStart), encoder)
        return samples
    }

    package func finish() throws(AVError) -> [EncodedSample] {
        let samples = try encoding { () throws(EncodingError) in try encoder?.finish() ?? [] }
        return samples.map(shifted)
    }

    private func begin(_ source: PCMSourceFormat) throws(AVError) -> AudioEncoder {
        let unchanged = AudioEncoderSettings(codec: .pcm, input: source.format, pcmFormat: source.pcmFormat)
        let new = try encoding { () throws(EncodingError) in
            try AudioEncoder(settings?.encoder(for: source.format) ?? unchanged)
        }
        encoder = new
        track = options.track(
            .audio(new.format), timescale: new.format.sampleRate,
            expectedSampleRate: Double(new.format.sampleRate) / Double(new.format.framesPerPacket))
        return new
    }

    private func appendSilence(_ frameCount: Int64, to encoder: AudioEncoder) throws(AVError) -> [EncodedSample] {
        var samples: [EncodedSample] = []
        var remaining = frameCount
        while remaining > 0 {
            let count = Int(min(remaining, 4096))
            // Zero is silence in all sample types.
            let silence = Data(count: count * encoder.settings.input.bytesPerFrame)
            samples += try encode(silence, frameCount: count, encoder)
            remaining -= Int64(count)
        }
        return samples
    }

    private func encode(
        _ audio: Data, frameCount: Int, _ encoder: AudioEncoder
    ) throws(AVError) -> [EncodedSample] {
        let result = audio.withUnsafeBytes { bytes in
            Result { () throws(EncodingError) in try encoder.encode(bytes, frameCount: frameCount) }
        }
        return try encoding { () throws(EncodingError) in try result.get() }.map(shifted)
    }

    /// Returns a sample with its time on the movie's timeline.
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

    /// The source's sample rate in Hz, rounded.
    private var rate: CMTimeScale { CMTimeScale(clamping: Int((source?.format.sampleRate ?? 1).rounded())) }
}
