import Foundation

// `moof` boxes (ISO/IEC 14496-12, 8.8).
extension MovieMapReader {
    /// The header of a track fragment (`tfhd`, 8.8.7).
    private struct TrackFragmentHeader {
        var base: Int64
        var defaults: Defaults
        var number: UInt32
    }

    /// Reads a `moof` box.
    mutating func readFragment(_ body: ByteReader, _ box: MovieMap.Box) throws(ByteReader.UnexpectedEnd) {
        var fragment = MovieMap.Fragment(
            sequenceNumber: 0, offset: box.offset, byteCount: box.byteCount, tracks: [])
        let number = UInt32(map.fragments.count + 1)
        // The end of the previous track fragment's data is the default base offset (8.8.7.1).
        var dataEnd = box.offset
        for child in body.boxes() {
            if child.type == "mfhd" {
                var header = child
                _ = try header.versionAndFlags()
                fragment.sequenceNumber = try header.body.unsigned32()
            } else if child.type == "traf" {
                attempt("traf", at: child.offset) { reader throws(ByteReader.UnexpectedEnd) in
                    let trackFragment = try reader.readTrackFragment(child, of: box, number, &dataEnd)
                    if let trackFragment { fragment.tracks.append(trackFragment) }
                }
            }
        }
        if let last = map.fragments.last, fragment.sequenceNumber <= last.sequenceNumber {
            report(
                .warning, at: box.offset,
                "fragment number \(fragment.sequenceNumber) follows number \(last.sequenceNumber)")
        }
        map.fragments.append(fragment)
    }

    /// Reads a `traf` box.
    ///
    /// - Parameters:
    ///   - fragment: The number of the fragment, from 1.
    ///   - dataEnd: The file offset of the end of the previous track fragment's data; updated to that of this one.
    private mutating func readTrackFragment(
        _ traf: MemoryBox, of moof: MovieMap.Box, _ fragment: UInt32, _ dataEnd: inout Int64
    ) throws(ByteReader.UnexpectedEnd) -> MovieMap.Fragment.TrackFragment? {
        let boxes = traf.body.boxes()
        guard let first = boxes.first(where: { $0.type == "tfhd" }) else {
            report(.error, at: traf.offset, "a track fragment has no header (tfhd)")
            return nil
        }
        let header = try readTrackFragmentHeader(first, moof: moof, dataEnd)
        guard let index = map.tracks.firstIndex(where: { $0.number == header.number }) else {
            report(.error, at: traf.offset, "the fragment has samples of track \(header.number), which does not exist")
            return nil
        }
        let groups = "the sample groups in the fragments of track \(header.number)"
        if boxes.contains(where: { ["sbgp", "sgpd", "csgp"].contains($0.type) }),
            !map.tracks[index].omittedBoxes.contains(groups)
        {
            map.tracks[index].omittedBoxes.append(groups)
        }
        for box in boxes where Self.isAuxiliary(box) {
            let reason = "the '\(box.type)' boxes of its fragments describe data outside of the samples"
            if map.tracks[index].uncopiableBoxes.last != reason { map.tracks[index].uncopiableBoxes.append(reason) }
        }
        var decode = map.tracks[index].samples.decodeEnd
        if var box = boxes.first(where: { $0.type == "tfdt" }) {
            let isLong = try box.versionAndFlags().version == 1
            let start = isLong ? Int64(clamping: try box.body.unsigned64()) : Int64(try box.body.unsigned32())
            if let last = map.tracks[index].samples.runs.last, start != decode {
                // A sample whose end is cut by a few ticks is presented, one that begins later than the next is not.
                report(
                    start <= last.decodeTime ? .error : .warning, at: box.offset,
                    "track \(header.number): fragment \(fragment) begins at tick \(start), the previous one ends at \(decode)"
                )
            }
            decode = start
        }
        var trackFragment = MovieMap.Fragment.TrackFragment(
            trackNumber: header.number, decodeTime: decode, sampleCount: 0, mediaByteCount: 0)
        var position = header.base
        for run in boxes where run.type == "trun" {
            try readRun(run, header, index, fragment, &decode, &position, &trackFragment)
        }
        dataEnd = position
        return trackFragment
    }

    /// Whether a box of a track fragment describes data outside of the samples. The `uuid` is that of `senc` in
    /// Microsoft's PIFF.
    private static func isAuxiliary(_ box: MemoryBox) -> Bool {
        var body = box.body
        return auxiliaryTypes.contains(box.type) || box.type == "uuid" && (try? body.unsigned32()) == 0xa239_4f52
    }

