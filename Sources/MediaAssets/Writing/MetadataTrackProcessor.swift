import Foundation
import MediaCodecs
import MediaTypes

/// Converts groups of timed metadata to samples.
///
/// A gap after a group with a duration is an empty sample. A group without a duration lasts until the next one.
final class MetadataTrackProcessor: TrackProcessor {
    /// A box with the invalid key index 0, which readers skip.
    private static let emptySample = Data([0, 0, 0, 8, 0, 0, 0, 0])

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
        guard case .metadata(let group) = sample else {
            throw AVError(.unknown, "a metadata input accepts only timed metadata groups")
        }
        let range = group.timeRange
        let time = range.start - origin
        guard time.isNumeric, !end.isNumeric || time >= end else {
            throw AVError(.unknown, "the metadata group at \(time.seconds) s starts before the previous one ends")
        }
        if track == nil { configureTrack(timescale: options.timescale(for: time, duration: range.duration)) }
        var samples: [EncodedSample] = []
        if hasEnded, time > end {
            samples.append(EncodedSample(data: Self.emptySample, presentationTime: end, duration: time - end))
        }
        hasEnded = range.duration.isNumeric && range.duration > .zero
        // The nominal duration applies if no other group follows.
        let duration = hasEnded ? range.duration : CMTime(value: 1, timescale: 30)
        samples.append(EncodedSample(data: try bytes(of: group), presentationTime: time, duration: duration))
        end = hasEnded ? time + duration : time
        return samples
    }

    /// Configures the track with the default timescale if no sample has been processed.
    func configureTrack() {
        if track == nil { configureTrack(timescale: options.timescale(for: .invalid, duration: .invalid)) }
    }

    private func configureTrack(timescale: CMTimeScale) {
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
        return values.isEmpty ? Self.emptySample : format.sample(values)
    }
}
