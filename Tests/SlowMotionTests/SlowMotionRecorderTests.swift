import AVFoundation
import CaptureTesting
import SlowMotion
import XCTest

final class SlowMotionRecorderTests: XCTestCase {
    func testAMovieOfHalfASecondContainsAllFrames() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let isFinished = expectation(description: "finished")
        let recorder = try SlowMotionRecorder { _, error in
            XCTAssertNil(error)
            isFinished.fulfill()
        }
        recorder.session.startRunning()
        simulated.advance(by: .milliseconds(200))
        let url = simulated.folder.appendingPathComponent("movie.mov")
        recorder.start(to: url)
        simulated.advance(by: .milliseconds(500))
        recorder.stop()
        wait(for: [isFinished], timeout: 10)

        let asset = AVURLAsset(url: url)
        let track = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
        XCTAssertEqual(track.naturalSize, CGSize(width: 1280, height: 720))
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var times: [Double] = []
        while let sampleBuffer = output.copyNextSampleBuffer() {
            if sampleBuffer.numSamples > 0 { times.append(sampleBuffer.presentationTimeStamp.seconds) }
        }
        times.sort()
        XCTAssertEqual(times.count, 120, accuracy: 2)
        for (time, next) in zip(times, times.dropFirst()) { XCTAssertEqual(next - time, 1.0 / 240, accuracy: 0.0005) }
    }

    func testASlowCameraIsRejected() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        XCTAssertThrowsError(try SlowMotionRecorder { _, _ in }) { error in
            XCTAssertEqual(error as? SlowMotionError, .notFastEnough)
        }
        withExtendedLifetime(simulated) {}
    }

    func testTheSmallestFastEnoughFormatIsFound() throws {
        let simulated = try SimulatedSystem()
        let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        func width(_ rate: Double) -> Int32? {
            SlowMotionRecorder.smallestFormat(of: camera, framesPerSecond: rate).map {
                CMVideoFormatDescriptionGetDimensions($0.formatDescription).width
            }
        }
        XCTAssertEqual([width(240), width(60), width(1000)], [1280, 192, nil])
        withExtendedLifetime(simulated) {}
    }
}
