/// The file offsets and times of a track's samples.
package struct SampleMap: Sendable {
    /// A sample, or adjacent samples with the same properties, such as PCM frames.
    package struct Run: Sendable, Hashable {
        /// The file offset of the first sample.
        package var offset: Int64
        /// The size of one sample in bytes.
        package var size: UInt32
        /// The number of samples.
        package var count: UInt32
        /// The decode time of the first sample, in ticks.
        package var decodeTime: Int64
        /// The presentation time minus the decode time, in ticks.
        package var compositionOffset: Int32
        /// The duration of one sample, in ticks.
        package var duration: UInt32
        /// The index of the sample entry.
        package var entry: UInt16
        /// Whether decoding can start here.
        package var isSync: Bool
        /// Whether no other sample depends on this one.
        package var isDroppable: Bool
        /// The number of the fragment that contains it, from 1; 0 for the sample table.
        package var fragment: UInt32

        package init(
            offset: Int64, size: UInt32, count: UInt32, decodeTime: Int64, compositionOffset: Int32, duration: UInt32,
            entry: UInt16, isSync: Bool, isDroppable: Bool, fragment: UInt32
        ) {
            self.offset = offset
            self.size = size
            self.count = count
            self.decodeTime = decodeTime
            self.compositionOffset = compositionOffset
            self.duration = duration
            self.entry = entry
            self.isSync = isSync
            self.isDroppable = isDroppable
            self.fragment = fragment
        }

        /// The maximum size in bytes, and the maximum duration in ticks, of all samples. Sums with the largest file
        /// offsets and decode times do not overflow.
        private static let totalLimit = UInt64(Int64.max / 8)

        /// The size of all samples in bytes, at most an eighth of `Int64.max`.
        package var byteCount: Int64 { Self.product(size, count) }
        /// The file offset of the end.
        package var end: Int64 { offset + byteCount }
        /// The presentation time of the first sample, in ticks.
        package var presentationTime: Int64 { decodeTime + Int64(compositionOffset) }
        /// The duration of all samples in ticks, at most an eighth of `Int64.max`.
        package var totalDuration: Int64 { Self.product(duration, count) }
        /// Whether the size or the duration of all samples exceeds the maximum. The offset or time of a sample in the run
        /// could then overflow.
        package var exceedsLimits: Bool {
            UInt64(size) * UInt64(count) > Self.totalLimit || UInt64(duration) * UInt64(count) > Self.totalLimit
        }

        private static func product(_ first: UInt32, _ second: UInt32) -> Int64 {
            Int64(min(UInt64(first) * UInt64(second), totalLimit))
        }
    }

    /// The runs in decode order.
    package private(set) var runs: [Run] = []
    /// The number of samples.
    package private(set) var sampleCount: Int64 = 0
    /// The size of all samples in bytes.
    package private(set) var byteCount: Int64 = 0
    /// The end of the last presented sample, in ticks; 0 if there are no samples.
    package private(set) var presentationEnd: Int64 = 0
    /// The earliest presentation time, in ticks.
    package private(set) var presentationStart: Int64 = 0
    /// Whether presentation and decode order differ.
    package private(set) var isReordered = false
    /// Whether any presentation time differs from the decode time.
    package private(set) var hasCompositionOffsets = false

    /// Creates an empty map.
    package init() {}

    /// Whether there are no samples.
    package var isEmpty: Bool { runs.isEmpty }
    /// The decode time after the last sample, in ticks: the default for the next fragment.
    package var decodeEnd: Int64 { runs.last.map { $0.decodeTime + $0.totalDuration } ?? 0 }

    /// Appends samples, which must follow in decode order.
    package mutating func append(_ run: Run) {
        let start = run.presentationTime
        presentationStart = runs.isEmpty ? start : min(presentationStart, start)
        if let last = runs.last, start < last.presentationTime { isReordered = true }
        presentationEnd = runs.isEmpty ? start + run.totalDuration : max(presentationEnd, start + run.totalDuration)
        hasCompositionOffsets = hasCompositionOffsets || run.compositionOffset != 0
        sampleCount += Int64(run.count)
        let (sum, overflows) = byteCount.addingReportingOverflow(run.byteCount)
        byteCount = overflows ? .max : sum
        runs.append(run)
    }

    /// Reserves memory for a number of runs.
    package mutating func reserve(_ count: Int) { runs.reserveCapacity(count) }

    /// Marks the samples with these numbers (from 1) as sync samples, and no others. Each run must be one sample.
    package mutating func markSync(_ numbers: Set<UInt32>) {
        for index in runs.indices { runs[index].isSync = numbers.contains(UInt32(index + 1)) }
    }

    /// Marks the run with an index as droppable.
    package mutating func markDroppable(_ index: Int) {
        if runs.indices.contains(index) { runs[index].isDroppable = true }
    }

    /// Replaces each run with the result of a function; nil removes the run.
    package mutating func replaceRuns(_ transform: (Run) -> Run?) {
        let old = runs
        self = SampleMap()
        reserve(old.count)
        for run in old { if let run = transform(run) { append(run) } }
    }
}
