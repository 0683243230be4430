import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

/// Tests recordings in which a storage operation fails.
final class RecordingStorageTests: XCTestCase {
    private struct Outcome {
        let end: RecordingMovies.RecordingResult
        let events: [String]
        let movie: DecodedMovie?
        let fileExists: Bool
        /// The number of frames in the movie that a repair produced; nil if the file could not be repaired.
        let repairedCount: Int?
        let operations: [SimStorage.Operation]
    }

    private func record(_ name: String = "a.mov", _ prepare: (SimStorage) -> Void) throws -> Outcome {
        let fixture = try MovieRecordingFixture()
        fixture.movie.movieFragmentInterval = CMTime(value: 1, timescale: 5)
        prepare(fixture.capture.storage)
        fixture.start()
        fixture.record(name)
        fixture.advance(milliseconds: 593)
        fixture.stopRecording()
        fixture.session.stopRunning()
        fixture.advance(milliseconds: 100)
        XCTAssertFalse(fixture.movie.isRecording)
        return Outcome(
            end: try fixture.end(), events: fixture.movies.events, movie: try? fixture.decode(name),
            fileExists: fixture.capture.fileExists(name), repairedCount: try repairedCount(fixture, name),
            operations: fixture.capture.storage.operations)
    }

    private func repairedCount(_ fixture: MovieRecordingFixture, _ name: String) throws -> Int? {
        guard fixture.capture.fileExists(name), try !Data(contentsOf: fixture.capture.url(name)).isEmpty else {
            return nil
        }
        let url = fixture.capture.url("repaired-\(name)")
        do {
            _ = try MovieRepair.repair(fixture.capture.url(name), to: url, in: DiskStorage())
        } catch {
            XCTAssertEqual(error.code, .empty, error.message)
            return nil
        }
        XCTAssertTrue(try MovieRepair.isComplete(url, in: DiskStorage()))
        let movie = try fixture.decode("repaired-\(name)")
        XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) })
        return movie.frames.count
    }

    private func assertResultMatchesFile(_ outcome: Outcome, _ message: String) {
        XCTAssertEqual(outcome.events.filter { $0.hasPrefix("finish") }.count, 1, message)
        XCTAssertEqual(outcome.events.suffix(2), ["end a.mov", "finish a.mov"], message)
        // A first fragment may contain audio only, which is no good movie.
        let isPlayable = outcome.movie.map { !$0.frames.isEmpty } ?? false
        XCTAssertEqual(outcome.end.isPlayable ?? true, isPlayable, message)
        if let movie = outcome.movie {
            XCTAssertEqual(movie.counters, (0..<movie.frames.count).map { UInt32($0) }, message)
            XCTAssertGreaterThanOrEqual(outcome.repairedCount ?? 0, movie.frames.count, message)
        }
    }

    func testADiskFullAtAnyOperationEndsTheRecordingOnceWithACorrectResult() throws {
        let count = try record { _ in }.operations.count
        XCTAssertGreaterThan(count, 8)
        var frameCounts: [Int] = []
        for operation in CaseSample.of(1...count, count: 12) {
            let outcome = try record { storage in
                for later in operation..<operation + 100 { storage.inject(.fail(.diskFull), atOperation: later) }
            }
            assertResultMatchesFile(outcome, "operation \(operation)")
            XCTAssertEqual(outcome.end.error?.code, .diskFull, "operation \(operation)")
            frameCounts.append(outcome.movie?.frames.count ?? 0)
        }
        XCTAssertEqual(frameCounts, frameCounts.sorted())
        XCTAssertGreaterThan(frameCounts.last ?? 0, 15)
    }

    func testAFailureOfAnyOperationIsReportedWithItsError() throws {
        let count = try record { _ in }.operations.count
        for operation in CaseSample.of(1...count, count: 12) {
            let outcome = try record { $0.inject(.fail(.inputOutput), atOperation: operation) }
            assertResultMatchesFile(outcome, "operation \(operation)")
            XCTAssertEqual(outcome.end.error?.code, .unknown, "operation \(operation)")
        }
    }

    func testAPowerFailureAtAnyOperationPreservesTheFragmentsBeforeIt() throws {
        let count = try record { _ in }.operations.count
        var frameCounts: [Int] = []
        var repairedCounts: [Int] = []
        for operation in CaseSample.of(1...count, count: 16) {
            // The failure is not reported. The recording continues, but it writes nothing.
            let outcome = try record { $0.inject(.powerLoss, atOperation: operation) }
            XCTAssertNil(outcome.end.error, "operation \(operation)")
            let movie = outcome.movie
            XCTAssertEqual(movie?.counters ?? [], (0..<(movie?.frames.count ?? 0)).map { UInt32($0) })
            // The recording ends before 0.6 s. The last fragment of 0.2 s and the frames in the encoder can be missing.
            if let last = movie?.frames.last { XCTAssertLessThan(last.time.seconds, 0.6) }
            frameCounts.append(movie?.frames.count ?? 0)
            XCTAssertGreaterThanOrEqual(outcome.repairedCount ?? 0, movie?.frames.count ?? 0, "operation \(operation)")
            repairedCounts.append(outcome.repairedCount ?? 0)
        }
        XCTAssertEqual(repairedCounts, repairedCounts.sorted())
        // The repair also uses an index that was written but not activated.
        XCTAssertTrue(zip(frameCounts, repairedCounts).contains { $0 < $1 })
        XCTAssertEqual(frameCounts, frameCounts.sorted())
        XCTAssertEqual(frameCounts.last, 18)
        XCTAssertGreaterThanOrEqual(Set(frameCounts).count, 4)
    }

    func testASmallDiskContainsAsMuchOfTheMovieAsFits() throws {
        var best = 0
        for freeByteCount in stride(from: Int64(0), through: 60_000, by: 5000) {
            let outcome = try record { $0.freeByteCount = freeByteCount }
            assertResultMatchesFile(outcome, "\(freeByteCount) bytes")
            if outcome.end.error != nil { XCTAssertEqual(outcome.end.error?.code, .diskFull, "\(freeByteCount) bytes") }
            best = max(best, outcome.movie?.frames.count ?? 0)
        }
        XCTAssertGreaterThan(best, 15)
    }

    func testAWriteProtectedLocationIsReported() throws {
        let outcome = try record { $0.inject(.fail(.notPermitted), atOperation: 1) }
        XCTAssertEqual(outcome.end.error?.code, .operationNotAllowed)
        XCTAssertFalse(outcome.fileExists)
        XCTAssertEqual(outcome.events, ["end a.mov", "finish a.mov"])
    }
}
