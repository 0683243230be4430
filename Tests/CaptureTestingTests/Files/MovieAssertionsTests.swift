import AssetTypes
import CaptureCore
import CaptureSimulation
import Foundation
import XCTest

@testable import CaptureTesting

final class MovieAssertionsTests: XCTestCase {
    /// A delegate that ignores its calls.
    private final class Delegate: AVCaptureFileOutputRecordingDelegate {
        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
            from connections: [AVCaptureConnection], error: (any Error)?
        ) {}
    }

    /// Records a movie of two seconds with sound.
    private func movie() throws -> URL {
        let simulated = try SimulatedSystem(profile: "webcam")
        let session = AVCaptureSession()
        session.sessionPreset = .vga640x480
        for media in [AVMediaType.video, .audio] {
            session.addInput(try AVCaptureDeviceInput(device: XCTUnwrap(AVCaptureDevice.default(for: media))))
        }
        let output = AVCaptureMovieFileOutput()
        session.addOutput(output)
        session.startRunning()
        let url = simulated.folder.appendingPathComponent("clip.mov")
        let delegate = Delegate()
        output.startRecording(to: url, recordingDelegate: delegate)
        simulated.advance(by: .seconds(2))
        output.stopRecording()
        simulated.advance(by: .seconds(1))
        return url
    }

    func testPropertiesOfAMovieAreMeasured() throws {
        XCTAssertMovie(
            try movie(), .playable, .duration(2, accuracy: 0.1), .frames(57...63), .longestGap(0.03...0.04),
            .size(width: 640, height: 480), .rotation(0), .tracks(.video, .audio, .timecode))
    }

    func testEachFailureContainsTheExpectedAndTheMeasuredProperty() throws {
        let movie = try movie()
        let failures = MovieCheck.failures(
            of: movie,
            [
                .duration(5, accuracy: 0.1), .duration(1.9...2.1), .frames(3), .longestGap(0...0.01),
                .size(width: 1, height: 2), .rotation(90), .tracks(.video),
            ])
        XCTAssertEqual(failures.count, 6, "\(failures)")
        XCTAssertTrue(
            failures[0].hasPrefix("\(movie.path): expected duration 4.9 to 5.1 s, seen: duration "), failures[0])
        XCTAssertTrue(failures[5].hasSuffix("expected tracks video, seen: tracks video, audio, timecode"), failures[5])
    }

    func testAFileThatIsNotAMovieHasOneFailure() throws {
        let missing = URL(fileURLWithPath: "/nonexistent/a.mov")
        XCTAssertEqual(
            MovieCheck.failures(of: missing, [.playable, .frames(1)]),
            ["/nonexistent/a.mov: expected that it exists, seen: there is no file a.mov"])
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-no-movie-\(ProcessInfo.processInfo.processIdentifier).mov")
        try Data("text".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let failures = MovieCheck.failures(of: file, [])
        XCTAssertTrue(failures.first?.contains("expected playable, seen: not playable: ") == true, "\(failures)")
    }
}
