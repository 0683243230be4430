import Foundation
import MediaCodecs

// The sample table.
extension MovieMapReader {
    /// A table of runs of samples with the same value (`stts`, `ctts`).
    struct RunTable {
        var runs: [(count: UInt32, value: UInt32)] = []
        /// The index of the current run, and the number of its samples that were returned.
        private var index = 0
        private var used: UInt32 = 0

        init(_ runs: [(count: UInt32, value: UInt32)]) { self.runs = runs }

        var total: Int64 { runs.reduce(0) { $0 + Int64($1.count) } }

        /// Returns the value of the next samples, and the number of these samples, at most `limit`; nil if the table is
        /// empty. The last value applies to all samples after the end of the table.
        mutating func next(atMost limit: UInt32) -> (count: UInt32, value: UInt32)? {
            while index < runs.count, used >= runs[index].count {
                index += 1
                used = 0
            }
            guard index < runs.count else { return runs.last.map { (limit, $0.value) } }
            let count = min(limit, runs[index].count - used)
            used += count
            return (count, runs[index].value)
        }
    }

    /// The sizes of samples (`stsz`, `stz2`).
    struct SampleSizes {
        /// The size in bytes of each sample if `list` is empty.
        var common: UInt32 = 0
        /// The sizes in the file, which can be fewer than `declaredCount` if the box is damaged.
        var list: [UInt32] = []
        /// The number of samples according to the box.
        var declaredCount: Int64 = 0
        /// The number of sizes that fit into the box.
        var capacity: Int64 = 0

        /// The number of samples with a known size.
        var count: Int64 { common == 0 ? Int64(list.count) : declaredCount }
    }

    /// A run of chunks with the same number of samples (`stsc`).
    struct ChunkRun {
        /// The number of the first chunk, from 1.
        var first: UInt32
        /// The number of samples in each chunk.
        var sampleCount: UInt32
        /// The number of the sample description, from 1.
        var entry: UInt32
    }

    /// The contents of the boxes that locate the samples of a track.
    struct SampleTableContents {
        var sizes: SampleSizes
        var durations: RunTable
        /// Nil if presentation times are decode times.
        var compositionOffsets: RunTable?
        /// The file offsets of the chunks.
        let chunks: [Int64]
        var chunkRuns: [ChunkRun]
        /// Whether other boxes contain flags of individual samples, so that each run must be one sample.
        let hasFlags: Bool

        /// The number of samples that the chunks can contain. In a valid file, the last chunk can have fewer samples.
        var chunkCapacity: Int64 {
            var capacity: Int64 = 0
            let end = Int64(chunks.count) + 1
            for (index, run) in chunkRuns.enumerated() {
                let first = index == 0 ? 1 : Int64(run.first)
                let next = index + 1 < chunkRuns.count ? min(end, Int64(chunkRuns[index + 1].first)) : end
                capacity = min(Int64.max / 4, capacity + max(0, next - first) * Int64(run.sampleCount))
            }
            return capacity
        }
    }

    /// Reads `stbl`. Tables that end early are used as far as they exist.
    mutating func readSampleTable(_ box: MemoryBox, _ track: inout TrackMap) throws(ByteReader.UnexpectedEnd) {
        let allBoxes = children(of: box)
        var boxes: [String: MemoryBox] = [:]
        for child in allBoxes where boxes[child.type] == nil { boxes[child.type] = child }
        if let description = boxes["stsd"] { try readDescriptions(description, &track) }
        if track.sampleEntries.isEmpty {
            reportLoss(at: box.offset, "track \(track.number) has no sample description (stsd)")
        }
        guard let sizes = boxes["stsz"] ?? boxes["stz2"] else {
            return reportLoss(at: box.offset, "track \(track.number) has no sample sizes (stsz)")
        }
        var contents = SampleTableContents(
            sizes: try readSizes(sizes, track), durations: RunTable(readRuns(boxes["stts"], track)),
            compositionOffsets: boxes["ctts"].map { RunTable(readRuns($0, track)) },
            chunks: readChunkOffsets(boxes["co64"] ?? boxes["stco"], track),
            chunkRuns: readChunkRuns(boxes["stsc"], track),
            hasFlags: boxes["stss"] != nil || boxes["sdtp"] != nil)
        checkCounts(contents, track, box.offset)
        if contents.sizes.count > 0 {
            contents.convertFramesToPackets(of: track)
            addSamples(contents, &track, box.offset)
            if track.samples.sampleCount != contents.sizes.count {
                reportLoss(
                    at: box.offset,
                    "track \(track.number): the chunks contain \(track.samples.sampleCount) of "
                        + "\(contents.sizes.count) samples")
            }
            if let sync = boxes["stss"] { markSync(sync, &track) }
            if let dependencies = boxes["sdtp"] { try markDroppable(dependencies, &track) }
        }
        keepSampleBoxes(allBoxes, &track)
    }

