import AVFoundation
import CaptureHAL
import CaptureTesting
import ExampleTestSupport
import Photos
import TestSupport
import UIKit
import XCTest

@testable import Kamera

/// The requirements S0-26 to S0-42 and S3-7 of docs/tutorials.md, about photos and movies.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS0_26…` tests S0-26.
final class CaptureStoryTests: XCTestCase {
    private let orientations: [(DeviceOrientation, AVCaptureVideoOrientation)] = [
        (.portrait, .portrait), (.portraitUpsideDown, .portraitUpsideDown), (.landscapeLeft, .landscapeRight),
        (.landscapeRight, .landscapeLeft),
    ]

    func testS0_26PhotosAndMoviesAreRotatedInFourOrientations() throws {
        for (deviceOrientation, orientation) in orientations {
            let app = try KameraApp(scene: .street, orientation: deviceOrientation)
            try app.start()
            app.controller.captureStillImage()
            XCTAssertTrue(
                app.simulated.advance(until: { app.thumbnails.count == 1 }), "\(deviceOrientation): \(app.errors.all)")
            let photo = try XCTUnwrap(app.thumbnails.last)
            XCTAssertEqual(
                photo.size.width > photo.size.height,
                deviceOrientation == .landscapeLeft || deviceOrientation == .landscapeRight)
            app.record(milliseconds: 300)
            XCTAssertEqual(app.controller.movieOutput.connection(with: .video)?.videoOrientation, orientation)
            let movie = try XCTUnwrap(app.thumbnails.last)
            XCTAssertEqual(app.thumbnails.count, 2)
            XCTAssertEqual(
                movie.size.width > movie.size.height, photo.size.width > photo.size.height, "\(deviceOrientation)")
            XCTAssertGreaterThan(
                try XCTUnwrap(movie.cgImage).upperMinusLowerBrightness(), 8, "\(deviceOrientation): the sky is above")
        }
    }

    func testS0_27AStillIsAJPEGFile() throws {
        try forEachKind { kind in
            let app = try KameraApp(kind)
            try app.start()
            app.controller.captureStillImage()
            XCTAssertTrue(app.simulated.advance(until: { app.thumbnails.count == 1 }), "\(kind)")
            let file = try Data(contentsOf: XCTUnwrap(app.libraryFiles(.image).first))
            XCTAssertEqual(Array(file.prefix(3)), [0xFF, 0xD8, 0xFF])
            XCTAssertEqual(app.thumbnails.last?.cgImage?.width, 640)
        }
    }

    func testS0_28APhotoThatFailsIsLoggedWithoutThumbnail() throws {
        let app = try KameraApp(.classic)
        try app.start()
        app.controller.captureStillImage()
        app.controller.session.stopRunning()
        app.advance(milliseconds: 500)
        XCTAssertEqual(app.thumbnails.count, 0)
        XCTAssertEqual(app.log.count, 1)
        XCTAssertTrue(app.log.last?.hasPrefix("NULL sampleBuffer: ") ?? false, "\(app.log.all)")
    }

    func testS0_29IfTheLibraryIsDeniedNothingIsWritten() throws {
        try forEachKind { kind in
            let app = try KameraApp(
                kind, authorization: [.photoLibrary: .denied, .photoLibraryAdditions: .denied])
            try app.start()
            app.controller.captureStillImage()
            XCTAssertTrue(app.simulated.advance(until: { app.errors.count == 1 }), "\(kind)")
            XCTAssertEqual(app.errors.all, [kind == .classic ? "library -3311" : "library 3311"])
            XCTAssertEqual(app.thumbnails.count, 0)
        }
    }

    func testS0_30TheNotificationOfASavedPhotoIsPostedOnTheMainThread() throws {
        try forEachKind { kind in
            let app = try KameraApp(
                kind, authorization: [.photoLibrary: .notDetermined, .photoLibraryAdditions: .notDetermined])
            try app.start()
            app.controller.captureStillImage()
            // KameraApp checks the thread.
            XCTAssertTrue(app.simulated.advance(until: { app.thumbnails.count == 1 }), "\(kind): \(app.errors.all)")
            app.simulated.system.authorization.set(.authorized, for: .photoLibrary)
            XCTAssertEqual(try app.libraryFiles(.image).count, 1)
        }
    }

    // MARK: Movies

    func testS0_31FragmentsAreWrittenEveryTenSecondsUnlessSetOtherwise() throws {
        let app = try KameraApp()
        try app.controller.setupSession()
        XCTAssertEqual(app.controller.movieOutput.movieFragmentInterval, CMTime(value: 10, timescale: 1))
        app.controller.movieOutput.movieFragmentInterval = CMTime(value: 1, timescale: 1)
        XCTAssertEqual(app.controller.movieOutput.movieFragmentInterval.seconds, 1)
    }

