import CaptureTesting
import XCTest

/// The scenarios of `Fixtures/Scenarios` and their golden logs.
final class ScenarioFixtureTests: XCTestCase {
    private func play(_ name: String, line: UInt = #line) {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/Scenarios")
        XCTAssertScenario(fixtures.appendingPathComponent("\(name).yaml").path, line: line)
    }

    func testAPhoneCallEndsTheRecordingWithAPlayableFileAndTheSessionResumes() { play("phone-call") }

    func testAWebcamIsDisconnectedWhileRecordingAndReconnected() { play("unplugged") }

    func testTheDiskFillsWhileRecording() { play("disk-full") }

    func testPhotosAreTakenWhileRecording() { play("photo-while-recording") }

    func testTheUserSwitchesTheCamera() { play("switch-camera") }

    func testAWebcamWithAllFaultsLeavesACompleteMovie() { play("glitches") }

    func testTheMicrophoneIsNotAuthorized() { play("consent") }

    func testTheUserTapsToFocusLocksAndResets() { play("tap-to-focus") }
}
