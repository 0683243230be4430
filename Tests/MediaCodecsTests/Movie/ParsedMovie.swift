import Foundation

/// A movie parsed from its boxes: every sample with its offset and times.
struct ParsedMovie {
    /// A sample with times in the time scale of its track.
    struct Sample: Equatable {
        var offset: Int
        var size: Int
        var decode: Int64
        var presentation: Int64
        var duration: Int64
        var isKeyFrame: Bool
        var isDroppable = false
    }

    struct Edit: Equatable {
        /// In the movie's time scale.
        var duration: Int64
        /// In the time scale of the track; -1 for an empty edit.
        var mediaTime: Int64
    }

    struct Track {
        var id: UInt32
        /// The handler type, such as `vide`.
        var kind: String
        var timescale: Int64
        /// In the movie's time scale.
        var duration: Int64
        /// In the time scale of the track.
        var mediaDuration: Int64
        /// The nine fixed-point numbers, 16.16 or 2.30.
        var matrix: [Int32]
        var width: Double
        var height: Double
        var edits: [Edit] = []
        var samples: [Sample] = []
        var references: [String: [UInt32]] = [:]
        var isEnabled = true
        /// The entries of `sdtp`; empty if there is none.
        var dependencies: [UInt8] = []
        var sampleEntry: String
        var sampleEntryBody: Data
        var chunkCount = 0
    }

    let reader: BoxReader
    let topLevel: [String]
    let timescale: Int64
    let duration: Int64
    var tracks: [Track] = []
    var fragmentCount = 0

    /// Reads a movie with or without fragments; its last box may be incomplete.
    ///
    /// - Parameter kinds: The handler types of the tracks to read; nil for all.
    init(_ url: URL, kinds: [String]? = nil) throws {
        reader = try BoxReader(url)
        let boxes = try reader.boxes(allowsTruncation: true)
        topLevel = boxes.map(\.type)
        let movies = boxes.filter { $0.type == "moov" }
        guard movies.count == 1 else { throw BoxReader.Failure(description: "\(movies.count) moov") }
        let header = try reader.box(movies[0], "mvhd")
        let isLong = reader.u8(header.body.lowerBound) == 1
        let base = header.body.lowerBound + 4
        timescale = Int64(reader.u32(base + (isLong ? 16 : 8)))
        duration = isLong ? Int64(reader.u64(base + 20)) : Int64(reader.u32(base + 12))
        for trak in try reader.children(movies[0], "trak") { tracks.append(try readTrack(trak)) }
        for moof in boxes where moof.type == "moof" { try readFragment(moof) }
        if let kinds { tracks.removeAll { !kinds.contains($0.kind) } }
        for track in tracks {
            for sample in track.samples where sample.offset + sample.size > reader.data.count {
                throw BoxReader.Failure(description: "a sample at \(sample.offset) is beyond the file's end")
            }
        }
    }

    var video: Track? { tracks.first { $0.kind == "vide" } }
    var audio: Track? { tracks.first { $0.kind == "soun" } }

    func track(_ kind: String) -> Track? { tracks.first { $0.kind == kind } }

    func sampleData(_ sample: Sample) -> Data { reader.bytes(sample.offset..<sample.offset + sample.size) }