    func testS0_32AMovieOfAKilledAppPlaysToItsLastFragment() throws {
        let app = try KameraApp()
        try app.controller.setupSession()
        app.controller.session.sessionPreset = .cif352x288
        app.controller.movieOutput.movieFragmentInterval = CMTime(value: 1, timescale: 1)
        app.controller.startSession()
        app.advance(milliseconds: 300)
        app.controller.startRecording()
        app.advance(milliseconds: 2100)
        // The contents of the file if the app were killed, at five times within three fragments.
        var counts: [Int] = []
        for milliseconds in stride(from: 2100, through: 4500, by: 600) {
            let file = try Data(contentsOf: XCTUnwrap(app.controller.outputURL))
            let count = try playableFrameCount(file, in: app)
            // Up to one fragment of 1 s is lost, and up to 1 s that is not encoded yet.
            XCTAssertGreaterThan(count, (milliseconds - 2000) * 30 / 1000 - 2, "\(milliseconds) ms")
            XCTAssertLessThanOrEqual(count, milliseconds * 30 / 1000 + 1, "\(milliseconds) ms")
            counts.append(count)
            app.advance(milliseconds: 600)
        }
        XCTAssertEqual(counts, counts.sorted())
        XCTAssertEqual(Set(counts).count, 3, "the movie ends with a fragment: \(counts)")
        app.controller.stopRecording()
        app.advance(milliseconds: 1000)
    }

    /// Returns the number of frames of an unfinished movie, and asserts that the movie lasts as long as its frames.
    private func playableFrameCount(_ file: Data, in app: KameraApp) throws -> Int {
        let url = app.simulated.folder.appendingPathComponent("\(file.count).mov")
        try file.write(to: url)
        let movie = try MovieFile(url)
        let count = try movie.decodedFrameCount()
        XCTAssertEqual(Double(count), movie.video.timeRange.duration.seconds * 30, accuracy: 2)
        return count
    }

    func testS0_33ASecondStartAndAnIdleStopDoNothing() throws {
        let app = try KameraApp()
        try app.start()
        app.controller.stopRecording()
        app.advance(milliseconds: 100)
        XCTAssertEqual(app.errors.all, [])
        app.controller.startRecording()
        let url = app.controller.outputURL
        app.advance(milliseconds: 200)
        XCTAssertTrue(app.controller.isRecording)
        app.controller.startRecording()
        XCTAssertEqual(app.controller.outputURL, url)
        app.advance(milliseconds: 200)
        app.controller.stopRecording()
        app.simulated.advance(until: { app.thumbnails.count == 1 })
        XCTAssertEqual(try app.libraryFiles(.video).count, 1)
    }

    func testS0_34ThePixelsAreNotRotatedButTheMatrixIsSet() throws {
        let app = try KameraApp(scene: .street)
        try app.start()
        app.record(milliseconds: 300)
        let track = try MovieFile(XCTUnwrap(app.libraryFiles(.video).first)).video
        XCTAssertEqual(track.naturalSize, CGSize(width: 640, height: 480))
        XCTAssertEqual([track.preferredTransform.a, abs(track.preferredTransform.b)], [0, 1])
    }

    func testS0_35OnlyTheMovieIsStabilized() throws {
        let app = try KameraApp()
        let preview = AVCaptureVideoPreviewLayer(session: app.controller.session)
        try app.start()
        app.record(milliseconds: 300)
        XCTAssertNotEqual(app.controller.movieOutput.connection(with: .video)?.activeVideoStabilizationMode, .off)
        XCTAssertEqual(preview.connection?.activeVideoStabilizationMode, .off)
        XCTAssertEqual(app.thumbnails.count, 1)
    }

    func testS0_36SmoothFocusIsOffWhileAMovieIsRecorded() throws {
        let app = try KameraApp()
        try app.start()
        let camera = try app.camera
        XCTAssertTrue(camera.isSmoothAutoFocusSupported)
        try camera.lockForConfiguration()
        camera.isSmoothAutoFocusEnabled = true
        camera.unlockForConfiguration()
        app.controller.startRecording()
        XCTAssertFalse(camera.isSmoothAutoFocusEnabled)
        app.advance(milliseconds: 300)
        app.controller.stopRecording()
        app.simulated.advance(until: { app.thumbnails.count == 1 })
    }

    func testS0_37EachMovieHasItsOwnFile() throws {
        let app = try KameraApp()
        try app.start()
        var urls: [URL] = []
        for _ in 0..<3 {
            app.controller.startRecording()
            urls.append(try XCTUnwrap(app.controller.outputURL))
            app.advance(milliseconds: 200)
            app.controller.stopRecording()
            app.advance(milliseconds: 1500)
        }
        XCTAssertEqual(Set(urls).count, 3)
        XCTAssertEqual(Set(urls.map(\.lastPathComponent)), ["kamera_movie.mov"])
        XCTAssertEqual(app.thumbnails.count, 3)
        for url in urls {
            let folder = url.deletingLastPathComponent().path
            XCTAssertFalse(FileManager.default.fileExists(atPath: folder), "the library has a copy")
        }
    }

