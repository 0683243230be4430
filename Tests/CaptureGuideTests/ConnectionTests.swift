import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_15…` tests S1-15.
final class ConnectionTests: XCTestCase {
    func testS1_15StabilizationIsOffByDefaultAndItsActiveModeIsReported() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let recorder = MovieRecorder { _ in }
        let session = try makeSession(recorder.output)
        session.startRunning()
        let connection = try XCTUnwrap(recorder.output.connection(with: .video))
        XCTAssertEqual(connection.activeVideoStabilizationMode, .off)
        connection.stabilize()
        simulated.advance(by: .milliseconds(200))
        XCTAssertNotEqual(connection.activeVideoStabilizationMode, .off)

        let webcamSystem = try SimulatedSystem(profile: "webcam")
        try webcamSystem.run {
            let recorder = MovieRecorder { _ in }
            let session = try makeSession(recorder.output)
            session.startRunning()
            let connection = try XCTUnwrap(recorder.output.connection(with: .video))
            connection.stabilize()
            webcamSystem.advance(by: .milliseconds(200))
            XCTAssertEqual(connection.activeVideoStabilizationMode, .off, "the webcam cannot stabilize")
        }
    }

    func testS1_17TheOrientationIsAppliedToMoviesStillsAndFrames() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let movies = Events<MovieRecorder.Result>()
        let files = Events<Data>()
        let sizes = Events<[Int]>()
        let recorder = MovieRecorder { movies.add($0) }
        let still = StillCamera()
        let receiver = FrameReceiver { sizes.add($0.size) }
        let session = try makeSession(recorder.output, still.output, receiver.output)
        for output in session.outputs { output.connection(with: .video)?.orient(.portrait) }
        session.startRunning()
        simulated.advance(by: .milliseconds(200))
        recorder.start(to: simulated.folder.appendingPathComponent("movie.mov"))
        simulated.advance(by: .milliseconds(500))
        recorder.stop()
        still.capture { if let jpeg = try? $0.get().jpeg { files.add(jpeg) } }
        XCTAssertTrue(simulated.advance(until: { movies.count == 1 && files.count == 1 }))

        XCTAssertEqual(Set(sizes.all), [[480, 640]], "the pixels of frames are rotated")
        let track = try XCTUnwrap(
            AVURLAsset(url: try XCTUnwrap(movies.last).url).tracks(withMediaType: .video).first)
        XCTAssertEqual(track.naturalSize, CGSize(width: 640, height: 480), "the encoded frames are not rotated")
        let matrix = track.preferredTransform
        XCTAssertEqual([matrix.a, matrix.b, matrix.c, matrix.d], [0, 1, -1, 0])
        let source = try XCTUnwrap(CGImageSourceCreateWithData(try XCTUnwrap(files.last) as CFData, nil))
        let properties = try XCTUnwrap(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
        XCTAssertEqual(properties[kCGImagePropertyOrientation as String] as? Int, 6)
    }

    func testS1_20OutputsAreAddedAndRemovedWhileTheSessionRuns() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let firstTimes = Events<CMTime>()
        let secondTimes = Events<CMTime>()
        let receiver = FrameReceiver { firstTimes.add($0.presentationTimeStamp) }
        let addedReceiver = FrameReceiver { secondTimes.add($0.presentationTimeStamp) }
        let session = try makeSession(receiver.output)
        session.startRunning()
        simulated.advance(by: .milliseconds(500))
        try session.add(addedReceiver.output)
        simulated.advance(by: .milliseconds(500))
        XCTAssertGreaterThan(secondTimes.count, 10)
        XCTAssertThrowsError(try session.add(addedReceiver.output)) { error in
            XCTAssertEqual(error as? SetupError, .outputNotAccepted)
        }
        session.removeOutput(addedReceiver.output)
        let counts = (firstTimes.count, secondTimes.count)
        simulated.advance(by: .milliseconds(500))
        XCTAssertEqual(secondTimes.count, counts.1, accuracy: 1)
        XCTAssertGreaterThan(firstTimes.count, counts.0 + 10)
        XCTAssertTrue(session.isRunning)
    }
}
