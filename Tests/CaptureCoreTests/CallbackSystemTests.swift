import AssetTypes
import CaptureHAL
import Foundation
import KeyValueObserving
import MediaTypes
import XCTest

@testable import CaptureCore

/// Tests that callbacks of a system's objects run as code of that system, on any thread that advances the clock.
final class CallbackSystemTests: XCTestCase {
    /// Records the system in which each of its methods is called.
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

    private func assertAllCalls(
        of delegate: Delegate, areIn system: CaptureSystem, file: StaticString = #filePath, line: UInt = #line
    ) {
        let systems = delegate.systems.withLock { $0 }
        XCTAssertFalse(systems.isEmpty, file: file, line: line)
        XCTAssertTrue(systems.allSatisfy { $0 === system }, "\(systems)", file: file, line: line)
    }

    func testDelegatesAreCalledInTheSystemOfTheirOutput() throws {
        let fixture = try CaptureFixture()
        let (video, photo, movie) = (Delegate(), Delegate(), Delegate())
        let outputs = fixture.inSystem {
            (AVCaptureVideoDataOutput(), AVCapturePhotoOutput(), AVCaptureMovieFileOutput())
        }
        outputs.0.setSampleBufferDelegate(video, queue: DispatchQueue(label: "video"))
        let session = try fixture.makeSession([outputs.0, outputs.1, outputs.2])
        session.startRunning()
        outputs.1.capturePhoto(with: AVCapturePhotoSettings(), delegate: photo)
        outputs.2.startRecording(to: fixture.url("a.mov"), recordingDelegate: movie)
        fixture.advance(milliseconds: 500)
        outputs.2.stopRecording()
        fixture.advance(milliseconds: 500)
        session.stopRunning()
        for delegate in [video, photo, movie] { assertAllCalls(of: delegate, areIn: fixture.system) }
        fixture.assertNoMisuse()
    }

    func testAnObserverOfANotificationCreatesObjectsOfThePostersSystem() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession([])
        let created = Lock<AVCaptureSession?>(nil)
        let token = fixture.center.addObserver(
            forName: AVCaptureSession.didStartRunningNotification, object: nil, queue: nil
        ) { _ in
            let session = AVCaptureSession()
            created.withLock { $0 = session }
        }
        session.startRunning()
        fixture.clock.settle()
        fixture.center.removeObserver(token)
        XCTAssertTrue(created.withLock { $0 }?.system === fixture.system)
        session.stopRunning()
    }

    func testTheHandlerOfAPromptRunsInItsSystem() throws {
        let handler = Delegate()
        let fixture = try CaptureFixture(states: [.video: .notDetermined])
        fixture.inSystem {
            // Access to video is not determined, access to audio is granted, and text needs no access.
            AVCaptureDevice.requestAccess(for: .video) { _ in handler.record() }
            AVCaptureDevice.requestAccess(for: .audio) { _ in handler.record() }
            AVCaptureDevice.requestAccess(for: .text) { _ in handler.record() }
            AVCaptureDevice.requestAccess(for: .video) { _ in handler.record() }
        }
        // The authorization changes in code that runs in no system.
        fixture.system.authorization.set(.authorized, for: .video)
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(handler.systems.withLock { $0.count }, 4)
        assertAllCalls(of: handler, areIn: fixture.system)
        // Requesting access for text is misuse.
        _ = fixture.dequeueMisuses()
    }

    func testObserversOfPropertiesRunInTheSystemOfTheObject() throws {
        let (fixture, other) = (try CaptureFixture(), try CaptureFixture())
        let observer = Delegate()
        let session = try fixture.makeSession([])
        let device = try fixture.device(CaptureFixture.camera)
        let observations = [
            session.observe(\.isRunning) { _, _ in observer.record() },
            session.observe(\.sessionPreset) { _, _ in observer.record() },
            session.observe(\.isInterrupted) { _, _ in observer.record() },
            device.observe(\.isConnected) { _, _ in observer.record() },
        ]
        session.startRunning()
        other.inSystem { session.sessionPreset = .high }
        fixture.system.interruptions.begin(.notAvailableInBackground)
        fixture.system.interruptions.end(.notAvailableInBackground)
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.advance(milliseconds: 100)
        for observation in observations { observation.invalidate() }
        XCTAssertGreaterThanOrEqual(observer.systems.withLock { $0.count }, 5)
        assertAllCalls(of: observer, areIn: fixture.system)
        session.stopRunning()
    }
}
