import Foundation
import MediaCodecs
import MediaTypes

/// Converts groups of timed metadata to samples, and passes stored samples on.
///
/// A gap after a group with a duration is an empty sample. A group without a duration lasts until the next one.
final class MetadataTrackProcessor: TrackProcessor {
    private let format: TimedMetadataFormat
    private let options: TrackOptions
    private(set) var track: MovieTrackConfiguration?
    /// The end of the last group; its start if it has no duration.
    private(set) var end = CMTime.invalid
    /// Whether the last group has a duration.
    private var hasEnded = false

    init(_ format: TimedMetadataFormat, _ options: TrackOptions) {
        self.format = format
        self.options = options
    }

    var endsPresentation: Bool { false }

    func process(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample] {
        let range: CMTimeRange
        let data: Data
        switch sample {
        case .metadata(let group):
            range = group.timeRange
            data = try format.sample(of: group)
        case .buffer(let buffer):
            range = CMTimeRange(start: buffer.outputPresentationTimeStamp, duration: buffer.outputDuration)
            data = try stored(buffer)
        case .pixels: throw AVError(.unknown, "a metadata input accepts only timed metadata")
        }
        let time = range.start - origin
        guard time.isNumeric, !end.isNumeric || time >= end else {
            throw AVError(.unknown, "the metadata group at \(time.seconds) s starts before the previous one ends")
        }
        if track == nil { configureTrack(timescale: options.timescale(for: time, duration: range.duration)) }
        var samples: [EncodedSample] = []
        if hasEnded, time > end {
            samples.append(
                EncodedSample(data: TimedMetadataFormat.emptySample, presentationTime: end, duration: time - end))
        }
        hasEnded = range.duration.isNumeric && range.duration > .zero
        // The nominal duration applies if no other group follows.
        let duration = hasEnded ? range.duration : CMTime(value: 1, timescale: 30)
        samples.append(EncodedSample(data: data, presentationTime: time, duration: duration))
        end = hasEnded ? time + duration : time
        return samples
    }

    /// Returns the bytes of a buffer of the input's format.
    private func stored(_ buffer: CMSampleBuffer) throws(AVError) -> Data {
        let keys = buffer.formatDescription.flatMap { description in
            // A description that is not one of boxed metadata has no keys.
            (try? TimedMetadataFormat(description))?.keys
        }
        // A buffer that cannot be copied has no bytes.
        guard keys == format.keys, let data = try? buffer.dataBuffer?.dataBytes() else {
            throw AVError(.unknown, "the metadata does not have the format of the source format hint")
        }
        return data
    }

    /// Configures the track with the default timescale if no sample has been processed.
    func configureTrack() {
        if track == nil { configureTrack(timescale: options.timescale(for: .invalid, duration: .invalid)) }
    }

    private func configureTrack(timescale: CMTimeScale) {
        track = options.track(.metadata(format), timescale: timescale, expectedSampleRate: 30)
    }

    func finish() throws(AVError) -> [EncodedSample] { [] }
}