    private func readTrack(_ trak: BoxReader.Box) throws -> Track {
        let header = try reader.box(trak, "tkhd")
        let isLong = reader.u8(header.body.lowerBound) == 1
        let base = header.body.lowerBound + 4
        let id = reader.u32(base + (isLong ? 16 : 8))
        let duration = isLong ? Int64(reader.u64(base + 24)) : Int64(reader.u32(base + 16))
        let matrix = base + (isLong ? 32 : 20) + 16
        let media = try reader.box(trak, "mdia", "mdhd")
        let isMediaLong = reader.u8(media.body.lowerBound) == 1
        let mediaBase = media.body.lowerBound + 4 + (isMediaLong ? 16 : 8)
        let handler = try reader.box(trak, "mdia", "hdlr")
        let description = try reader.box(trak, "mdia", "minf", "stbl", "stsd")
        guard let entry = try reader.boxes(description.body.lowerBound + 8..<description.body.upperBound).first else {
            throw BoxReader.Failure(description: "an empty stsd")
        }
        var track = Track(
            id: id, kind: reader.code(handler.body.lowerBound + 8), timescale: Int64(reader.u32(mediaBase)),
            duration: duration,
            mediaDuration: isMediaLong ? Int64(reader.u64(mediaBase + 4)) : Int64(reader.u32(mediaBase + 4)),
            matrix: (0..<9).map { reader.i32(matrix + 4 * $0) },
            width: Double(reader.u32(matrix + 36)) / 65536, height: Double(reader.u32(matrix + 40)) / 65536,
            sampleEntry: entry.type, sampleEntryBody: reader.bytes(entry.body))
        for edits in try reader.children(trak, "edts") {
            let list = try reader.box(edits, "elst")
            let isLong = reader.u8(list.body.lowerBound) == 1
            for index in 0..<Int(reader.u32(list.body.lowerBound + 4)) {
                let entry = list.body.lowerBound + 8 + index * (isLong ? 20 : 12)
                track.edits.append(
                    isLong
                        ? Edit(
                            duration: Int64(reader.u64(entry)), mediaTime: Int64(bitPattern: reader.u64(entry + 8)))
                        : Edit(duration: Int64(reader.u32(entry)), mediaTime: Int64(reader.i32(entry + 4))))
            }
        }
        track.isEnabled = reader.u32(header.body.lowerBound) & 1 == 1
        for references in try reader.children(trak, "tref") {
            for box in try reader.boxes(references.body) {
                track.references[box.type] = stride(from: box.body.lowerBound, to: box.body.upperBound, by: 4)
                    .map { reader.u32($0) }
            }
        }
        let stbl = try reader.box(trak, "mdia", "minf", "stbl")
        for box in try reader.children(stbl, "sdtp") {
            track.dependencies = Array(reader.bytes(box.body.lowerBound + 4..<box.body.upperBound))
        }
        try readTable(stbl, &track)
        return track
    }

    private func readTable(_ stbl: BoxReader.Box, _ track: inout Track) throws {
        let sizes = try reader.box(stbl, "stsz").body.lowerBound
        let (common, count) = (Int(reader.u32(sizes + 4)), Int(reader.u32(sizes + 8)))
        var samples: [Sample] = []
        for index in 0..<count {
            let size = common > 0 ? common : Int(reader.u32(sizes + 12 + 4 * index))
            samples.append(Sample(offset: 0, size: size, decode: 0, presentation: 0, duration: 0, isKeyFrame: true))
        }
        let durations = expandedRuns(try reader.box(stbl, "stts"))
        guard durations.count == count else {
            throw BoxReader.Failure(description: "stts has \(durations.count) of \(count) samples")
        }
        let offsets = try reader.children(stbl, "ctts").first.map(expandedRuns) ?? Array(repeating: 0, count: count)
        guard offsets.count == count else { throw BoxReader.Failure(description: "ctts has \(offsets.count) samples") }
        var time: Int64 = 0
        for index in 0..<count {
            samples[index].decode = time
            samples[index].presentation = time + offsets[index]
            samples[index].duration = durations[index]
            time += durations[index]
        }
        if let sync = try reader.children(stbl, "stss").first {
            for index in 0..<count { samples[index].isKeyFrame = false }
            for index in 0..<Int(reader.u32(sync.body.lowerBound + 4)) {
                samples[Int(reader.u32(sync.body.lowerBound + 8 + 4 * index)) - 1].isKeyFrame = true
            }
        }
        try assignOffsets(&samples, stbl, &track)
        track.samples = samples
    }

