import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs

/// Injects every fault at every operation of a short recording.
final class MovieFileFaultTests: XCTestCase {
    private let script = SampleScript(seconds: 4)
    private let interval = CMTime(value: 1, timescale: 1)

    /// Records with a fault; returns the error, and the contents of the remaining file.
    private func record(
        _ folder: TemporaryFolder, interval: CMTime, prepare: (SimStorage) -> Void
    ) throws -> (error: MovieError?, movie: ParsedMovie?, storage: SimStorage) {
        let url = folder.file("a.mov")
        try? FileManager.default.removeItem(at: url)
        let storage = SimStorage()
        prepare(storage)
        var failure: MovieError?
        do {
            try script.write(to: url, storage: storage, interval: interval)
        } catch {
            failure = try XCTUnwrap(error as? MovieError)
        }
        let exists = FileManager.default.fileExists(atPath: url.path)
        let movie = exists ? try? ParsedMovie(url) : nil
        if let movie { try script.assertContainsFirstSamples(movie, isFragmented: movie.fragmentCount > 0) }
        return (failure, movie, storage)
    }

    private func operationCount(interval: CMTime) throws -> Int {
        let result = try record(try TemporaryFolder(), interval: interval) { _ in }
        XCTAssertNil(result.error)
        return result.storage.operations.count
    }

    func testASingleFailureLosesNoStoredSamples() throws {
        let folder = try TemporaryFolder()
        for interval in [interval, .invalid] {
            for operation in 1...(try operationCount(interval: interval)) {
                let result = try record(folder, interval: interval) {
                    $0.inject(.fail(.inputOutput), atOperation: operation)
                }
                let error = try XCTUnwrap(result.error, "operation \(operation)")
                XCTAssertEqual(error.code, .storage)
                XCTAssertEqual(error.hasPlayableContent, result.movie != nil, "operation \(operation)")
                guard let movie = result.movie else {
                    // Only before the first media, or if the file could not be created.
                    XCTAssertLessThanOrEqual(operation, 3, "operation \(operation)")
                    continue
                }
                XCTAssertEqual(movie.topLevel.prefix(2), ["ftyp", "mdat"], "operation \(operation)")
                XCTAssertEqual(movie.fragmentCount, 0)
            }
        }
    }

    func testADiskThatIsFullFromAnyOperationKeepsAllFragments() throws {
        let folder = try TemporaryFolder()
        let total = try operationCount(interval: interval)
        var videoCounts: [Int] = []
        for operation in 1...total {
            let result = try record(folder, interval: interval) { storage in
                for later in operation..<operation + 60 { storage.inject(.fail(.diskFull), atOperation: later) }
            }
            XCTAssertEqual(result.error?.cause.map(Self.code), .diskFull)
            XCTAssertEqual(result.error?.hasPlayableContent, result.movie != nil, "operation \(operation)")
            videoCounts.append(result.movie?.video?.samples.count ?? 0)
        }
        XCTAssertEqual(videoCounts, videoCounts.sorted())
        XCTAssertEqual(videoCounts.last, 120)
    }

    func testALimitedDiskHasAPlayableFile() throws {
        let folder = try TemporaryFolder()
        var size: Int64 = 0
        try script.write(to: folder.file("whole.mov"), interval: interval)
        size = Int64(try Data(contentsOf: folder.file("whole.mov")).count)
        var best = 0
        for freeByteCount in stride(from: Int64(1), through: size + 20000, by: 700) {
            let result = try record(folder, interval: interval) { $0.freeByteCount = freeByteCount }
            if result.error == nil {
                XCTAssertEqual(result.movie?.fragmentCount, 0)
                best = max(best, result.movie?.video?.samples.count ?? 0)
            } else {
                XCTAssertEqual(result.error?.cause.map(Self.code), .diskFull)
                XCTAssertEqual(result.error?.hasPlayableContent, result.movie != nil, "freeByteCount \(freeByteCount)")
            }
        }
        XCTAssertEqual(best, 120)
    }

    func testAnIncompleteWriteLeavesAPlayableFileOrNone() throws {
        let folder = try TemporaryFolder()
        for interval in [interval, .invalid] {
            let complete = try record(try TemporaryFolder(), interval: interval) { _ in }
            let writes = complete.storage.operations.enumerated().filter { $0.element.kind == .write }
            for (index, operation) in CaseSample.of(writes, count: 8) {
                let points = Set([1, 2, 3, 4, 5, 6, 7, operation.byteCount / 2, operation.byteCount - 1])
                for keptByteCount in points where keptByteCount > 0 && keptByteCount < operation.byteCount {
                    let result = try record(folder, interval: interval) { storage in
                        storage.inject(.cut(keepingByteCount: keptByteCount, .inputOutput), atOperation: index + 1)
                    }
                    XCTAssertEqual(result.error?.hasPlayableContent, result.movie != nil, "\(index) \(keptByteCount)")
                }
            }
        }
    }

    func testPowerLossAtAnyOperationKeepsEarlierFragments() throws {
        let folder = try TemporaryFolder()
        let total = try operationCount(interval: interval)
        var videoCounts: [Int] = []
        for operation in 1...total {
            let result = try record(folder, interval: interval) { $0.inject(.powerLoss, atOperation: operation) }
            videoCounts.append(result.movie?.video?.samples.count ?? 0)
        }
        XCTAssertEqual(videoCounts, videoCounts.sorted())
        XCTAssertEqual(Set(videoCounts), [0, 30, 60, 90, 120])
    }

    func testACrashLosesAtMostOneInterval() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        let writer = try script.makeWriter(url, DiskStorage(), interval: interval)
        for item in script.items {
            try writer.append(item.sample, to: item.isVideo ? script.videoTrack : script.audioTrack)
            guard item.isVideo else { continue }
            let frames = Int(item.sample.presentationTime.seconds * 30 + 0.5)
            let movie = try? ParsedMovie(url)
            XCTAssertGreaterThanOrEqual(movie?.video?.samples.count ?? 0, frames - 30)
        }
    }

    private static func code(_ cause: MovieError.Cause) -> StorageError.Code? {
        if case .storage(let error) = cause { error.code } else { nil }
    }
}
