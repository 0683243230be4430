import Foundation

// The sample table.
extension MovieMapReader {
    /// A table of runs of samples with the same value (`stts`, `ctts`).
    private struct RunTable {
        var runs: [(count: UInt32, value: UInt32)] = []
        /// The index of the current run, and the number of its samples that were returned.
        private var index = 0
        private var used: UInt32 = 0

        init(repeating value: UInt32, count: UInt32) { runs = [(count, value)] }

        init(_ box: MemoryBox?) throws(ByteReader.UnexpectedEnd) {
            guard var box else { return }
            _ = try box.versionAndFlags()
            let count = try box.body.unsigned32()
            runs.reserveCapacity(min(Int(count), box.body.remaining / 8))
            for _ in 0..<count { runs.append((try box.body.unsigned32(), try box.body.unsigned32())) }
        }

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

    mutating func readSampleTable(_ box: MemoryBox, _ track: inout TrackMap) throws(ByteReader.UnexpectedEnd) {
        var boxes: [String: MemoryBox] = [:]
        for child in box.body.boxes() where boxes[child.type] == nil { boxes[child.type] = child }
        if let description = boxes["stsd"] { try readDescriptions(description, &track) }
        if track.sampleEntries.isEmpty {
            report(.error, at: box.offset, "track \(track.number) has no sample description (stsd)")
        }
        guard var sizes = boxes["stsz"] ?? boxes["stz2"] else {
            return report(.error, at: box.offset, "track \(track.number) has no sample sizes (stsz)")
        }
        var (common, list) = try Self.sizes(&sizes)
        var count = list.count > 0 ? Int64(list.count) : common.count
        var durations = try RunTable(boxes["stts"])
        let offsets = try RunTable(boxes["ctts"])
        if durations.total != count {
            report(
                durations.total < count ? .error : .warning, at: box.offset,
                "track \(track.number): stts has the durations of \(durations.total) samples, there are \(count)")
        }
        if boxes["ctts"] != nil, offsets.total != count {
            report(
                offsets.total < count ? .error : .warning, at: box.offset,
                "track \(track.number): ctts has the offsets of \(offsets.total) samples, there are \(count)")
        }
        guard count > 0 else { return }
        let chunks = try Self.chunkOffsets(boxes["co64"] ?? boxes["stco"], isLong: boxes["co64"] != nil)
        var lengths = try Self.chunkLengths(boxes["stsc"])
        if list.isEmpty, durations.runs.allSatisfy({ $0.value == 1 }),
            let packet = Self.fixedPacket(track.sampleEntries)
        {
            func packetCount(_ frameCount: Int64) -> Int64 { (frameCount + packet.frameCount - 1) / packet.frameCount }
            common.size = packet.byteCount
            count = packetCount(count)
            durations = RunTable(repeating: UInt32(clamping: packet.frameCount), count: UInt32(clamping: count))
            for index in lengths.indices {
                lengths[index].count = UInt32(clamping: packetCount(Int64(lengths[index].count)))
            }
        }
        addSamples(
            Table(
                commonSize: common.size, sizes: list, count: count, durations: durations,
                offsets: boxes["ctts"] == nil ? nil : offsets, chunks: chunks, lengths: lengths,
                hasFlags: boxes["stss"] != nil || boxes["sdtp"] != nil), &track, box.offset)
        if track.samples.sampleCount != count {
            report(
                .error, at: box.offset,
                "track \(track.number): the chunks contain \(track.samples.sampleCount) of \(count) samples")
        }
        keepSampleBoxes(box.body.boxes(), &track)
        if let sync = boxes["stss"] { try markSync(sync, &track) }
        if let dependencies = boxes["sdtp"] { try markDroppable(dependencies, &track) }
    }

    /// Returns the packets of a compressed QuickTime format with packets of a fixed size; nil for other formats. Such
    /// tracks list each decoded frame as a sample of duration 1 (QTFF, "Sound Sample Description (Version 1)").
    private static func fixedPacket(_ entries: [SampleEntry]) -> (frameCount: Int64, byteCount: UInt32)? {
        guard let entry = entries.first, !entry.isPCM, case .audio(let audio) = entry.content,
            audio.framesPerPacket > 1,
            let byteCount = UInt32(exactly: audio.bytesPerPacket), byteCount > 0
        else { return nil }
        return (Int64(audio.framesPerPacket), byteCount)
    }

