import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

/// Changes one value of a valid movie and expects the checker to report it.
final class MovieCheckerTests: XCTestCase {
    func testChunkOffsetsOutsideTheMediaAreReported() throws {
        try assertReported("outside the media") { data, reader in
            let boxOffset = try Self.boxOffset(of: "stco", in: data)
            Self.write(UInt32(data.count + 100), to: &data, at: boxOffset + 16)
        }
    }

    func testOverlappingChunksAreReported() throws {
        try assertReported("overlap samples") { data, reader in
            let boxOffset = try Self.boxOffset(of: "stco", in: data)
            // The second chunk begins one byte after the first.
            let first = reader.u32(boxOffset + 16)
            Self.write(first + 1, to: &data, at: boxOffset + 20)
        }
    }

    func testAWrongSampleSizeIsReported() throws {
        try assertReported("are not a complete frame") { data, reader in
            let boxOffset = try Self.boxOffset(of: "stsz", in: data)
            Self.write(reader.u32(boxOffset + 20) - 1, to: &data, at: boxOffset + 20)
        }
    }

    func testAnIncompleteFrameIsReported() throws {
        try assertReported("are not a complete frame", codec: .jpeg) { data, _ in
            let map = try MovieMap(reading: MemoryFile(data))
            let run = try XCTUnwrap(map.tracks.first?.samples.runs.last)
            let half = Int(run.size) / 2
            data.replaceSubrange(Int(run.end) - half..<Int(run.end), with: Data(count: half))
        }
    }

    func testAFalseSyncSampleIsReported() throws {
        try assertReported("marked as a sync sample") { data, reader in
            let boxOffset = try Self.boxOffset(of: "stss", in: data)
            XCTAssertGreaterThanOrEqual(reader.u32(boxOffset + 12), 1)
            // The first frame that refers to others.
            let file = MemoryFile(data)
            let track = try XCTUnwrap(MovieMap(reading: file).tracks.first)
            let coding = try XCTUnwrap(CompressedFrame.Coding(track.sampleEntries[0]))
            let number = try XCTUnwrap(
                track.samples.runs.firstIndex { run in
                    let bytes = try file.bytes(at: run.offset, count: Int(run.size))
                    return CompressedFrame(bytes, coding)?.isIntraOnly == false
                })
            Self.write(UInt32(number + 1), to: &data, at: boxOffset + 16)
        }
    }

    func testInconsistentDurationsAreReported() throws {
        try assertReported("its media header has a duration of") { data, _ in
            let boxOffset = try Self.boxOffset(of: "mdhd", in: data)
            Self.write(0, to: &data, at: boxOffset + 24)
        }
    }

    func testPlayersPresentTheEditsAndNotTheDurationsOfTheHeaders() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mp4")
        let result = try MediaTools.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=1", "-c:v", "libx264", url.path])
        XCTAssertEqual(result.status, 0, result.errors)
        let data = try Data(contentsOf: url)
        let reader = try BoxReader(url)
        for (type, field, words) in [("mdhd", 24, "its media header has"), ("tkhd", 28, "its header has")] {
            let offset = try Self.boxOffset(of: type, in: data) + field
            let written = reader.u32(offset)
            for (duration, severity) in [(written * 3, MovieProblem.Severity.warning), (0, .error)] {
                var changed = data
                Self.write(duration, to: &changed, at: offset)
                let memory = MemoryFile(changed)
                let problems = try MovieChecker.problems(of: MovieMap(reading: memory), in: memory)
                XCTAssertEqual(problems.map(\.severity), [severity], "\(problems)")
                XCTAssertTrue(problems.allSatisfy { $0.message.contains(words) }, "\(problems)")
            }
        }
    }

    func testADifferenceOfAFewTicksIsNoError() throws {
        try assertReported("its media header has a duration of", .warning) { data, reader in
            let boxOffset = try Self.boxOffset(of: "mdhd", in: data)
            Self.write(reader.u32(boxOffset + 24) + 5, to: &data, at: boxOffset + 24)
        }
    }

    func testAFrameThatOthersCanReferToIsNoError() throws {
        // The table of dependencies replaces that of the key frames: all frames are droppable.
        try assertReported("is marked as droppable", .warning) { data, reader in
            let boxOffset = try Self.boxOffset(of: "stss", in: data)
            data.replaceSubrange(boxOffset + 4..<boxOffset + 8, with: Data("sdtp".utf8))
            data.replaceSubrange(
                boxOffset + 12..<boxOffset + Int(reader.u32(boxOffset)),
                with: Data(repeating: 2 << 2, count: Int(reader.u32(boxOffset)) - 12))
        }
    }

    func testSamplesInOtherBoxesAndTrailingBytesAreNoErrors() throws {
        try assertReported("outside the media data", .warning) { data, _ in
            let type = try XCTUnwrap(data.range(of: Data("mdat".utf8)))
            data.replaceSubrange(type, with: Data("zzzz".utf8))
        }
        try assertReported("are not a box", .warning) { data, _ in data += Data([1, 2, 3, 4, 5]) }
    }

    func testAnEditAfterTheMediaIsReported() throws {
        try assertReported("the media ends at") { data, _ in
            let boxOffset = try Self.boxOffset(of: "elst", in: data)
            Self.write(0x7fff_0000, to: &data, at: boxOffset + 20)
        }
    }

    func testMissingDurationsAreReported() throws {
        try assertReported("stts has the durations") { data, reader in
            let boxOffset = try Self.boxOffset(of: "stts", in: data)
            Self.write(reader.u32(boxOffset + 16) - 1, to: &data, at: boxOffset + 16)
        }
    }

    func testFramesAreCheckedByTheirOwnSampleDescription() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        try SampleScript.writeTwoFormats(to: url)
        let memory = MemoryFile(try Data(contentsOf: url))
        let map = try MovieMap(reading: memory)
        XCTAssertEqual(map.tracks.first?.samples.runs.map(\.entry), [0, 0, 1, 1])
        XCTAssertEqual(try MovieChecker.problems(of: map, in: memory), [])
    }

    func testACompleteMovieHasNoProblems() throws {
        try assertReported(nil) { _, _ in }
    }

    private func assertReported(
        _ words: String?, _ severity: MovieProblem.Severity = .error, codec: VideoSampleFormat.Codec = .h264,
        file: StaticString = #filePath, line: UInt = #line,
        _ change: (inout Data, BoxReader) throws -> Void
    ) throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        var script = RecordingScript(width: 64, height: 48)
        script.hasAudio = false
        script.codec = codec
        try script.record(url, seconds: 3)
        var data = try Data(contentsOf: url)
        try change(&data, BoxReader(url))
        let memory = MemoryFile(data)
        let problems = try MovieChecker.problems(of: MovieMap(reading: memory), in: memory)
        if let words {
            let found = problems.filter { $0.message.contains(words) }
            XCTAssertFalse(found.isEmpty, "\(problems)", file: file, line: line)
            XCTAssertTrue(found.allSatisfy { $0.severity == severity }, "\(problems)", file: file, line: line)
        } else {
            XCTAssertEqual(problems, [], file: file, line: line)
        }
    }

    /// Returns the offset of the last box of a type.
    private static func boxOffset(of type: String, in data: Data) throws -> Int {
        let range = try XCTUnwrap(data.range(of: Data(type.utf8), options: .backwards))
        return range.lowerBound - 4
    }

    private static func write(_ value: UInt32, to data: inout Data, at offset: Int) {
        withUnsafeBytes(of: value.bigEndian) { data.replaceSubrange(offset..<offset + 4, with: $0) }
    }
}
