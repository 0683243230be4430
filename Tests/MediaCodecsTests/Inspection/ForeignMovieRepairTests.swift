import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

/// Repairs movies that other programs wrote, and compares their packets with those of the originals.
final class ForeignMovieRepairTests: XCTestCase {
    private static let fragments = "frag_keyframe+empty_moov"

    /// Writes a movie with ffmpeg: a test pattern of 320x240 at 30 frames per second, and a tone.
    private func makeMovie(
        _ name: String, seconds: Int = 2, _ arguments: [String], in folder: URL
    ) throws -> (url: URL, data: Data) {
        let url = folder.appendingPathComponent(name)
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=\(seconds)"]
                + ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=\(seconds)"] + arguments + [url.path])
        XCTAssertEqual(result.status, 0, "\(name): \(result.errors)")
        return (url, try Data(contentsOf: url))
    }

    /// Returns the packets by stream: presentation time, decode time, size and checksum.
    private static func packets(_ url: URL) throws -> [String: [[String]]] {
        let lines = try FFprobe.lines(
            ["-show_data_hash", "MD5", "-show_entries", "packet=stream_index,pts,dts,size,data_hash"], url)
        return Dictionary(grouping: lines.map { $0.filter { !$0.isEmpty } }) { $0[0] }
    }

    /// Repairs a file and expects its tracks in the result: all of their complete packets with equal times, and their
    /// descriptions byte for byte.
    @discardableResult
    private func assertIsRepaired(
        _ data: Data, _ name: String, in folder: URL, file: StaticString = #filePath, line: UInt = #line
    ) throws -> (source: MovieMap, copy: MovieMap, summary: MovieRepair.Summary) {
        let source = folder.appendingPathComponent("source-\(name)")
        let repaired = folder.appendingPathComponent("repaired-\(name)")
        try data.write(to: source)
        if FileManager.default.fileExists(atPath: repaired.path) { try FileManager.default.removeItem(at: repaired) }
        let summary = try MovieRepair.repair(source, to: repaired, in: DiskStorage())
        XCTAssertEqual(try Data(contentsOf: source), data, name, file: file, line: line)
        let maps = try [source, repaired].map { try MovieMap(reading: DiskStorage().open($0, for: .reading)) }
        XCTAssertTrue(maps[1].fragments.isEmpty, name, file: file, line: line)
        XCTAssertEqual(maps[1].tracks.map(\.number), maps[0].tracks.map(\.number), name, file: file, line: line)
        for (old, new) in zip(maps[0].tracks, maps[1].tracks) {
            let what = "\(name): track \(old.number)"
            XCTAssertEqual(new.handler, old.handler, what, file: file, line: line)
            XCTAssertEqual(
                new.sampleEntries.map(\.bytes), old.sampleEntries.map(\.bytes), what, file: file, line: line)
            var (newBoxes, oldBoxes) = (new.storedBoxes, old.storedBoxes)
            if summary.lostSampleCount > 0 {
                // Those of the copy describe the remaining samples.
                newBoxes?.sampleBoxes = []
                oldBoxes?.sampleBoxes = []
            }
            XCTAssertEqual(newBoxes, oldBoxes, what, file: file, line: line)
            XCTAssertEqual(new.transform, old.transform, what, file: file, line: line)
            XCTAssertEqual(new.size, old.size, what, file: file, line: line)
            XCTAssertEqual(new.references, old.references, what, file: file, line: line)
            XCTAssertEqual(new.alternateGroup, old.alternateGroup, what, file: file, line: line)
        }
        let (old, new) = (try Self.packets(source), try Self.packets(repaired))
        XCTAssertEqual(Set(new.keys), Set(old.keys), name, file: file, line: line)
        // ffprobe also reads the beginning of a packet that is incomplete in the file.
        let incompleteCount = summary.lostSampleCount > 0 || maps[0].problems.contains { $0.severity == .error } ? 1 : 0
        for (stream, packets) in new {
            let expected = old[stream] ?? []
            let what = "\(name): stream \(stream)"
            XCTAssertTrue((expected.count - incompleteCount...expected.count).contains(packets.count), what)
            let count = expected.count - incompleteCount
            XCTAssertEqual(
                Array(packets.prefix(count)), Array(expected.prefix(count)), what, file: file, line: line)
        }
        return (maps[0], maps[1], summary)
    }

