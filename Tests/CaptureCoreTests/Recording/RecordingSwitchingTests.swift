import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class RecordingSwitchingTests: XCTestCase {
    private final class SilentDelegate: NSObject, AVCaptureFileOutputRecordingDelegate, Sendable {
        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
            from connections: [AVCaptureConnection], error: (any Error)?
        ) {}
    }

    func testTheBehaviorForRecordingsLastsAsLongAsTheRecording() throws {
        let bench = try CaptureFixture(profile: "phone")
        let movie = bench.run { AVCaptureMovieFileOutput() }
        XCTAssertFalse(movie.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled)
        let session = try bench.makeSession(
            camera: "phone.back-triple", microphone: nil, preset: .vga640x480, [movie])
        let camera = try XCTUnwrap((session.inputs.first as? AVCaptureDeviceInput)?.device)
        XCTAssertTrue(movie.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled)
        XCTAssertEqual(movie.primaryConstituentDeviceSwitchingBehaviorForRecording, .restricted)
        movie.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
            .locked, restrictedSwitchingBehaviorConditions: [])
        session.startRunning()
        bench.advance(milliseconds: 100)
        let delegate = SilentDelegate()
        movie.startRecording(to: bench.url("first.mov"), recordingDelegate: delegate)
        XCTAssertEqual(camera.activePrimaryConstituentDeviceSwitchingBehavior, .locked)
        XCTAssertEqual(camera.primaryConstituentDeviceSwitchingBehavior, .auto)
        let constituent = camera.activePrimaryConstituent
        bench.advance(milliseconds: 200)
        try camera.lockForConfiguration()
        camera.videoZoomFactor = 8
        camera.unlockForConfiguration()
        bench.advance(milliseconds: 200)
        XCTAssertTrue(camera.activePrimaryConstituent === constituent)
        // A second file continues with the behavior.
        movie.startRecording(to: bench.url("second.mov"), recordingDelegate: delegate)
        bench.advance(milliseconds: 500)
        XCTAssertEqual(camera.activePrimaryConstituentDeviceSwitchingBehavior, .locked)
        movie.stopRecording()
        bench.advance(milliseconds: 1000)
        XCTAssertEqual(camera.activePrimaryConstituentDeviceSwitchingBehavior, .auto)
        XCTAssertFalse(camera.activePrimaryConstituent === constituent)
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testWrongBehaviorsForRecordingsAreReported() throws {
        let bench = try CaptureFixture()
        let movie = bench.run { AVCaptureMovieFileOutput() }
        let session = try bench.makeSession([movie])
        bench.assertMisuse(.invalidArgument) {
            movie.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
                .auto, restrictedSwitchingBehaviorConditions: [])
        }
        bench.assertMisuse(.invalidArgument) {
            movie.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
                .unsupported, restrictedSwitchingBehaviorConditions: [.videoZoomChanged])
        }
        withExtendedLifetime(session) {}
    }
}
