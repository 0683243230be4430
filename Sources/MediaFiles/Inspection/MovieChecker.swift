import Foundation
package import MediaCodecs
package import MediaStorage
import MediaTypes

/// Checks whether the boxes of a movie file are consistent with each other and with the media data.
package struct MovieChecker {
    private let map: MovieMap
    private let file: any StorageFile
    private var problems = MovieProblemList()
    /// The file offsets of damaged frames.
    private var damagedOffsets: Set<Int64> = []

    private init(_ map: MovieMap, _ file: any StorageFile) {
        self.map = map
        self.file = file
    }

    /// Returns all problems, first those found when the map was read.
    ///
    /// - Parameter readsMedia: Whether to read and check all compressed frames as well.
    package static func problems(
        of map: MovieMap, in file: any StorageFile, readsMedia: Bool = true
    ) throws(StorageError) -> [MovieProblem] {
        var checker = MovieChecker(map, file)
        checker.checkDurations()
        checker.checkOffsets()
        for track in map.tracks {
            checker.checkTimes(track)
            checker.checkEdits(track)
            if readsMedia { try checker.checkFrames(track) }
        }
        return map.problems + checker.problems.all
    }

    /// Whether there is an error. Frames are read up to the first one.
    static func hasErrors(_ map: MovieMap, in file: any StorageFile) throws(StorageError) -> Bool {
        if try problems(of: map, in: file, readsMedia: false).contains(where: { $0.severity == .error }) { return true }
        var checker = MovieChecker(map, file)
        for track in map.tracks {
            try checker.checkFrames(track, stopsAtFirstError: true)
            if checker.problems.hasErrors { return true }
        }
        return false
    }

    /// Returns the file offsets of the damaged frames of a fragment, such as frames that were not completely written.
    ///
    /// - Parameter fragment: The number of the fragment, from 1; for 0, the sample table, the result is empty.
    static func damagedFrames(
        of map: MovieMap, inFragment fragment: UInt32, in file: any StorageFile
    ) throws(StorageError) -> Set<Int64> {
        guard fragment > 0 else { return [] }
        var checker = MovieChecker(map, file)
        for track in map.tracks { try checker.checkFrames(track, onlyFragment: fragment) }
        return checker.damagedOffsets
    }

    private mutating func report(_ severity: MovieProblem.Severity, at offset: Int64? = nil, _ message: String) {
        problems.append(MovieProblem(severity, at: offset, message))
    }

    // MARK: Headers

    private mutating func checkDurations() {
        guard map.fragments.isEmpty else { return }
        for track in map.tracks where !track.samples.isEmpty {
            let sum = track.samples.decodeEnd - (track.samples.runs.first?.decodeTime ?? 0)
            // A difference of one sample is common, and has no effect on players.
            let longest = track.time(Int64(track.samples.runs.lazy.map(\.duration).max() ?? 0))
            let tolerance = max(longest, CMTime(value: 1, timescale: max(1, track.movieTimescale)))
            // With an edit list, players present what it lists, unless the track seems to be empty.
            func severity(_ duration: Int64, _ difference: CMTime) -> MovieProblem.Severity {
                let isDecisive = track.edits.isEmpty || duration == 0
                return isDecisive && CMTimeAbsoluteValue(difference) > tolerance ? .error : .warning
            }
            if let duration = track.mediaDuration, duration != sum {
                report(
                    severity(duration, track.time(duration - sum)), at: track.offset,
                    "track \(track.number): its media header has a duration of \(duration) ticks, its samples \(sum)")
            }
            let edited =
                track.edits.isEmpty
                ? CMTimeConvertScale(
                    track.time(sum), timescale: max(1, track.movieTimescale), method: .roundHalfAwayFromZero
                ).value
                : track.edits.reduce(0) { $0 &+ $1.duration }
            if let duration = track.headerDuration, (duration &- edited).magnitude > 1 {
                let difference = CMTime(value: duration &- edited, timescale: max(1, track.movieTimescale))
                report(
                    severity(duration, difference), at: track.offset,
                    "track \(track.number): its header has a duration of \(duration) ticks, its edits \(edited)")
            }
        }
    }

    // MARK: Offsets

    private mutating func checkOffsets() {
        let media = map.boxes.filter { ["mdat", "imda", "idat"].contains($0.type) }.map(\.body)
        var ranges: [(range: Range<Int64>, track: UInt32)] = []
        for track in map.tracks {
            var (isOutside, isElsewhere) = (false, false)
            for run in track.samples.runs where run.byteCount > 0 {
                let range = run.offset..<run.end
                if let last = ranges.last, last.track == track.number, last.range.upperBound == range.lowerBound {
                    ranges[ranges.count - 1].range = last.range.lowerBound..<range.upperBound
                } else {
                    ranges.append((range, track.number))
                }
                guard !isOutside else { continue }
                if range.lowerBound < 0 || range.upperBound > map.byteCount {
                    isOutside = true
                    report(
                        .error, at: run.offset,
                        "track \(track.number): samples are outside the media data (mdat), beyond the end of the file")
                } else if !isElsewhere, !Self.contains(media, range) {
                    isElsewhere = true
                    report(
                        .warning, at: run.offset,
                        "track \(track.number): samples are outside the media data (mdat)")
                }
            }
        }
        ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
        for (first, second) in zip(ranges, ranges.dropFirst()) where second.range.lowerBound < first.range.upperBound {
            // Samples can share the same media.
            let isShared = first.range.lowerBound == second.range.lowerBound
            report(
                isShared ? .warning : .error, at: second.range.lowerBound,
                "samples of track \(second.track) overlap samples of track \(first.track)")
        }
    }

    /// Whether one of several ranges contains a range.
    ///
    /// - Parameter ranges: In ascending order.
    private static func contains(_ ranges: [Range<Int64>], _ range: Range<Int64>) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < range.upperBound { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= range.lowerBound
    }

    // MARK: Times

    private mutating func checkTimes(_ track: TrackMap) {
        var last: Int64?
        var presentations: [Int64] = []
        presentations.reserveCapacity(track.samples.runs.count)
        let runs = track.samples.runs
        // Nothing is missing if a sample of duration 0 is presented together with the next one.
        var hasZeroDuration = false
        for (index, run) in runs.enumerated() {
            if let last, run.decodeTime < last {
                return report(
                    .error, at: run.offset,
                    "track \(track.number): sample run \(index + 1) is decoded at tick \(run.decodeTime), before \(last)"
                )
            }
            if run.duration == 0, index + 1 < runs.count, !hasZeroDuration {
                hasZeroDuration = true
                report(.warning, at: run.offset, "track \(track.number): sample run \(index + 1) has a duration of 0")
            }
            last = run.decodeTime
            presentations.append(run.presentationTime)
            if Int(run.entry) >= track.sampleEntries.count, !track.sampleEntries.isEmpty {
                return report(
                    .error, at: run.offset,
                    "track \(track.number): samples refer to description \(Int(run.entry) + 1), which does not exist")
            }
        }
        if track.samples.hasCompositionOffsets {
            presentations.sort()
            for (first, second) in zip(presentations, presentations.dropFirst()) where first == second {
                return report(
                    hasZeroDuration || !track.isVideo ? .warning : .error,
                    "track \(track.number): two samples are presented at tick \(first)")
            }
        }
        if let first = runs.first, track.isVideo, !first.isSync {
            report(.warning, at: first.offset, "track \(track.number): its first sample is not a sync sample")
        }
    }

    private mutating func checkEdits(_ track: TrackMap) {
        for edit in track.edits where edit.mediaTime >= 0 && !track.samples.isEmpty {
            let end = track.samples.presentationEnd
            if edit.mediaTime >= end {
                report(
                    .error, at: track.offset,
                    "track \(track.number): an edit begins at tick \(edit.mediaTime), but the media ends at \(end)")
            } else if track.movieTimescale > 0, track.timescale > 0 {
                let length = CMTime(value: edit.duration, timescale: track.movieTimescale)
                // Rounding to the movie's time scale changes each end by up to half a tick.
                let tolerance = CMTime(value: 1, timescale: track.movieTimescale)
                if length - tolerance > track.time(end - edit.mediaTime) {
                    report(
                        .warning, at: track.offset,
                        "track \(track.number): an edit of \(length.seconds) s extends beyond the end of the media")
                }
            }
        }
    }

    // MARK: Frames

    /// Reads and checks compressed frames.
    ///
    /// - Parameter fragment: The number of the fragment with the frames; nil for all frames.
    private mutating func checkFrames(
        _ track: TrackMap, onlyFragment fragment: UInt32? = nil, stopsAtFirstError: Bool = false
    ) throws(StorageError) {
        // If samples overlap, which `checkOffsets` reports, the same bytes could be read many times.
        guard track.isVideo, track.samples.byteCount <= map.byteCount else { return }
        let codings = track.sampleEntries.map { CompressedFrame.Coding($0) }
        for (entry, coding) in zip(track.sampleEntries, codings)
        where coding == nil && CompressedFrame.Coding.isSupported(entry.code) {
            report(
                .error, at: track.offset,
                "track \(track.number): \(entry.code) samples have no decoder configuration")
        }
        for (index, run) in track.samples.runs.enumerated()
        where run.end <= map.byteCount && run.fragment == fragment ?? run.fragment {
            if stopsAtFirstError, problems.hasErrors { return }
            // `checkTimes` reports samples without a description.
            guard codings.indices.contains(Int(run.entry)), let coding = codings[Int(run.entry)] else { continue }
            let name = "track \(track.number): sample \(index + 1)"
            guard run.size > 0 else {
                report(.warning, at: run.offset, "\(name) is empty")
                continue
            }
            let bytes = try file.bytes(at: run.offset, count: Int(run.byteCount))
            guard let frame = CompressedFrame(bytes, coding) else {
                damagedOffsets.insert(run.offset)
                report(.error, at: run.offset, "\(name): its \(run.size) bytes are not a complete frame")
                continue
            }
            if run.isSync, !frame.isSync {
                // Cameras also mark intra-coded pictures of open groups, at which decoding can start.
                report(
                    frame.isIntraOnly ? .warning : .error, at: run.offset,
                    "\(name) is marked as a sync sample but is not one")
            } else if !run.isSync, frame.isSync {
                report(.warning, at: run.offset, "\(name) is a sync sample but is not marked as one")
            }
            if run.isDroppable, !frame.isDroppable {
                // Its header permits other frames to refer to it; whether they do is not known.
                report(.warning, at: run.offset, "\(name) is marked as droppable but others can refer to it")
            }
        }
    }
}
