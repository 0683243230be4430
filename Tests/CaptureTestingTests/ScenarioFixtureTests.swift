import CaptureTesting
import XCTest

/// The stories of `Fixtures/Scenarios`, each against its golden log.
final class ScenarioFixtureTests: XCTestCase {
    private func play(_ name: String, line: UInt = #line) {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/Scenarios")
        XCTAssertScenario(fixtures.appendingPathComponent("\(name).yaml").path, line: line)
    }

    func testAPhoneCallEndsTheRecordingWithAGoodFileAndTheSessionResumes() { play("phone-call") }

    func testAWebcamIsUnpluggedWhileRecordingAndComesBack() { play("unplugged") }

    func testTheDiskFillsWhileRecording() { play("disk-full") }

    func testPhotosAreTakenWhileRecording() { play("photo-while-recording") }

    func testTheUserTurnsTheCameraAround() { play("switch-camera") }

    func testAWebcamWithEveryFaultLeavesAWholeMovie() { play("glitches") }

    func testTheMicrophoneIsNotAllowed() { play("consent") }
}
