import Foundation
import MediaTypes

/// A track of timed metadata in a recording; it begins with the first video sample.
///
/// A gap after a sample with a duration is filled with an empty sample.
/// - Important: Confined to one thread at a time.
final class RecordedMetadataTrack {
    let track: MovieTrackID
    /// The duration of a sample until the next one is appended.
    private let nominalDuration: CMTime
    /// The start of the last sample; invalid before the first one.
    private var lastStart = CMTime.invalid
    /// The end of the last sample; invalid if it lasts until the next one.
    private var lastEnd = CMTime.invalid
    private var hasBegun = false
    /// The samples before the first video sample.
    private var pending: [EncodedSample] = []

    init(_ track: MovieTrackID, nominalDuration: CMTime) {
        self.track = track
        self.nominalDuration = nominalDuration
    }

    /// Writes the pending samples, after an empty sample if none of them has begun at `start`.
    func begin(at start: CMTime, in writer: MovieFileWriter) throws(MovieError) {
        hasBegun = true
        if pending.first.map({ $0.presentationTime > start }) ?? true {
            try write(TimedMetadataFormat.emptySample, at: start, in: writer)
        }
        for sample in pending {
            try append(sample.data, at: max(sample.presentationTime, start), duration: sample.duration, in: writer)
        }
        pending = []
    }

    /// Appends a sample.
    ///
    /// - Parameter duration: Not numeric if the sample lasts until the next one.
    func append(_ data: Data, at time: CMTime, duration: CMTime, in writer: MovieFileWriter) throws(MovieError) {
        guard hasBegun else {
            pending.append(EncodedSample(data: data, presentationTime: time, duration: duration))
            return
        }
        if lastEnd.isValid, time > lastEnd { try write(TimedMetadataFormat.emptySample, at: lastEnd, in: writer) }
        try write(data, at: time, in: writer)
        lastEnd = duration.isNumeric ? lastStart + duration : .invalid
    }

    /// Extends the last sample to the end of the movie, or adds an empty one.
    func finish(at end: CMTime, in writer: MovieFileWriter) throws(MovieError) {
        guard lastStart.isValid else { return }
        if lastEnd.isValid, lastEnd < end { try write(TimedMetadataFormat.emptySample, at: lastEnd, in: writer) }
        _ = writer.dropLastSamples(of: track, from: end)
        writer.extendLastSample(of: track, until: end)
        writer.setPresentationEnd(end, of: track)
    }

    private func write(_ data: Data, at time: CMTime, in writer: MovieFileWriter) throws(MovieError) {
        let scale = writer.tracks[track.index].timescale
        let rounded = CMTimeConvertScale(time, timescale: scale, method: .roundHalfAwayFromZero)
        // If two samples have the same time, the second is delayed by one tick.
        let start = lastStart.isValid ? max(rounded, lastStart + CMTime(value: 1, timescale: scale)) : rounded
        try writer.append(
            EncodedSample(data: data, presentationTime: start, duration: nominalDuration), to: track)
        lastStart = start
    }
}