    func testTracksOfAllCodecsAreCopiedByteForByte() throws {
        let folder = try MediaFixture.folder(self)
        let x265 = ["-c:v", "libx265", "-x265-params", "keyint=15:log-level=none", "-pix_fmt", "yuv420p"]
        let movies: [(String, [String])] = [
            ("hev1.mp4", x265 + ["-c:a", "aac"]),
            ("mpeg4.mp4", ["-c:v", "mpeg4", "-bf", "2", "-g", "15", "-c:a", "libmp3lame"]),
            ("mpeg2.mov", ["-c:v", "mpeg2video", "-g", "15", "-c:a", "pcm_s24le"]),
            ("vp9.mp4", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-g", "15", "-c:a", "flac", "-strict", "-2"]),
            ("png.mov", ["-s", "64x48", "-c:v", "png", "-c:a", "pcm_u8"]),
            ("mjpeg.mov", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "pcm_mulaw"]),
            ("raw.mov", ["-s", "64x48", "-c:v", "rawvideo", "-pix_fmt", "uyvy422", "-c:a", "alac"]),
        ]
        for (name, arguments) in movies {
            let (_, data) = try makeMovie(name, arguments + ["-movflags", Self.fragments], in: folder)
            for percent in [100, 70] {
                let part = data.prefix(data.count * percent / 100)
                let result = try assertIsRepaired(part, name, in: folder)
                if percent == 100 { XCTAssertEqual(result.summary.lostSampleCount, 0, name) }
            }
        }
    }

    func testAllTracksOfATruncatedMovieAreKept() throws {
        let folder = try MediaFixture.folder(self)
        let sound = ["-c:a:0", "aac", "-c:a:1", "ac3", "-c:a:2", "pcm_s16le"]
        let (_, data) = try makeMovie(
            "multi.mov",
            ["-map", "0", "-map", "1", "-map", "1", "-map", "1", "-c:v", "libx264", "-g", "15", "-pix_fmt", "yuv420p"]
                + sound + ["-timecode", "01:00:00:00", "-movflags", "faststart"], in: folder)
        // A track of an unknown type instead of the timecode track.
        var unknown = data
        let (old, new) = (Data("tmcd".utf8), Data("zzXz".utf8))
        while let range = unknown.range(of: old) { unknown.replaceSubrange(range, with: new) }
        for (data, name) in [(data, "a.mov"), (unknown, "b.mov")] {
            let result = try assertIsRepaired(data.prefix(data.count * 7 / 10), name, in: folder)
            XCTAssertEqual(result.copy.tracks.count, 5)
            XCTAssertGreaterThan(result.summary.lostSampleCount, 0)
            XCTAssertEqual(result.summary.omissions, [])
        }
        let hinted = try makeMovie(
            "rtp.mp4",
            ["-c:v", "libx264", "-g", "15", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "rtphint+faststart"],
            in: folder)
        let result = try assertIsRepaired(hinted.data.prefix(hinted.data.count * 7 / 10), "rtp.mp4", in: folder)
        XCTAssertEqual(result.copy.tracks.map(\.handler), ["vide", "soun", "hint", "hint"])
    }

