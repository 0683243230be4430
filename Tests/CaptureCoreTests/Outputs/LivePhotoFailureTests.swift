import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests Live Photos that end early or fail, and misuse.
final class LivePhotoFailureTests: XCTestCase {
    private let complete = ["begin", "will", "did", "photo", "recorded", "movie", "end"]
    private let failed = ["begin", "error", "recorded", "movieError", "end"]

    /// The events that stop the media, and the error of a photo that waits for its exposure.
    private let endings: [(name: String, code: AVError.Code, end: (LivePhotoFixture) throws -> Void)] = [
        ("stop", .sessionNotRunning, { $0.session.stopRunning() }),
        ("disable", .sessionConfigurationChanged, { $0.output.isLivePhotoCaptureEnabled = false }),
        ("remove", .sessionConfigurationChanged, { $0.session.removeInput($0.session.inputs[0]) }),
        ("interrupt", .sessionWasInterrupted, { $0.capture.system.interruptions.begin(.videoInUseByAnotherClient) }),
        (
            "unplug", .deviceWasDisconnected,
            { try $0.capture.host.disconnect(uniqueID: "phone.back-wide") }
        ),
    ]

    func testAnEndOfTheMediaAfterThePhotoShortensTheMovie() throws {
        for ending in endings {
            let fixture = try LivePhotoFixture()
            let photos = RecordingPhotos()
            fixture.output.capturePhoto(with: fixture.settings(), delegate: photos)
            fixture.capture.advance(milliseconds: 500)
            XCTAssertEqual(photos.events, ["begin", "will", "did", "photo"], ending.name)
            try ending.end(fixture)
            fixture.capture.advance(milliseconds: 100)
            XCTAssertEqual(photos.events, complete, ending.name)
            let movie = try XCTUnwrap(photos.movies.first, ending.name)
            XCTAssertEqual(movie.duration.seconds, 1.97, accuracy: 0.07, ending.name)
            XCTAssertNil(photos.errors.first ?? nil, ending.name)
            XCTAssertGreaterThan(try fixture.decode().frames.count, 50, ending.name)
        }
    }

    func testAnEndOfTheMediaBeforeThePhotoFailsAllParts() throws {
        for ending in endings {
            let fixture = try LivePhotoFixture()
            let photos = RecordingPhotos()
            fixture.output.capturePhoto(with: fixture.settings(), delegate: photos)
            try ending.end(fixture)
            fixture.capture.advance(milliseconds: 100)
            XCTAssertEqual(photos.events, failed, ending.name)
            XCTAssertEqual(photos.movies.first?.error?.code, ending.code, ending.name)
            XCTAssertEqual(photos.errors.first??.code, ending.code, ending.name)
            XCTAssertFalse(fixture.capture.fileExists("a.mov"), ending.name)
        }
    }

    func testAMovieThatCannotBeWrittenLeavesNoFile() throws {
        var succeeded = false
        for number in 0..<200 where !succeeded {
            let storage = SimStorage()
            let fixture = try LivePhotoFixture(microphone: nil, storage: storage)
            storage.inject(.fail(.diskFull), atOperation: storage.operations.count + 1 + number)
            let photos = fixture.livePhoto(fixture.settings())
            let movie = try XCTUnwrap(photos.movies.first)
            succeeded = movie.error == nil
            XCTAssertEqual(fixture.capture.fileExists("a.mov"), succeeded, "operation \(number)")
            guard !succeeded else {
                XCTAssertGreaterThan(number, 3)
                continue
            }
            XCTAssertEqual(movie.error?.code, .diskFull, "operation \(number)")
            XCTAssertEqual(photos.events, ["begin", "will", "did", "photo", "recorded", "movieError", "end"])
            XCTAssertEqual(photos.errors.first??.code, .diskFull)
            XCTAssertNotNil(photos.photos.first?.fileDataRepresentation())
        }
        XCTAssertTrue(succeeded)
    }

    func testAnExistingFileIsNotReplaced() throws {
        let fixture = try LivePhotoFixture()
        try Data("keep".utf8).write(to: fixture.capture.url("a.mov"))
        let photos = fixture.livePhoto(fixture.settings())
        XCTAssertEqual(photos.movies.first?.error?.code, .fileAlreadyExists)
        XCTAssertEqual(try Data(contentsOf: fixture.capture.url("a.mov")), Data("keep".utf8))
    }

    func testAMovieFileOutputDisablesLivePhotos() throws {
        let fixture = try LivePhotoFixture()
        XCTAssertTrue(fixture.output.isLivePhotoCaptureSupported)
        XCTAssertTrue(fixture.output.isLivePhotoAutoTrimmingEnabled)
        let movie = fixture.capture.inSystem { AVCaptureMovieFileOutput() }
        fixture.session.addOutput(movie)
        XCTAssertFalse(fixture.output.isLivePhotoCaptureSupported)
        XCTAssertFalse(fixture.output.isLivePhotoCaptureEnabled)
        XCTAssertEqual(fixture.output.availableLivePhotoVideoCodecTypes, [])
        let message = fixture.capture.assertMisuse(.invalidArgument) { fixture.output.isLivePhotoCaptureEnabled = true }
        XCTAssertTrue(message.contains("setLivePhotoCaptureEnabled:"), message)
        fixture.session.removeOutput(movie)
        XCTAssertTrue(fixture.output.isLivePhotoCaptureSupported)
        XCTAssertFalse(fixture.output.isLivePhotoCaptureEnabled)
    }

    func testInvalidRequestsAreMisuse() throws {
        let fixture = try LivePhotoFixture()
        let identifier = AVMutableMetadataItem()
        identifier.identifier = .quickTimeMetadataContentIdentifier
        identifier.value = "1" as NSString
        let cases: [(reason: String, change: (AVCapturePhotoSettings) -> Void)] = [
            ("must be a file URL", { $0.livePhotoMovieFileURL = URL(string: "https://example.com/a.mov") }),
            ("availableLivePhotoVideoCodecTypes", { $0.livePhotoVideoCodecType = .jpeg }),
            ("ContentIdentifier", { $0.livePhotoMovieMetadata = [identifier] }),
        ]
        for item in cases {
            let settings = fixture.settings()
            item.change(settings)
            let message = fixture.capture.assertMisuse(.invalidArgument) {
                fixture.output.capturePhoto(with: settings, delegate: RecordingPhotos())
            }
            XCTAssertTrue(message.contains(item.reason), message)
        }
        fixture.output.isLivePhotoCaptureEnabled = false
        let suspending = fixture.capture.assertMisuse(.invalidArgument) {
            fixture.output.isLivePhotoCaptureSuspended = true
        }
        XCTAssertTrue(suspending.contains("setLivePhotoCaptureSuspended:"), suspending)
        let message = fixture.capture.assertMisuse(.invalidArgument) {
            fixture.output.capturePhoto(with: fixture.settings(), delegate: RecordingPhotos())
        }
        XCTAssertTrue(message.contains("isLivePhotoCaptureEnabled"), message)
    }

    func testWebcamsDoNotSupportLivePhotos() throws {
        let capture = try CaptureFixture()
        let output = capture.inSystem { AVCapturePhotoOutput() }
        _ = try capture.makeSession([output])
        XCTAssertFalse(output.isLivePhotoCaptureSupported)
        XCTAssertFalse(output.isLivePhotoAutoTrimmingEnabled)
        capture.assertMisuse(.invalidArgument) { output.isLivePhotoCaptureEnabled = true }
    }
}
