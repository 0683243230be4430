import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import MediaCodecs

/// The index in front of the media.
final class MovieFileIndexTests: XCTestCase {
    private let second = CMTime(value: 1, timescale: 1)
    private let script = SampleScript(seconds: 4)
    /// None, too little, so little that one chunk must go, and enough.
    private let rooms = [0, 8, 4000, 65536]

    func testTheIndexLiesBeforeTheMediaWhateverRoomThereWas() throws {
        let folder = try TemporaryFolder()
        for interval in [second, .invalid] {
            for room in rooms {
                let url = folder.file("\(room).mov")
                try? FileManager.default.removeItem(at: url)
                try script.write(to: url, interval: interval, frontRoom: room)
                let movie = try ReadMovie(url)
                XCTAssertEqual(movie.topLevel, ["ftyp", "free", "moov", "mdat"], "room \(room)")
                XCTAssertEqual(movie.video?.samples.count, 120)
                XCTAssertEqual(movie.audio?.samples.count, script.audio.count)
                try script.assertHoldsPrefix(movie, isFragmented: false)
                let boxes = try movie.reader.boxes()
                let media = try XCTUnwrap(boxes.last)
                XCTAssertEqual(media.range.upperBound, movie.reader.data.count)
                for sample in movie.tracks.flatMap(\.samples) {
                    XCTAssertGreaterThanOrEqual(sample.offset, media.body.lowerBound)
                    XCTAssertLessThanOrEqual(sample.offset + sample.size, media.body.upperBound)
                }
                let chunks = Set(movie.tracks.flatMap(\.samples).map(\.offset))
                XCTAssertEqual(chunks.count, 120 + script.audio.count, "no two samples share a place")
            }
        }
    }

    func testWhatIsWrittenForAnIndexInFrontIsInProportionToTheIndex() throws {
        let folder = try TemporaryFolder()
        for room in rooms {
            let storage = SimStorage()
            let url = folder.file("\(room).mov")
            let writer = try script.makeWriter(url, storage, interval: second, frontRoom: room)
            let padding = Data(repeating: 7, count: 40000)
            for item in script.items {
                var sample = item.sample
                if item.isVideo { sample.data += padding }
                try writer.append(sample, to: item.isVideo ? script.videoTrack : script.audioTrack)
            }
            let before = storage.operations.count
            try writer.finish()
            let movie = try ReadMovie(url)
            let index = try XCTUnwrap(movie.reader.boxes().first { $0.type == "moov" }).range.count
            // The last chunks are media that waited; a chunk of a second of pictures may have to go.
            let written = storage.operations[before...].filter { $0.kind == .write }.map(\.byteCount).sorted()
            let pending = 2 << 20
            XCTAssertLessThan(written.reduce(0, +), 2 * index + pending + 20000, "room \(room)")
            XCTAssertGreaterThan(movie.reader.data.count, 4_800_000)
        }
    }

    /// Records with a fault; what is left holds a prefix of the script.
    private func videoCount(
        _ folder: TemporaryFolder, _ interval: CMTime, room: Int, _ what: String, canMend: Bool = true,
        prepare: (SimStorage) -> Void
    ) throws -> (count: Int, storage: SimStorage, error: MovieError?) {
        let url = folder.file("a.mov")
        try? FileManager.default.removeItem(at: url)
        let storage = SimStorage()
        prepare(storage)
        var failure: MovieError?
        do {
            try script.write(to: url, storage: storage, interval: interval, frontRoom: room)
        } catch {
            failure = try XCTUnwrap(error as? MovieError)
        }
        guard FileManager.default.fileExists(atPath: url.path), let movie = try? ReadMovie(url) else {
            if let failure { XCTAssertFalse(failure.hasPlayableContent, what) }
            return (0, storage, failure)
        }
        if let failure, canMend { XCTAssertTrue(failure.hasPlayableContent, what) }
        try script.assertHoldsPrefix(movie, isFragmented: movie.fragmentCount > 0)
        return (movie.video?.samples.count ?? 0, storage, failure)
    }

    func testPowerLossAtAnyOperationLeavesTheFragmentsBeforeIt() throws {
        let folder = try TemporaryFolder()
        for room in rooms {
            let whole = try videoCount(folder, second, room: room, "whole") { _ in }
            var counts: [Int] = []
            for operation in 1...whole.storage.operations.count {
                counts.append(
                    try videoCount(folder, second, room: room, "room \(room), operation \(operation)") {
                        $0.order(.powerLoss, atOperation: operation)
                    }.count)
            }
            XCTAssertEqual(counts, counts.sorted(), "room \(room)")
            XCTAssertEqual(Set(counts), [0, 30, 60, 90, 120], "room \(room)")
        }
    }

    func testADiskThatIsFullFromAnyOperationOnLosesNothingThatPlayed() throws {
        let folder = try TemporaryFolder()
        for room in [0, 65536] {
            let whole = try videoCount(folder, second, room: room, "whole") { _ in }
            var counts: [Int] = []
            for operation in 1...whole.storage.operations.count {
                let result = try videoCount(folder, second, room: room, "room \(room), operation \(operation)") {
                    for later in operation..<operation + 60 { $0.order(.fail(.diskFull), atOperation: later) }
                }
                XCTAssertNotNil(result.error, "room \(room), operation \(operation)")
                counts.append(result.count)
            }
            XCTAssertEqual(counts, counts.sorted(), "room \(room)")
            XCTAssertEqual(counts.last, 120)
        }
    }

    func testAWriteCutAnywhereLeavesAFileThatPlaysOrNone() throws {
        let folder = try TemporaryFolder()
        for interval in [second, .invalid] {
            for room in [0, 65536] {
                let whole = try videoCount(folder, interval, room: room, "whole") { _ in }
                for (index, operation) in whole.storage.operations.enumerated() where operation.kind == .write {
                    let points = Set([1, 2, 3, 4, 5, 6, 7, operation.byteCount / 2, operation.byteCount - 1])
                    for kept in points where kept > 0 && kept < operation.byteCount {
                        let what = "room \(room), operation \(index + 1), \(kept) bytes"
                        let cut = try videoCount(folder, interval, room: room, what) {
                            $0.order(.cut(keepingByteCount: kept, .inputOutput), atOperation: index + 1)
                        }
                        XCTAssertNotNil(cut.error, what)
                        // A process that dies in the middle of a write has no time to make it good.
                        _ = try videoCount(folder, interval, room: room, what + ", then nothing", canMend: false) {
                            $0.order(.cut(keepingByteCount: kept, .inputOutput), atOperation: index + 1)
                            for later in index + 2..<index + 60 { $0.order(.fail(.inputOutput), atOperation: later) }
                        }
                    }
                }
            }
        }
    }

    func testPlayersReadIt() throws {
        let folder = try TemporaryFolder()
        for container in [MovieContainer.mov, .mp4] {
            let url = folder.file("a.\(container)")
            var script = RecordingScript()
            script.container = container
            script.putsIndexInFront = true
            script.interval = second
            try script.record(url, seconds: 3)
            XCTAssertEqual(try ReadMovie(url).topLevel, ["ftyp", "free", "moov", "mdat"])
            try MediaTools.assertDecodes(url)
            XCTAssertEqual(
                try MediaTools.probe(url, "stream=codec_name,nb_read_frames,duration", ["-count_frames"]),
                ["h264,3.000000,90", "aac,3.000000,141"])
        }
    }
}