    /// Compares the numbers of samples in the tables.
    private mutating func checkCounts(_ contents: SampleTableContents, _ track: TrackMap, _ offset: Int64) {
        let count = contents.sizes.count
        var tables = [("stts", "durations", contents.durations)]
        if let offsets = contents.compositionOffsets { tables.append(("ctts", "offsets", offsets)) }
        for (type, name, table) in tables where table.total != count {
            report(
                table.total < count ? .error : .warning, at: offset,
                "track \(track.number): \(type) has the \(name) of \(table.total) samples, there are \(count)")
        }
        // The count in stsz can be too small. Then more samples exist if stts counts them and stsz has sizes for them.
        // The chunks limit the number in any case.
        let uncounted = min(contents.durations.total, contents.sizes.capacity)
        let expected = min(max(contents.sizes.declaredCount, uncounted), contents.chunkCapacity)
        if expected > count {
            reportLoss(
                at: offset,
                "track \(track.number): the sizes of \(expected - count) of \(expected) samples are missing (stsz)")
        }
    }

    /// Adds the boxes that describe samples in their order to those that a copy keeps. A track with boxes that describe
    /// data outside of the samples cannot be copied.
    private func keepSampleBoxes(_ boxes: [MemoryBox], _ track: inout TrackMap) {
        for box in boxes {
            switch box.type {
            case "sgpd", "sbgp", "csgp", "sdtp", "subs", "stps", "stsh", "padb", "stdp":
                track.storedBoxes?.sampleBoxes.append(box.bytes)
            case _ where Self.auxiliaryTypes.contains(box.type): Self.rejectAuxiliary(box, &track)
            default: break
            }
        }
    }

    private mutating func readDescriptions(_ box: MemoryBox, _ track: inout TrackMap) throws(ByteReader.UnexpectedEnd) {
        var box = box
        _ = try box.versionAndFlags()
        let declaredCount = try box.body.unsigned32()
        let entries = box.body.completeBoxes()
        if entries.count != Int(declaredCount) || box.body.rest().contains(where: { $0 != 0 }) {
            reportLoss(
                at: box.offset,
                "track \(track.number): stsd has \(entries.count) complete sample descriptions of \(declaredCount), or "
                    + "other bytes after them")
        }
        for entry in entries {
            let handler = track.handler
            let count = track.sampleEntries.count
            read(entry.type, at: entry.offset, isEssential: false) { _ throws(ByteReader.UnexpectedEnd) in
                track.sampleEntries.append(try SampleEntry(entry, handler: handler))
            }
            // An entry that cannot be parsed has its number, and is copied with its samples.
            if track.sampleEntries.count == count { track.sampleEntries.append(SampleEntry(unparsed: entry)) }
        }
    }

    // MARK: Tables

