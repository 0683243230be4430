import AVFoundation
import CaptureTesting
import XCTest

/// The example of the README.
final class UnpluggingTests: XCTestCase {
    func testUnpluggingWhileRecordingKeepsTheMovie() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let recorder = try simulated.run { try Recorder() }
        let movie = simulated.folder.appendingPathComponent("clip.mov")
        recorder.start(movie)
        simulated.advance(by: .seconds(3))
        try simulated.host.disconnect(uniqueID: "webcam.camera")
        simulated.advance(until: { recorder.outcome != nil })

        XCTAssertEqual(recorder.outcome?.code, .deviceWasDisconnected)
        XCTAssertEqual(recorder.outcome?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool, true)
        XCTAssertEqual(recorder.output.recordedDuration.seconds, 3, accuracy: 0.1)
    }
}

/// The code of the app, without any code for tests.
final class Recorder: AVCaptureFileOutputRecordingDelegate {
    let session = AVCaptureSession()
    let output = AVCaptureMovieFileOutput()
    private(set) var outcome: AVError?

    init() throws {
        let cameras = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.external], mediaType: .video, position: .unspecified)
        session.sessionPreset = .vga640x480
        session.addInput(try AVCaptureDeviceInput(device: cameras.devices[0]))
        session.addOutput(output)
    }

    func start(_ movie: URL) {
        session.startRunning()
        output.startRecording(to: movie, recordingDelegate: self)
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        outcome = error as? AVError
    }
}
