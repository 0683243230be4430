import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Captures of all kinds that end at each point: the order of the callbacks, the errors and the files.
final class PhotoFailureTableTests: XCTestCase {
    private enum Kind: CaseIterable {
        case processed, raw, rawAndProcessed, bracket, rawBracket, livePhoto

        /// The number of photos.
        var count: Int {
            switch self {
            case .processed, .raw, .livePhoto: 1
            case .rawAndProcessed: 2
            case .bracket, .rawBracket: 3
            }
        }

        var isLive: Bool { self == .livePhoto }

        func settings(_ fixture: LivePhotoFixture) -> AVCapturePhotoSettings {
            let pixels = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]
            let raw = kCVPixelFormatType_14Bayer_RGGB
            let biases: [Float] = [-1, 0, 1]
            let exposures = biases.map {
                AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
            }
            return fixture.capture.inSystem {
                switch self {
                case .processed: AVCapturePhotoSettings()
                case .raw: AVCapturePhotoSettings(rawPixelFormatType: raw)
                case .rawAndProcessed: AVCapturePhotoSettings(rawPixelFormatType: raw, processedFormat: pixels)
                case .bracket:
                    AVCapturePhotoBracketSettings(
                        rawPixelFormatType: 0, processedFormat: pixels, bracketedSettings: exposures)
                case .rawBracket:
                    AVCapturePhotoBracketSettings(
                        rawPixelFormatType: raw, processedFormat: nil, bracketedSettings: exposures)
                case .livePhoto: fixture.settings()
                }
            }
        }
    }

    /// A point in the course of a capture.
    private enum Stage: CaseIterable {
        case requested
        /// The first of several exposures is complete.
        case firstExposure
        /// All exposures are complete, and photos are being processed.
        case processing
        /// The photo is complete, and the movie of the Live Photo is not.
        case recordingMovie

        func applies(to kind: Kind) -> Bool {
            switch self {
            case .requested, .processing: true
            case .firstExposure: kind == .bracket || kind == .rawBracket
            case .recordingMovie: kind.isLive
            }
        }

        /// Whether a capture has reached the stage.
        func isReached(_ events: [String]) -> Bool {
            switch self {
            case .requested: true
            case .firstExposure: events.contains("will")
            case .processing: events.contains("did")
            case .recordingMovie: events.contains("photo")
            }
        }
    }

    private struct Ending {
        let name: String
        /// The error of exposures that do not arrive; nil if the media continue.
        let code: AVError.Code?
        let end: (LivePhotoFixture) throws -> Void
        /// The error of the movie of a Live Photo that is being recorded.
        var movieCode: AVError.Code?
    }

    private let endings: [Ending] = [
        Ending(name: "stop", code: .sessionNotRunning) { $0.session.stopRunning() },
        Ending(name: "removed input", code: .sessionConfigurationChanged) {
            $0.session.removeInput($0.session.inputs[0])
        },
        Ending(name: "Live Photos", code: .sessionConfigurationChanged) {
            $0.output.isLivePhotoCaptureEnabled = false
        },
        Ending(name: "removed output", code: .sessionConfigurationChanged) { $0.session.removeOutput($0.output) },
        Ending(name: "interruption", code: .sessionWasInterrupted) {
            $0.capture.system.interruptions.begin(.videoInUseByAnotherClient)
        },
        Ending(name: "unplugging", code: .deviceWasDisconnected) {
            try $0.capture.host.disconnect(uniqueID: "phone.back-wide")
        },
        Ending(
            name: "full disk", code: nil, end: { $0.capture.storage.freeByteCount = 0 }, movieCode: .diskFull),
    ]

    func testEachCaptureFinishesOnceWithTheErrorOfItsEnd() throws {
        for kind in Kind.allCases {
            for stage in Stage.allCases where stage.applies(to: kind) {
                for ending in endings { try check(kind, stage, ending) }
            }
        }
    }

    /// A session of small frames that has just started.
    private func makeFixture() throws -> LivePhotoFixture {
        let fixture = try LivePhotoFixture(microphone: nil, preset: .low, isRunning: false)
        fixture.session.startRunning()
        fixture.capture.advance(milliseconds: 300)
        return fixture
    }

    private func check(_ kind: Kind, _ stage: Stage, _ ending: Ending) throws {
        let name = "\(kind), \(stage), \(ending.name)"
        let fixture = try makeFixture()
        let photos = RecordingPhotos()
        fixture.output.capturePhoto(with: kind.settings(fixture), delegate: photos)
        for _ in 0..<500 where !stage.isReached(photos.events) { fixture.capture.advance(milliseconds: 1) }
        XCTAssertTrue(stage.isReached(photos.events), name)
        let finished = photos.events.filter { $0 == "photo" }.count
        try ending.end(fixture)
        fixture.capture.advance(milliseconds: kind.isLive ? 2500 : 300)

        let isCut = ending.code != nil && (stage == .requested || stage == .firstExposure)
        let code = isCut ? ending.code : kind.isLive ? ending.movieCode : nil
        var expected = ["begin"]
        if !isCut || stage == .firstExposure { expected += ["will"] }
        if !isCut { expected += ["did"] }
        let arrived = isCut ? (stage == .firstExposure ? 1 : 0) : kind.count
        expected += Array(repeating: "photo", count: arrived)
        expected += Array(repeating: "error", count: kind.count - arrived)
        if kind.isLive { expected += ["recorded", code == nil ? "movie" : "movieError"] }
        expected += ["end"]
        // Photos of a bracket are processed while later exposures are made.
        XCTAssertEqual(
            photos.events.filter { $0 != "did" }, expected.filter { $0 != "did" }, name)
        XCTAssertEqual(photos.events.filter { $0 == "did" }, expected.filter { $0 == "did" }, name)
        XCTAssertEqual(photos.events.first, "begin", name)
        XCTAssertEqual(photos.events.last, "end", name)
        XCTAssertEqual(photos.errors.map(\.?.code), [code], name)
        XCTAssertEqual(photos.photos.count, kind.count, name)
        XCTAssertEqual(Set(photos.photos.map(\.photoCount)), Set(1...kind.count), name)
        XCTAssertGreaterThanOrEqual(photos.photos.count, finished, name)
        XCTAssertEqual(fixture.capture.fileExists("a.mov"), kind.isLive && code == nil, name)
        for photo in photos.photos.dropFirst(arrived) {
            XCTAssertNil(photo.fileDataRepresentation(), name)
            XCTAssertFalse(photo.timestamp.isValid, name)
        }
        XCTAssertTrue([.ready, .sessionNotRunning].contains(fixture.output.captureReadiness), name)
        if ending.name != "Live Photos" { fixture.capture.assertNoMisuse() }
        fixture.session.stopRunning()
    }

    func testADisabledConnectionEndsTheCapturesThatWait() throws {
        for kind in Kind.allCases {
            let fixture = try makeFixture()
            let photos = RecordingPhotos()
            fixture.output.capturePhoto(with: kind.settings(fixture), delegate: photos)
            let connection = try XCTUnwrap(fixture.output.connection(with: .video))
            connection.isEnabled = false
            fixture.capture.advance(milliseconds: 100)
            let failed = Array(repeating: "error", count: kind.count)
            let movie = kind.isLive ? ["recorded", "movieError"] : []
            XCTAssertEqual(photos.events, ["begin"] + failed + movie + ["end"], "\(kind)")
            XCTAssertEqual(photos.errors.map(\.?.code), [.sessionConfigurationChanged], "\(kind)")
            XCTAssertEqual(fixture.output.captureReadiness, .ready, "\(kind)")
            connection.isEnabled = true
            let next = RecordingPhotos()
            fixture.output.capturePhoto(with: fixture.capture.inSystem { AVCapturePhotoSettings() }, delegate: next)
            fixture.capture.advance(milliseconds: 200)
            XCTAssertEqual(next.events, ["begin", "will", "did", "photo", "end"], "\(kind)")
            fixture.session.stopRunning()
            fixture.capture.assertNoMisuse()
        }
    }

    func testADisabledConnectionEndsTheImagesOfAStillImageOutput() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureStillImageOutput() }
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 100)
        let connection = try XCTUnwrap(output.connection(with: .video))
        let results = Lock<[AVError?]>([])
        output.captureStillImageAsynchronously(from: connection) { _, error in
            results.withLock { $0.append(error as? AVError) }
        }
        connection.isEnabled = false
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(results.withLock { $0 }.map(\.?.code), [.sessionConfigurationChanged])
        XCTAssertFalse(output.isCapturingStillImage)
        session.stopRunning()
        fixture.assertNoMisuse()
    }
}
