import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs

/// Movies with the index before the media.
final class MovieFileIndexTests: XCTestCase {
    private let second = CMTime(value: 1, timescale: 1)
    private let script = SampleScript(seconds: 4)
    /// The bytes reserved for the index: none, too few, so few that one chunk of media is moved, and enough.
    private let reservedByteCounts = [0, 8, 4000, 65536]

    func testTheIndexPrecedesTheMediaForAnyReservedSize() throws {
        let folder = try TemporaryFolder()
        for interval in [second, .invalid] {
            for reservedByteCount in reservedByteCounts {
                let url = folder.file("\(reservedByteCount).mov")
                try? FileManager.default.removeItem(at: url)
                try script.write(to: url, interval: interval, reservedIndexByteCount: reservedByteCount)
                let movie = try ParsedMovie(url)
                XCTAssertEqual(
                    movie.topLevel, ["ftyp", "free", "moov", "mdat"], "reservedByteCount \(reservedByteCount)")
                XCTAssertEqual(movie.video?.samples.count, 120)
                XCTAssertEqual(movie.audio?.samples.count, script.audio.count)
                try script.assertContainsFirstSamples(movie, isFragmented: false)
                let boxes = try movie.reader.boxes()
                let media = try XCTUnwrap(boxes.last)
                XCTAssertEqual(media.range.upperBound, movie.reader.data.count)
                for sample in movie.tracks.flatMap(\.samples) {
                    XCTAssertGreaterThanOrEqual(sample.offset, media.body.lowerBound)
                    XCTAssertLessThanOrEqual(sample.offset + sample.size, media.body.upperBound)
                }
                let offsets = Set(movie.tracks.flatMap(\.samples).map(\.offset))
                XCTAssertEqual(offsets.count, 120 + script.audio.count, "no two samples share an offset")
            }
        }
    }

    func testMovingTheIndexWritesLittleMoreThanTheIndex() throws {
        let folder = try TemporaryFolder()
        for reservedByteCount in reservedByteCounts {
            let storage = SimStorage()
            let url = folder.file("\(reservedByteCount).mov")
            let writer = try script.makeWriter(
                url, storage, interval: second, reservedIndexByteCount: reservedByteCount)
            let padding = Data(repeating: 7, count: 40000)
            for item in script.items {
                var sample = item.sample
                if item.isVideo { sample.data += padding }
                try writer.append(sample, to: item.isVideo ? script.videoTrack : script.audioTrack)
            }
            let before = storage.operations.count
            try writer.finish()
            let movie = try ParsedMovie(url)
            let indexByteCount = try XCTUnwrap(movie.reader.boxes().first { $0.type == "moov" }).range.count
            // The last chunks were not yet written, and one chunk with a second of video may be moved.
            let writtenByteCounts = storage.operations[before...].filter { $0.kind == .write }.map(\.byteCount).sorted()
            let mediaByteLimit = 2 << 20
            XCTAssertLessThan(
                writtenByteCounts.reduce(0, +), 2 * indexByteCount + mediaByteLimit + 20000,
                "reservedByteCount \(reservedByteCount)")
            XCTAssertGreaterThan(movie.reader.data.count, 4_800_000)
        }
    }

    /// Records with a fault, expects the remaining file to contain the first samples of the script, and returns the
    /// number of its video frames.
    private func videoCount(
        _ folder: TemporaryFolder, _ interval: CMTime, reservedByteCount: Int, _ what: String, canRepair: Bool = true,
        prepare: (SimStorage) -> Void
    ) throws -> (count: Int, storage: SimStorage, error: MovieError?) {
        let url = folder.file("a.mov")
        try? FileManager.default.removeItem(at: url)
        let storage = SimStorage()
        prepare(storage)
        var failure: MovieError?
        do {
            try script.write(to: url, storage: storage, interval: interval, reservedIndexByteCount: reservedByteCount)
        } catch {
            failure = try XCTUnwrap(error as? MovieError)
        }
        guard FileManager.default.fileExists(atPath: url.path), let movie = try? ParsedMovie(url) else {
            if let failure { XCTAssertFalse(failure.hasPlayableContent, what) }
            return (0, storage, failure)
        }
        if let failure, canRepair { XCTAssertTrue(failure.hasPlayableContent, what) }
        try script.assertContainsFirstSamples(movie, isFragmented: movie.fragmentCount > 0)
        return (movie.video?.samples.count ?? 0, storage, failure)
    }

