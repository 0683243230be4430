import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

/// A whole movie is changed in one place, and the checker must tell.
final class MovieCheckerTests: XCTestCase {
    func testChunkOffsetsOutsideTheMediaAreFound() throws {
        try assertFound("outside the media") { data, reader in
            let place = try Self.place(of: "stco", in: data)
            Self.write(UInt32(data.count + 100), to: &data, at: place + 16)
        }
    }

    func testChunksOverEachOtherAreFound() throws {
        try assertFound("lie over samples") { data, reader in
            let place = try Self.place(of: "stco", in: data)
            // The second chunk begins a byte into the first.
            let first = reader.u32(place + 16)
            Self.write(first + 1, to: &data, at: place + 20)
        }
    }

    func testASizeThatDoesNotFitIsFound() throws {
        try assertFound("do not add up") { data, reader in
            let place = try Self.place(of: "stsz", in: data)
            Self.write(reader.u32(place + 20) - 1, to: &data, at: place + 20)
        }
    }

    func testAPictureThatWasNeverWrittenWholeIsFound() throws {
        try assertFound("do not add up", codec: .jpeg) { data, _ in
            let map = try MovieMap(reading: MemoryFile(data))
            let run = try XCTUnwrap(map.tracks.first?.samples.runs.last)
            let half = Int(run.size) / 2
            data.replaceSubrange(Int(run.end) - half..<Int(run.end), with: Data(count: half))
        }
    }

    func testAFalseSyncSampleIsFound() throws {
        try assertFound("told to be a sync sample") { data, reader in
            let place = try Self.place(of: "stss", in: data)
            XCTAssertGreaterThanOrEqual(reader.u32(place + 12), 1)
            Self.write(reader.u32(place + 16) + 1, to: &data, at: place + 16)
        }
    }

    func testDurationsThatDisagreeAreFound() throws {
        try assertFound("the samples make") { data, reader in
            let place = try Self.place(of: "mdhd", in: data)
            Self.write(reader.u32(place + 24) + 5, to: &data, at: place + 24)
        }
    }

    func testAnEditBehindTheMediaIsFound() throws {
        try assertFound("the media end at") { data, _ in
            let place = try Self.place(of: "elst", in: data)
            Self.write(0x7fff_0000, to: &data, at: place + 20)
        }
    }

    func testMissingDurationsAreFound() throws {
        try assertFound("stts tells the durations") { data, reader in
            let place = try Self.place(of: "stts", in: data)
            Self.write(reader.u32(place + 16) - 1, to: &data, at: place + 16)
        }
    }

    func testAWholeMovieHasNoProblems() throws {
        try assertFound(nil) { _, _ in }
    }

    private func assertFound(
        _ words: String?, codec: VideoSampleFormat.Codec = .h264, file: StaticString = #filePath, line: UInt = #line,
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
            XCTAssertTrue(
                problems.contains { $0.message.contains(words) && $0.severity == .error }, "\(problems)", file: file,
                line: line)
        } else {
            XCTAssertEqual(problems, [], file: file, line: line)
        }
    }

    /// Where the first box of a type begins behind the media.
    private static func place(of type: String, in data: Data) throws -> Int {
        let range = try XCTUnwrap(data.range(of: Data(type.utf8), options: .backwards))
        return range.lowerBound - 4
    }

    private static func write(_ value: UInt32, to data: inout Data, at offset: Int) {
        withUnsafeBytes(of: value.bigEndian) { data.replaceSubrange(offset..<offset + 4, with: $0) }
    }
}
