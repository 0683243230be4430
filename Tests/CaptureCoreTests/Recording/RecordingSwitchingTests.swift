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
        let fixture = try CaptureFixture(profile: "phone")
        let movie = fixture.inSystem { AVCaptureMovieFileOutput() }
        XCTAssertFalse(movie.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled)
        let session = try fixture.makeSession(
            camera: "phone.back-triple", microphone: nil, preset: .vga640x480, [movie])
        let camera = try XCTUnwrap((session.inputs.first as? AVCaptureDeviceInput)?.device)
        XCTAssertTrue(movie.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled)
        XCTAssertEqual(movie.primaryConstituentDeviceSwitchingBehaviorForRecording, .restricted)
        movie.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
            .locked, restrictedSwitchingBehaviorConditions: [])
        session.startRunning()
        fixture.advance(milliseconds: 100)
        let delegate = SilentDelegate()
        movie.startRecording(to: fixture.url("first.mov"), recordingDelegate: delegate)
        XCTAssertEqual(camera.activePrimaryConstituentDeviceSwitchingBehavior, .locked)
        XCTAssertEqual(camera.primaryConstituentDeviceSwitchingBehavior, .auto)
        let constituent = camera.activePrimaryConstituent
        fixture.advance(milliseconds: 200)
        try camera.lockForConfiguration()
        camera.videoZoomFactor = 8
        camera.unlockForConfiguration()
        fixture.advance(milliseconds: 200)
        XCTAssertTrue(camera.activePrimaryConstituent === constituent)
        // A second file continues with the behavior.
        movie.startRecording(to: fixture.url("second.mov"), recordingDelegate: delegate)
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(camera.activePrimaryConstituentDeviceSwitchingBehavior, .locked)
        movie.stopRecording()
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(camera.activePrimaryConstituentDeviceSwitchingBehavior, .auto)
        XCTAssertFalse(camera.activePrimaryConstituent === constituent)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testWrongBehaviorsForRecordingsAreReported() throws {
        let fixture = try CaptureFixture()
        let movie = fixture.inSystem { AVCaptureMovieFileOutput() }
        let session = try fixture.makeSession([movie])
        fixture.assertMisuse(.invalidArgument) {
            movie.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
                .auto, restrictedSwitchingBehaviorConditions: [])
        }
        fixture.assertMisuse(.invalidArgument) {
            movie.setPrimaryConstituentDeviceSwitchingBehaviorForRecording(
                .unsupported, restrictedSwitchingBehaviorConditions: [.videoZoomChanged])
        }
        withExtendedLifetime(session) {}
    }
}