    /// Adds the boxes that describe samples by their numbers to those that a copy keeps.
    private func keepSampleBoxes(_ boxes: [MemoryBox], _ track: inout TrackMap) {
        for box in boxes {
            switch box.type {
            case "sgpd", "sbgp", "csgp", "subs", "stps", "stsh", "padb", "stdp":
                track.storedBoxes?.sampleBoxes.append(box.bytes)
            default: Self.rejectAuxiliary(box, &track)
            }
        }
    }

    private mutating func readDescriptions(_ box: MemoryBox, _ track: inout TrackMap) throws(ByteReader.UnexpectedEnd) {
        var box = box
        _ = try box.versionAndFlags()
        _ = try box.body.unsigned32()
        for entry in box.body.boxes() {
            let handler = track.handler
            let count = track.sampleEntries.count
            attempt(entry.type, at: entry.offset) { _ throws(ByteReader.UnexpectedEnd) in
                track.sampleEntries.append(try SampleEntry(entry, handler: handler))
            }
            // An entry that cannot be parsed has its number, and is copied with its samples.
            if track.sampleEntries.count == count { track.sampleEntries.append(SampleEntry(unparsed: entry)) }
        }
    }

    /// Reads `stsz` or `stz2` (ISO/IEC 14496-12, 8.7.3): either a common size and the number of samples, or a list of
    /// sizes.
    private static func sizes(
        _ box: inout MemoryBox
    ) throws(ByteReader.UnexpectedEnd) -> (common: (size: UInt32, count: Int64), list: [UInt32]) {
        _ = try box.versionAndFlags()
        let first = try box.body.unsigned32()
        let count = try box.body.unsigned32()
        var list: [UInt32] = []
        if box.type == "stz2" {
            for index in 0..<count {
                switch first & 0xff {
                case 16: list.append(UInt32(try box.body.unsigned16()))
                case 8: list.append(UInt32(try box.body.unsigned8()))
                default:
                    // Two sizes per byte.
                    if index % 2 == 0 {
                        let pair = try box.body.unsigned8()
                        list.append(UInt32(pair >> 4))
                        if index + 1 < count { list.append(UInt32(pair & 15)) }
                    }
                }
            }
            return ((0, 0), list)
        }
        guard first == 0 else { return ((first, Int64(count)), []) }
        list.reserveCapacity(min(Int(count), box.body.remaining / 4))
        for _ in 0..<count { list.append(try box.body.unsigned32()) }
        return ((0, 0), list)
    }

    private static func chunkOffsets(_ box: MemoryBox?, isLong: Bool) throws(ByteReader.UnexpectedEnd) -> [Int64] {
        guard var box else { return [] }
        _ = try box.versionAndFlags()
        let count = try box.body.unsigned32()
        var offsets: [Int64] = []
        offsets.reserveCapacity(min(Int(count), box.body.remaining / 4))
        for _ in 0..<count {
            offsets.append(
                isLong ? Int64(clamping: try box.body.unsigned64()) : Int64(try box.body.unsigned32()))
        }
        return offsets
    }

    /// Reads `stsc` (ISO/IEC 14496-12, 8.7.4): runs of chunks with the number of their first chunk, from 1, the number
    /// of samples in each chunk, and the number of the sample description, from 1.
    private static func chunkLengths(
        _ box: MemoryBox?
    ) throws(ByteReader.UnexpectedEnd) -> [(first: UInt32, count: UInt32, entry: UInt32)] {
        guard var box else { return [] }
        _ = try box.versionAndFlags()
        let count = try box.body.unsigned32()
        var lengths: [(first: UInt32, count: UInt32, entry: UInt32)] = []
        for _ in 0..<count {
            lengths.append((try box.body.unsigned32(), try box.body.unsigned32(), try box.body.unsigned32()))
        }
        return lengths
    }

