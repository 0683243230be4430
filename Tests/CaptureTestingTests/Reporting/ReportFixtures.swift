import AssetTypes
import CaptureCore
import CaptureSimulation
import CaptureTesting
import Foundation
import MediaTypes
import Testing
import XCTest

/// App code that records a movie and takes a photo.
private final class Camera: NSObject, AVCaptureFileOutputRecordingDelegate, AVCapturePhotoCaptureDelegate {
    private let session = AVCaptureSession()
    private let output = AVCaptureMovieFileOutput()
    private let photoOutput = AVCapturePhotoOutput()

    func start() throws {
        session.sessionPreset = .vga640x480
        let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(output)
        session.addOutput(photoOutput)
        session.startRunning()
    }

    func capturePhoto() { photoOutput.capturePhoto(with: AVCapturePhotoSettings(), delegate: self) }

    func record(to movie: URL) { output.startRecording(to: movie, recordingDelegate: self) }

    func stop() {
        output.stopRecording()
        session.stopRunning()
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {}

    /// Records for half a second.
    static func record(in simulated: SimulatedSystem) throws {
        let camera = simulated.run { Camera() }
        try camera.start()
        camera.capturePhoto()
        camera.record(to: simulated.folder.appendingPathComponent("clip.mov"))
        simulated.advance(by: .milliseconds(500))
        camera.stop()
        simulated.advance(by: .milliseconds(500))
    }
}

/// XCTest tests that are run by `TestReportTests` in a separate process.
final class ReportFixtures: XCTestCase {
    override func invokeTest() {
        if TestFixtures.areEnabled { super.invokeTest() }
    }

    func testFails() throws {
        try Camera.record(in: SimulatedSystem(profile: "webcam", seed: 5))
        XCTFail("reason")
    }

    func testThrowsAfterClosing() throws {
        struct Failure: Error {}
        let simulated = try SimulatedSystem(profile: "webcam")
        try Camera.record(in: simulated)
        simulated.close()
        _ = try SimulatedSystem(profile: "phone")
        throw Failure()
    }

    func testPasses() throws {
        try Camera.record(in: SimulatedSystem(profile: "webcam"))
    }

    func testFailsWithoutASystem() { XCTFail("reason") }
}

/// Swift Testing tests that are run by `TestReportTests` in a separate process.
@Suite(.enabled(if: TestFixtures.areEnabled), .simulated(profile: "webcam")) struct SwiftTestingReportFixtures {
    @Test func fails() throws {
        try Camera.record(in: .current)
        Issue.record("reason")
    }

    @Test func throwsAnError() throws {
        struct Failure: Error {}
        try Camera.record(in: .current)
        throw Failure()
    }

    @Test func passes() throws { try Camera.record(in: .current) }
}
