import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_21…` tests S1-21.
final class MovieTests: XCTestCase {
    /// A movie recorder with a running session in a simulated system.
    private struct App {
        let simulated: SimulatedSystem
        let session: AVCaptureSession
        let recorder: MovieRecorder
        let results: Events<MovieRecorder.Result>

        init(
            profile: String = "phone", freeByteCount: Int64? = nil, scene: SimScene = .grey, hasMicrophone: Bool = false
        ) throws {
            simulated = try SimulatedSystem(profile: profile, scene: scene, freeByteCount: freeByteCount)
            let results = Events<MovieRecorder.Result>()
            self.results = results
            recorder = MovieRecorder { results.add($0) }
            session = try makeSession(hasMicrophone: hasMicrophone, recorder.output)
            session.startRunning()
            simulated.advance(by: .milliseconds(200))
        }

        var url: URL { simulated.folder.appendingPathComponent("movie.mov") }

        /// Returns the first result since the results were last cleared; waits until it exists.
        func result() throws -> MovieRecorder.Result {
            XCTAssertTrue(simulated.advance(until: { results.count == 1 }))
            return try XCTUnwrap(results.last)
        }
    }

    func testS1_21ARecordingThatReachesItsMaximumDurationOrSizeIsUsable() throws {
        let app = try App()
        app.recorder.setLimits(duration: CMTime(value: 1, timescale: 1))
        app.recorder.start(to: app.url)
        let durationLimited = try app.result()
        XCTAssertEqual(durationLimited.error?.code, .maximumDurationReached)
        XCTAssertEqual(durationLimited.error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool, true)
        XCTAssertTrue(durationLimited.isPlayable)
        XCTAssertEqual(AVURLAsset(url: app.url).duration.seconds, 1, accuracy: 0.04)

        let street = try App(scene: .street)
        street.recorder.setLimits(fileSize: 150_000)
        street.recorder.start(to: street.url)
        let sizeLimited = try street.result()
        XCTAssertEqual(sizeLimited.error?.code, .maximumFileSizeReached)
        XCTAssertTrue(sizeLimited.isPlayable)
        let size = try XCTUnwrap(FileManager.default.attributesOfItem(atPath: street.url.path)[.size] as? Int)
        XCTAssertLessThanOrEqual(size, 150_000)
        XCTAssertGreaterThan(AVURLAsset(url: street.url).duration.seconds, 0.1)
    }

    func testS1_22ARecordingFailsIfTooLittleSpaceIsFree() throws {
        let app = try App(freeByteCount: 10_000_000)
        app.recorder.setLimits(freeSpace: 20_000_000)
        app.recorder.start(to: app.url)
        let result = try app.result()
        XCTAssertEqual(result.error?.code, .diskFull)
        XCTAssertFalse(result.isPlayable)
        XCTAssertFalse(FileManager.default.fileExists(atPath: app.url.path))
    }

    func testS1_23AnExistingFileIsUnchangedAndAnUnwritableOneFails() throws {
        let app = try App()
        try Data("text".utf8).write(to: app.url)
        app.recorder.start(to: app.url)
        let existing = try app.result()
        XCTAssertNotNil(existing.error)
        XCTAssertFalse(existing.isPlayable)
        XCTAssertEqual(try Data(contentsOf: app.url), Data("text".utf8))

        app.results.removeAll()
        app.recorder.start(to: app.simulated.folder.appendingPathComponent("missing/movie.mov"))
        let unwritable = try app.result()
        XCTAssertNotNil(unwritable.error)
        XCTAssertFalse(unwritable.isPlayable)
    }

    func testS1_24AFullDiskDisconnectionAndInterruptionHaveTheirErrorCodes() throws {
        let full = try App()
        full.recorder.start(to: full.url)
        full.simulated.advance(by: .seconds(2))
        full.simulated.storage.freeByteCount = 0
        XCTAssertEqual(try full.result().error?.code, .diskFull)
        XCTAssertTrue(try full.result().isPlayable)
        XCTAssertGreaterThan(AVURLAsset(url: full.url).duration.seconds, 1)

        let unplugged = try App(profile: "webcam")
        unplugged.recorder.start(to: unplugged.url)
        unplugged.simulated.advance(by: .seconds(1))
        try unplugged.simulated.host.disconnect(uniqueID: "webcam.camera")
        XCTAssertEqual(try unplugged.result().error?.code, .deviceWasDisconnected)
        XCTAssertTrue(try unplugged.result().isPlayable)
        XCTAssertGreaterThan(AVURLAsset(url: unplugged.url).duration.seconds, 0.5)

        let interrupted = try App(hasMicrophone: true)
        interrupted.recorder.start(to: interrupted.url)
        interrupted.simulated.advance(by: .seconds(1))
        interrupted.simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        XCTAssertEqual(try interrupted.result().error?.code, .sessionWasInterrupted)
        XCTAssertTrue(try interrupted.result().isPlayable)
        XCTAssertGreaterThan(AVURLAsset(url: interrupted.url).duration.seconds, 0.5)
    }

    func testS1_25_26ALocationSetWhileRecordingIsInTheFile() throws {
        let app = try App()
        app.recorder.start(to: app.url)
        app.simulated.advance(by: .milliseconds(500))
        app.recorder.addLocation(latitude: 37.3318, longitude: -122.0312)
        app.simulated.advance(by: .milliseconds(500))
        app.recorder.stop()
        XCTAssertNil(try app.result().error)
        let items = AVMetadataItem.metadataItems(
            from: AVURLAsset(url: app.url).commonMetadata,
            withKey: AVMetadataKey.commonKeyLocation.rawValue as NSString,
            keySpace: .common)
        XCTAssertEqual(items.map(\.stringValue), ["+37.3318-122.0312/"])
    }
}
