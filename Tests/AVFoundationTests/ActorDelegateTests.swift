import AVFoundation
import CaptureTesting
import XCTest

final class ActorDelegateTests: XCTestCase {
    /// Counts frames, isolated to the queue on which they are delivered.
    private actor FrameCounter {
        private let queue = DispatchSerialQueue(label: "frames")
        private let receiver = Receiver()
        private(set) var count = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

        func observe(_ output: AVCaptureVideoDataOutput) {
            receiver.counter = self
            output.setSampleBufferDelegate(receiver, queue: queue)
        }

        nonisolated func frameArrived() { assumeIsolated { $0.count += 1 } }
    }

    private final class Receiver: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
        // SAFETY: set before the first frame.
        weak var counter: FrameCounter?

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { counter?.frameArrived() }
    }

    func testDelegateCallsAreIsolatedToAnActorOnTheirQueue() async throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let (session, output) = try simulated.run {
            let session = AVCaptureSession()
            let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            session.addInput(try AVCaptureDeviceInput(device: camera))
            let output = AVCaptureVideoDataOutput()
            session.addOutput(output)
            return (session, output)
        }
        let counter = FrameCounter()
        await counter.observe(output)
        session.startRunning()
        simulated.advance(by: .seconds(1))
        session.stopRunning()
        let count = await counter.count
        XCTAssertGreaterThan(count, 10)
    }
}
