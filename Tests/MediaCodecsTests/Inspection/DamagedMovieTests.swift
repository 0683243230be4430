import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

/// Reads movies with damaged boxes: what exists is read, and what cannot be read is a problem.
final class DamagedMovieTests: XCTestCase {
    /// Writes a movie of one second with 30 frames and a tone.
    private func makeMovie(_ name: String = "a.mp4", _ arguments: [String] = []) throws -> MovieBytes {
        let url = try MediaFixture.folder(self).appendingPathComponent(name)
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=1"]
                + ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-c:v", "libx264", "-g", "10", "-bf", "2"]
                + ["-pix_fmt", "yuv420p", "-c:a", "aac"] + arguments + [url.path])
        XCTAssertEqual(result.status, 0, result.errors)
        return MovieBytes(try Data(contentsOf: url))
    }

    private func read(_ movie: MovieBytes) throws -> (map: MovieMap, problems: [MovieProblem]) {
        let file = MemoryFile(movie.data)
        let map = try MovieMap(reading: file)
        return (map, try MovieChecker.problems(of: map, in: file))
    }

    func testTheEntriesOfAnIncompleteSyncSampleTableApply() throws {
        let movie = try makeMovie()
        let expected = try read(movie).map.tracks[0].samples.runs.map(\.isSync)
        XCTAssertEqual(expected.count { $0 }, 3)
        var damaged = movie
        damaged[try movie.box("stss"), 12] += 5
        let (map, problems) = try read(damaged)
        XCTAssertEqual(map.tracks[0].samples.runs.map(\.isSync), expected)
        XCTAssertEqual(problems.filter { $0.message.contains("sync sample") }, [])
        XCTAssertTrue(problems.contains { $0.severity == .error && $0.message.contains("stss") }, "\(problems)")
    }

    func testTheTablesOfSamplesAreReadAsFarAsTheyExist() throws {
        let movie = try makeMovie()
        let expected = try read(movie).map
        for type in ["stsz", "stts", "stsc", "stco", "ctts"] {
            for track in 0..<(type == "ctts" ? 1 : 2) {
                for count: UInt32 in [1, 5, 0x7fff_ffff] {
                    var damaged = movie
                    let box = try movie.box(type, track)
                    damaged[box, type == "stsz" ? 16 : 12] += count
                    let (map, problems) = try read(damaged)
                    let what = "\(type) of track \(track + 1), \(count) more"
                    XCTAssertEqual(
                        map.tracks.map(\.samples.runs), expected.tracks.map(\.samples.runs), what)
                    XCTAssertTrue(problems.contains { $0.severity == .error && $0.message.contains(type) }, what)
                }
            }
        }
    }

    func testRunsOfExtremeSizeOrDurationAreLosses() throws {
        var movie = try makeMovie("a.mov", ["-vn", "-c:a", "pcm_s16le"])
        // One run with the maximum number of samples.
        movie[try movie.box("stsz"), 16] = .max
        movie[try movie.box("stts"), 16] = .max
        movie[try movie.box("stsc"), 20] = .max
        XCTAssertEqual(try read(movie).map.tracks[0].samples.sampleCount, Int64(UInt32.max))
        // The size and the duration of each sample.
        for (type, offset) in [("stsz", 12), ("stts", 20)] {
            var damaged = movie
            damaged[try damaged.box(type), offset] = .max
            let (map, problems) = try read(damaged)
            XCTAssertTrue(map.tracks[0].samples.isEmpty, type)
            XCTAssertFalse(map.losses.isEmpty, type)
            XCTAssertTrue(
                problems.contains { $0.severity == .error && $0.message.contains("chunk 1 has an invalid") }, type)
        }
    }

    func testACreationTimeSince1970IsReadAsSuch() throws {
        var movie = try makeMovie()
        let header = try movie.box("mvhd")
        let times: [(stored: UInt32, expected: Int64?)] = [
            (0, nil), (2_082_844_800, nil), (2_082_844_800 + 1_700_000_000, 1_700_000_000),
            (1_700_000_000, 1_700_000_000),
        ]
        for (stored, expected) in times {
            movie[header, 12] = stored
            XCTAssertEqual(try read(movie).map.creationSecondsSince1970, expected, "\(stored)")
        }
        // A repaired movie has the same time.
        let storage = MemoryStorage(["/a.mp4": movie.data])
        let target = URL(fileURLWithPath: "/b.mp4")
        _ = try MovieRepair.repair(URL(fileURLWithPath: "/a.mp4"), to: target, in: storage)
        let copy = try MovieMap(reading: storage.open(target, for: .reading))
        XCTAssertEqual(copy.creationSecondsSince1970, 1_700_000_000)
        // Version 1, with an invalid time of 64 bits.
        let body = movie.body(header)
        var long = Data([1]) + body[1..<4] + Data(repeating: 0x7f, count: 8) + Data(count: 8)
        long += body[12..<16] + Data(count: 4) + body[16...]
        movie.replace(header.range, with: MovieBytes.box("mvhd", long), in: header.parents)
        XCTAssertNil(try read(movie).map.creationSecondsSince1970)
    }

    func testRunsAfterAnIncompleteSampleAreReadAtTheirOffsets() throws {
        // Fragments whose second track begins where the first one ends (8.8.7.1).
        var movie = try makeMovie(
            "a.mp4", ["-movflags", "frag_custom+empty_moov+default_base_moof", "-flush_packets", "1"])
        let whole = try read(movie).map
        let parts = movie.boxes.filter { $0.type == "traf" }
        XCTAssertEqual(parts.count, 2)
        for box in movie.boxes.reversed() where box.parents.last == parts[1].range.lowerBound {
            var body = movie.body(box)
            if box.type == "tfhd" {
                body[1] &= ~2  // no default-base-is-moof
            } else if box.type == "trun" {
                body[3] &= ~1  // no data offset
                body.removeSubrange(8..<12)
            } else {
                continue
            }
            movie.replace(box.range, with: MovieBytes.box(box.type, body), in: box.parents)
        }
        let run = try movie.box("trun")
        movie[run, 16] -= 4
        XCTAssertEqual(
            try read(movie).map.tracks.map { $0.samples.runs.map(\.size) },
            whole.tracks.map { $0.samples.runs.map(\.size) })
        let media = try movie.box("mdat").range.lowerBound + 8
        let first = Int(whole.tracks[0].samples.runs[0].size)
        let cut = MovieBytes(movie.data.prefix(media + first + 2 * Int(whole.tracks[1].samples.runs[0].size) + 20))
        let map = try read(cut).map
        let complete = whole.tracks[0].samples.runs.prefix { $0.end - 4 <= cut.data.count }.count
        XCTAssertGreaterThan(complete, 0)
        XCTAssertLessThan(complete, 30)
        XCTAssertEqual(map.tracks[0].samples.runs.count, complete)
        XCTAssertEqual(map.tracks[1].samples.runs, [])
        XCTAssertEqual(
            map.tracks.map(\.missingSampleCount), [Int64(30 - complete), Int64(whole.tracks[1].samples.sampleCount)])
    }

    func testWarningsDoNotHideErrors() throws {
        let movie = try makeMovie("a.mp4", ["-movflags", "frag_every_frame+empty_moov+default_base_moof"])
        let first = try movie.box("moof").range.lowerBound
        let part = movie.data[first..<(try movie.box("mdat").range.upperBound)]
        var data = movie.data.prefix(first)
        for index in 0..<700 {
            // All fragments have the same number, and ascending times.
            var fragment = MovieBytes(part)
            for box in fragment.boxes where box.type == "tfdt" { fragment[box, 16] += UInt32(index) * 100_000 }
            if index == 699 { fragment[try fragment.box("tfhd"), 12] = 9 }
            data += fragment.data
        }
        let damaged = MovieBytes(data)
        let problems = try read(damaged).map.problems
        XCTAssertTrue(problems.contains { $0.severity == .error && $0.message.contains("track 9") })
        XCTAssertLessThan(problems.count, 1100)
        XCTAssertTrue(problems.contains { $0.severity == .warning && $0.message.contains("more warnings") })
    }

    func testUnknownDurationsAreNoErrors() throws {
        let movie = try makeMovie()
        for hasEdits in [true, false] {
            var changed = movie
            if !hasEdits {
                for index in [1, 0] { changed.rename(try changed.box("edts", index), "free") }
            }
            changed[try changed.box("mdhd"), 24] = .max
            changed[try changed.box("tkhd"), 28] = .max
            // Version 1 of the second track's header, with a duration of 64 bits.
            let box = try changed.box("tkhd", 1)
            let body = changed.body(box)
            let long =
                Data([1]) + body[1..<4] + Data(count: 4) + body[4..<8] + Data(count: 4) + body[8..<20]
                + Data(repeating: 0xff, count: 8) + body[24...]
            changed.replace(box.range, with: MovieBytes.box("tkhd", long), in: box.parents)
            let problems = try read(changed).problems
            let notes = problems.filter { $0.message.contains("duration of") }
            XCTAssertEqual(notes, [], "edits: \(hasEdits)")
        }
    }

    func testTheBrandsAreReadFromTheFirstFileTypeBox() throws {
        let movie = try makeMovie()
        let file = MemoryFile(MovieBytes.box("free", Data()) + movie.data)
        let map = try MovieMap(reading: file)
        XCTAssertFalse(map.isQuickTime)
        XCTAssertNotNil(map.storedBoxes.fileType)
    }

    func testDependenciesBetweenSamplesAreCopied() throws {
        let folder = try MediaFixture.folder(self)
        let (source, target) = (folder.appendingPathComponent("b.mp4"), folder.appendingPathComponent("c.mp4"))
        // A sample table with all kinds of dependencies, in a file without the end of its media.
        var plain = try makeMovie("a.mp4", ["-movflags", "faststart"])
        let table = try plain.box("stss")
        let flags = Data((0..<30).map { UInt8($0 * 8 % 256) })
        plain.replace(
            table.range.upperBound..<table.range.upperBound, with: MovieBytes.box("sdtp", Data(count: 4) + flags),
            in: table.parents)
        for index in 0..<2 {
            let chunks = try plain.box("stco", index)
            for entry in 0..<Int(plain[chunks, 12]) { plain[chunks, 16 + 4 * entry] += 42 }
        }
        try plain.data.dropLast(20).write(to: source)
        XCTAssertEqual(try MovieRepair.repair(source, to: target, in: DiskStorage()).omissions, [])
        let copy = MovieBytes(try Data(contentsOf: target))
        XCTAssertEqual(copy.boxes.count { $0.type == "sdtp" }, 1)
        let copied = copy.body(try copy.box("sdtp")).dropFirst(4)
        XCTAssertGreaterThan(copied.count, 28)
        XCTAssertEqual(Data(copied), flags.prefix(copied.count))
        // The flags of the first sample of a fragment: a leading sample.
        var fragmented = try makeMovie("a.mp4", ["-an", "-movflags", "frag_keyframe+empty_moov+default_base_moof"])
        let run = try fragmented.box("trun")
        XCTAssertEqual(fragmented[run, 8] & 0x4, 0x4)
        fragmented[run, 20] |= 2 << 26
        try fragmented.data.write(to: source)
        try FileManager.default.removeItem(at: target)
        XCTAssertEqual(try MovieRepair.repair(source, to: target, in: DiskStorage()).omissions, [])
        let movie = MovieBytes(try Data(contentsOf: target))
        XCTAssertEqual(movie.body(try movie.box("sdtp")).dropFirst(4).prefix(2).map { $0 }, [0xa0, 0x10])
    }

    func testFragmentsInABoxOfAWrongSizeAreLosses() throws {
        let movie = try makeMovie("a.mp4", ["-movflags", "frag_keyframe+empty_moov+default_base_moof"])
        for (type, index) in [("moof", 1), ("mdat", 0), ("mdat", 1)] {
            var damaged = movie
            damaged[try damaged.box(type, index), 0] = 0x7fff_ffff
            XCTAssertEqual(try read(damaged).map.losses.count, 1, "\(type) \(index)")
        }
        // An interrupted recording.
        for type in ["moof", "mdat"] {
            let end = try movie.box(type, 1).range.lowerBound + 100
            XCTAssertEqual(try read(MovieBytes(movie.data.prefix(end))).map.losses, [], type)
        }
    }

    func testASecondTrackWithANumberIsRenumbered() throws {
        var movie = try makeMovie()
        let expected = try read(movie).map.tracks
        movie[try movie.box("tkhd", 1), 20] = 1
        let (map, problems) = try read(movie)
        XCTAssertEqual(map.tracks.map(\.number), [1, 2])
        XCTAssertEqual(map.tracks.map(\.samples.runs), expected.map(\.samples.runs))
        XCTAssertEqual(map.losses, [])
        XCTAssertTrue(problems.contains { $0.severity == .error && $0.message.contains("second track with number 1") })
        // A repair can replace the movie.
        let storage = MemoryStorage(["/a.mp4": movie.data])
        let target = URL(fileURLWithPath: "/b.mp4")
        XCTAssertEqual(
            try MovieRepair.repair(URL(fileURLWithPath: "/a.mp4"), to: target, in: storage).sampleCounts.count, 2)
        // A reference to the number is ambiguous.
        let chapters = MovieBytes.box("chap", Data([0, 0, 0, 1]))
        let header = try movie.box("tkhd", 1)
        var referring = movie
        referring.replace(
            header.range.upperBound..<header.range.upperBound, with: MovieBytes.box("tref", chapters),
            in: header.parents)
        XCTAssertEqual(try read(referring).map.tracks.count, 1)
        XCTAssertEqual(try read(referring).map.losses.count, 1)
        // In fragments, the number identifies the track.
        var fragmented = try makeMovie("a.mp4", ["-movflags", "frag_keyframe+empty_moov+default_base_moof"])
        fragmented[try fragmented.box("tkhd", 1), 20] = 1
        XCTAssertFalse(try read(fragmented).map.losses.isEmpty)
    }

    func testATruncatedIndexIsReadAsFarAsItExists() throws {
        let movie = try makeMovie()
        let expected = try read(movie).map.tracks
        // The second track's index is missing, a part of its tables is missing, or only the end of the metadata.
        let ends = [
            try movie.box("trak", 1).range.lowerBound + 4, try movie.box("stsz", 1).range.lowerBound + 60,
            try movie.box("stco", 1).range.lowerBound + 18, movie.data.count - 10,
        ]
        for end in ends {
            let storage = MemoryStorage(["/a.mp4": movie.data.prefix(end)])
            let (source, target) = (URL(fileURLWithPath: "/a.mp4"), URL(fileURLWithPath: "/b.mp4"))
            XCTAssertThrowsError(try MovieRepair.repair(source, to: target, in: storage)) { error in
                XCTAssertEqual((error as? MovieError)?.code, .incomplete, "\(error)")
            }
            let summary = try MovieRepair.repair(source, to: target, in: storage, acceptsLosses: true)
            XCTAssertTrue(summary.omissions.contains { $0.contains("the file ends within its index") })
            XCTAssertEqual(summary.sampleCounts[1], 30)
            let copy = try MovieMap(reading: storage.open(target, for: .reading))
            XCTAssertEqual(copy.tracks[0].samples.runs.map(\.size), expected[0].samples.runs.map(\.size))
            let sizes = copy.tracks.dropFirst().first?.samples.runs.map(\.size) ?? []
            XCTAssertEqual(sizes, expected[1].samples.runs.prefix(sizes.count).map(\.size))
            if end == ends.last { XCTAssertEqual(sizes.count, expected[1].samples.runs.count) }
        }
        // Without samples in the tables, the index is missing.
        let start = try movie.box("stsd").range.lowerBound
        let map = try read(MovieBytes(movie.data.prefix(start))).map
        XCTAssertNotNil(map.missingIndexReason)
    }

    func testAMovieWithABoxOfAWrongSizeLosesNoFragmentOrEditListSilently() throws {
        let movie = try makeMovie("a.mp4", ["-movflags", "frag_keyframe+empty_moov+default_base_moof"])
        for index in 0..<2 {
            var damaged = movie
            damaged[try damaged.box("mdat", index), 0] += 8
            let losses = try read(damaged).map.losses
            XCTAssertTrue(losses.contains { $0.contains("mfhd") && $0.contains("top level") }, "\(losses)")
        }
        // A whole fragment in the media of the previous one.
        var hidden = movie
        hidden[try hidden.box("mdat"), 0] += UInt32(
            try movie.box("moof", 1).range.count + movie.box("mdat", 1).range.count)
        XCTAssertTrue(try read(hidden).map.losses.contains { $0.contains("size of a box before it") })
        var plain = try makeMovie()
        plain[try plain.box("tkhd"), 0] += 8
        let losses = try read(plain).map.losses
        XCTAssertTrue(losses.contains { $0.contains("elst") && $0.contains("it belongs in edts") }, "\(losses)")
    }

    func testATrackWithTheMediaHeaderOfAudioIsAudio() throws {
        var movie = try makeMovie()
        let expected = try read(movie).map.tracks
        let handler = try movie.box("hdlr", 1)
        XCTAssertEqual(movie[handler, 16], 0x736f_756e)
        movie[handler, 16] = 0x736f_756d  // soum
        let (map, problems) = try read(movie)
        XCTAssertTrue(map.tracks[1].isAudio)
        XCTAssertEqual(map.tracks[1].sampleEntries.map(\.code), ["mp4a"])
        XCTAssertEqual(map.tracks[1].samples.runs, expected[1].samples.runs)
        XCTAssertTrue(problems.contains { $0.severity == .warning && $0.message.contains("'soum'") }, "\(problems)")
    }

    func testFragmentsWithWrongOffsetsAreLosses() throws {
        // The offsets are relative to the file, whose fragments were moved.
        let movie = try makeMovie("a.mp4", ["-movflags", "frag_keyframe+empty_moov"])
        let start = try movie.box("moof").range.lowerBound
        let moved = movie.data.prefix(start) + MovieBytes.box("free", Data(count: 13)) + movie.data[start...]
        let storage = MemoryStorage(["/a.mp4": moved])
        let (source, target) = (URL(fileURLWithPath: "/a.mp4"), URL(fileURLWithPath: "/b.mp4"))
        XCTAssertThrowsError(try MovieRepair.repair(source, to: target, in: storage)) { error in
            XCTAssertTrue("\(error)".contains("offsets"), "\(error)")
        }
    }
}
