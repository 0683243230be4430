import AssetTypes
import CaptureCore
import CaptureHAL
import CaptureTesting
import Foundation
import MediaTypes
import XCTest

@testable import CaptureSimulation

final class SimulatedSystemTests: XCTestCase {
    private final class RecordingDelegate: AVCaptureFileOutputRecordingDelegate, Sendable {
        let results = Lock<[AVError?]>([])

        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
            from connections: [AVCaptureConnection], error: (any Error)?
        ) {
            results.withLock { $0.append(error as? AVError) }
        }
    }

    func testARecordingRunsInVirtualTime() throws {
        let simulated = try SimulatedSystem()
        let delegate = RecordingDelegate()
        let url = simulated.folder.appendingPathComponent("a.mov")
        let (session, output) = try simulated.run {
            let session = AVCaptureSession()
            session.sessionPreset = .vga640x480
            let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            session.addInput(try AVCaptureDeviceInput(device: camera))
            let output = AVCaptureMovieFileOutput()
            session.addOutput(output)
            return (session, output)
        }
        session.startRunning()
        output.startRecording(to: url, recordingDelegate: delegate)
        simulated.advance(by: .seconds(1))
        XCTAssertTrue(output.isRecording)
        output.stopRecording()
        XCTAssertTrue(simulated.advance(until: { delegate.results.withLock { !$0.isEmpty } }))
        XCTAssertEqual(delegate.results.withLock { $0 }, [nil])
        XCTAssertEqual(output.recordedDuration.seconds, 1, accuracy: 0.001)
        session.stopRunning()
        XCTAssertEqual(simulated.misuses, [])
        XCTAssertTrue(FileManager.default.fileExists(atPath: url.path))
    }

    func testMisuseIsRecordedAndTheCallHasNoEffect() throws {
        let simulated = try SimulatedSystem()
        let session = simulated.run { AVCaptureSession() }
        XCTAssertMisuse(.generic, containing: "beginConfiguration", in: simulated) {
            session.beginConfiguration()
            session.startRunning()
            session.commitConfiguration()
        }
        XCTAssertFalse(session.isRunning)
    }

    func testTwoSystemsAreIndependent() throws {
        let first = try SimulatedSystem(profile: "phone")
        let second = try SimulatedSystem(profile: "webcam")
        let camera = first.run { AVCaptureDevice.default(for: .video) }
        let other = second.run { AVCaptureDevice.default(for: .video) }
        XCTAssertEqual(camera?.uniqueID, "phone.back-wide")
        XCTAssertEqual(other?.uniqueID, "webcam.camera")
        first.advance(by: .seconds(3))
        XCTAssertEqual(second.clock.now, .zero)
    }

    func testAnUnusedSystemIsDeallocated() throws {
        weak var system: CaptureSystem?
        var camera: AVCaptureDevice?
        var folder = URL(fileURLWithPath: "/")
        do {
            let simulated = try SimulatedSystem()
            system = simulated.system
            folder = simulated.folder
            camera = simulated.run { AVCaptureDevice.default(for: .video) }
            let session = simulated.run { AVCaptureSession() }
            session.addInput(try AVCaptureDeviceInput(device: XCTUnwrap(camera)))
            session.startRunning()
            simulated.advance(by: .milliseconds(100))
            simulated.close()
        }
        XCTAssertNil(system, "the devices of a system keep it alive")
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
        XCTAssertEqual(camera?.uniqueID, "phone.back-wide")
    }

    func testAuthorizationPromptsAreAnsweredInVirtualTime() throws {
        let simulated = try SimulatedSystem(
            authorization: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(2))])
        let answers = Lock<[Bool]>([])
        simulated.run {
            XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .video), .notDetermined)
            AVCaptureDevice.requestAccess(for: .video) { isGranted in answers.withLock { $0.append(isGranted) } }
        }
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(answers.withLock { $0 }, [])
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(answers.withLock { $0 }, [false])
        try simulated.run {
            XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .video), .denied)
            let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            XCTAssertThrowsError(try AVCaptureDeviceInput(device: camera)) {
                XCTAssertEqual(($0 as? AVError)?.code, .applicationIsNotAuthorizedToUseDevice)
            }
        }
    }
}