    func testPowerLossAtAnyOperationKeepsEarlierFragments() throws {
        let folder = try TemporaryFolder()
        for reservedByteCount in reservedByteCounts {
            let complete = try videoCount(folder, second, reservedByteCount: reservedByteCount, "whole") { _ in }
            var counts: [Int] = []
            for operation in 1...complete.storage.operations.count {
                counts.append(
                    try videoCount(
                        folder, second, reservedByteCount: reservedByteCount,
                        "reservedByteCount \(reservedByteCount), operation \(operation)"
                    ) {
                        $0.inject(.powerLoss, atOperation: operation)
                    }.count)
            }
            XCTAssertEqual(counts, counts.sorted(), "reservedByteCount \(reservedByteCount)")
            XCTAssertEqual(Set(counts), [0, 30, 60, 90, 120], "reservedByteCount \(reservedByteCount)")
        }
    }

    func testADiskThatIsFullFromAnyOperationLosesNothingPlayable() throws {
        let folder = try TemporaryFolder()
        for reservedByteCount in [0, 65536] {
            let complete = try videoCount(folder, second, reservedByteCount: reservedByteCount, "whole") { _ in }
            var counts: [Int] = []
            for operation in 1...complete.storage.operations.count {
                let result = try videoCount(
                    folder, second, reservedByteCount: reservedByteCount,
                    "reservedByteCount \(reservedByteCount), operation \(operation)"
                ) {
                    for later in operation..<operation + 60 { $0.inject(.fail(.diskFull), atOperation: later) }
                }
                XCTAssertNotNil(result.error, "reservedByteCount \(reservedByteCount), operation \(operation)")
                counts.append(result.count)
            }
            XCTAssertEqual(counts, counts.sorted(), "reservedByteCount \(reservedByteCount)")
            XCTAssertEqual(counts.last, 120)
        }
    }

    func testAnIncompleteWriteLeavesAPlayableFileOrNone() throws {
        let folder = try TemporaryFolder()
        for interval in [second, .invalid] {
            for reservedByteCount in [0, 65536] {
                let complete = try videoCount(folder, interval, reservedByteCount: reservedByteCount, "whole") { _ in }
                let writes = complete.storage.operations.enumerated().filter { $0.element.kind == .write }
                for (index, operation) in CaseSample.of(writes, count: 8) {
                    let points = Set([1, 2, 3, 4, 5, 6, 7, operation.byteCount / 2, operation.byteCount - 1])
                    for keptByteCount in points where keptByteCount > 0 && keptByteCount < operation.byteCount {
                        let what =
                            "reservedByteCount \(reservedByteCount), operation \(index + 1), \(keptByteCount) bytes"
                        let result = try videoCount(folder, interval, reservedByteCount: reservedByteCount, what) {
                            $0.inject(.cut(keepingByteCount: keptByteCount, .inputOutput), atOperation: index + 1)
                        }
                        XCTAssertNotNil(result.error, what)
                        // A process that is killed during a write cannot repair the file.
                        _ = try videoCount(
                            folder, interval, reservedByteCount: reservedByteCount, what + ", then nothing",
                            canRepair: false
                        ) {
                            $0.inject(.cut(keepingByteCount: keptByteCount, .inputOutput), atOperation: index + 1)
                            for later in index + 2..<index + 60 { $0.inject(.fail(.inputOutput), atOperation: later) }
                        }
                    }
                }
            }
        }
    }

    func testFFmpegReadsTheMovie() throws {
        let folder = try TemporaryFolder()
        for container in [MovieContainer.mov, .mp4] {
            let url = folder.file("a.\(container)")
            var script = RecordingScript()
            script.container = container
            script.putsIndexInFront = true
            script.interval = second
            try script.record(url, seconds: 3)
            XCTAssertEqual(try ParsedMovie(url).topLevel, ["ftyp", "free", "moov", "mdat"])
            try MediaTools.assertDecodes(url)
            XCTAssertEqual(
                try MediaTools.probe(url, "stream=codec_name,nb_read_frames,duration", ["-count_frames"]),
                ["h264,3.000000,90", "aac,3.000000,141"])
        }
    }
}
