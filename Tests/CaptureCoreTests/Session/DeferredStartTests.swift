import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class DeferredStartTests: XCTestCase {
    /// Records the calls of a deferred start delegate.
    private final class RecordingDeferredStartDelegate: AVCaptureSessionDeferredStartDelegate, Sendable {
        let calls = Lock<[String]>([], order: .client)

        func sessionWillRunDeferredStart(_ session: AVCaptureSession) { calls.withLock { $0.append("will") } }
        func sessionDidRunDeferredStart(_ session: AVCaptureSession) { calls.withLock { $0.append("did") } }
    }

    private let queue = DispatchQueue(label: "deferred")
    private let delegate = RecordingDeferredStartDelegate()

    /// A session with an output that starts at once and one that waits.
    private func makeSession(
        _ fixture: CaptureFixture
    ) throws -> (session: AVCaptureSession, first: FrameCounter, second: FrameCounter) {
        let (first, second) = (FrameCounter(), FrameCounter())
        let outputs = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureVideoDataOutput()) }
        outputs.0.setSampleBufferDelegate(first, queue: queue)
        outputs.1.setSampleBufferDelegate(second, queue: queue)
        XCTAssertTrue(outputs.1.isDeferredStartSupported)
        XCTAssertFalse(outputs.1.isDeferredStartEnabled)
        outputs.1.isDeferredStartEnabled = true
        let session = try fixture.makeSession(microphone: nil, [outputs.0, outputs.1])
        session.setDeferredStartDelegate(delegate, deferredStartDelegateCallbackQueue: queue)
        return (session, first, second)
    }

    private final class FrameCounter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let count = Lock(0, order: .client)

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { count.withLock { $0 += 1 } }
    }

    func testAnOutputWithDeferredStartReceivesFramesAfterTheOthers() throws {
        let fixture = try CaptureFixture()
        let (session, first, second) = try makeSession(fixture)
        XCTAssertTrue(session.automaticallyRunsDeferredStart)
        for _ in 0..<2 {
            first.count.withLock { $0 = 0 }
            second.count.withLock { $0 = 0 }
            session.startRunning()
            fixture.advance(milliseconds: 300)
            session.stopRunning()
            fixture.clock.settle()
            XCTAssertEqual(second.count.withLock { $0 }, first.count.withLock { $0 } - 1)
        }
        XCTAssertEqual(delegate.calls.withLock { $0 }, ["will", "did", "will", "did"])
        fixture.assertNoMisuse()
    }

    func testTheClientCanRunDeferredStart() throws {
        let fixture = try CaptureFixture()
        let (session, first, second) = try makeSession(fixture)
        fixture.assertMisuse(.invalidArgument) { session.runDeferredStartWhenNeeded() }
        XCTAssertTrue(session.isManualDeferredStartSupported)
        session.automaticallyRunsDeferredStart = false
        session.startRunning()
        fixture.advance(milliseconds: 300)
        XCTAssertGreaterThan(first.count.withLock { $0 }, 0)
        XCTAssertEqual(second.count.withLock { $0 }, 0)
        XCTAssertEqual(delegate.calls.withLock { $0 }, [])
        session.runDeferredStartWhenNeeded()
        session.runDeferredStartWhenNeeded()
        fixture.advance(milliseconds: 300)
        XCTAssertGreaterThan(second.count.withLock { $0 }, 0)
        XCTAssertEqual(delegate.calls.withLock { $0 }, ["will", "did"])
        session.stopRunning()
        fixture.assertMisuse(.invalidArgument) {
            session.setDeferredStartDelegate(delegate, deferredStartDelegateCallbackQueue: nil)
        }
    }

    func testACaptureRunsDeferredStart() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (video, photo, movie) = fixture.inSystem {
            (AVCaptureVideoDataOutput(), AVCapturePhotoOutput(), AVCaptureMovieFileOutput())
        }
        XCTAssertTrue(photo.isDeferredStartEnabled)
        XCTAssertTrue(movie.isDeferredStartEnabled)
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [video, photo, movie])
        session.automaticallyRunsDeferredStart = false
        session.setDeferredStartDelegate(delegate, deferredStartDelegateCallbackQueue: queue)
        session.startRunning()
        let photos = RecordingPhotoDelegate()
        photo.capturePhoto(with: fixture.inSystem { AVCapturePhotoSettings() }, delegate: photos)
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(delegate.calls.withLock { $0 }, ["will", "did"])
        XCTAssertEqual(photos.finishedCount.withLock { $0 }, 1)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testACaptureWithReusedSettingsDoesNotRunDeferredStart() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (video, photo) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [video, photo])
        session.automaticallyRunsDeferredStart = false
        session.setDeferredStartDelegate(delegate, deferredStartDelegateCallbackQueue: queue)
        session.startRunning()
        let photos = RecordingPhotoDelegate()
        let settings = fixture.inSystem { AVCapturePhotoSettings() }
        photo.capturePhoto(with: settings, delegate: photos)
        fixture.advance(milliseconds: 500)
        session.stopRunning()
        session.startRunning()
        fixture.assertMisuse(.invalidArgument) { photo.capturePhoto(with: settings, delegate: photos) }
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(delegate.calls.withLock { $0 }, ["will", "did"])
        XCTAssertEqual(photos.finishedCount.withLock { $0 }, 1)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    private final class RecordingPhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        let finishedCount = Lock(0, order: .client)

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) { if error == nil { finishedCount.withLock { $0 += 1 } } }
    }

    func testOutputsThatAllWaitStartAtOnce() {
        let ids = [NSObject(), NSObject(), NSObject()]
        func outputs(_ isDeferred: [Bool]) -> [DeferredStart.Output] {
            zip(ids, isDeferred).map { DeferredStart.Output(id: ObjectIdentifier($0), isDeferred: $1) }
        }
        var start = DeferredStart()
        start.prepare(outputs([true, true]))
        XCTAssertTrue(start.isPending)
        XCTAssertTrue(start.waiting.isEmpty)
        XCTAssertTrue(start.run().outputs.isEmpty)
        XCTAssertFalse(start.isPending)
        // An output that was added later waits, those that have started continue.
        start.prepare(outputs([true, false, true]))
        XCTAssertTrue(start.isPending)
        XCTAssertEqual(start.waiting, [ObjectIdentifier(ids[2])])
        XCTAssertEqual(start.run().outputs, [ObjectIdentifier(ids[2])])
        start.prepare(outputs([true, false, true]))
        XCTAssertFalse(start.isPending)
        start.stop()
        start.prepare(outputs([true, false, true]))
        XCTAssertEqual(start.waiting, [ObjectIdentifier(ids[0]), ObjectIdentifier(ids[2])])
        // The outputs are prepared once, and the delegate is called before if this takes time.
        XCTAssertEqual(start.trigger(outputDuration: .milliseconds(50)), .milliseconds(100))
        XCTAssertNil(start.trigger(outputDuration: .milliseconds(50)))
        XCTAssertFalse(start.isTriggeredByMedia)
        XCTAssertTrue(start.run().wasAnnounced)
    }
}