    /// Reads a table with a number of entries; if the box ends early, reports it and returns the entries that exist.
    ///
    /// - Parameters:
    ///   - byteCount: The size of an entry in bytes.
    ///   - read: Reads an entry.
    private mutating func readTable<Entry>(
        _ box: MemoryBox?, _ track: TrackMap, byteCount: Int,
        _ read: (inout ByteReader) throws(ByteReader.UnexpectedEnd) -> Entry
    ) -> [Entry] {
        guard var box else { return [] }
        var entries: [Entry] = []
        do throws(ByteReader.UnexpectedEnd) {
            _ = try box.versionAndFlags()
            let count = try box.body.unsigned32()
            entries.reserveCapacity(min(Int(count), box.body.remaining / byteCount))
            for _ in 0..<count { entries.append(try read(&box.body)) }
        } catch {
            report(
                .error, at: box.offset,
                "track \(track.number): the \(box.type) box is incomplete: it ends after \(entries.count) entries")
        }
        return entries
    }

    /// Reads `stts` or `ctts` (ISO/IEC 14496-12, 8.6.1).
    private mutating func readRuns(_ box: MemoryBox?, _ track: TrackMap) -> [(count: UInt32, value: UInt32)] {
        readTable(box, track, byteCount: 8) { reader throws(ByteReader.UnexpectedEnd) in
            (try reader.unsigned32(), try reader.unsigned32())
        }
    }

    /// Reads `stsz` or `stz2` (ISO/IEC 14496-12, 8.7.3): either a common size and the number of samples, or a list of
    /// sizes.
    private mutating func readSizes(
        _ box: MemoryBox, _ track: TrackMap
    ) throws(ByteReader.UnexpectedEnd) -> SampleSizes {
        var box = box
        _ = try box.versionAndFlags()
        let first = try box.body.unsigned32()
        var sizes = SampleSizes(declaredCount: Int64(try box.body.unsigned32()))
        let bitCount: Int
        if box.type == "stsz" {
            sizes.common = first
            if first > 0 { return sizes }
            bitCount = 32
        } else {
            bitCount = Int(first & 0xff)
            guard [4, 8, 16].contains(bitCount) else {
                reportLoss(
                    at: box.offset, "track \(track.number): sizes of \(bitCount) bits are invalid (stz2)")
                return sizes
            }
        }
        sizes.capacity = Int64(box.body.remaining) * 8 / Int64(bitCount)
        if sizes.capacity < sizes.declaredCount {
            report(
                .error, at: box.offset,
                "track \(track.number): the \(box.type) box is incomplete: it ends after \(sizes.capacity) entries")
        }
        let count = Int(min(sizes.capacity, sizes.declaredCount))
        sizes.list.reserveCapacity(count)
        while sizes.list.count < count {
            switch bitCount {
            case 32: sizes.list.append(try box.body.unsigned32())
            case 16: sizes.list.append(UInt32(try box.body.unsigned16()))
            case 8: sizes.list.append(UInt32(try box.body.unsigned8()))
            default:
                // Two sizes per byte.
                let pair = try box.body.unsigned8()
                sizes.list.append(UInt32(pair >> 4))
                if sizes.list.count < count { sizes.list.append(UInt32(pair & 15)) }
            }
        }
        return sizes
    }

    /// Reads `stco` or `co64` (ISO/IEC 14496-12, 8.7.5).
    private mutating func readChunkOffsets(_ box: MemoryBox?, _ track: TrackMap) -> [Int64] {
        let isLong = box?.type == "co64"
        return readTable(box, track, byteCount: isLong ? 8 : 4) { reader throws(ByteReader.UnexpectedEnd) in
            isLong ? Int64(clamping: try reader.unsigned64()) : Int64(try reader.unsigned32())
        }
    }

    /// Reads `stsc` (ISO/IEC 14496-12, 8.7.4).
    private mutating func readChunkRuns(_ box: MemoryBox?, _ track: TrackMap) -> [ChunkRun] {
        readTable(box, track, byteCount: 12) { reader throws(ByteReader.UnexpectedEnd) in
            ChunkRun(
                first: try reader.unsigned32(), sampleCount: try reader.unsigned32(), entry: try reader.unsigned32())
        }
    }

    // MARK: Samples

