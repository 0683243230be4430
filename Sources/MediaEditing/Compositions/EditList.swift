import Foundation
import MediaAssets
import MediaTypes

/// The edits of a track of a composition.
///
/// Invariant: the targets are in order, without gaps, from zero; each has a duration above zero.
struct EditList: @unchecked Sendable {
    // SAFETY: values and thread-safe objects.

    /// A part of a source track.
    struct Source {
        /// The file; nil for a track of a composition.
        let url: URL?
        let trackID: CMPersistentTrackID
        /// The part, on the source track's timeline.
        var range: CMTimeRange
        /// The edits of the source track.
        let timeline: [TimelineSegment]
    }

    /// A part of the timeline and what it presents.
    struct Edit {
        var target: CMTimeRange
        /// The presented part of a source; nil for an empty edit.
        var source: Source?

        var mapping: CMTimeMapping {
            source.map { CMTimeMapping(source: $0.range, target: target) } ?? CMTimeMappingMakeEmpty(target: target)
        }

        /// The source's edits within `source.range`, on the timeline of the composition.
        var timeline: [TimelineSegment] {
            guard let source else { return [] }
            return source.timeline.compactMap { segment in
                let part = segment.target.intersection(source.range)
                guard part.isValid, part.duration > .zero else { return nil }
                let mapped = CMTimeRangeFromTimeToTime(
                    start: EditList.map(part.start, from: source.range, to: target),
                    end: EditList.map(part.end, from: source.range, to: target))
                return TimelineSegment(
                    media: segment.media, range: mapped, target: mapped,
                    source: CMTimeRangeFromTimeToTime(
                        start: segment.mediaTime(at: part.start), end: segment.mediaTime(at: part.end)))
            }
        }

        /// Returns the parts before and after a time within the edit.
        func split(at time: CMTime) -> [Edit] {
            var (first, second) = (self, self)
            first.target = CMTimeRangeFromTimeToTime(start: target.start, end: time)
            second.target = CMTimeRangeFromTimeToTime(start: time, end: target.end)
            if let source {
                let middle = EditList.map(time, from: target, to: source.range)
                first.source?.range = CMTimeRangeFromTimeToTime(start: source.range.start, end: middle)
                second.source?.range = CMTimeRangeFromTimeToTime(start: middle, end: source.range.end)
            }
            return [first, second]
        }
    }

    private(set) var edits: [Edit] = []

    init(_ edits: [Edit] = []) { self.edits = edits }

    /// The end of the last edit; zero for an empty list.
    var end: CMTime { edits.last?.target.end ?? .zero }

    /// Inserts edits at a time. If the list ends earlier, an empty edit fills the gap. Later edits move.
    ///
    /// - Parameter new: Edits whose targets are in order, without gaps, from zero.
    mutating func insert(_ new: [Edit], at start: CMTime) {
        let length = new.last?.target.end ?? .zero
        guard length > .zero else { return }
        if start > end { edits.append(Edit(target: CMTimeRangeFromTimeToTime(start: end, end: start), source: nil)) }
        let index = split(at: start)
        for later in index..<edits.count { edits[later].target.start = edits[later].target.start + length }
        edits.insert(
            contentsOf: new.map { edit in
                var edit = edit
                edit.target.start = edit.target.start + start
                return edit
            }, at: index)
    }

    /// Removes a time range, and then empty edits at the end of the list. Later edits move.
    mutating func remove(_ range: CMTimeRange) {
        let (first, last) = (split(at: range.start), split(at: range.end))
        let length = edits[first..<last].reduce(CMTime.zero) { $0 + $1.target.duration }
        edits.removeSubrange(first..<last)
        for later in first..<edits.count { edits[later].target.start = edits[later].target.start - length }
        dropTrailingEmptyEdits()
    }

    /// Changes the duration of a time range. Later edits move.
    ///
    /// If the range extends beyond the end of the list, the part within the list is scaled by the same factor.
    mutating func scale(_ whole: CMTimeRange, to length: CMTime) {
        let range = whole.intersection(CMTimeRange(start: .zero, duration: end))
        guard range.duration > .zero else { return }
        let duration =
            range == whole || !whole.duration.isNumeric
            ? length
            : CMTimeMapDurationFromRangeToRange(
                range.duration, fromRange: whole, toRange: CMTimeRange(start: .zero, duration: length))
        let (first, last) = (split(at: range.start), split(at: range.end))
        let target = CMTimeRange(start: range.start, duration: duration)
        for index in first..<last {
            let edit = edits[index].target
            edits[index].target = CMTimeRangeFromTimeToTime(
                start: Self.map(edit.start, from: range, to: target), end: Self.map(edit.end, from: range, to: target))
        }
        let offset = duration - range.duration
        for later in last..<edits.count { edits[later].target.start = edits[later].target.start + offset }
    }

    /// Removes empty edits at the end of the list.
    mutating func dropTrailingEmptyEdits() {
        while let last = edits.last, last.source == nil { edits.removeLast() }
    }

    /// Splits the edit that contains a time, and returns the index of the first edit that starts at it or later.
    private mutating func split(at time: CMTime) -> Int {
        if let index = edits.firstIndex(where: { $0.target.start < time && time < $0.target.end }) {
            edits.replaceSubrange(index...index, with: edits[index].split(at: time))
        }
        return edits.firstIndex { $0.target.start >= time } ?? edits.count
    }

    /// Maps a time linearly; exact if the ranges have the same duration.
    static func map(_ time: CMTime, from: CMTimeRange, to: CMTimeRange) -> CMTime {
        if from.duration == to.duration { return to.start + (time - from.start) }
        if time == from.end { return to.end }
        return CMTimeMapTimeFromRangeToRange(time, fromRange: from, toRange: to)
    }
}
