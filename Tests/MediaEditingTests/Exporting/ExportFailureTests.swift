import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Exports that fail or are cancelled at any operation leave no partial file that looks complete.
final class ExportFailureTests: XCTestCase {
    private static let frameCount = 24

    private struct Environment {
        let callbackStorage = CallbackStorage()
        /// Wraps `callbackStorage`.
        let storage: SimStorage
        let fixture: AssetWriterFixture
        let source: AVAsset

        /// Writes the source movie.
        init() throws {
            storage = SimStorage(over: callbackStorage)
            fixture = try AssetWriterFixture(storage: storage)
            let writer = try fixture.makeWriter("source.mov")
            try fixture.writeMedia(
                1, writer, video: fixture.makeVideoInput([AVVideoMaxKeyFrameIntervalKey: 10]),
                audio: fixture.makeAudioInput())
            source = fixture.asset("source.mov")
            _ = source.tracks
        }

        /// Returns a composition of two ranges of the source, with 24 frames in total.
        func makeComposition() throws -> AVAsset {
            let composition = fixture.system.run { AVMutableComposition() }
            for (start, target) in [(5, 0), (13, 12)] {
                try composition.insertTimeRange(
                    CMTimeRange(
                        start: CMTime(value: Int64(start), timescale: 30), duration: CMTime(value: 12, timescale: 30)),
                    of: source, at: CMTime(value: Int64(target), timescale: 30))
            }
            return composition
        }

        func removeOutput() throws {
            if fixture.fileExists("out.mov") { try FileManager.default.removeItem(at: fixture.url("out.mov")) }
        }
    }

    /// The presets, and whether the index is written before the media.
    private static let cases: [(preset: String, isOptimized: Bool)] = [
        (AVAssetExportPresetPassthrough, false), (AVAssetExportPresetPassthrough, true),
        (AVAssetExportPresetHighestQuality, true),
    ]

    private func export(
        _ environment: Environment, _ preset: String, isOptimized: Bool,
        _ prepare: (AVAssetExportSession) -> Void = { _ in }
    ) throws -> AVAssetExportSession {
        try environment.fixture.export(try environment.makeComposition(), preset, "out.mov") { session in
            session.shouldOptimizeForNetworkUse = isOptimized
            prepare(session)
        }
    }

    /// Asserts that no file remains that plays only a part of the movie.
    private func assertNoPartialMovie(_ fixture: AssetWriterFixture, _ what: String) throws {
        guard fixture.fileExists("out.mov") else { return }
        let frames = (try? DecodedMovie(fixture.url("out.mov")).frames.count) ?? 0
        XCTAssertTrue(frames == 0 || frames == Self.frameCount, "\(what): \(frames) frames")
    }

    func testAFullDiskAtAnyOperationFailsTheExportAndLeavesNoPartialMovie() throws {
        let environment = try Environment()
        let fixture = environment.fixture
        for (preset, isOptimized) in Self.cases {
            try environment.removeOutput()
            let before = environment.storage.operations.count
            XCTAssertEqual(try export(environment, preset, isOptimized: isOptimized).status, .completed)
            let count = environment.storage.operations.count - before
            XCTAssertGreaterThan(count, 5)
            for operation in CaseSample.of(1...count, count: 12) {
                for isPersistent in [false, true] {
                    try environment.removeOutput()
                    let first = environment.storage.operations.count + operation
                    for later in first...(isPersistent ? first + 50 : first) {
                        environment.storage.inject(.cut(keepingByteCount: 7, .diskFull), atOperation: later)
                    }
                    let session = try export(environment, preset, isOptimized: isOptimized)
                    let what = "\(preset), operation \(operation) of \(count)"
                    XCTAssertEqual(session.status, .failed, what)
                    XCTAssertEqual((session.error as? AVError)?.code, .diskFull, what)
                    if isPersistent {
                        // The file cannot be removed.
                        try assertNoPartialMovie(fixture, what)
                    } else {
                        XCTAssertFalse(fixture.fileExists("out.mov"), what)
                    }
                    // Consume the remaining faults before the next export.
                    while environment.storage.operations.count < first + 50 {
                        try? environment.storage.remove(fixture.url("missing"))
                    }
                }
            }
        }
        fixture.assertNoMisuse()
    }

