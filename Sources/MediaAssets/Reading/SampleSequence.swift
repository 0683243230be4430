import Foundation
import MediaCodecs
import MediaTypes

/// The samples of a file's track, by index in decode order and by position in presentation order.
///
/// - Important: Immutable.
final class SampleSequence: Sendable {
    /// A sample: its run and its index within the run.
    struct Sample {
        var run: SampleMap.Run
        var offset: Int64

        var decodeTime: Int64 { run.decodeTime + offset * Int64(run.duration) }
        var presentationTime: Int64 { run.presentationTime + offset * Int64(run.duration) }
    }

    /// Adjacent samples of the file with the same format.
    struct Chunk {
        /// The index of the first sample in decode order.
        var firstIndex: Int64
        var runs: ArraySlice<SampleMap.Run>
        var first: SampleMap.Run { runs[runs.startIndex] }
        var last: SampleMap.Run { runs[runs.endIndex - 1] }
    }

    let media: MediaSource
    /// The number of samples, at least 1.
    let count: Int64
    private let runs: [SampleMap.Run]
    /// The index of the first sample of each run.
    private let starts: [Int64]
    /// The indices of the runs, in presentation order.
    private let presented: [Int]
    /// The position of the first sample of each run of `presented`.
    private let presentedStarts: [Int64]
    private let descriptions: [CMFormatDescription]

    /// Creates the sequence of a track.
    ///
    /// - Returns: nil if the track has no samples, or if the format of a sample is unknown.
    init?(_ media: MediaSource) {
        let track = media.map
        let runs = track.samples.runs.filter { $0.count > 0 }
        let descriptions = media.formatDescriptions.compactMap { $0 }
        guard !runs.isEmpty, track.timescale > 0, descriptions.count == track.sampleEntries.count,
            runs.allSatisfy({ descriptions.indices.contains(Int($0.entry)) })
        else { return nil }
        self.media = media
        self.runs = runs
        self.descriptions = descriptions
        let presented = runs.indices.sorted {
            (runs[$0].presentationTime, $0) < (runs[$1].presentationTime, $1)
        }
        self.presented = presented
        starts = Self.starts(runs)
        presentedStarts = Self.starts(presented.map { runs[$0] })
        count = runs.reduce(0) { $0 + Int64($1.count) }
    }

    private static func starts(_ runs: [SampleMap.Run]) -> [Int64] {
        var sum: Int64 = 0
        return runs.map { run in
            defer { sum += Int64(run.count) }
            return sum
        }
    }

