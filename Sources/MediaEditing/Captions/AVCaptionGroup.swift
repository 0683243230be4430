import CaptureHAL
public import Foundation
import MediaAssets
public import MediaTypes

/// The captions that are shown during a time range.
public final class AVCaptionGroup: NSObject, Sendable {
    /// In the order of the initializer's argument, or in the order in which they were added to a grouper.
    public let captions: [AVCaption]
    public let timeRange: CMTimeRange

    /// Creates a group.
    ///
    /// - Parameter captions: Captions within the time range. A caption that is not within it is misuse.
    public init(captions: [AVCaption], timeRange: CMTimeRange) {
        self.captions = captions
        self.timeRange = timeRange
        super.init()
        if !captions.allSatisfy({ CMTimeRangeContainsTimeRange(timeRange, otherRange: $0.timeRange) }) {
            CaptureSystem.current.misuse.report(
                .invalidArgument,
                "-[AVCaptionGroup initWithCaptions:timeRange:] the time range of each caption must be within that of the "
                    + "group")
        }
    }

    /// Creates a group without captions.
    public convenience init(timeRange: CMTimeRange) { self.init(active: [], timeRange: timeRange) }

    /// Creates a group of captions that may start before the time range and end after it.
    init(active captions: [AVCaption], timeRange: CMTimeRange) {
        self.captions = captions
        self.timeRange = timeRange
        super.init()
    }
}

/// Divides captions, which may overlap, into groups. A group starts at each time at which a caption starts or ends.
///
/// - Important: Thread-safe.
public final class AVCaptionGrouper: NSObject, Sendable {
    private struct Entry {
        let caption: AVCaption
        let timeRange: CMTimeRange
    }

    private struct State {
        var entries: [Entry] = []
        /// The end of the last group; nil before the first one.
        var end: CMTime?
    }

    private let state = Lock(State())

    /// Adds a caption. Groups that were returned before do not contain it.
    public func add(_ input: AVCaption) {
        let entry = Entry(caption: input, timeRange: input.timeRange)
        state.withLock { $0.entries.append(entry) }
    }

    /// Returns the groups that end at or before a time and were not returned before. A gap between captions is a group
    /// without captions.
    public func flushAddedCaptions(upTo upToTime: CMTime) -> [AVCaptionGroup] {
        state.withLock { state in
            let boundaries = state.entries.flatMap { [$0.timeRange.start, $0.timeRange.end] }
            let first = state.end ?? .negativeInfinity
            let times = (boundaries + [first]).filter { $0.isNumeric && $0 >= first && $0 <= upToTime }.sorted()
            var groups: [AVCaptionGroup] = []
            for (start, end) in zip(times, times.dropFirst()) where start < end {
                let active = state.entries.filter { $0.timeRange.start <= start && $0.timeRange.end > start }
                groups.append(
                    AVCaptionGroup(active: active.map(\.caption), timeRange: CMTimeRange(start: start, end: end)))
            }
            if let end = times.last {
                state.end = end
                state.entries.removeAll { $0.timeRange.end <= end }
            }
            return groups
        }
    }
}
