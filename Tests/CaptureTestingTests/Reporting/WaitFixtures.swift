import AssetTypes
import CaptureCore
import CaptureSimulation
import CaptureTesting
import Foundation
import MediaTypes
import Testing
import XCTest

/// App code with a running camera, which counts its frames.
private final class CountingCamera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
    // SAFETY: the count is in a lock; the other properties are immutable.
    let session = AVCaptureSession()
    private let output = AVCaptureVideoDataOutput()
    private let frames = Lock(0)

    var frameCount: Int { frames.withLock { $0 } }

    /// - Parameter commits: Whether the app does not forget to commit the configuration with the output.
    init(commits: Bool = true) throws {
        super.init()
        session.sessionPreset = .vga640x480
        let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(AVCaptureVideoDataOutput())
        session.startRunning()
        session.beginConfiguration()
        session.addOutput(output)
        output.setSampleBufferDelegate(self, queue: DispatchQueue(label: "frames"))
        if commits { session.commitConfiguration() }
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        frames.withLock { $0 += 1 }
    }
}

/// App code that takes a photo with a delegate that no other object retains.
private final class ForgetfulCamera: @unchecked Sendable {
    // SAFETY: the properties are immutable.
    private final class Receiver: NSObject, AVCapturePhotoCaptureDelegate {}

    let session = AVCaptureSession()
    private let input: AVCaptureDeviceInput
    private let output = AVCapturePhotoOutput()

    init() throws {
        session.sessionPreset = .vga640x480
        input = try AVCaptureDeviceInput(device: try XCTUnwrap(AVCaptureDevice.default(for: .video)))
        session.addInput(input)
        session.addOutput(output)
        session.startRunning()
    }

    func capture() { output.capturePhoto(with: AVCapturePhotoSettings(), delegate: Receiver()) }

    func addTheInputAgain() { session.addInput(input) }
}

/// XCTest tests that are run by `WaitReportTests` in a separate process. Each waits for something that does not happen.
final class WaitFixtures: XCTestCase {
    override func invokeTest() {
        if TestFixtures.areEnabled { super.invokeTest() }
    }

    static let conditionLine = #line + 4

    func testAConditionThatIsNotMet() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        simulated.advance(until: { false }, limit: .seconds(1))
        print("the test continues")
    }

    func testAPhotoWhoseDelegateIsReleased() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let camera = try ForgetfulCamera()
        camera.capture()
        simulated.advance(until: { false }, limit: .seconds(1))
    }

    func testAnExpectedPhotoWhoseDelegateIsReleased() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let camera = try ForgetfulCamera()
        camera.capture()
        simulated.advance(by: .seconds(1))
        XCTFail("no photo")
    }

    func testMisuseAndItsConsequences() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        try ForgetfulCamera().addTheInputAgain()
        simulated.advance(until: { false }, limit: .seconds(1))
        XCTFail("a later consequence")
    }

    func testAConditionWhoseResultIsUsed() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        XCTAssertFalse(simulated.advance(until: { false }, limit: .seconds(1)))
        XCTAssertFalse(simulated.advance(until: { false }, limit: .seconds(Int64.max)))
        simulated.advance(by: .seconds(Int64.max))
    }

    func testASuspendedConditionThatIsNotMet() async throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        await simulated.wait(until: { false }, limit: .seconds(1))
        let isMet: Bool = await simulated.wait(until: { false }, limit: .seconds(1))
        XCTAssertFalse(isMet)
    }

    func testAForgottenCommit() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let camera = try CountingCamera(commits: false)
        simulated.advance(until: { camera.frameCount > 0 }, limit: .seconds(100_000))
        print("the test continues")
    }

    func testASessionThatIsNotStarted() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let session = AVCaptureSession()
        simulated.advance(until: { session.isRunning })
    }

    func testASemaphoreThatIsNotSignalled() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let camera = try CountingCamera()
        DispatchSemaphore(value: 0).wait()
        withExtendedLifetime((simulated, camera)) {}
        print("the test continues")
    }

    func testAContinuationThatIsNotResumed() async throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let camera = try CountingCamera()
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        withExtendedLifetime((simulated, camera)) {}
    }

    /// Each firing of the timer takes 20 ms of real time, so that the sleep takes more than the limit.
    func testASleepBesideWorkThatTakesRealTime() async throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "work"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(100))
        timer.setEventHandler { poll(nil, 0, 20) }
        timer.activate()
        try await Task.sleep(for: .seconds(30))
        timer.cancel()
        withExtendedLifetime(simulated) {}
        print("the test continues")
    }

    /// The limit applies to the wait after the sleep.
    func testAContinuationThatIsNotResumedAfterASleep() async throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        try await Task.sleep(for: .seconds(30))
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        withExtendedLifetime(simulated) {}
    }

    /// Nothing adds an element, so the stream ends when the task of the test is cancelled.
    func testAStreamWithoutElements() async throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        for await _ in AsyncStream<Int>(Int.self, { _ in }) {}
        withExtendedLifetime(simulated) {}
        print("the test continues")
    }

    /// An operation that no code starts.
    func testAnOperationThatIsNotStarted() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let camera = try CountingCamera()
        BlockOperation {}.waitUntilFinished()
        withExtendedLifetime((simulated, camera)) {}
    }

    /// A work item of the queue `owner` waits while it holds a lock, for which the main queue waits.
    func testAMainThreadThatWaitsForALock() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let lock = NSLock()
        DispatchQueue(label: "owner").async {
            lock.withLock { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 60) }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { lock.withLock {} }
        simulated.advance(by: .seconds(2))
    }

    func testATestThatWaitsForALock() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let lock = NSLock()
        DispatchQueue(label: "owner").async {
            lock.withLock { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 60) }
        }
        simulated.advance(by: .zero)
        lock.withLock {}
    }
}

/// Swift Testing tests that are run by `WaitReportTests` in a separate process.
@Suite(.enabled(if: TestFixtures.areEnabled), .simulated(profile: "webcam")) struct SwiftTestingWaitFixtures {
    @Suite struct Cancelled {
        @Test func aStreamWithoutElements() async {
            for await _ in AsyncStream<Int>(Int.self, { _ in }) {}
            print("the stream has ended")
        }

        @Test func anotherTest() async throws {
            try await Task.sleep(for: .seconds(1))
            print("the other test has run")
        }
    }

    @Test func aContinuationThatIsNotResumed() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}
