import CaptureHAL
import Foundation
import KeyValueObserving
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class CaptureReadinessTests: XCTestCase {
    private final class RecordingReadiness: AVCapturePhotoOutputReadinessCoordinatorDelegate, Sendable {
        private let received = Lock<[AVCapturePhotoOutput.CaptureReadiness]>([])

        var values: [AVCapturePhotoOutput.CaptureReadiness] { received.withLock { $0 } }

        func readinessCoordinator(
            _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
            captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
        ) {
            XCTAssertTrue(Thread.isMainThread)
            XCTAssertEqual(coordinator.captureReadiness, captureReadiness)
            received.withLock { $0.append(captureReadiness) }
        }
    }

    private func makeSession(_ fixture: CaptureFixture) throws -> (AVCaptureSession, AVCapturePhotoOutput) {
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        return (
            try fixture.makeSession(camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output]), output
        )
    }

    func testTheReadinessFollowsTheSessionAndTheCaptures() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture)
        let changes = Lock<[AVCapturePhotoOutput.CaptureReadiness]>([], order: .client)
        let observation = output.observe(\.captureReadiness, options: .new) { _, change in
            if let value = change.newValue { changes.withLock { $0.append(value) } }
        }
        XCTAssertEqual(output.captureReadiness, .sessionNotRunning)
        session.startRunning()
        fixture.advance(milliseconds: 110)
        XCTAssertEqual(output.captureReadiness, .ready)
        output.maxPhotoQualityPrioritization = .quality
        let highestQuality = AVCapturePhotoSettings()
        highestQuality.photoQualityPrioritization = .quality
        let photos = RecordingPhotos()
        for settings in [AVCapturePhotoSettings(), highestQuality] {
            output.capturePhoto(with: settings, delegate: photos)
            fixture.advance(milliseconds: 100)
            XCTAssertEqual(output.captureReadiness, .ready)
        }
        session.stopRunning()
        fixture.advance(milliseconds: 10)
        XCTAssertEqual(
            changes.withLock { $0 },
            [.ready, .notReadyMomentarily, .ready, .notReadyWaitingForCapture, .ready, .sessionNotRunning])
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testTheOutputIsReadyBeforeThePhotoArrives() throws {
        try checkReadyBeforeThePhoto { output, handle in
            output.observe(\.captureReadiness, options: .new) { _, change in handle(change.newValue) }
        }
    }

    func testACoordinatorIsReadyBeforeThePhotoArrives() throws {
        try checkReadyBeforeThePhoto { output, handle in
            let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: output)
            return coordinator.observe(\.captureReadiness, options: .new) { [coordinator] _, change in
                withExtendedLifetime(coordinator) { handle(change.newValue) }
            }
        }
    }

    /// Checks that an observed readiness is ready after `didCapture` and before the photo.
    private func checkReadyBeforeThePhoto(
        observe: (
            AVCapturePhotoOutput, @escaping @Sendable (AVCapturePhotoOutput.CaptureReadiness?) -> Void
        ) -> NSKeyValueObservation
    ) throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture)
        session.startRunning()
        fixture.advance(milliseconds: 110)
        let photos = RecordingPhotos()
        let eventsWhenReady = Lock<[[String]]>([], order: .client)
        let observation = fixture.inSystem {
            observe(output) { readiness in
                if readiness == .ready { eventsWhenReady.withLock { $0.append(photos.events) } }
            }
        }
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(photos.events, ["begin", "will", "did", "photo", "end"])
        XCTAssertEqual(eventsWhenReady.withLock { $0 }, [["begin", "will", "did"]])
        session.stopRunning()
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testACoordinatorIncludesTrackedRequestsUntilTheOutputReceivesThem() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture)
        let readiness = RecordingReadiness()
        let coordinator = fixture.inSystem { AVCapturePhotoOutputReadinessCoordinator(photoOutput: output) }
        coordinator.delegate = readiness
        fixture.clock.settle()
        XCTAssertEqual(readiness.values, [.sessionNotRunning])
        session.startRunning()
        fixture.advance(milliseconds: 110)
        XCTAssertEqual(readiness.values, [.sessionNotRunning, .ready])

        let settings = fixture.inSystem { AVCapturePhotoSettings() }
        coordinator.startTrackingCaptureRequest(using: settings)
        XCTAssertEqual(coordinator.captureReadiness, .notReadyMomentarily, "the main thread sees the change at once")
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(coordinator.captureReadiness, .notReadyMomentarily)
        XCTAssertEqual(output.captureReadiness, .ready)
        let photos = RecordingPhotos()
        output.capturePhoto(with: settings, delegate: photos)
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(readiness.values, [.sessionNotRunning, .ready, .notReadyMomentarily, .ready])

        let settingsWithFlash = fixture.inSystem { AVCapturePhotoSettings() }
        settingsWithFlash.flashMode = .on
        coordinator.startTrackingCaptureRequest(using: settingsWithFlash)
        XCTAssertEqual(coordinator.captureReadiness, .notReadyWaitingForCapture)
        coordinator.stopTrackingCaptureRequest(using: settingsWithFlash.uniqueID)
        XCTAssertEqual(coordinator.captureReadiness, .ready)
        let invalid = fixture.inSystem { AVCapturePhotoSettings() }
        invalid.isHighResolutionPhotoEnabled = true
        fixture.assertMisuse(.invalidArgument) { coordinator.startTrackingCaptureRequest(using: invalid) }
        XCTAssertEqual(coordinator.captureReadiness, .ready)
        session.stopRunning()
        fixture.clock.settle()
        XCTAssertEqual(coordinator.captureReadiness, .sessionNotRunning)
    }
}
