import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureSessionInterruptionTests: XCTestCase {
    private struct Fixture {
        let capture: CaptureFixture
        let frames = RecordingFrames()
        let notifications: RecordingNotifications
        let session: AVCaptureSession
    }

    private func makeFixture(_ outputs: (CaptureFixture) -> [AVCaptureOutput] = { _ in [] }) throws -> Fixture {
        let capture = try CaptureFixture()
        let video = capture.inSystem { AVCaptureVideoDataOutput() }
        let audio = capture.inSystem { AVCaptureAudioDataOutput() }
        let session = try capture.makeSession([video, audio] + capture.inSystem { outputs(capture) })
        let fixture = Fixture(capture: capture, notifications: RecordingNotifications(capture), session: session)
        video.setSampleBufferDelegate(fixture.frames, queue: fixture.frames.queue)
        return fixture
    }

    private let resumeEvents = ["interruption ended", "start"]

    func testEachReasonInterruptsARunningSessionUntilItEnds() throws {
        for reason in CaptureHAL.InterruptionReason.allCases {
            let fixture = try makeFixture()
            fixture.session.startRunning()
            fixture.capture.advance(milliseconds: 50)
            fixture.capture.system.interruptions.begin(reason)
            XCTAssertTrue(fixture.session.isInterrupted)
            XCTAssertFalse(fixture.session.isRunning)
            fixture.capture.system.interruptions.end(reason)
            XCTAssertEqual(
                fixture.notifications.events, ["start", "interrupted \(reason.rawValue)", "stop"] + resumeEvents)
            XCTAssertEqual(AVCaptureSession.InterruptionReason(rawValue: reason.rawValue)?.rawValue, reason.rawValue)
            fixture.session.stopRunning()
        }
    }

    func testASessionThatIsStoppedDuringAnInterruptionStaysInterruptedUntilTheCauseEnds() throws {
        let fixture = try makeFixture()
        let reported = Lock<[Bool]>([])
        let observation = fixture.session.observe(\.isInterrupted, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? false) }
        }
        fixture.session.startRunning()
        fixture.capture.advance(milliseconds: 50)
        fixture.capture.system.interruptions.begin(.notAvailableInBackground)
        fixture.session.stopRunning()
        XCTAssertTrue(fixture.session.isInterrupted)
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 1", "stop"])
        fixture.capture.system.interruptions.end(.notAvailableInBackground)
        XCTAssertFalse(fixture.session.isInterrupted)
        XCTAssertFalse(fixture.session.isRunning, "the end of an interruption does not start a stopped session")
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 1", "stop", "interruption ended"])
        // A new cause does not interrupt a stopped session.
        fixture.capture.system.interruptions.begin(.notAvailableInBackground)
        XCTAssertFalse(fixture.session.isInterrupted)
        fixture.capture.system.interruptions.end(.notAvailableInBackground)
        XCTAssertEqual(fixture.notifications.events.count, 4)
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
    }

    func testASessionThatIsStoppedAndStartedDuringAnInterruptionRunsAtItsEnd() throws {
        let fixture = try makeFixture()
        fixture.session.startRunning()
        fixture.capture.system.interruptions.begin(.notAvailableInBackground)
        fixture.session.stopRunning()
        fixture.session.startRunning()
        XCTAssertFalse(fixture.session.isRunning)
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 1", "stop"])
        fixture.capture.system.interruptions.end(.notAvailableInBackground)
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 1", "stop"] + resumeEvents)
        fixture.session.stopRunning()
    }

    func testInterruptionsThatOverlapBeginOnceAndEndOnce() throws {
        let fixture = try makeFixture()
        let reported = Lock<[Bool]>([])
        let observation = fixture.session.observe(\.isInterrupted, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? false) }
        }
        fixture.session.startRunning()
        for reasons in [
            [CaptureHAL.InterruptionReason.notAvailableInBackground, .audioInUseByAnotherClient],
            [.sensitiveContentMitigationActivated, .notAvailableWithMultipleForegroundApps],
        ] {
            fixture.notifications.clear()
            for reason in reasons { fixture.capture.system.interruptions.begin(reason) }
            fixture.capture.system.interruptions.end(reasons[0])
            XCTAssertTrue(fixture.session.isInterrupted)
            XCTAssertEqual(fixture.notifications.events, ["interrupted \(reasons[0].rawValue)", "stop"])
            fixture.capture.system.interruptions.end(reasons[1])
            XCTAssertEqual(fixture.notifications.events, ["interrupted \(reasons[0].rawValue)", "stop"] + resumeEvents)
        }
        XCTAssertEqual(reported.withLock { $0 }, [true, false, true, false])
        observation.invalidate()
        fixture.session.stopRunning()
    }

    func testADeviceInUseByAnotherClientInterruptsUntilItIsFree() throws {
        for (id, reason) in [(CaptureFixture.camera, 3), (CaptureFixture.microphone, 2)] {
            let fixture = try makeFixture()
            let device = try fixture.capture.device(id)
            let changes = Lock<[Bool]>([], order: .client)
            let observation = device.observe(\.isInUseByAnotherApplication) { device, _ in
                changes.withLock { $0.append(device.isInUseByAnotherApplication) }
            }
            fixture.session.startRunning()
            fixture.capture.advance(milliseconds: 50)
            try fixture.capture.host.setInUse(true, uniqueID: id)
            fixture.capture.clock.settle()
            XCTAssertEqual(fixture.notifications.events, ["start", "interrupted \(reason)", "stop"])
            fixture.capture.advance(milliseconds: 100)
            fixture.frames.clear()
            try fixture.capture.host.setInUse(false, uniqueID: id)
            fixture.capture.clock.settle()
            XCTAssertEqual(fixture.notifications.events.suffix(2), resumeEvents[...])
            fixture.capture.advance(milliseconds: 50)
            XCTAssertEqual(fixture.frames.counters, [0, 1])
            XCTAssertEqual(changes.withLock { $0 }, [true, false])
            observation.invalidate()
            fixture.session.stopRunning()
        }
    }

    func testAStartWaitsWhileAnotherClientUsesTheCamera() throws {
        let fixture = try makeFixture()
        try fixture.capture.host.setInUse(true, uniqueID: CaptureFixture.camera)
        fixture.session.startRunning()
        XCTAssertEqual(fixture.notifications.events, ["interrupted 3"])
        try fixture.capture.host.setInUse(false, uniqueID: CaptureFixture.camera)
        fixture.capture.clock.settle()
        XCTAssertEqual(fixture.notifications.events, ["interrupted 3"] + resumeEvents)
        fixture.session.stopRunning()
    }

    func testADisconnectionEndsTheInterruptionByAnotherClient() throws {
        let fixture = try makeFixture()
        fixture.session.removeInput(fixture.session.inputs[1])
        fixture.session.startRunning()
        try fixture.capture.host.setInUse(true, uniqueID: CaptureFixture.camera)
        fixture.capture.clock.settle()
        try fixture.capture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.capture.clock.settle()
        XCTAssertEqual(
            fixture.notifications.events,
            [
                "start", "interrupted 3", "stop", "interruption ended", "error deviceWasDisconnected",
                "disconnected webcam.camera",
            ])
        XCTAssertFalse(fixture.session.isInterrupted)
    }

    func testASessionIsInterruptedWhileAnotherSessionUsesTheCamera() throws {
        let fixture = try makeFixture()
        let other = try fixture.capture.makeSession(
            microphone: nil, [fixture.capture.inSystem { AVCaptureVideoDataOutput() }])
        fixture.session.startRunning()
        fixture.capture.advance(milliseconds: 50)
        other.startRunning()
        XCTAssertTrue(other.isRunning)
        XCTAssertTrue(fixture.session.isInterrupted)
        XCTAssertFalse(fixture.session.isRunning)
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 3", "stop", "start"])
        // Other events do not interrupt the session that uses the camera.
        fixture.capture.system.interruptions.begin(.audioInUseByAnotherClient)
        fixture.capture.system.interruptions.end(.audioInUseByAnotherClient)
        XCTAssertTrue(other.isRunning)
        other.stopRunning()
        XCTAssertTrue(fixture.session.isRunning)
        XCTAssertFalse(fixture.session.isInterrupted)
        fixture.frames.clear()
        fixture.capture.advance(milliseconds: 50)
        XCTAssertEqual(fixture.frames.counters, [0, 1])
        fixture.session.stopRunning()
        fixture.capture.assertNoMisuse()
    }

    func testAReleasedSessionReleasesTheCamera() throws {
        // Without an observer of notifications, which would retain the session.
        let capture = try CaptureFixture()
        let session = try capture.makeSession([capture.inSystem { AVCaptureVideoDataOutput() }])
        var other: AVCaptureSession? = try capture.makeSession(
            microphone: nil, [capture.inSystem { AVCaptureVideoDataOutput() }])
        session.startRunning()
        other?.startRunning()
        XCTAssertFalse(session.isRunning)
        other = nil
        XCTAssertTrue(session.isRunning)
        session.stopRunning()
    }

    func testSessionsThatCompeteForTheCameraOnManyThreadsDoNotDeadlock() throws {
        let fixture = try makeFixture()
        let other = try fixture.capture.makeSession([fixture.capture.inSystem { AVCaptureVideoDataOutput() }])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for _ in 0..<10 {
                let session = number % 2 == 0 ? fixture.session : other
                if number % 4 < 2 { session.startRunning() } else { session.stopRunning() }
            }
        }
        fixture.session.stopRunning()
        other.startRunning()
        XCTAssertTrue(other.isRunning)
        XCTAssertFalse(fixture.session.isRunning)
        other.stopRunning()
        for device in try fixture.capture.host.devices { XCTAssertNoThrow(try device.open().close()) }
    }

    func testPressureIsReportedAndShutsTheCameraDown() throws {
        let fixture = try makeFixture()
        let camera = try fixture.capture.device(CaptureFixture.camera)
        let levels = Lock<[AVCaptureDevice.SystemPressureState.Level]>([])
        let observation = camera.observe(\.systemPressureState, options: [.new]) { _, change in
            if let level = change.newValue?.level { levels.withLock { $0.append(level) } }
        }
        fixture.session.startRunning()
        for level in [SystemPressure.Level.fair, .serious, .critical, .shutdown] {
            let pressure = SystemPressure(level, factors: [.systemTemperature, .peakPower])
            try fixture.capture.host.setPressure(pressure, uniqueID: CaptureFixture.camera)
            fixture.capture.clock.settle()
            XCTAssertEqual(fixture.session.isRunning, level < .shutdown)
        }
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 5", "stop"])
        let info = try XCTUnwrap(fixture.notifications.notifications[1].userInfo)
        let reported = try XCTUnwrap(
            info[AVCaptureSessionInterruptionSystemPressureStateKey] as? AVCaptureDevice.SystemPressureState)
        XCTAssertEqual(reported.level, .shutdown)
        XCTAssertEqual(reported.factors, [.systemTemperature, .peakPower])
        XCTAssertEqual(reported, camera.systemPressureState)
        try fixture.capture.host.setPressure(.nominal, uniqueID: CaptureFixture.camera)
        fixture.capture.clock.settle()
        XCTAssertTrue(fixture.session.isRunning)
        XCTAssertEqual(levels.withLock { $0 }, [.fair, .serious, .critical, .shutdown, .nominal])
        observation.invalidate()
        fixture.session.stopRunning()
    }

    func testAnInterruptionEndsPendingPhotosAndRecordings() throws {
        let capture = try CaptureFixture()
        let (photo, movie) = capture.inSystem { (AVCapturePhotoOutput(), AVCaptureMovieFileOutput()) }
        let session = try capture.makeSession([photo, movie])
        let (photos, movies) = (RecordingPhotos(), RecordingMovies())
        session.startRunning()
        movie.startRecording(to: capture.url("a.mov"), recordingDelegate: movies)
        capture.advance(milliseconds: 500)
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        capture.system.interruptions.begin(.videoInUseByAnotherClient)
        capture.clock.settle()
        XCTAssertEqual(photos.events, ["begin", "error", "end"])
        XCTAssertEqual(photos.errors.map { $0?.code }, [.sessionWasInterrupted])
        XCTAssertEqual(movies.results.map { $0.error?.code }, [.sessionWasInterrupted])
        XCTAssertEqual(movies.results.map(\.isPlayable), [true])
        capture.system.interruptions.end(.videoInUseByAnotherClient)
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        capture.advance(milliseconds: 100)
        XCTAssertEqual(photos.events.suffix(5), ["begin", "will", "did", "photo", "end"])
        session.stopRunning()
        capture.assertNoMisuse()
    }

    func testACameraThatIsAddedDuringAnInterruptionStartsAtItsEnd() throws {
        let capture = try CaptureFixture(profile: "phone")
        let frames = RecordingFrames()
        let video = capture.inSystem { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try capture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [video])
        session.startRunning()
        capture.advance(milliseconds: 50)
        capture.system.interruptions.begin(.notAvailableInBackground)
        frames.clear()
        session.beginConfiguration()
        session.removeInput(session.inputs[0])
        session.addInput(try capture.input("phone.front"))
        session.commitConfiguration()
        capture.advance(milliseconds: 100)
        XCTAssertEqual(frames.counters, [])
        capture.system.interruptions.end(.notAvailableInBackground)
        capture.advance(milliseconds: 50)
        XCTAssertEqual(frames.counters, [0, 1])
        XCTAssertTrue(session.isRunning)
        // The other camera is available.
        let back = try XCTUnwrap(capture.host.devices.first { $0.descriptor.uniqueID == "phone.back-wide" })
        XCTAssertNoThrow(try back.open().close())
        session.stopRunning()
    }

    func testOtherProgramsInTheForegroundDoNotInterruptASessionForMultitasking() throws {
        let fixture = try makeFixture()
        XCTAssertTrue(fixture.session.isMultitaskingCameraAccessSupported)
        XCTAssertFalse(fixture.session.isMultitaskingCameraAccessEnabled)
        fixture.session.isMultitaskingCameraAccessEnabled = true
        fixture.session.startRunning()
        fixture.capture.system.interruptions.begin(.notAvailableWithMultipleForegroundApps)
        XCTAssertTrue(fixture.session.isRunning)
        fixture.capture.system.interruptions.begin(.notAvailableInBackground)
        XCTAssertFalse(fixture.session.isRunning)
        fixture.capture.assertMisuse(.invalidArgument) { fixture.session.isMultitaskingCameraAccessEnabled = false }
        fixture.session.stopRunning()
    }

    func testASessionCanBeStartedAfterAResetOfMediaServices() throws {
        let capture = try CaptureFixture()
        let notifications = RecordingNotifications(capture)
        let movie = capture.inSystem { AVCaptureMovieFileOutput() }
        let session = try capture.makeSession([movie])
        let movies = RecordingMovies()
        capture.system.interruptions.resetMediaServices()
        XCTAssertEqual(notifications.events, [])
        session.startRunning()
        movie.startRecording(to: capture.url("a.mov"), recordingDelegate: movies)
        capture.advance(milliseconds: 300)
        capture.system.interruptions.resetMediaServices()
        capture.clock.settle()
        XCTAssertEqual(notifications.events, ["start", "error mediaServicesWereReset", "stop"])
        XCTAssertEqual(movies.results.map { $0.error?.code }, [.mediaServicesWereReset])
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        session.stopRunning()
    }

    func testFramesAreBlackWhileAuthorizationIsDenied() throws {
        let fixture = try makeFixture()
        fixture.session.startRunning()
        fixture.capture.advance(milliseconds: 90)
        fixture.capture.system.authorization.set(.denied, for: .video)
        fixture.capture.advance(milliseconds: 100)
        fixture.capture.system.authorization.set(.authorized, for: .video)
        fixture.capture.advance(milliseconds: 100)
        XCTAssertEqual(fixture.frames.counters, [0, 1, 2, nil, nil, nil, 6, 7, 8])
        XCTAssertEqual(fixture.notifications.events, ["start"])
        fixture.session.stopRunning()
    }

    func testFramesAreBlackUntilThePromptIsAnswered() throws {
        let capture = try CaptureFixture(states: [.video: .notDetermined], answers: [.video: .never])
        let frames = RecordingFrames()
        let video = capture.inSystem { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try capture.makeSession(microphone: nil, [video])
        let answers = Lock<[Bool]>([])
        capture.inSystem {
            AVCaptureDevice.requestAccess(for: .video) { answer in answers.withLock { $0.append(answer) } }
        }
        session.startRunning()
        capture.advance(milliseconds: 3000)
        XCTAssertEqual(Set(frames.counters), [nil])
        XCTAssertEqual(answers.withLock { $0 }, [])
        // The user grants access in the settings much later.
        capture.system.authorization.set(.authorized, for: .video)
        XCTAssertEqual(answers.withLock { $0 }, [true])
        frames.clear()
        capture.advance(milliseconds: 50)
        XCTAssertFalse(frames.counters.contains(nil))
        session.stopRunning()
    }
}
