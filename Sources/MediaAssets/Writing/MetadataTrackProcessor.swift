import Foundation
import MediaCodecs
import MediaTypes

/// Converts groups of timed metadata to samples; a gap between two groups becomes an empty sample.
final class MetadataTrackProcessor: TrackProcessor {
    private let format: TimedMetadataFormat
    private let options: TrackOptions
    private(set) var track: MovieTrackConfiguration?
    private(set) var end = CMTime.invalid

    init(_ format: TimedMetadataFormat, _ options: TrackOptions) {
        self.format = format
        self.options = options
    }

    var endsPresentation: Bool { false }

    func process(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample] {
        guard case .metadata(let group) = sample else {
            throw AVError(.unknown, "a metadata input accepts only timed metadata groups")
        }
        let range = group.timeRange
        let time = range.start - origin
        guard time.isNumeric, !end.isNumeric || time >= end else {
            throw AVError(.unknown, "the metadata group at \(time.seconds) s starts before the previous one ends")
        }
        if track == nil { decideTrack(timescale: options.timescale(for: time, duration: range.duration)) }
        var samples: [EncodedSample] = []
        if end.isNumeric, time > end {
            // Key index 0 is not valid, so readers skip this box.
            samples.append(
                EncodedSample(data: Data([0, 0, 0, 8, 0, 0, 0, 0]), presentationTime: end, duration: time - end))
        }
        let isOpen = !(range.duration.isNumeric && range.duration > .zero)
        let duration = isOpen ? CMTime(value: 1, timescale: 30) : range.duration
        samples.append(EncodedSample(data: try bytes(of: group), presentationTime: time, duration: duration))
        end = isOpen ? time : time + duration
        return samples
    }

    /// Selects the default timescale, since no sample has suggested one.
    func decideTrack() {
        if track == nil { decideTrack(timescale: options.timescale(for: .invalid, duration: .invalid)) }
    }

    private func decideTrack(timescale: CMTimeScale) {
        track = options.track(.metadata(format), timescale: timescale, expectedSampleRate: 30)
    }

    func finish() throws(AVError) -> [EncodedSample] { [] }

    private func bytes(of group: AVTimedMetadataGroup) throws(AVError) -> Data {
        var values: [(key: Int, value: Data)] = []
        for item in group.items {
            guard let identifier = item.identifier?.rawValue,
                let key = format.keys.firstIndex(where: { "\($0.namespace)/\($0.name)" == identifier })
            else {
                throw AVError(.unknown, "\(item) is not among the keys of the input's source format hint")
            }
            guard let value = format.bytes(of: item, key: format.keys[key]) else {
                throw AVError(.unknown, "\(item) does not have the type that the input's source format hint specifies")
            }
            values.append((key, value))
        }
        return values.isEmpty ? Data([0, 0, 0, 8, 0, 0, 0, 0]) : format.sample(values)
    }
}
