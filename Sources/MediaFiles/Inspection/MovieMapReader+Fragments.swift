import Foundation
import MediaCodecs

// `moof` boxes (ISO/IEC 14496-12, 8.8).
extension MovieMapReader {
    /// The header of a track fragment (`tfhd`, 8.8.7).
    private struct TrackFragmentHeader {
        let trackNumber: UInt32
        /// The file offset to which data offsets are relative; nil if it is the end of data that could not be read.
        let base: Int64?
        let defaults: Defaults
    }

    /// Reads a `moof` box.
    ///
    /// - Parameter isLast: Whether no fragment follows. Its samples can be incomplete in an interrupted recording.
    mutating func readFragment(
        _ moof: MemoryBox, _ box: MovieMap.Box, isLast: Bool
    ) throws(ByteReader.UnexpectedEnd) {
        var fragment = MovieMap.Fragment(
            sequenceNumber: 0, offset: box.offset, byteCount: box.byteCount, tracks: [])
        // The end of the previous track fragment's data is the default base offset (8.8.7.1); nil if it is unknown.
        var dataEnd: Int64? = box.offset
        for child in children(of: moof) {
            if child.type == "mfhd" {
                read("mfhd", at: child.offset, isEssential: false) { _ throws(ByteReader.UnexpectedEnd) in
                    var header = child
                    _ = try header.versionAndFlags()
                    fragment.sequenceNumber = try header.body.unsigned32()
                }
            } else if child.type == "traf" {
                let start = dataEnd
                dataEnd = nil
                read("traf", at: child.offset) { reader throws(ByteReader.UnexpectedEnd) in
                    guard let part = try reader.readTrackFragment(child, of: box, isLast: isLast, dataEnd: start)
                    else { return }
                    fragment.tracks.append(part.result)
                    dataEnd = part.isComplete ? part.fileOffset : nil
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
    /// - Parameter dataEnd: The file offset of the end of the previous track fragment's data; nil if it is unknown.
    /// - Returns: The reader after the last sample; nil if the samples cannot be assigned to a track.
    private mutating func readTrackFragment(
        _ traf: MemoryBox, of moof: MovieMap.Box, isLast: Bool, dataEnd: Int64?
    ) throws(ByteReader.UnexpectedEnd) -> TrackFragmentReader? {
        let boxes = children(of: traf)
        guard let first = boxes.first(where: { $0.type == "tfhd" }) else {
            reportLoss(at: traf.offset, "the track fragment at byte \(traf.offset) has no header (tfhd)")
            return nil
        }
        let header = try readTrackFragmentHeader(first, moof: moof, dataEnd)
        guard let trackIndex = map.tracks.firstIndex(where: { $0.number == header.trackNumber }) else {
            reportLoss(
                at: traf.offset,
                "the fragment at byte \(moof.offset) has samples of track \(header.trackNumber), which does not exist")
            return nil
        }
        rejectAuxiliaryBoxes(boxes, &map.tracks[trackIndex])
        let fragmentNumber = UInt32(map.fragments.count + 1)
        var decodeTime = map.tracks[trackIndex].samples.decodeEnd
        if var box = boxes.first(where: { $0.type == "tfdt" }) {
            let isLong = try box.versionAndFlags().version == 1
            let start = isLong ? Int64(clamping: try box.body.unsigned64()) : Int64(try box.body.unsigned32())
            if let last = map.tracks[trackIndex].samples.runs.last, start != decodeTime {
                // A sample that ends a few ticks early is presented. One that begins after the next one is not.
                report(
                    start <= last.decodeTime ? .error : .warning, at: box.offset,
                    "track \(header.trackNumber): fragment \(fragmentNumber) begins at tick \(start), the previous "
                        + "one ends at \(decodeTime)")
            }
            decodeTime = start
        }
        var reader = TrackFragmentReader(
            header: header, trackIndex: trackIndex, fragmentNumber: fragmentNumber, isLast: isLast,
            fileOffset: header.base, decodeTime: decodeTime)
        let firstSample = map.tracks[trackIndex].samples.sampleCount
        for box in boxes where box.type == "trun" && reader.isComplete { reader.readRun(box, in: &self) }
        if boxes.contains(where: { SampleGroups.boxTypes.contains($0.type) }) {
            let track = map.tracks[trackIndex]
            sampleGroups[trackIndex, default: SampleGroups(track.storedBoxes?.sampleBoxes ?? [])]
                .add(boxes, ofSamples: firstSample..<track.samples.sampleCount)
        }
        return reader
    }

    /// Adds the sample groups of the fragments to the boxes of the tracks that a copy keeps.
    mutating func keepSampleGroups() {
        for (trackIndex, groups) in sampleGroups {
            map.tracks[trackIndex].storedBoxes?.replaceSampleGroups(with: groups.boxes)
            let number = map.tracks[trackIndex].number
            map.tracks[trackIndex].omittedBoxes += groups.rejectedTypes.map {
                "the sample groups of type '\($0)' in the fragments of track \(number)"
            }
        }
    }

    /// Adds the dependencies between the samples of fragments to the boxes of the tracks that a copy keeps, unless they
    /// follow from the sync samples and droppable samples.
    mutating func keepFragmentDependencies() {
        for (trackIndex, dependencies) in fragmentDependencies {
            var samples = map.tracks[trackIndex].samples.runs[...]
            samples = samples.drop { $0.fragment == 0 }
            let isImplied = zip(samples, dependencies).allSatisfy { run, flags in
                let (leading, dependsOn, isDependedOn, redundancy) = (
                    flags >> 6, flags >> 4 & 3, flags >> 2 & 3, flags & 3
                )
                return leading == 0 && redundancy == 0 && dependsOn != (run.isSync ? 1 : 2) && isDependedOn != 1
            }
            // In a movie without fragments, the box describes all samples.
            guard !isImplied, samples.count == map.tracks[trackIndex].samples.runs.count,
                samples.count == dependencies.count, samples.allSatisfy({ $0.count == 1 })
            else { continue }
            var builder = BoxBuilder()
            builder.fullBox("sdtp") { $0.data(dependencies) }
            map.tracks[trackIndex].storedBoxes?.sampleBoxes.append(Data(builder.bytes))
        }
    }

    /// Records that a track cannot be copied because boxes of its fragments describe data outside of the samples.
    private func rejectAuxiliaryBoxes(_ boxes: [MemoryBox], _ track: inout TrackMap) {
        for box in boxes where Self.isAuxiliary(box) {
            let reason = "the '\(box.type)' boxes of its fragments describe data outside of the samples"
            if !track.copyRejectionReasons.contains(reason) { track.copyRejectionReasons.append(reason) }
        }
    }

    /// Whether a box of a track fragment describes data outside of the samples. The `uuid` is that of `senc` in
    /// Microsoft's PIFF.
    private static func isAuxiliary(_ box: MemoryBox) -> Bool {
        var body = box.body
        // A shorter box is not that one.
        return auxiliaryTypes.contains(box.type) || box.type == "uuid" && (try? body.unsigned32()) == 0xa239_4f52
    }

    private func readTrackFragmentHeader(
        _ box: MemoryBox, moof: MovieMap.Box, _ dataEnd: Int64?
    ) throws(ByteReader.UnexpectedEnd) -> TrackFragmentHeader {
        var box = box
        let flags = try box.versionAndFlags().flags
        let number = try box.body.unsigned32()
        var base = dataEnd
        if flags & 0x1 != 0 {
            base = Int64(clamping: try box.body.unsigned64())
        } else if flags & 0x2_0000 != 0 {
            base = moof.offset
        }
        var defaults = self.defaults[number] ?? Defaults()
        if flags & 0x2 != 0 { defaults.entry = try box.body.unsigned32() }
        if flags & 0x8 != 0 { defaults.duration = try box.body.unsigned32() }
        if flags & 0x10 != 0 { defaults.size = try box.body.unsigned32() }
        if flags & 0x20 != 0 { defaults.flags = try box.body.unsigned32() }
        return TrackFragmentHeader(trackNumber: number, base: base, defaults: defaults)
    }

    /// Reads the samples of a track fragment.
    private struct TrackFragmentReader {
        /// The properties of a sample in `trun`.
        private struct Sample {
            var duration: UInt32
            var size: UInt32
            var flags: UInt32
            var compositionOffset: Int32 = 0
        }

        /// The maximum number of samples in a `trun` box without properties of individual samples. The size of such a box
        /// does not limit its count.
        private static let defaultSampleLimit: UInt32 = 1 << 20

        private let header: TrackFragmentHeader
        private let trackIndex: Int
        private let fragmentNumber: UInt32
        private let isLast: Bool
        /// The file offset of the next sample, also after samples that are incomplete in the file; nil if it is unknown.
        private(set) var fileOffset: Int64?
        /// The decode time of the next sample, in ticks of the track.
        private var decodeTime: Int64
        /// Whether all properties of the samples could be read. Otherwise the offsets and times of later ones are unknown.
        private(set) var isComplete = true
        private var hasReportedEnd = false
        private(set) var result: MovieMap.Fragment.TrackFragment

        init(
            header: TrackFragmentHeader, trackIndex: Int, fragmentNumber: UInt32, isLast: Bool, fileOffset: Int64?,
            decodeTime: Int64
        ) {
            self.header = header
            self.trackIndex = trackIndex
            self.fragmentNumber = fragmentNumber
            self.isLast = isLast
            self.fileOffset = fileOffset
            self.decodeTime = decodeTime
            result = MovieMap.Fragment.TrackFragment(
                trackNumber: header.trackNumber, decodeTime: decodeTime, sampleCount: 0, mediaByteCount: 0)
        }

        /// Reads `trun` (ISO/IEC 14496-12, 8.8.8).
        mutating func readRun(_ box: MemoryBox, in reader: inout MovieMapReader) {
            do throws(ByteReader.UnexpectedEnd) {
                try readSamples(box, in: &reader)
            } catch {
                fail(
                    at: box.offset, "the trun box at byte \(box.offset) is incomplete: it ends at byte \(error.offset)",
                    in: &reader)
            }
        }

        private mutating func readSamples(
            _ box: MemoryBox, in reader: inout MovieMapReader
        ) throws(ByteReader.UnexpectedEnd) {
            var box = box
            let flags = try box.versionAndFlags().flags
            let count = try box.body.unsigned32()
            if flags & 0x1 != 0 {
                let dataOffset = Int64(try box.body.signed32())
                fileOffset = header.base.map { $0.addingReportingOverflow(dataOffset).partialValue }
            }
            let firstFlags = flags & 0x4 != 0 ? try box.body.unsigned32() : nil
            let defaults = header.defaults
            let common = Sample(duration: defaults.duration, size: defaults.size, flags: defaults.flags)
            // Frames of PCM with default properties only are added as one run.
            if flags & 0xf04 == 0, reader.map.tracks[trackIndex].sharesRuns(sampleByteCount: defaults.size) {
                return add(common, count, at: box.offset, in: &reader)
            }
            for index in 0..<count where isComplete {
                var sample = common
                if flags & 0x100 != 0 { sample.duration = try box.body.unsigned32() }
                if flags & 0x200 != 0 { sample.size = try box.body.unsigned32() }
                if flags & 0x400 != 0 { sample.flags = try box.body.unsigned32() }
                if flags & 0x800 != 0 { sample.compositionOffset = try box.body.signed32() }
                if index == 0, let firstFlags { sample.flags = firstFlags }
                guard flags & 0xf00 != 0 || index < Self.defaultSampleLimit else {
                    return fail(
                        at: box.offset,
                        "track \(header.trackNumber): the trun box at byte \(box.offset) has \(count) samples without "
                            + "properties of their own, more than the maximum of \(Self.defaultSampleLimit)",
                        in: &reader)
                }
                add(sample, 1, at: box.offset, in: &reader)
            }
        }

        /// Adds samples, except those that are incomplete in the file.
        ///
        /// - Parameter offset: The file offset of the `trun` box.
        private mutating func add(
            _ sample: Sample, _ count: UInt32, at offset: Int64, in reader: inout MovieMapReader
        ) {
            let limit = Int64.max / 4
            guard let fileOffset, (0...limit).contains(fileOffset), (0...limit).contains(decodeTime) else {
                return failAtSample(offset, in: &reader)
            }
            var run = SampleMap.Run(
                offset: fileOffset, size: sample.size, count: count, decodeTime: decodeTime,
                compositionOffset: sample.compositionOffset, duration: sample.duration,
                entry: UInt16(clamping: max(1, header.defaults.entry) - 1), isSync: sample.flags & 0x1_0000 == 0,
                isDroppable: sample.flags >> 22 & 3 == 2, fragment: fragmentNumber)
            guard !run.exceedsLimits else { return failAtSample(offset, in: &reader) }
            guard reader.countRun() else {
                isComplete = false
                return
            }
            self.fileOffset = run.end
            decodeTime += run.totalDuration
            if run.end > reader.map.byteCount {
                let available = max(0, reader.map.byteCount - fileOffset)
                run.count = sample.size > 0 ? UInt32(clamping: available / Int64(sample.size)) : 0
                reportEnd(at: fileOffset, in: &reader)
                reader.map.tracks[trackIndex].missingSampleCount += Int64(count - run.count)
            }
            guard run.count > 0 else { return }
            reader.map.tracks[trackIndex].samples.append(run)
            // The bits of `sdtp` are a part of the flags (8.8.3.1).
            reader.fragmentDependencies[trackIndex, default: []].append(UInt8(truncatingIfNeeded: sample.flags >> 20))
            result.sampleCount += Int(run.count)
            result.mediaByteCount += run.byteCount
        }

        /// Reports once that samples are after the end of the file. Only those of the last fragment are the result of an
        /// interrupted recording.
        private mutating func reportEnd(at offset: Int64, in reader: inout MovieMapReader) {
            guard !hasReportedEnd else { return }
            hasReportedEnd = true
            let message = "track \(header.trackNumber): the file ends within the samples of fragment \(fragmentNumber)"
            if isLast {
                reader.report(.error, at: offset, message)
            } else {
                reader.reportLoss(at: offset, message)
            }
        }

        /// Reports that a sample cannot be located.
        ///
        /// - Parameter offset: The file offset of the `trun` box.
        private mutating func failAtSample(_ offset: Int64, in reader: inout MovieMapReader) {
            fail(
                at: offset,
                "track \(header.trackNumber): a sample of fragment \(fragmentNumber) has an invalid offset, size or time",
                in: &reader)
        }

        /// Reports that the offsets and times of the next samples are unknown.
        private mutating func fail(at offset: Int64, _ message: String, in reader: inout MovieMapReader) {
            isComplete = false
            reader.reportLoss(at: offset, message)
        }
    }
}