    /// The contents of the boxes that locate the samples of a track.
    private struct Table {
        /// The size of each sample if `sizes` is empty.
        let commonSize: UInt32
        let sizes: [UInt32]
        let count: Int64
        var durations: RunTable
        var offsets: RunTable?
        /// The file offsets of the chunks.
        let chunks: [Int64]
        let lengths: [(first: UInt32, count: UInt32, entry: UInt32)]
        /// Whether other boxes contain flags of individual samples, so that each run must be one sample.
        let hasFlags: Bool
    }

    private mutating func addSamples(_ source: Table, _ track: inout TrackMap, _ boxOffset: Int64) {
        var table = source
        var decode: Int64 = 0
        var sample: Int64 = 0
        var lengthIndex = 0
        let mergesSamples =
            track.sharesRuns(sampleByteCount: table.commonSize) && table.offsets == nil && !table.hasFlags
        let frameSize = Self.frameSize(track.sampleEntries.first, table.commonSize)
        if table.lengths.first.map({ $0.first != 1 }) ?? true {
            report(.error, at: boxOffset, "track \(track.number): stsc does not begin with the first chunk")
        }
        for (chunk, chunkOffset) in table.chunks.enumerated() {
            while lengthIndex + 1 < table.lengths.count, table.lengths[lengthIndex + 1].first <= chunk + 1 {
                lengthIndex += 1
            }
            guard lengthIndex < table.lengths.count else { return }
            let length = table.lengths[lengthIndex]
            var remaining = UInt32(clamping: min(Int64(length.count), table.count - sample))
            var offset = chunkOffset
            while remaining > 0 {
                let size = table.sizes.isEmpty ? frameSize : table.sizes[Int(sample)]
                guard let duration = table.durations.next(atMost: mergesSamples ? remaining : 1), countRuns(1) else {
                    return
                }
                let compositionOffset = table.offsets?.next(atMost: 1)?.value ?? 0
                let run = SampleMap.Run(
                    offset: offset, size: size, count: duration.count, decodeTime: decode,
                    compositionOffset: Int32(bitPattern: compositionOffset), duration: duration.value,
                    entry: UInt16(clamping: max(1, length.entry) - 1), isSync: true, isDroppable: false, fragment: 0)
                let (byteEnd, overflows) = offset.addingReportingOverflow(run.byteCount)
                guard !overflows, decode < Int64.max / 4 else {
                    return report(
                        .error, at: boxOffset, "track \(track.number): chunk \(chunk + 1) has an invalid offset or time"
                    )
                }
                track.samples.append(run)
                offset = byteEnd
                decode += run.totalDuration
                sample += Int64(duration.count)
                remaining -= duration.count
            }
        }
    }

    /// Returns the size of one sample in bytes. Old QuickTime files specify 1 for all uncompressed audio; in that case
    /// it is the size of a frame.
    private static func frameSize(_ entry: SampleEntry?, _ commonSize: UInt32) -> UInt32 {
        guard commonSize == 1, let entry, let linear = LinearFormat(entry), case .audio(let audio) = entry.content
        else {
            return commonSize
        }
        return UInt32(clamping: max(1, linear.bitsPerChannel / 8 * audio.channelCount))
    }

    /// Reads `stss` (ISO/IEC 14496-12, 8.6.2).
    private mutating func markSync(_ box: MemoryBox, _ track: inout TrackMap) throws(ByteReader.UnexpectedEnd) {
        var box = box
        _ = try box.versionAndFlags()
        let count = try box.body.unsigned32()
        var numbers: Set<UInt32> = []
        var last: UInt32 = 0
        for _ in 0..<count {
            let number = try box.body.unsigned32()
            if number <= last || Int64(number) > track.samples.sampleCount {
                report(
                    number <= last ? .error : .warning, at: box.offset,
                    "track \(track.number): stss lists sample \(number) after \(last) of \(track.samples.sampleCount)")
            }
            last = number
            numbers.insert(number)
        }
        track.samples.markSync(numbers)
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
