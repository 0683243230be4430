import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes

/// Converts groups of timed metadata or captions to samples, and passes encoded metadata through.
///
/// A gap after a group with a duration is an empty sample. A group without a duration lasts until the next one.
final class TimedGroupTrackProcessor: TrackProcessor {
    private let format: MovieSampleFormat
    private let emptySample: Data
    private let encode: (WriterSample) throws(AVError) -> (CMTimeRange, Data)
    private let options: TrackOptions
    private(set) var track: MovieTrackConfiguration?
    /// The end of the last group; its start if it has no duration.
    private(set) var end = CMTime.invalid
    /// Whether the last group has a duration.
    private var lastHasDuration = false

    /// Creates a processor of timed metadata groups.
    init(metadata format: TimedMetadataFormat, _ options: TrackOptions) {
        self.format = .metadata(format)
        self.options = options
        emptySample = TimedMetadataFormat.emptySample
        encode = { (sample) throws(AVError) in
            switch sample {
            case .metadata(let group): return (group.timeRange, try format.sample(of: group))
            case .buffer(let buffer):
                let range = CMTimeRange(start: buffer.outputPresentationTimeStamp, duration: buffer.outputDuration)
                return (range, try format.data(of: buffer))
            case .pixels, .captions: throw AVError(.unknown, "a metadata input accepts only timed metadata")
            }
        }
    }

    /// Creates a processor of caption groups.
    init(captions format: SubtitleSampleFormat, _ options: TrackOptions) {
        let size = options.header.presentationSize
        self.format = .subtitle(format.withTextBox(of: size))
        self.options = options
        emptySample = TimedTextSample.empty
        let defaultColor = format.defaultColor
        encode = { (sample) throws(AVError) in
            guard case .captions(let group) = sample else {
                throw AVError(.unknown, "an input for captions accepts only captions and caption groups")
            }
            guard let data = group.text(defaultColor: defaultColor, in: size).data else {
                throw AVError(.unknown, "the captions at \(group.timeRange.start.seconds) s are too long")
            }
            return (group.timeRange, data)
        }
    }

    var endsPresentation: Bool { false }

    func process(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample] {
        let (range, data) = try encode(sample)
        let time = range.start - origin
        guard time.isNumeric, !end.isNumeric || time >= end else {
            throw AVError(.unknown, "the group at \(time.seconds) s starts before the previous one ends")
        }
        if track == nil { configureTrack(timescale: options.timescale(for: time, duration: range.duration)) }
        var samples: [EncodedSample] = []
        if lastHasDuration, time > end {
            samples.append(EncodedSample(data: emptySample, presentationTime: end, duration: time - end))
        }
        lastHasDuration = range.duration.isNumeric && range.duration > .zero
        // The nominal duration applies if no other group follows.
        let duration = lastHasDuration ? range.duration : CMTime(value: 1, timescale: 30)
        samples.append(EncodedSample(data: data, presentationTime: time, duration: duration))
        end = lastHasDuration ? time + duration : time
        return samples
    }

    /// Configures the track with the default timescale if no sample has been processed.
    func configureTrack() {
        if track == nil { configureTrack(timescale: options.timescale(for: .invalid, duration: .invalid)) }
    }

    private func configureTrack(timescale: CMTimeScale) {
        track = options.track(format, timescale: timescale, expectedSampleRate: 30)
    }

    func finish() throws(AVError) -> [EncodedSample] { [] }
}

extension TimedMetadataFormat {
    /// Returns the bytes of a buffer of this format.
    fileprivate func data(of buffer: CMSampleBuffer) throws(AVError) -> Data {
        let keys = buffer.formatDescription.flatMap { description in
            // A description that is not one of boxed metadata has no keys.
            (try? TimedMetadataFormat(description))?.keys
        }
        // A buffer that cannot be copied has no bytes.
        guard keys == self.keys, let data = try? buffer.dataBuffer?.dataBytes() else {
            throw AVError(.unknown, "the metadata does not have the format of the source format hint")
        }
        return data
    }
}
