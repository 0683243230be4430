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

    /// Returns metadata with a comment. The encoder rejects an EXIF block of more than 65,533 bytes.
    private func metadata(commentByteCount: Int) -> [String: Any] {
        [
            kCGImagePropertyExifDictionary as String: [
                kCGImagePropertyExifUserComment as String: String(repeating: "x", count: commentByteCount)
            ]
        ]
    }

    /// Captures a photo whose encoder fails. The media continue: the delegate receives all callbacks, those of the photos
    /// that could not be encoded with an error.
    private func checkFailedEncoding(
        _ name: String, _ expected: [String], _ settings: (LivePhotoFixture) -> AVCapturePhotoSettings
    ) throws {
        let fixture = try makeFixture()
        let photos = RecordingPhotos()
        let requested = settings(fixture)
        requested.metadata = metadata(commentByteCount: 70_000)
        fixture.output.capturePhoto(with: requested, delegate: photos)
        fixture.capture.advance(milliseconds: requested.livePhotoMovieFileURL == nil ? 500 : 2500)
        // Photos of a bracket are processed while later exposures are made.
        XCTAssertEqual(photos.events.filter { $0 != "did" }, expected.filter { $0 != "did" }, name)
        XCTAssertEqual(photos.events.filter { $0 == "did" }, ["did"], name)
        XCTAssertEqual(photos.errors.map(\.?.code), [.encodeFailed], name)
        let results = expected.filter { $0 == "photo" || $0 == "error" }
        for (photo, result) in zip(photos.photos, results) {
            XCTAssertEqual(photo.fileDataRepresentation() == nil, result == "error", name)
            XCTAssertTrue(photo.timestamp.isValid, "\(name): the exposure was made")
        }
        XCTAssertEqual(fixture.output.captureReadiness, .ready, name)

        let next = RecordingPhotos()
        fixture.output.capturePhoto(with: fixture.capture.inSystem { AVCapturePhotoSettings() }, delegate: next)
        fixture.capture.advance(milliseconds: 300)
        XCTAssertEqual(next.events, ["begin", "will", "did", "photo", "end"], name)
        fixture.capture.assertNoMisuse()
        fixture.session.stopRunning()
    }

    func testAnEncoderThatFailsEndsTheCaptureWithItsErrorAfterAllCallbacks() throws {
        for codec in [AVVideoCodecType.jpeg, .hevc] {
            try checkFailedEncoding(codec.rawValue, ["begin", "will", "did", "error", "end"]) { fixture in
                fixture.capture.inSystem { AVCapturePhotoSettings(format: [AVVideoCodecKey: codec]) }
            }
        }
        try checkFailedEncoding("bracket", ["begin", "will", "did", "error", "error", "error", "end"]) { fixture in
            fixture.capture.inSystem {
                AVCapturePhotoBracketSettings(
                    rawPixelFormatType: 0, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg],
                    bracketedSettings: [-1, 0, 1].map {
                        AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
                    })
            }
        }
    }

    func testTheMovieOfALivePhotoWhoseEncoderFailsIsDelivered() throws {
        try checkFailedEncoding(
            "Live Photo", ["begin", "will", "did", "error", "recorded", "movie", "end"]
        ) { $0.settings() }
    }

    func testARAWPhotoIsDeliveredIfTheProcessedOneCannotBeEncoded() throws {
        let fixture = try makeFixture()
        let photos = RecordingPhotos()
        let settings = fixture.capture.inSystem {
            AVCapturePhotoSettings(
                rawPixelFormatType: kCVPixelFormatType_14Bayer_RGGB,
                processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        }
        // Only the processed photo has a thumbnail, which does not fit into the block beside the comment.
        settings.metadata = metadata(commentByteCount: 64_000)
        settings.embeddedThumbnailPhotoFormat = [
            AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: 160, AVVideoHeightKey: 120,
        ]
        fixture.output.capturePhoto(with: settings, delegate: photos)
        fixture.capture.advance(milliseconds: 500)
        XCTAssertEqual(photos.events, ["begin", "will", "did", "photo", "error", "end"])
        XCTAssertEqual(photos.photos.map(\.isRawPhoto), [true, false])
        XCTAssertEqual(photos.photos.map { $0.fileDataRepresentation() == nil }, [false, true])
        XCTAssertEqual(photos.errors.map(\.?.code), [.encodeFailed])
        fixture.session.stopRunning()
    }

    func testACaptureEndsWithTheFirstErrorOfItsPhotos() throws {
        let fixture = try makeFixture()
        let photos = RecordingPhotos()
        let connection = try XCTUnwrap(fixture.output.connection(with: .video))
        let request = fixture.output.makeRequest(Kind.bracket.settings(fixture), logNumber: 1, photos, connection)
        var queue = PhotoRequestQueue()
        queue.add(request)
        XCTAssertNil(queue.error(of: request))
        queue.add(AVError(.encodeFailed), to: request)
        queue.add(AVError(.outOfMemory), to: request)
        XCTAssertEqual(queue.error(of: request)?.code, .encodeFailed)
        let outcome = try XCTUnwrap(queue.removeResult(of: request, nil))
        XCTAssertEqual(outcome.error?.code, .encodeFailed)
        XCTAssertNil(queue.removeResult(of: request, nil))
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
