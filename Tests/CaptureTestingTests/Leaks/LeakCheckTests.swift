import AssetTypes
import CaptureCore
import CaptureSimulation
import Dispatch
import Foundation
import MediaTypes
import Testing
import XCTest

@testable import CaptureTesting

/// An app with a camera. Its options cause leaks.
private final class LeakyCamera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
    AVCaptureFileOutputRecordingDelegate, AVCapturePhotoCaptureDelegate, @unchecked Sendable
{
    // SAFETY: the test uses it only between the callbacks.
    private let session = AVCaptureSession()
    private let video = AVCaptureVideoDataOutput()
    private let movie = AVCaptureMovieFileOutput()
    private let photo = AVCapturePhotoOutput()
    private let queue = DispatchQueue(label: "frames")
    private let keepsFrames: Bool
    private var tokens: [any NSObjectProtocol] = []
    // SAFETY: the callbacks run one at a time, and the test reads them afterwards.
    /// The frames that the app retains until `releaseAll()`.
    nonisolated(unsafe) static var keptFrames: [CMSampleBuffer] = []
    // SAFETY: used by the test only.
    nonisolated(unsafe) static var keptTokens: [any NSObjectProtocol] = []

    init(keepsFrames: Bool = false, observesItself: Bool = false) throws {
        self.keepsFrames = keepsFrames
        super.init()
        session.sessionPreset = .vga640x480
        session.addInput(try AVCaptureDeviceInput(device: XCTUnwrap(AVCaptureDevice.default(for: .video))))
        for output in [video, movie, photo] { session.addOutput(output) }
        video.setSampleBufferDelegate(self, queue: queue)
        guard observesItself else { return }
        Self.keptTokens.append(
            NotificationCenter.default.addObserver(
                forName: .AVCaptureSessionRuntimeError, object: session, queue: nil
            ) { _ in self.stop() })
    }

    func stop() { session.stopRunning() }

    /// Uses each output.
    func use(_ simulated: SimulatedSystem) {
        session.startRunning()
        simulated.advance(by: .milliseconds(200))
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: self)
        movie.startRecording(to: simulated.folder.appendingPathComponent("clip.mov"), recordingDelegate: self)
        simulated.advance(by: .seconds(1))
        movie.stopRecording()
        simulated.advance(by: .milliseconds(500))
        stop()
        simulated.advance(by: .milliseconds(200))
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        if keepsFrames, Self.keptFrames.count < 2 { Self.keptFrames.append(sampleBuffer) }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {}

    static func releaseAll() {
        keptFrames = []
        for token in keptTokens { NotificationCenter.default.removeObserver(token) }
        keptTokens = []
    }
}

final class LeakCheckTests: XCTestCase {
    override func tearDown() { LeakyCamera.releaseAll() }

    private func leaks(in body: () throws -> Void) rethrows -> [String] {
        let check = LeakCheck()
        try body()
        return check.leaks()
    }

    func testCodeThatReleasesItsObjectsHasNoLeaks() throws {
        try XCTAssertNoLeaks {
            let simulated = try SimulatedSystem()
            try LeakyCamera().use(simulated)
        }
    }

    func testADelegateRetainedByItsObserverIsReportedWithItsSession() throws {
        let leaks = try leaks {
            let simulated = try SimulatedSystem(profile: "webcam")
            try LeakyCamera(observesItself: true).use(simulated)
        }
        XCTAssertEqual(leaks.count, 1, "\(leaks)")
        XCTAssertTrue(
            leaks[0].hasPrefix(
                """
                the delegate LeakyCamera is not deallocated; the closure #1 in LeakyCamera.init(keepsFrames:observesItself:) \
                refers to it
                """), "\(leaks)")
        XCTAssertTrue(
            leaks[0].hasSuffix(
                """
                ; it holds the session AVCaptureSession (session), the output AVCaptureVideoDataOutput (video), the output \
                AVCaptureMovieFileOutput (movie), the output AVCapturePhotoOutput (photo), and through them the input \
                AVCaptureDeviceInput, the system CaptureSystem
                """), "\(leaks)")
    }

    // SAFETY: used by one test.
    nonisolated(unsafe) private static var keptCameras: [LeakyCamera] = []

    func testADelegateInAStaticVariableIsReportedWithTheVariable() throws {
        defer { Self.keptCameras = [] }
        let leaks = try leaks {
            let simulated = try SimulatedSystem(profile: "webcam")
            Self.keptCameras.append(try LeakyCamera())
            try XCTUnwrap(Self.keptCameras.first).use(simulated)
        }
        XCTAssertEqual(leaks.count, 1, "\(leaks)")
        let path = "; an array refers to it; a global or static variable refers to an array; it holds "
        XCTAssertTrue(leaks.first?.contains(path) == true, "\(leaks)")
    }

