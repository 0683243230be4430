import AssetTypes
import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore
@testable import CapturePreview

/// Tests that the times of frames have no large gaps and never repeat when the camera or the preset of a running
/// session changes, and that recordings end with playable movies.
final class SwitchingCamerasTests: XCTestCase {
    func testGapsAreAtMostTwoFrameDurationsAndTheRecordingsAreUsable() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (video, movie) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureMovieFileOutput()) }
        let (frames, movies) = (RecordingFrames(), RecordingMovies())
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: "phone.microphone", preset: .vga640x480, [video, movie])
        let preview = AVCaptureVideoPreviewLayer(session: session)
        preview.frame = CGRect(x: 0, y: 0, width: 64, height: 48)
        let previewTimes = Lock<[CMTime]>([])
        preview.setFrameHandler(on: DispatchQueue(label: "preview")) { frame in
            previewTimes.withLock { $0.append(CMSampleBufferGetPresentationTimeStamp(frame)) }
        }
        session.startRunning()
        var cameras = ["phone.front", "phone.back-ultra-wide", "phone.back-wide"]
        // Only the first delay is a multiple of the frame duration, so that switches also occur between two frames.
        for (number, delayMilliseconds) in [500, 517, 509].enumerated() {
            movie.startRecording(to: fixture.url("\(number).mov"), recordingDelegate: movies)
            fixture.advance(milliseconds: delayMilliseconds)
            let input = try fixture.input(cameras.removeFirst())
            session.beginConfiguration()
            for old in session.inputs where old.ports[0].mediaType == .video { session.removeInput(old) }
            session.addInput(input)
            session.commitConfiguration()
            fixture.advance(milliseconds: 100)
        }
        session.stopRunning()
        for times in [frames.frames.map(\.time.seconds), previewTimes.withLock { $0.map(\.seconds) }] {
            XCTAssertGreaterThanOrEqual(times.count, 45)
            let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
            XCTAssertGreaterThan(gaps.min() ?? 0, 0)
            XCTAssertLessThanOrEqual(gaps.max() ?? 1, 2.0 / 30)
        }
        XCTAssertEqual(movies.results.map { $0.error?.code }, Array(repeating: .sessionConfigurationChanged, count: 3))
        XCTAssertEqual(movies.results.map(\.isPlayable), [true, true, true])
        for number in 0..<3 {
            XCTAssertGreaterThanOrEqual(try DecodedMovie(fixture.url("\(number).mov")).frames.count, 15)
        }
        fixture.assertNoMisuse()
    }

    func testTimestampsAreUniqueAcrossRestarts() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let video = fixture.inSystem { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession([video])
        session.startRunning()
        // `settle` delivers the frames and callbacks that are due; the time does not advance.
        fixture.clock.settle()
        session.stopRunning()
        session.startRunning()
        fixture.clock.settle()
        session.sessionPreset = .vga640x480
        fixture.advance(milliseconds: 90)
        session.stopRunning()
        let times = frames.frames.map(\.time)
        XCTAssertEqual(times.map { ($0.seconds * 30).rounded() }, [0, 1, 2])
    }
}