    private func readTrackFragmentHeader(
        _ box: MemoryBox, moof: MovieMap.Box, _ dataEnd: Int64
    ) throws(ByteReader.UnexpectedEnd) -> TrackFragmentHeader {
        var box = box
        let flags = try box.versionAndFlags().flags
        let number = try box.body.unsigned32()
        var header = TrackFragmentHeader(base: dataEnd, defaults: defaults[number] ?? Defaults(), number: number)
        if flags & 0x1 != 0 {
            header.base = Int64(clamping: try box.body.unsigned64())
        } else if flags & 0x2_0000 != 0 {
            header.base = moof.offset
        }
        if flags & 0x2 != 0 { header.defaults.entry = try box.body.unsigned32() }
        if flags & 0x8 != 0 { header.defaults.duration = try box.body.unsigned32() }
        if flags & 0x10 != 0 { header.defaults.size = try box.body.unsigned32() }
        if flags & 0x20 != 0 { header.defaults.flags = try box.body.unsigned32() }
        return header
    }

    /// Reads `trun` (ISO/IEC 14496-12, 8.8.8).
    private mutating func readRun(
        _ box: MemoryBox, _ header: TrackFragmentHeader, _ index: Int, _ fragment: UInt32, _ decode: inout Int64,
        _ position: inout Int64, _ trackFragment: inout MovieMap.Fragment.TrackFragment
    ) throws(ByteReader.UnexpectedEnd) {
        var box = box
        let flags = try box.versionAndFlags().flags
        let count = try box.body.unsigned32()
        if flags & 0x1 != 0 {
            position = header.base.addingReportingOverflow(Int64(try box.body.signed32())).partialValue
        }
        let firstFlags = flags & 0x4 != 0 ? try box.body.unsigned32() : nil
        // Frames of PCM with default properties only are added as one run.
        if flags & 0xf04 == 0, map.tracks[index].sharesRuns(sampleByteCount: header.defaults.size) {
            let before = map.tracks[index].samples.sampleCount
            add(
                Sample(duration: header.defaults.duration, size: header.defaults.size, flags: header.defaults.flags),
                count, header, index, fragment, &decode, &position, &trackFragment, at: box.offset)
            let addedCount = map.tracks[index].samples.sampleCount - before
            map.tracks[index].missingSampleCount += Int64(count) - addedCount
            return
        }
        for number in 0..<count {
            var sample = Sample(
                duration: header.defaults.duration, size: header.defaults.size, flags: header.defaults.flags)
            if flags & 0x100 != 0 { sample.duration = try box.body.unsigned32() }
            if flags & 0x200 != 0 { sample.size = try box.body.unsigned32() }
            if flags & 0x400 != 0 { sample.flags = try box.body.unsigned32() }
            if flags & 0x800 != 0 { sample.compositionOffset = try box.body.signed32() }
            if number == 0, let firstFlags { sample.flags = firstFlags }
            guard flags & 0xf00 != 0 || number < 1 << 20 else {
                return report(.error, at: box.offset, "a run of \(count) samples has no sample properties")
            }
            guard add(sample, 1, header, index, fragment, &decode, &position, &trackFragment, at: box.offset) else {
                map.tracks[index].missingSampleCount += Int64(count - number)
                return
            }
        }
    }

    /// The properties of a sample in `trun`.
    private struct Sample {
        var duration: UInt32
        var size: UInt32
        var flags: UInt32
        var compositionOffset: Int32 = 0
    }

    /// Adds samples, except those that are incomplete in the file.
    ///
    /// - Returns: False if the file ends within the samples, or if their offset or time is invalid.
    @discardableResult
    private mutating func add(
        _ sample: Sample, _ count: UInt32, _ header: TrackFragmentHeader, _ index: Int, _ fragment: UInt32,
        _ decode: inout Int64, _ position: inout Int64, _ trackFragment: inout MovieMap.Fragment.TrackFragment,
        at offset: Int64
    ) -> Bool {
        var run = SampleMap.Run(
            offset: position, size: sample.size, count: count, decodeTime: decode,
            compositionOffset: sample.compositionOffset, duration: sample.duration,
            entry: UInt16(clamping: max(1, header.defaults.entry) - 1), isSync: sample.flags & 0x1_0000 == 0,
            isDroppable: sample.flags >> 22 & 3 == 2, fragment: fragment)
        guard position >= 0, position <= map.byteCount, decode >= 0, decode < Int64.max / 4, countRuns(1) else {
            report(
                .error, at: offset,
                "track \(header.number): a sample of fragment \(fragment) has an invalid offset or time")
            return false
        }
        let isComplete = run.byteCount <= map.byteCount - position
        if !isComplete {
            report(
                .error, at: position,
                "track \(header.number): the file ends within the samples of fragment \(fragment)")
            run.count = sample.size > 0 ? UInt32(clamping: (map.byteCount - position) / Int64(sample.size)) : 0
        }
        guard run.count > 0 else { return isComplete }
        map.tracks[index].samples.append(run)
        trackFragment.sampleCount += Int(run.count)
        trackFragment.mediaByteCount += run.byteCount
        decode += run.totalDuration
        position = run.end
        return isComplete
    }
}