    func testAnExportThatIsCancelledAtAnyOperationLeavesNoFile() throws {
        let environment = try Environment()
        for (preset, isOptimized) in Self.cases {
            try environment.removeOutput()
            environment.callbackStorage.onOperation(nil)
            XCTAssertEqual(try export(environment, preset, isOptimized: isOptimized).status, .completed)
            let count = environment.callbackStorage.operationCount
            XCTAssertGreaterThan(count, 5)
            for operation in CaseSample.of(1...count, count: 12) {
                try environment.removeOutput()
                let session = try export(environment, preset, isOptimized: isOptimized) { session in
                    environment.callbackStorage.onOperation { number in
                        if number == operation { session.cancelExport() }
                    }
                }
                let what = "\(preset), operation \(operation) of \(count)"
                XCTAssertEqual(session.status, .cancelled, what)
                XCTAssertNil(session.error, what)
                XCTAssertFalse(environment.fixture.fileExists("out.mov"), what)
            }
        }
        environment.fixture.assertNoMisuse()
    }

    func testAnExportThatIsCancelledBeforeItCreatesItsFileKeepsAnExistingFile() throws {
        let environment = try Environment()
        let url = environment.fixture.url("out.mov")
        let content = Data("here".utf8)
        for (preset, isOptimized) in Self.cases {
            try content.write(to: url)
            let session = try export(environment, preset, isOptimized: isOptimized) { session in
                // The export lists the folder first.
                session.directoryForTemporaryFiles = environment.fixture.folder
                environment.callbackStorage.onOperation { number in
                    if number == 1 { session.cancelExport() }
                }
            }
            XCTAssertEqual(session.status, .cancelled, preset)
            XCTAssertEqual(try Data(contentsOf: url), content, preset)
        }
        environment.fixture.assertNoMisuse()
    }

    func testAnExistingFileFailsAnExportWithALengthLimitAndStaysUnchanged() throws {
        let environment = try Environment()
        let url = environment.fixture.url("out.mov")
        let content = Data(repeating: 7, count: 2000)
        try content.write(to: url)
        for (preset, isOptimized) in Self.cases {
            // The existing file is longer than the limit.
            let session = try export(environment, preset, isOptimized: isOptimized) { $0.fileLengthLimit = 1000 }
            XCTAssertEqual(session.status, .failed, preset)
            XCTAssertEqual((session.error as? AVError)?.code, .fileAlreadyExists, preset)
            XCTAssertEqual(try Data(contentsOf: url), content, preset)
        }
    }

    func testASourceThatIsTruncatedDuringTheExportFailsItAndLeavesNoFile() throws {
        let environment = try Environment()
        let url = environment.fixture.url("source.mov")
        let original = try Data(contentsOf: url)
        for (preset, isOptimized) in Self.cases {
            try environment.removeOutput()
            environment.callbackStorage.onOperation(nil)
            XCTAssertEqual(try export(environment, preset, isOptimized: isOptimized).status, .completed)
            let count = environment.callbackStorage.operationCount
            var failureCount = 0
            for operation in CaseSample.of(1...count, count: 12) {
                try environment.removeOutput()
                let file = try FileHandle(forUpdating: url)
                let session = try export(environment, preset, isOptimized: isOptimized) { _ in
                    environment.callbackStorage.onOperation { number in
                        // Truncation changes the file that the export has open; replacing the file would not.
                        if number == operation { try? file.truncate(atOffset: 200) }
                    }
                }
                let what = "\(preset), operation \(operation) of \(count)"
                if session.status == .failed {
                    failureCount += 1
                    XCTAssertEqual((session.error as? AVError)?.code, .failedToLoadSampleData, what)
                    XCTAssertFalse(environment.fixture.fileExists("out.mov"), what)
                } else {
                    XCTAssertEqual(session.status, .completed, what)
                    XCTAssertEqual(
                        try DecodedMovie(environment.fixture.url("out.mov")).frames.count, Self.frameCount, what)
                }
                environment.callbackStorage.onOperation(nil)
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: original)
                try file.close()
            }
            XCTAssertGreaterThan(failureCount, 0, preset)
        }
    }
}