    func testRetainedFramesAreReportedWithTheirPool() throws {
        let leaks = try leaks {
            let simulated = try SimulatedSystem(profile: "webcam")
            try LeakyCamera(keepsFrames: true).use(simulated)
        }
        XCTAssertEqual(leaks.count, 1, "\(leaks)")
        XCTAssertEqual(
            leaks.first, "2 pixel buffers of the pool of webcam.camera (640x480 '420v') are not released", "\(leaks)")
    }

    func testAFileThatStaysOpenIsReportedWithItsPath() throws {
        var file: FileHandle?
        let leaks = try leaks {
            let simulated = try SimulatedSystem(profile: "webcam")
            let url = simulated.folder.appendingPathComponent("open.txt")
            try Data([1]).write(to: url)
            file = try FileHandle(forReadingFrom: url)
        }
        XCTAssertEqual(leaks.count, 1, "\(leaks)")
        XCTAssertTrue(leaks.first?.hasPrefix("the file descriptor ") == true, "\(leaks)")
        XCTAssertTrue(leaks.first?.contains("/open.txt") == true, "\(leaks)")
        try file?.close()
    }

    func testAThreadThatDoesNotEndIsReportedWithItsName() throws {
        let (created, start, end) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let leaks = leaks {
            Thread.detachNewThread {
                // A name has no effect before the thread's creation has returned.
                created.wait()
                Thread.current.name = "poller"
                start.signal()
                end.wait()
            }
            created.signal()
            start.wait()
        }
        end.signal()
        XCTAssertEqual(leaks.count, 1, "\(leaks)")
        XCTAssertTrue(leaks.first?.hasPrefix("the thread \"poller\" (") == true, "\(leaks)")
    }

    func testObjectsThatExistedBeforeTheCodeAreNotLeaks() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let earlier = try LeakyCamera()
        XCTAssertNoLeaks { _ = AVCaptureSession() }
        var kept: AVCaptureSession?
        let leaks = leaks { kept = AVCaptureSession() }
        XCTAssertEqual(leaks, ["the session AVCaptureSession is not deallocated"])
        withExtendedLifetime((simulated, earlier, kept)) {}
    }

    func testTheSystemsOfTheCodeAreClosed() throws {
        try XCTAssertNoLeaks { _ = try SimulatedSystem(profile: "webcam") }
        XCTAssertNil(SimulatedSystem.active)
    }

    func testAnErrorOfTheCodeIsRethrown() {
        struct Failure: Error {}
        XCTAssertThrowsError(try XCTAssertNoLeaks { throw Failure() }) { XCTAssertTrue($0 is Failure) }
    }

    func testAsynchronousCodeIsChecked() async throws {
        try await XCTAssertNoLeaks {
            let simulated = try SimulatedSystem(profile: "webcam")
            let session = AVCaptureSession()
            await simulated.wait(for: .seconds(1))
            session.stopRunning()
        }
    }

    func testALeakFailsATestOfEitherFramework() throws {
        let name = "the delegate LeakyCamera is not deallocated"
        let result = try TestFixtures.runXCTest("LeakFixtures")
        XCTAssertEqual(result.status, 1, result.output)
        XCTAssertTrue(result.output.contains("LeakCheckTests.swift:\(LeakFixtures.line): error: "), result.output)
        XCTAssertTrue(result.output.contains(name), result.output)
        for (test, isLeak) in [("leaks", true), ("leaksInTrait", true), ("isCheckedByTrait", false)] {
            let result = try TestFixtures.runSwiftTesting("SwiftTestingLeakFixtures/\(test)\\(\\)")
            XCTAssertEqual(result.output.contains(name), isLeak, result.output)
            XCTAssertEqual(result.status != 0, isLeak, result.output)
        }
    }
}

/// Tests that are run by `LeakCheckTests` in a separate process.
final class LeakFixtures: XCTestCase {
    static let line = #line + 7  // The line of `XCTAssertNoLeaks`.

    override func invokeTest() {
        if TestFixtures.areEnabled { super.invokeTest() }
    }

    func testLeaks() throws {
        try XCTAssertNoLeaks {
            let simulated = try SimulatedSystem(profile: "webcam")
            try LeakyCamera(observesItself: true).use(simulated)
        }
    }
}

@Suite(.enabled(if: TestFixtures.areEnabled)) struct SwiftTestingLeakFixtures {
    @Test(.simulated(profile: "webcam")) func leaks() async throws {
        try await expectNoLeaks { try LeakyCamera(observesItself: true).use(.current) }
    }

    @Test(.simulated(profile: "webcam"), .leakChecks) func leaksInTrait() throws {
        try LeakyCamera(observesItself: true).use(.current)
    }

    @Test(.simulated(profile: "webcam"), .leakChecks) func isCheckedByTrait() throws { try LeakyCamera().use(.current) }
}
