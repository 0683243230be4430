import CaptureHAL
import Foundation
import KeyValueObserving
import MediaTypes
import XCTest

@testable import CaptureCore

/// The code that objects of a system call belongs to that system, whoever advances the clock.
final class CallbackSystemTests: XCTestCase {
    /// Records the systems of the calls of its methods.
    private final class Delegate: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
        AVCapturePhotoCaptureDelegate, AVCaptureFileOutputRecordingDelegate, AVCaptureMetadataOutputObjectsDelegate,
        Sendable
    {
        let systems = Lock<[CaptureSystem?]>([])

        func record() { systems.withLock { $0.append(CaptureSystem.innermostRun) } }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { record() }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) { record() }

        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
            from connections: [AVCaptureConnection], error: (any Error)?
        ) { record() }
    }

    private func assertAll(
        _ delegate: Delegate, are system: CaptureSystem, file: StaticString = #filePath, line: UInt = #line
    ) {
        let systems = delegate.systems.withLock { $0 }
        XCTAssertFalse(systems.isEmpty, file: file, line: line)
        XCTAssertTrue(systems.allSatisfy { $0 === system }, "\(systems)", file: file, line: line)
    }

    func testDelegatesAreCalledInTheSystemOfTheirOutput() throws {
        let bench = try CaptureFixture()
        let (video, photo, movie) = (Delegate(), Delegate(), Delegate())
        let outputs = bench.run {
            (AVCaptureVideoDataOutput(), AVCapturePhotoOutput(), AVCaptureMovieFileOutput())
        }
        outputs.0.setSampleBufferDelegate(video, queue: DispatchQueue(label: "video"))
        let session = try bench.makeSession([outputs.0, outputs.1, outputs.2])
        session.startRunning()
        outputs.1.capturePhoto(with: AVCapturePhotoSettings(), delegate: photo)
        outputs.2.startRecording(to: bench.url("a.mov"), recordingDelegate: movie)
        bench.advance(milliseconds: 500)
        outputs.2.stopRecording()
        bench.advance(milliseconds: 500)
        session.stopRunning()
        for delegate in [video, photo, movie] { assertAll(delegate, are: bench.system) }
        bench.assertNoMisuse()
    }

    func testAnObserverOfANotificationCreatesObjectsOfThePostersSystem() throws {
        let bench = try CaptureFixture()
        let session = try bench.makeSession([])
        let created = Lock<AVCaptureSession?>(nil)
        let token = bench.center.addObserver(
            forName: AVCaptureSession.didStartRunningNotification, object: nil, queue: nil
        ) { _ in
            let session = AVCaptureSession()
            created.withLock { $0 = session }
        }
        session.startRunning()
        bench.clock.settle()
        bench.center.removeObserver(token)
        XCTAssertTrue(created.withLock { $0 }?.system === bench.system)
        session.stopRunning()
    }

    func testTheHandlerOfAPromptRunsInItsSystem() throws {
        let handler = Delegate()
        let bench = try CaptureFixture(states: [.video: .notDetermined])
        bench.run {
            // The user decides, the decision is known, and the media type has none.
            AVCaptureDevice.requestAccess(for: .video) { _ in handler.record() }
            AVCaptureDevice.requestAccess(for: .audio) { _ in handler.record() }
            AVCaptureDevice.requestAccess(for: .text) { _ in handler.record() }
            AVCaptureDevice.requestAccess(for: .video) { _ in handler.record() }
        }
        // As in the settings, on a thread of no system.
        bench.system.authorization.set(.authorized, for: .video)
        bench.advance(milliseconds: 100)
        XCTAssertEqual(handler.systems.withLock { $0.count }, 4)
        assertAll(handler, are: bench.system)
        _ = bench.dequeueMisuses()
    }

    func testObserversOfPropertiesRunInTheSystemOfTheObject() throws {
        let (bench, other) = (try CaptureFixture(), try CaptureFixture())
        let observer = Delegate()
        let session = try bench.makeSession([])
        let device = try bench.device(CaptureFixture.camera)
        let observations = [
            session.observe(\.isRunning) { _, _ in observer.record() },
            session.observe(\.sessionPreset) { _, _ in observer.record() },
            session.observe(\.isInterrupted) { _, _ in observer.record() },
            device.observe(\.isConnected) { _, _ in observer.record() },
        ]
        session.startRunning()
        other.run { session.sessionPreset = .high }
        bench.system.interruptions.begin(.notAvailableInBackground)
        bench.system.interruptions.end(.notAvailableInBackground)
        try bench.host.disconnect(uniqueID: CaptureFixture.camera)
        bench.advance(milliseconds: 100)
        for observation in observations { observation.invalidate() }
        XCTAssertGreaterThanOrEqual(observer.systems.withLock { $0.count }, 5)
        assertAll(observer, are: bench.system)
        session.stopRunning()
    }
}