    /// Adds the samples of the chunks to a track, up to the first one that cannot be located.
    private mutating func addSamples(_ source: SampleTableContents, _ track: inout TrackMap, _ boxOffset: Int64) {
        var contents = source
        var decode: Int64 = 0
        var sampleIndex: Int64 = 0
        var chunkRunIndex = 0
        let commonSize = contents.sizes.common
        let mergesSamples =
            track.sharesRuns(sampleByteCount: commonSize) && contents.compositionOffsets == nil && !contents.hasFlags
        let frameSize = Self.frameSize(track.sampleEntries.first, commonSize)
        if contents.chunkRuns.first.map({ $0.first != 1 }) ?? true {
            report(.error, at: boxOffset, "track \(track.number): stsc does not begin with the first chunk")
        }
        for (chunkIndex, chunkOffset) in contents.chunks.enumerated() {
            while chunkRunIndex + 1 < contents.chunkRuns.count,
                contents.chunkRuns[chunkRunIndex + 1].first <= chunkIndex + 1
            {
                chunkRunIndex += 1
            }
            guard chunkRunIndex < contents.chunkRuns.count else { return }
            let chunkRun = contents.chunkRuns[chunkRunIndex]
            var remaining = UInt32(clamping: min(Int64(chunkRun.sampleCount), contents.sizes.count - sampleIndex))
            var offset = chunkOffset
            while remaining > 0 {
                let size = contents.sizes.list.isEmpty ? frameSize : contents.sizes.list[Int(sampleIndex)]
                guard let duration = contents.durations.next(atMost: mergesSamples ? remaining : 1), countRun() else {
                    return
                }
                let compositionOffset = contents.compositionOffsets?.next(atMost: 1)?.value ?? 0
                let run = SampleMap.Run(
                    offset: offset, size: size, count: duration.count, decodeTime: decode,
                    compositionOffset: Int32(bitPattern: compositionOffset), duration: duration.value,
                    entry: UInt16(clamping: max(1, chunkRun.entry) - 1), isSync: true, isDroppable: false, fragment: 0)
                let (byteEnd, overflows) = offset.addingReportingOverflow(run.byteCount)
                guard !overflows, !run.exceedsLimits, decode < Int64.max / 4 else {
                    return report(
                        .error, at: boxOffset,
                        "track \(track.number): chunk \(chunkIndex + 1) has an invalid offset, size or time")
                }
                track.samples.append(run)
                offset = byteEnd
                decode += run.totalDuration
                sampleIndex += Int64(duration.count)
                remaining -= duration.count
            }
        }
    }

    /// Reads `stss` (ISO/IEC 14496-12, 8.6.2).
    private mutating func markSync(_ box: MemoryBox, _ track: inout TrackMap) {
        let numbers = readTable(box, track, byteCount: 4) { reader throws(ByteReader.UnexpectedEnd) in
            try reader.unsigned32()
        }
        var last: UInt32 = 0
        for number in numbers {
            if number <= last {
                report(.error, at: box.offset, "track \(track.number): stss lists sample \(number) after \(last)")
            } else if Int64(number) > track.samples.sampleCount {
                report(
                    .warning, at: box.offset,
                    "track \(track.number): stss lists sample \(number) of \(track.samples.sampleCount)")
            }
            last = number
        }
        track.samples.markSync(Set(numbers))
    }

    /// Reads `sdtp` (ISO/IEC 14496-12, 8.6.4).
    private mutating func markDroppable(_ box: MemoryBox, _ track: inout TrackMap) throws(ByteReader.UnexpectedEnd) {
        var box = box
        _ = try box.versionAndFlags()
        // Players ignore an incomplete table.
        for index in track.samples.runs.indices {
            guard let flags = try? box.body.unsigned8() else {
                return report(
                    .warning, at: box.offset,
                    "track \(track.number): sdtp describes \(index) of \(track.samples.runs.count) samples")
            }
            if flags >> 2 & 3 == 2 { track.samples.markDroppable(index) }
        }
    }
}
