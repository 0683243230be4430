import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

/// Every operation of the storage fails once while recording.
final class RecordingStorageTests: XCTestCase {
    private struct Outcome {
        let end: RecordingMovies.End
        let story: [String]
        let movie: DecodedMovie?
        let fileIsThere: Bool
        /// The number of frames in a plain movie that repair made of the file; nil where it could make none.
        let repairedCount: Int?
        let operations: [SimStorage.Operation]
    }

    private func record(_ name: String = "a.mov", _ prepare: (SimStorage) -> Void) throws -> Outcome {
        let stage = try MovieStage()
        stage.movie.movieFragmentInterval = CMTime(value: 1, timescale: 5)
        prepare(stage.bench.storage)
        stage.start()
        stage.record(name)
        stage.play(593)
        stage.stopRecording()
        stage.session.stopRunning()
        stage.play(100)
        XCTAssertFalse(stage.movie.isRecording)
        return Outcome(
            end: try stage.end(), story: stage.movies.story, movie: try? stage.decode(name),
            fileIsThere: stage.bench.fileExists(name), repairedCount: try repairedCount(stage, name),
            operations: stage.bench.storage.operations)
    }

    private func repairedCount(_ stage: MovieStage, _ name: String) throws -> Int? {
        guard stage.bench.fileExists(name), try !Data(contentsOf: stage.bench.url(name)).isEmpty else { return nil }
        let url = stage.bench.url("repaired-\(name)")
        do {
            _ = try MovieRepair.repair(stage.bench.url(name), to: url, in: DiskStorage())
        } catch {
            XCTAssertEqual(error.code, .empty, error.message)
            return nil
        }
        XCTAssertTrue(try MovieRepair.isWhole(url, in: DiskStorage()))
        let movie = try stage.decode("repaired-\(name)")
        XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) })
        return movie.frames.count
    }

    private func assertTellsTheTruth(_ outcome: Outcome, _ what: String) {
        XCTAssertEqual(outcome.story.filter { $0.hasPrefix("finish") }.count, 1, what)
        XCTAssertEqual(outcome.story.suffix(2), ["end a.mov", "finish a.mov"], what)
        // A first fragment may hold nothing but sound.
        let plays = outcome.movie.map { !$0.frames.isEmpty || !$0.sound.isEmpty } ?? false
        XCTAssertEqual(outcome.end.isGood ?? true, plays, what)
        if let movie = outcome.movie {
            XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) }, what)
            XCTAssertGreaterThanOrEqual(outcome.repairedCount ?? 0, movie.frames.count, what)
        }
    }

    func testADiskThatFillsUpAtAnyOperationEndsTheRecordingOnceAndTellsTheTruth() throws {
        let count = try record { _ in }.operations.count
        XCTAssertGreaterThan(count, 8)
        var frameCounts: [Int] = []
        for operation in 1...count {
            let outcome = try record { storage in
                for later in operation..<operation + 100 { storage.order(.fail(.diskFull), atOperation: later) }
            }
            assertTellsTheTruth(outcome, "operation \(operation)")
            XCTAssertEqual(outcome.end.error?.code, .diskFull, "operation \(operation)")
            frameCounts.append(outcome.movie?.frames.count ?? 0)
        }
        XCTAssertEqual(frameCounts, frameCounts.sorted())
        XCTAssertGreaterThan(frameCounts.last ?? 0, 15)
    }

    func testAnyOperationThatFailsOnceIsReportedAsWhatItIs() throws {
        let count = try record { _ in }.operations.count
        for operation in 1...count {
            let outcome = try record { $0.order(.fail(.inputOutput), atOperation: operation) }
            assertTellsTheTruth(outcome, "operation \(operation)")
            XCTAssertEqual(outcome.end.error?.code, .unknown, "operation \(operation)")
        }
    }

    func testThePowerThatGoesAtAnyOperationLeavesTheFragmentsBeforeIt() throws {
        let count = try record { _ in }.operations.count
        var frameCounts: [Int] = []
        var repairedCounts: [Int] = []
        for operation in 1...count {
            // Nobody hears of it: the recording goes on into nothing.
            let outcome = try record { $0.order(.powerLoss, atOperation: operation) }
            XCTAssertNil(outcome.end.error, "operation \(operation)")
            let movie = outcome.movie
            XCTAssertEqual(movie?.counters ?? [], (0..<(movie?.frames.count ?? 0)).map { UInt32($0) })
            // A fragment of 0.2 s, and the frames that the encoder held back at its end.
            if let last = movie?.frames.last { XCTAssertLessThan(last.time.seconds, 0.6) }
            frameCounts.append(movie?.frames.count ?? 0)
            XCTAssertGreaterThanOrEqual(outcome.repairedCount ?? 0, movie?.frames.count ?? 0, "operation \(operation)")
            repairedCounts.append(outcome.repairedCount ?? 0)
        }
        XCTAssertEqual(repairedCounts, repairedCounts.sorted())
        // An index that was written and not yet in force counts in a repair.
        XCTAssertTrue(zip(frameCounts, repairedCounts).contains { $0 < $1 })
        XCTAssertEqual(frameCounts, frameCounts.sorted())
        XCTAssertEqual(frameCounts.last, 18)
        XCTAssertGreaterThanOrEqual(Set(frameCounts).count, 4)
    }

    func testADiskWithSoMuchRoomHoldsWhatFits() throws {
        var best = 0
        for room in stride(from: Int64(0), through: 60_000, by: 5000) {
            let outcome = try record { $0.freeByteCount = room }
            assertTellsTheTruth(outcome, "\(room) bytes")
            if outcome.end.error != nil { XCTAssertEqual(outcome.end.error?.code, .diskFull, "\(room) bytes") }
            best = max(best, outcome.movie?.frames.count ?? 0)
        }
        XCTAssertGreaterThan(best, 15)
    }

    func testAPlaceWhereOneMayNotWriteIsToldSo() throws {
        let outcome = try record { $0.order(.fail(.notPermitted), atOperation: 1) }
        XCTAssertEqual(outcome.end.error?.code, .operationNotAllowed)
        XCTAssertFalse(outcome.fileIsThere)
        XCTAssertEqual(outcome.story, ["end a.mov", "finish a.mov"])
    }
}
