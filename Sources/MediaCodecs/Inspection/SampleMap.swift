/// Where a track's samples are in the file, and when they are decoded and presented.
package struct SampleMap: Sendable {
    /// A sample, or so many alike that lie one after the other, as PCM's frames do.
    package struct Run: Sendable, Hashable {
        package var offset: Int64
        /// Bytes of one sample.
        package var size: UInt32
        package var count: UInt32
        /// Of the first, in ticks.
        package var decodeTime: Int64
        /// Presentation minus decode time, in ticks.
        package var compositionOffset: Int32
        /// Of one, in ticks.
        package var duration: UInt32
        /// The number of the sample entry, from 0.
        package var entry: UInt16
        package var isSync: Bool
        /// Whether no other sample needs this one.
        package var isDroppable: Bool
        /// The number of the fragment that tells of it, from 1; 0 for the sample table.
        package var fragment: UInt32

        /// No more than an eighth of what fits, so that sums of broken values do not overflow.
        package var byteCount: Int64 { Self.product(size, count) }
        package var end: Int64 { offset + byteCount }
        package var presentationTime: Int64 { decodeTime + Int64(compositionOffset) }
        /// Of all, in ticks.
        package var totalDuration: Int64 { Self.product(duration, count) }

        private static func product(_ first: UInt32, _ second: UInt32) -> Int64 {
            Int64(min(UInt64(first) * UInt64(second), UInt64(Int64.max / 8)))
        }
    }

    /// In decode order.
    package private(set) var runs: [Run] = []
    package private(set) var sampleCount: Int64 = 0
    package private(set) var byteCount: Int64 = 0
    /// The end of the last presentation, in ticks; 0 where there are no samples.
    package private(set) var presentationEnd: Int64 = 0
    /// The earliest presentation, in ticks.
    package private(set) var presentationStart: Int64 = 0
    /// Whether presentation and decode order differ.
    package private(set) var isReordered = false
    package private(set) var hasCompositionOffsets = false

    package init() {}

    package var isEmpty: Bool { runs.isEmpty }
    /// Where the next fragment's samples begin that do not say so.
    package var decodeEnd: Int64 { runs.last.map { $0.decodeTime + $0.totalDuration } ?? 0 }

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

    package mutating func reserve(_ count: Int) { runs.reserveCapacity(count) }

    /// Marks the sample that the table calls `number`, from 1, as one to begin decoding at.
    mutating func markSync(_ numbers: Set<UInt32>) {
        for index in runs.indices { runs[index].isSync = numbers.contains(UInt32(index + 1)) }
    }

    mutating func markDroppable(_ index: Int) {
        if runs.indices.contains(index) { runs[index].isDroppable = true }
    }

    /// Keeps the samples for which this holds.
    package mutating func keep(_ condition: (Run) -> Bool) {
        let old = runs
        self = SampleMap()
        for run in old where condition(run) { append(run) }
    }
}
