import Foundation
import TestSupport
import XCTest

/// `obscura repair` and `obscura edit` of movies with damaged boxes: all packets are kept, or the command says what is
/// missing.
final class DamagedMovieCommandTests: ObscuraTestCase {
    /// Writes a movie of one second with 30 frames and a tone.
    private func makeMovie(_ name: String, _ arguments: [String] = []) throws -> MovieBytes {
        let result = try run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=1"]
                + ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-c:v", "libx264", "-g", "10", "-bf", "2"]
                + ["-pix_fmt", "yuv420p", "-c:a", "aac"] + arguments + [file(name).path])
        XCTAssertEqual(result.status, 0, result.errors)
        return MovieBytes(try Data(contentsOf: file(name)))
    }

    /// The names of the files in the folder.
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    func testAMovieIsReplacedOnlyIfAllOfItsTracksAndSamplesCanBeRead() throws {
        let movie = try makeMovie("whole.mp4")
        let whole = try MovieBytes.packets(file("whole.mp4"))
        /// - Parameter words: Words of the reason why the movie stays; nil if all of its packets are kept.
        func check(
            _ name: String, _ words: String?, line: UInt = #line, _ damage: (inout MovieBytes) throws -> Void
        ) throws {
            var damaged = movie
            try damage(&damaged)
            try damaged.data.write(to: file("a.mp4"))
            let edited = try obscura("edit", "a.mp4", "c.mp4")
            let copied = try obscura("repair", "a.mp4", "--output", "b.mp4")
            XCTAssertEqual(try Data(contentsOf: file("a.mp4")), damaged.data, name, line: line)
            let result = try obscura("repair", "a.mp4")
            if let words {
                XCTAssertEqual(result.status, 1, "\(name): \(result.text)", line: line)
                XCTAssertTrue(result.errors.contains(words), "\(name): \(result.errors)", line: line)
                XCTAssertTrue(result.errors.contains("--output"), "\(name): \(result.errors)", line: line)
                XCTAssertEqual(try Data(contentsOf: file("a.mp4")), damaged.data, name, line: line)
                for outcome in [edited, copied] where outcome.status == 0 {
                    XCTAssertTrue(outcome.text.contains(words), "\(name): \(outcome.text)", line: line)
                }
            } else {
                for (outcome, output) in [(result, "a.mp4"), (copied, "b.mp4"), (edited, "c.mp4")] {
                    XCTAssertEqual(outcome.status, 0, "\(name): \(outcome.errors)", line: line)
                    XCTAssertEqual(try MovieBytes.packets(file(output)), whole, "\(name): \(output)", line: line)
                    XCTAssertFalse(outcome.text.contains("left out"), "\(name): \(outcome.text)", line: line)
                }
            }
            let all = try names.filter { $0 != "whole.mp4" }
            XCTAssertTrue(Set(all).isSubset(of: ["a.mp4", "b.mp4", "c.mp4"]), "\(name): \(all)", line: line)
            for name in all { try FileManager.default.removeItem(at: file(name)) }
        }
        try check("track ID of another track", nil) { $0[try $0.box("tkhd", 1), 20] = 1 }
        try check("a handler type that only a camera knows", nil) { $0[try $0.box("hdlr", 1), 16] = 0x736f_756d }
        try check("a track header that contains the next header", "it belongs in edts") {
            $0[try $0.box("tkhd"), 0] += 8
        }
        try check("no track header", "no header (tkhd)") { $0.rename(try $0.box("tkhd", 1), "xkhd") }
        try check("no media header", "mdhd") { $0.rename(try $0.box("mdhd", 1), "xdhd") }
        try check("no sample table", "track 2") { $0.rename(try $0.box("stbl", 1), "xtbl") }
        try check("no sample sizes", "track 2") { $0.rename(try $0.box("stsz", 1), "xtsz") }
        try check("no chunks", "track 1: the chunks contain 0 of 30 samples") { $0[try $0.box("stco"), 12] = 0 }
        for type in ["stsz", "stts", "stsc", "stco", "ctts", "stss"] {
            let offset = type == "stsz" ? 16 : 12
            try check("\(type) lists fewer entries than its count", nil) { $0[try $0.box(type), offset] += 5 }
        }
        try check("stsz counts less samples than it lists", "the sizes of 5 of 30 samples are missing") {
            $0[try $0.box("stsz"), 16] -= 5
        }
        try check("stsz ends before its last sizes", "track 1: the sizes of 5 of 30 samples are missing") { movie in
            let box = try movie.box("stsz")
            movie.replace(
                box.range.upperBound - 20..<box.range.upperBound, with: Data(), in: box.parents + [box.range.lowerBound]
            )
        }
    }

    func testUnusedBytesAndTheBrandsDoNotChangeTheFamilyOfAFile() throws {
        let movie = try makeMovie("f.mp4", ["-movflags", "frag_keyframe+empty_moov"])
        let whole = try MovieBytes.packets(file("f.mp4"))
        try (MovieBytes.box("free", Data()) + movie.data).write(to: file("late.mp4"))
        // The offsets of the index are relative to the fragments.
        var relative = try makeMovie("r.mp4", ["-movflags", "frag_keyframe+empty_moov+default_base_moof"])
        try (MovieBytes.box("free", Data()) + relative.data).write(to: file("late.mp4"))
        relative = MovieBytes(relative.data + Data(count: 100_000))
        try relative.data.write(to: file("zeros.mp4"))
        for name in ["late.mp4", "zeros.mp4"] {
            let result = try obscura("repair", name)
            XCTAssertEqual(result.status, 0, "\(name): \(result.errors)")
            let repaired = MovieBytes(try Data(contentsOf: file(name)))
            XCTAssertEqual(repaired.boxes.filter { $0.parents.isEmpty }.map(\.type), ["ftyp", "mdat", "moov"], name)
            XCTAssertEqual(repaired.body(try repaired.box("ftyp")), relative.body(try relative.box("ftyp")), name)
            XCTAssertEqual(try MovieBytes.packets(file(name)), whole, name)
        }
    }

    func testEditListsWithoutATimeScaleAreReported() throws {
        var movie = try makeMovie("a.mp4")
        let header = try movie.box("mvhd")
        movie[header, 20] = 0
        try movie.data.write(to: file("a.mp4"))
        try assertFails(1, "repair", "a.mp4", containing: ["edit list", "track 1", "time scale"])
        let result = try obscura("repair", "a.mp4", "--output", "b.mp4")
        XCTAssertTrue(result.text.contains("edit list"), result.text)
        // The priming of AAC is not presented.
        let start = try tool(
            "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=start_time", "-of", "csv=p=0",
            file("b.mp4").path)
        XCTAssertEqual(Double(start.text.trimmingCharacters(in: .whitespacesAndNewlines)), 0)
    }

    func testARepairThatCannotReplaceTheMovieLeavesNoFile() throws {
        _ = try makeMovie("a.mp4", ["-movflags", "frag_keyframe+empty_moov"])
        // Files of an earlier repair.
        try Data("1".utf8).write(to: file("a.broken.mp4"))
        try Data("2".utf8).write(to: file("a.repaired.mp4"))
        let result = try obscura("repair", "a.mp4")
        XCTAssertEqual(result.status, 0, result.errors)
        XCTAssertEqual(try names, ["a.broken.mp4", "a.mp4", "a.repaired.mp4"])
        XCTAssertEqual(try Data(contentsOf: file("a.broken.mp4")), Data("1".utf8))
        XCTAssertEqual(try Data(contentsOf: file("a.repaired.mp4")), Data("2".utf8))
        XCTAssertEqual(try obscura("inspect", "a.mp4").status, 0)
    }
}
