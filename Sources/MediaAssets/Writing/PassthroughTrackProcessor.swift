import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes

/// Passes encoded samples through unchanged, and linear PCM in its own sample format.
final class PassthroughTrackProcessor: TrackProcessor {
    private let kind: WriterFileKind
    private let options: TrackOptions
    private var encodedTrack: MovieTrackConfiguration?
    private var encodedEnd = CMTime.invalid
    /// Processes linear PCM, which has too many samples to process one by one; nil for other formats.
    private var pcm: AudioTrackProcessor?
    private(set) var presentationStart = CMTime.invalid
    /// The duration of the last sample.
    private var lastDuration = CMTime.invalid
    private var lastDecodeTime = CMTime.invalid

    init(_ kind: WriterFileKind, hint: CMFormatDescription?, _ options: TrackOptions) throws(AVError) {
        self.kind = kind
        self.options = options
        _ = try hint.map { (hint) throws(AVError) in try Self.format(hint, for: kind) }
    }

    var track: MovieTrackConfiguration? { pcm?.track ?? encodedTrack }
    var end: CMTime { pcm?.end ?? encodedEnd }

    /// Audio can end within its last packet.
    var endsPresentation: Bool { track.map { !$0.format.isVideo } ?? false }

    func process(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample] {
        guard case .buffer(let buffer) = sample else {
            throw AVError(.unknown, "an uncompressed image cannot pass through; set outputSettings for the input")
        }
        if buffer.numSamples == 0 || buffer.dataBuffer == nil {
            let time = buffer.outputPresentationTimeStamp - origin
            guard buffer.endsPreviousSampleDuration, lastDecodeTime.isValid, time > lastDecodeTime else { return [] }
            encodedEnd = time
            return []
        }
        guard let description = buffer.formatDescription else {
            throw AVError(.unknown, "a sample buffer has no format description")
        }
        if encodedTrack == nil, description.audioStreamBasicDescription?.mFormatID == kAudioFormatLinearPCM {
            let pcm = pcm ?? AudioTrackProcessor(nil, options)
            self.pcm = pcm
            return try pcm.process(sample, origin: origin)
        }
        let format = try Self.format(description, for: kind)
        if let encodedTrack, encodedTrack.format != format {
            throw AVError(.formatUnsupported, "the format of a passthrough track must not change")
        }
        let samples = try self.samples(of: buffer, origin: origin, format)
        if encodedTrack == nil { begin(format, samples, buffer, origin) }
        if case .audio = format {
            encodedEnd = buffer.outputPresentationTimeStamp + buffer.outputDuration - origin
        } else {
            for sample in samples {
                let sampleEnd = sample.presentationTime + sample.duration
                encodedEnd = encodedEnd.isNumeric ? max(encodedEnd, sampleEnd) : sampleEnd
            }
        }
        return samples
    }

    func finish() throws(AVError) -> [EncodedSample] { try pcm?.finish() ?? [] }

    private func begin(
        _ format: MovieSampleFormat, _ samples: [EncodedSample], _ buffer: CMSampleBuffer, _ origin: CMTime
    ) {
        let first = samples.first
        let duration = first?.duration ?? .invalid
        var scale = options.timescale(for: first?.presentationTime ?? .invalid, duration: duration)
        if case .audio(let audio) = format { scale = audio.sampleRate }
        encodedTrack = options.track(
            format, timescale: scale,
            expectedSampleRate: duration.isNumeric && duration > .zero ? min(1 / duration.seconds, 1000) : 60)
        let trimmed = buffer.outputPresentationTimeStamp
        if trimmed > buffer.presentationTimeStamp { presentationStart = max(trimmed - origin, .zero) }
    }

    private static func format(
        _ description: CMFormatDescription, for kind: WriterFileKind
    ) throws(AVError) -> MovieSampleFormat {
        do throws(MovieError) {
            let format = try MovieSampleFormat(description)
            if let reason = kind.rejectionReason(for: format) { throw MovieError(.unsupportedFormat, reason) }
            return format
        } catch {
            throw AVError(.formatUnsupported, error.message, cause: error)
        }
    }

    private func samples(
        of buffer: CMSampleBuffer, origin: CMTime, _ format: MovieSampleFormat
    ) throws(AVError) -> [EncodedSample] {
        guard let block = buffer.dataBuffer, let data = try? block.dataBytes() else {
            throw AVError(.unknown, "a sample buffer's data cannot be read")
        }
        let attachments = buffer.sampleAttachments
        var samples: [EncodedSample] = []
        var offset = 0
        for index in 0..<buffer.numSamples {
            // Without sizes, the buffer contains one sample or samples of equal size.
            let size = buffer.sampleSizes.isEmpty ? data.count / buffer.numSamples : buffer.sampleSize(at: index)
            guard size > 0, offset + size <= data.count else {
                throw AVError(.unknown, "\(data.count) bytes are too few for sample \(index) of \(buffer.numSamples)")
            }
            guard let timing = try? buffer.sampleTimingInfo(at: index), timing.presentationTimeStamp.isNumeric else {
                throw AVError(.unknown, "sample \(index) of a sample buffer has no numeric presentation time")
            }
            let time = timing.presentationTimeStamp - origin
            let decode = timing.decodeTimeStamp.isNumeric ? timing.decodeTimeStamp - origin : time
            guard time >= decode else {
                throw AVError(
                    .unknown, "sample \(index) of a sample buffer has a presentation time before its decode time")
            }
            if lastDecodeTime.isValid, decode <= lastDecodeTime {
                throw AVError(
                    .unknown,
                    "a sample decoded at \(decode.seconds) s does not follow one at \(lastDecodeTime.seconds) s")
            }
            let gap = lastDecodeTime.isValid ? decode - lastDecodeTime : CMTime(value: 1, timescale: 30)
            lastDuration = timing.duration.isNumeric && timing.duration > .zero ? timing.duration : gap
            lastDecodeTime = decode
            let flags = index < attachments.count ? attachments[index] : nil
            let isSync = !(flags?[.notSync] as? Bool ?? false) && !(flags?[.dependsOnOthers] as? Bool ?? false)
            let isDroppable = (flags?[.isDependedOnByOthers] as? Bool).map { !$0 } ?? false
            samples.append(
                EncodedSample(
                    data: data.subdata(in: offset..<offset + size), presentationTime: time, decodeTime: decode,
                    duration: lastDuration, isKeyFrame: isSync || !format.isVideo, isDroppable: isDroppable))
            offset += size
        }
        return samples
    }
}
