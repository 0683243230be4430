import AVFoundation
import CaptureTesting
import XCTest

/// The example of the README.
final class UnpluggingTests: XCTestCase {
    // recipe: unplugging
    func testUnpluggingWhileRecordingKeepsTheMovie() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let recorder = Recorder()
        recorder.start(simulated.folder.appendingPathComponent("clip.mov"))
        simulated.advance(by: .seconds(3))
        try simulated.host.disconnect(uniqueID: "webcam.camera")
        simulated.advance(until: { recorder.outcome != nil })

        XCTAssertEqual(recorder.outcome?.code, .deviceWasDisconnected)
        XCTAssertEqual(recorder.outcome?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool, true)
        XCTAssertEqual(recorder.output.recordedDuration.seconds, 3, accuracy: 0.1)
    }
    // end
}

// The code of the app, without any code for tests.

// recipe: recorder
final class Recorder: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
    // SAFETY: the session is used on `queue`, the outcome on the main queue.
    let output = AVCaptureMovieFileOutput()
    private(set) var outcome: AVError?
    private let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "recorder")

    func start(_ movie: URL) {
        queue.async {
            guard let camera = AVCaptureDevice.default(for: .video),
                let input = try? AVCaptureDeviceInput(device: camera)
            else { return }
            self.session.sessionPreset = .vga640x480
            self.session.addInput(input)
            self.session.addOutput(self.output)
            self.session.startRunning()
            self.output.startRecording(to: movie, recordingDelegate: self)
        }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        DispatchQueue.main.async { self.outcome = error as? AVError }
    }
}
// end
