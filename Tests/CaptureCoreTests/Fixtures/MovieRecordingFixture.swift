import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// A session with a movie output, ready to record.
final class MovieRecordingFixture {
    let capture: CaptureFixture
    let session: AVCaptureSession
    /// The movie file output of the session.
    let movie: AVCaptureMovieFileOutput
    /// The delegate of the recordings.
    let movies: RecordingMovies

    init(
        _ capture: CaptureFixture, camera: String? = CaptureFixture.camera,
        microphone: String? = CaptureFixture.microphone,
        preset: AVCaptureSession.Preset = .low, otherOutputs: [AVCaptureOutput] = [],
        movies: RecordingMovies = RecordingMovies()
    ) throws {
        self.capture = capture
        self.movies = movies
        movie = capture.inSystem { AVCaptureMovieFileOutput() }
        session = try capture.makeSession(
            camera: camera, microphone: microphone, preset: preset, [movie] + otherOutputs)
    }

    convenience init(microphone: String? = CaptureFixture.microphone) throws {
        try self.init(CaptureFixture(), microphone: microphone)
    }

    func start() { session.startRunning() }

    func record(_ name: String = "a.mov") {
        movie.startRecording(to: capture.url(name), recordingDelegate: movies)
    }

    /// Advances the clock.
    func advance(milliseconds: Int) { capture.advance(milliseconds: milliseconds) }

    func stopRecording() {
        movie.stopRecording()
        capture.clock.settle()
    }

    /// Decodes a movie and checks that its structure is valid.
    func decode(_ name: String = "a.mov") throws -> DecodedMovie {
        let movie = try DecodedMovie(capture.url(name))
        try MovieInspection.assertNoProblems(capture.url(name))
        return movie
    }

    /// Returns the result of the only finished recording.
    func end(file: StaticString = #filePath, line: UInt = #line) throws -> RecordingMovies.RecordingResult {
        XCTAssertEqual(movies.results.count, 1, file: file, line: line)
        return try XCTUnwrap(movies.results.first, file: file, line: line)
    }

    /// Asserts that the recording ended with an error code.
    ///
    /// - Parameters:
    ///   - code: The expected code; nil if no error is expected.
    ///   - isPlayable: Whether the error indicates a playable file; nil without an error.
    func assertEnd(_ code: AVError.Code?, isPlayable: Bool?, file: StaticString = #filePath, line: UInt = #line) throws
    {
        let end = try end(file: file, line: line)
        XCTAssertEqual(end.error?.code, code, end.error?.localizedDescription ?? "", file: file, line: line)
        XCTAssertEqual(end.isPlayable, isPlayable, file: file, line: line)
        XCTAssertFalse(end.wasRecording, file: file, line: line)
        XCTAssertFalse(movie.isRecording, file: file, line: line)
        capture.assertNoMisuse(file: file, line: line)
    }
}
