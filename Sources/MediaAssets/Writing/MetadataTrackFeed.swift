import Foundation
import MediaCodecs
import MediaTypes

/// Writes groups of timed metadata; between two groups with a gap lies a sample without entries.
final class MetadataTrackFeed: TrackFeed {
    private let format: TimedMetadataFormat
    private let options: TrackOptions
    private(set) var track: MovieTrackConfiguration?
    private(set) var end = CMTime.invalid

    init(_ format: TimedMetadataFormat, _ options: TrackOptions) {
        self.format = format
        self.options = options
    }

    var endsPresentation: Bool { false }

    func take(_ sample: WriterSample, origin: CMTime) throws(AVError) -> [EncodedSample] {
        guard case .metadata(let group) = sample else {
            throw AVError(.unknown, "an input of metadata takes groups of timed metadata only")
        }
        let range = group.timeRange
        let time = range.start - origin
        guard time.isNumeric, !end.isNumeric || time >= end else {
            throw AVError(.unknown, "a group of metadata at \(time.seconds) s begins before the last one ends")
        }
        if track == nil { decideTrack(timescale: options.timescale(for: time, duration: range.duration)) }
        var samples: [EncodedSample] = []
        if end.isNumeric, time > end {
            // Number 0 is no key: readers pass over its box.
            samples.append(
                EncodedSample(data: Data([0, 0, 0, 8, 0, 0, 0, 0]), presentationTime: end, duration: time - end))
        }
        let isOpen = !(range.duration.isNumeric && range.duration > .zero)
        let duration = isOpen ? CMTime(value: 1, timescale: 30) : range.duration
        samples.append(EncodedSample(data: try bytes(of: group), presentationTime: time, duration: duration))
        end = isOpen ? time : time + duration
        return samples
    }

    /// The times of the groups are then those of a usual timescale.
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
                throw AVError(.unknown, "\(item) is not among the keys that the input's source format hint tells")
            }
            guard let value = format.bytes(of: item, key: format.keys[key]) else {
                throw AVError(.unknown, "\(item) is not of the type that the input's source format hint tells")
            }
            values.append((key, value))
        }
        return values.isEmpty ? Data([0, 0, 0, 8, 0, 0, 0, 0]) : format.sample(values)
    }
}