    func testS0_38AFailedMovieIsReportedAndHasNoFile() throws {
        let app = try KameraApp()
        try app.start()
        app.controller.startRecording()
        app.advance(milliseconds: 100)
        app.simulated.storage.freeByteCount = 0
        XCTAssertTrue(app.simulated.advance(until: { app.errors.count == 1 }))
        XCTAssertEqual(app.errors.all, ["capture \(AVError.Code.diskFull.rawValue)"])
        app.advance(milliseconds: 500)
        XCTAssertNil(app.controller.outputURL)
        XCTAssertFalse(app.controller.isRecording)
    }

    func testS0_39AMovieThatTheLibraryDoesNotAcceptIsNotWritten() throws {
        let library = RecordingLibrary()
        library.acceptsMovies = false
        let app = try KameraApp(makeLibrary: { library })
        try app.start()
        app.record(milliseconds: 200)
        XCTAssertEqual(library.saved.all, [])
        XCTAssertEqual(app.thumbnails.count, 0)
        XCTAssertEqual(app.log.all, ["The library does not accept kamera_movie.mov."])
        library.acceptsMovies = true
        app.record(milliseconds: 200)
        XCTAssertEqual(library.saved.all, ["movie"])
    }

    func testS0_40AnErrorOfTheLibraryIsReported() throws {
        try forEachKind { kind in
            let app = try KameraApp(
                kind, authorization: [.photoLibrary: .denied, .photoLibraryAdditions: .denied])
            try app.start()
            app.record(milliseconds: 200)
            XCTAssertEqual(app.errors.all, [kind == .classic ? "library -3311" : "library 3311"])
            XCTAssertEqual(app.thumbnails.count, 0)
        }
    }

    func testS0_41MoviesEndAtTheirLimits() throws {
        let app = try KameraApp()
        try app.start()
        app.controller.movieOutput.maxRecordedDuration = CMTime(value: 1, timescale: 2)
        app.controller.startRecording()
        XCTAssertTrue(app.simulated.advance(until: { app.errors.count == 1 }))
        XCTAssertEqual(app.errors.all, ["capture \(AVError.Code.maximumDurationReached.rawValue)"])
        XCTAssertTrue(app.simulated.advance(until: { app.thumbnails.count == 1 }), "the movie is good")
        XCTAssertEqual(try MovieFile(XCTUnwrap(app.libraryFiles(.video).first)).duration, 0.5, accuracy: 0.05)

        app.controller.movieOutput.maxRecordedDuration = .invalid
        app.controller.movieOutput.maxRecordedFileSize = 20_000
        app.controller.startRecording()
        XCTAssertTrue(app.simulated.advance(until: { app.errors.count == 2 }))
        XCTAssertEqual(app.errors.last, "capture \(AVError.Code.maximumFileSizeReached.rawValue)")

        app.controller.movieOutput.maxRecordedFileSize = 0
        app.controller.movieOutput.minFreeDiskSpaceLimit = 1 << 60
        app.controller.startRecording()
        XCTAssertTrue(app.simulated.advance(until: { app.errors.count == 3 }))
        XCTAssertEqual(app.errors.last, "capture \(AVError.Code.diskFull.rawValue)")
    }

    func testS0_42TheThumbnailIs100PointsWideAndUpright() throws {
        try forEachKind { kind in
            let app = try KameraApp(kind, scene: .street)
            try app.start()
            app.record(milliseconds: 300)
            // KameraApp checks that the notification is posted on the main thread.
            let image = try XCTUnwrap(app.thumbnails.last?.cgImage)
            XCTAssertEqual(image.width, 100)
            XCTAssertEqual(Double(image.height), 100 * 4 / 3, accuracy: 1)
            XCTAssertGreaterThan(try image.upperMinusLowerBrightness(), 8)
        }
    }

    func testS3_7TheRecordedDurationGrows() throws {
        let app = try KameraApp()
        try app.start()
        app.controller.startRecording()
        // The stabilization looks ahead, so that the first frame arrives later.
        app.advance(milliseconds: 1000)
        var durations: [Double] = []
        for _ in 0..<3 {
            app.advance(milliseconds: 500)
            durations.append(app.controller.recordedDuration.seconds)
        }
        XCTAssertEqual(durations[1] - durations[0], 0.5, accuracy: 0.04)
        XCTAssertEqual(durations[2] - durations[1], 0.5, accuracy: 0.04)
        app.controller.stopRecording()
        app.simulated.advance(until: { app.thumbnails.count == 1 })
    }
}

/// A library that records what is saved.
private final class RecordingLibrary: MediaLibrary {
    var acceptsMovies = true
    let saved = Events<String>()

    func savePhoto(_ file: Data, completion: @escaping @Sendable ((any Error)?) -> Void) {
        saved.add("photo")
        completion(nil)
    }

    func acceptsMovie(at url: URL) -> Bool { acceptsMovies }

    func saveMovie(at url: URL, completion: @escaping @Sendable ((any Error)?) -> Void) {
        saved.add("movie")
        completion(nil)
    }
}