    private func assignOffsets(_ samples: inout [Sample], _ stbl: BoxReader.Box, _ track: inout Track) throws {
        let chunks = try reader.boxes(stbl.body).filter { $0.type == "stco" || $0.type == "co64" }
        guard chunks.count == 1 else { throw BoxReader.Failure(description: "\(chunks.count) chunk offset boxes") }
        let isLong = chunks[0].type == "co64"
        let base = chunks[0].body.lowerBound
        track.chunkCount = Int(reader.u32(base + 4))
        let lengths = try reader.box(stbl, "stsc").body.lowerBound
        let lengthCount = Int(reader.u32(lengths + 4))
        var next = 0
        for index in 0..<lengthCount {
            let entry = lengths + 8 + 12 * index
            let first = Int(reader.u32(entry))
            let end = index + 1 < lengthCount ? Int(reader.u32(entry + 12)) : track.chunkCount + 1
            for chunk in first..<end {
                var offset = Int(
                    isLong ? reader.u64(base + 8 + 8 * (chunk - 1)) : UInt64(reader.u32(base + 8 + 4 * (chunk - 1))))
                for _ in 0..<Int(reader.u32(entry + 4)) {
                    samples[next].offset = offset
                    offset += samples[next].size
                    next += 1
                }
            }
        }
        guard next == samples.count else { throw BoxReader.Failure(description: "stsc contains \(next) samples") }
    }

    /// Returns the value of each sample in a table of runs.
    private func expandedRuns(_ box: BoxReader.Box) -> [Int64] {
        (0..<Int(reader.u32(box.body.lowerBound + 4))).flatMap { index in
            let entry = box.body.lowerBound + 8 + 8 * index
            return repeatElement(Int64(reader.u32(entry + 4)), count: Int(reader.u32(entry)))
        }
    }

    private mutating func readFragment(_ moof: BoxReader.Box) throws {
        fragmentCount += 1
        let number = reader.u32(try reader.box(moof, "mfhd").body.lowerBound + 4)
        guard Int(number) == fragmentCount else {
            throw BoxReader.Failure(description: "fragment \(fragmentCount) says \(number)")
        }
        for traf in try reader.children(moof, "traf") {
            let header = try reader.box(traf, "tfhd").body.lowerBound
            guard reader.u32(header) == 0x02_0038 else { throw BoxReader.Failure(description: "tfhd flags") }
            guard let index = tracks.firstIndex(where: { $0.id == reader.u32(header + 4) }) else {
                throw BoxReader.Failure(description: "a fragment of an unknown track")
            }
            let defaults = (reader.u32(header + 8), reader.u32(header + 12), reader.u32(header + 16))
            var time = Int64(reader.u64(try reader.box(traf, "tfdt").body.lowerBound + 4))
            for run in try reader.children(traf, "trun") {
                let flags = reader.u32(run.body.lowerBound)
                var position = run.body.lowerBound + 12
                var offset = moof.range.lowerBound + Int(reader.i32(run.body.lowerBound + 8))
                for _ in 0..<Int(reader.u32(run.body.lowerBound + 4)) {
                    func field(_ flag: UInt32, default value: UInt32) -> UInt32 {
                        guard flags & flag != 0 else { return value }
                        defer { position += 4 }
                        return reader.u32(position)
                    }
                    let duration = Int64(field(0x100, default: defaults.0))
                    let size = Int(field(0x200, default: defaults.1))
                    let sampleFlags = field(0x400, default: defaults.2)
                    let compositionOffset = Int64(field(0x800, default: 0))
                    tracks[index].samples.append(
                        Sample(
                            offset: offset, size: size, decode: time, presentation: time + compositionOffset,
                            duration: duration, isKeyFrame: sampleFlags & 0x1_0000 == 0,
                            isDroppable: sampleFlags >> 22 & 3 == 2))
                    time += duration
                    offset += size
                }
                guard position == run.body.upperBound else {
                    throw BoxReader.Failure(description: "trun holds more than its samples")
                }
            }
        }
    }
}