    var isAudio: Bool { media.map.isAudio }
    /// The number of samples that an audio decoder needs before the first presented one.
    var preRollCount: Int { isAudio ? DecoderConfiguration(descriptions[0])?.preRollCount ?? 0 : 0 }
    /// The range of the decode times.
    var decodeRange: CMTimeRange { range(runs.first?.decodeTime ?? 0, media.map.samples.decodeEnd) }
    /// The range of the presentation times.
    var presentationRange: CMTimeRange {
        range(media.map.samples.presentationStart, media.map.samples.presentationEnd)
    }

    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: time(start), end: time(end))
    }

    func time(_ ticks: Int64) -> CMTime { media.map.time(ticks) }

    /// Returns the tick at a time, rounded down; the maximum of `Int64` for positive infinity, and the minimum for
    /// other times that are not numeric.
    func tick(at time: CMTime) -> Int64 {
        guard time.isNumeric else { return time == .positiveInfinity ? .max : .min }
        return CMTimeConvertScale(time, timescale: media.map.timescale, method: .roundTowardNegativeInfinity).value
    }

    func description(of run: SampleMap.Run) -> CMFormatDescription { descriptions[Int(run.entry)] }
    /// Whether decoding can start at a sample; always for media other than video.
    func isSync(_ run: SampleMap.Run) -> Bool { run.isSync || !media.map.isVideo }

    func sample(_ index: Int64) -> Sample {
        let run = Self.last(starts, notAfter: index)
        return Sample(run: runs[run], offset: index - starts[run])
    }

    /// Returns an index plus a number of samples, limited to the existing samples.
    func clamped(_ index: Int64, plus step: Int64) -> Int64 {
        let (sum, overflows) = index.addingReportingOverflow(step)
        return overflows ? (step > 0 ? count - 1 : 0) : min(max(0, sum), count - 1)
    }

    /// Returns the position in presentation order of a sample.
    func presentationPosition(of index: Int64) -> Int64 {
        let run = Self.last(starts, notAfter: index)
        guard let position = presented.firstIndex(of: run) else { return index }
        return presentedStarts[position] + index - starts[run]
    }

    func index(atPresentationPosition position: Int64) -> Int64 {
        let slot = Self.last(presentedStarts, notAfter: position)
        return starts[presented[slot]] + position - presentedStarts[slot]
    }

    /// Returns the index of the last sample that is decoded at or before a tick; 0 if there is none.
    func index(atDecodeTick tick: Int64) -> Int64 {
        let run = Self.last(runs.map(\.decodeTime), notAfter: tick)
        return starts[run] + offset(in: runs[run], from: runs[run].decodeTime, to: tick)
    }

    /// Returns the index of the last sample that is presented at or before a tick; that of the first presented sample
    /// if there is none.
    func index(atPresentationTick tick: Int64) -> Int64 {
        let slot = Self.last(presented.map { runs[$0].presentationTime }, notAfter: tick)
        let run = presented[slot]
        return starts[run] + offset(in: runs[run], from: runs[run].presentationTime, to: tick)
    }

    private func offset(in run: SampleMap.Run, from start: Int64, to tick: Int64) -> Int64 {
        guard tick > start, run.duration > 0 else { return 0 }
        let (distance, overflows) = tick.subtractingReportingOverflow(start)
        return overflows ? Int64(run.count) - 1 : min(distance / Int64(run.duration), Int64(run.count) - 1)
    }

    /// Whether any sample that is decoded before the sample at an index is presented after a tick.
    func hasSample(before index: Int64, presentedAfter tick: Int64) -> Bool {
        let run = Self.last(starts, notAfter: index)
        return runs[..<run].contains { $0.presentationTime + $0.totalDuration - Int64($0.duration) > tick }
            || index > starts[run] && sample(index - 1).presentationTime > tick
    }

    /// Whether any sample that is decoded after the sample at an index is presented before a tick.
    func hasSample(after index: Int64, presentedBefore tick: Int64) -> Bool {
        let run = Self.last(starts, notAfter: index)
        return runs[(run + 1)...].contains { $0.presentationTime < tick }
            || index + 1 < starts[run] + Int64(runs[run].count) && sample(index + 1).presentationTime < tick
    }

    /// Returns the number of samples that a decoder needs before the sample at an index.
    func refreshCount(at index: Int64) -> Int {
        guard media.map.isVideo else { return Int(min(index, Int64(preRollCount))) }
        let run = Self.last(starts, notAfter: index)
        guard let sync = runs[...run].lastIndex(where: \.isSync) else { return Int(index) }
        return sync == run ? 0 : Int(index - starts[sync])
    }

    func chunk(at index: Int64) -> Chunk {
        let run = Self.last(starts, notAfter: index)
        func continues(_ next: Int) -> Bool {
            runs[next].offset == runs[next - 1].end && runs[next].entry == runs[next - 1].entry
                && runs[next].fragment == runs[next - 1].fragment
        }
        var (first, end) = (run, run + 1)
        while first > 0, continues(first) { first -= 1 }
        while end < runs.count, continues(end) { end += 1 }
        return Chunk(firstIndex: starts[first], runs: runs[first..<end])
    }

    /// Returns the index of the last value that is at most a limit; 0 if there is none. Values are in ascending order.
    private static func last(_ values: [Int64], notAfter limit: Int64) -> Int {
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle] <= limit { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}