    func testTheEditListTheMatrixAndThePixelAspectRatioAreKept() throws {
        let folder = try MediaFixture.folder(self)
        var (_, data) = try makeMovie(
            "a.mov",
            ["-vf", "setsar=1/1", "-c:v", "libx264", "-bf", "2", "-g", "15"]
                + ["-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata", "title=Title", "-movflags", "faststart"],
            in: folder)
        // The matrix of the video track mirrors the frame: a = -1, tx = 320; and w is not 1.
        let matrix = try XCTUnwrap(data.range(of: Data("tkhd".utf8))).upperBound + 40
        for (index, value) in [(0, -65536), (6, 320 << 16), (8, 1 << 29)] {
            withUnsafeBytes(of: Int32(value).bigEndian) { bytes in
                data.replaceSubrange(matrix + 4 * index..<matrix + 4 * index + 4, with: bytes)
            }
        }
        let result = try assertIsRepaired(data.prefix(data.count * 8 / 10), "a.mov", in: folder)
        let (source, copy) = (result.source, result.copy)
        XCTAssertEqual(copy.tracks[0].sampleEntries[0].atoms["pasp"], Data([0, 0, 0, 1, 0, 0, 0, 1]))
        XCTAssertEqual(copy.tracks[0].transform, CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 320, ty: 0))
        XCTAssertEqual(copy.tracks[0].perspective, SIMD3(0, 0, 1 << 29))
        XCTAssertEqual(copy.tracks.map { $0.edits.map(\.mediaTime) }, source.tracks.map { $0.edits.map(\.mediaTime) })
        XCTAssertEqual(copy.storedBoxes, source.storedBoxes)
        XCTAssertEqual(copy.metadata, source.metadata)
    }

    func testNegativeCompositionOffsetsOfFragmentsAreKept() throws {
        let folder = try MediaFixture.folder(self)
        let (_, data) = try makeMovie(
            "a.mp4",
            ["-c:v", "libx264", "-bf", "2", "-g", "15", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "cmaf"],
            in: folder)
        for percent in [100, 60] {
            let (source, repaired) = (folder.appendingPathComponent("b.mp4"), folder.appendingPathComponent("c.mp4"))
            try data.prefix(data.count * percent / 100).write(to: source)
            _ = try MovieRepair.repair(source, to: repaired, in: DiskStorage())
            let maps = try [source, repaired].map { try MovieMap(reading: DiskStorage().open($0, for: .reading)) }
            let runs = maps.map { $0.tracks[0].samples.runs }
            XCTAssertTrue(runs[0].contains { $0.compositionOffset < 0 })
            XCTAssertEqual(runs[1].map(\.presentationTime), runs[0].prefix(runs[1].count).map(\.presentationTime))
            XCTAssertEqual(runs[1].map(\.decodeTime), runs[0].prefix(runs[1].count).map(\.decodeTime))
            let times = try FFprobe.frames(repaired).map(\.time)
            XCTAssertEqual(times.first, 0)
            XCTAssertEqual(Set(times).count, runs[1].count)
            try FileManager.default.removeItem(at: repaired)
        }
    }

    func testTheLastFrameIsPresentedIfAFrameBeforeItIsLost() throws {
        let folder = try MediaFixture.folder(self)
        let (_, data) = try makeMovie(
            "a.mp4",
            ["-an", "-c:v", "libx264", "-bf", "2", "-x264-params", "b-adapt=0", "-g", "15", "-pix_fmt", "yuv420p"]
                + ["-movflags", Self.fragments], in: folder)
        let runs = try MovieMap(reading: MemoryFile(data)).tracks[0].samples.runs
        // A frame that is presented before one that is decoded earlier.
        let lost = try XCTUnwrap(
            runs.indices.last { $0 < 40 && runs[$0].presentationTime < runs[$0 - 1].presentationTime })
        let end = Int(runs[lost].offset) + 1
        let summary = try assertIsRepaired(data.prefix(end), "b.mp4", in: folder).summary
        XCTAssertEqual(
            summary.lostSampleCount, Int64(runs.filter { $0.fragment == runs[lost].fragment && $0.end > end }.count))
        let repaired = folder.appendingPathComponent("repaired-b.mp4")
        XCTAssertEqual(try FFprobe.frames(repaired).count, lost)
        let copy = try MovieMap(reading: DiskStorage().open(repaired, for: .reading)).tracks[0]
        XCTAssertEqual(copy.timeRange.end.seconds, copy.time(copy.samples.presentationEnd).seconds, accuracy: 0.001)
    }

    func testFragmentsThatOverlapAreKept() throws {
        let folder = try MediaFixture.folder(self)
        var (_, data) = try makeMovie(
            "a.mp4",
            ["-c:v", "libx264", "-bf", "0", "-g", "15", "-pix_fmt", "yuv420p", "-c:a", "aac"]
                + ["-movflags", Self.fragments], in: folder)
        let map = try MovieMap(reading: MemoryFile(data))
        // The sound of the third fragment begins before the end of that of the second one.
        let part = try XCTUnwrap(map.fragments[2].tracks.first { $0.trackNumber == 2 })
        var time = BoxBuilder()
        time.signed64(part.decodeTime)
        let offset = Int(map.fragments[2].offset)
        let position = try XCTUnwrap(data.range(of: Data(time.bytes), in: offset..<data.count)).lowerBound
        var earlier = BoxBuilder()
        earlier.signed64(part.decodeTime - 3000)
        data.replaceSubrange(position..<position + 8, with: earlier.bytes)
        let (source, repaired) = (folder.appendingPathComponent("b.mp4"), folder.appendingPathComponent("c.mp4"))
        try data.write(to: source)
        let summary = try MovieRepair.repair(source, to: repaired, in: DiskStorage())
        XCTAssertGreaterThan(summary.retimedSampleCount, 0)
        XCTAssertEqual(summary.lostSampleCount, 0)
        let copy = try MovieMap(reading: DiskStorage().open(repaired, for: .reading))
        XCTAssertEqual(copy.tracks.map(\.samples.sampleCount), map.tracks.map(\.samples.sampleCount))
        XCTAssertEqual(
            copy.tracks[0].samples.runs.map(\.presentationTime), map.tracks[0].samples.runs.map(\.presentationTime))
    }

    func testFramesOfTwoFragmentsWithTheSameTimeArePresentedInARow() throws {
        let folder = try MediaFixture.folder(self)
        var (_, data) = try makeMovie(
            "a.mp4",
            ["-an", "-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p", "-movflags", "frag_every_frame+empty_moov"],
            in: folder)
        let map = try MovieMap(reading: MemoryFile(data))
        let times = try map.fragments.suffix(2).map { try XCTUnwrap($0.tracks.first).decodeTime }
        let boxes = times.map { time in
            var builder = BoxBuilder()
            builder.signed64(time)
            return Data(builder.bytes)
        }
        let last = Int(try XCTUnwrap(map.fragments.last).offset)
        let position = try XCTUnwrap(data.range(of: boxes[1], in: last..<data.count))
        data.replaceSubrange(position, with: boxes[0])
        let (source, repaired) = (folder.appendingPathComponent("b.mp4"), folder.appendingPathComponent("c.mp4"))
        try data.write(to: source)
        XCTAssertEqual(try MovieRepair.repair(source, to: repaired, in: DiskStorage()).retimedSampleCount, 1)
        XCTAssertTrue(try MovieRepair.isComplete(repaired, in: DiskStorage()))
        let copy = try MovieMap(reading: DiskStorage().open(repaired, for: .reading))
        XCTAssertEqual(copy.tracks[0].samples.runs.suffix(2).map(\.presentationTime), [times[0], times[0] + 1])
    }

    func testWhatCannotBeCopiedIsAnErrorThatNamesTrackCodecAndReason() throws {
        let folder = try MediaFixture.folder(self)
        let video = ["-an", "-c:v", "libx264", "-g", "15", "-pix_fmt", "yuv420p"]
        let key = ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
        let encrypted = try makeMovie(
            "a.mp4", video + key + ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", "-movflags", "faststart"],
            in: folder)
        var external = try makeMovie("b.mp4", video + ["-movflags", "faststart"], in: folder).data
        // The flags of the data reference: the samples are in another file.
        let reference = try XCTUnwrap(external.range(of: Data("url \0\0\0\u{1}".utf8)))
        external[reference.upperBound - 1] = 0
        for (data, words) in [
            (encrypted.data, ["track 1 ('encv')", "is protected", "'senc'"]),
            (external, ["track 1 ('avc1')", "'url '"]),
        ] {
            let (source, target) = (folder.appendingPathComponent("c.mp4"), folder.appendingPathComponent("d.mp4"))
            try data.prefix(data.count * 8 / 10).write(to: source)
            XCTAssertThrowsError(try MovieRepair.repair(source, to: target, in: DiskStorage())) { error in
                XCTAssertEqual((error as? MovieError)?.code, .unsupportedFormat)
                for word in words { XCTAssertTrue("\(error)".contains(word), "\(error)") }
            }
            XCTAssertFalse(FileManager.default.fileExists(atPath: target.path))
        }
    }

    func testAMovieWithoutItsIndexIsReportedAsSuch() throws {
        let folder = try MediaFixture.folder(self)
        let (_, data) = try makeMovie("a.mp4", ["-an", "-c:v", "mpeg4"], in: folder)
        let (source, target) = (folder.appendingPathComponent("b.mp4"), folder.appendingPathComponent("c.mp4"))
        try data.prefix(data.count / 2).write(to: source)
        XCTAssertThrowsError(try MovieRepair.repair(source, to: target, in: DiskStorage())) { error in
            XCTAssertTrue("\(error)".contains("there is no index"), "\(error)")
        }
    }

    func testABoxOfManyEmptyBoxesIsNotReadBoxByBox() throws {
        var builder = BoxBuilder()
        builder.box("free") { free in
            for _ in 0..<10_000 { free.box("free") { _ in } }
        }
        let file = CountingFile(Data(builder.bytes))
        _ = try MovieMap(reading: file, includesHiddenBoxes: true)
        XCTAssertLessThan(file.readCount, 20)
    }
}

/// A file in memory that counts its read operations.
private final class CountingFile: StorageFile {
    private let file: MemoryFile
    private let count = Lock(0)

    init(_ data: Data) { file = MemoryFile(data) }

    var readCount: Int { count.withLock { $0 } }
    var url: URL { file.url }

    func byteCount() throws(StorageError) -> Int64 { try file.byteCount() }
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        count.withLock { $0 += 1 }
        return try file.read(into: bytes, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {}
    func truncate(to byteCount: Int64) throws(StorageError) {}
    func flush() throws(StorageError) {}
    func close() throws(StorageError) {}
}
