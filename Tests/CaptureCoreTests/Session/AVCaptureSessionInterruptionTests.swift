import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureSessionInterruptionTests: XCTestCase {
    private struct Fixture {
        let bench: CaptureFixture
        let frames = RecordingFrames()
        let notifications: RecordingNotifications
        let session: AVCaptureSession
    }

    private func makeFixture(_ outputs: (CaptureFixture) -> [AVCaptureOutput] = { _ in [] }) throws -> Fixture {
        let bench = try CaptureFixture()
        let video = bench.run { AVCaptureVideoDataOutput() }
        let audio = bench.run { AVCaptureAudioDataOutput() }
        let session = try bench.makeSession([video, audio] + bench.run { outputs(bench) })
        let fixture = Fixture(bench: bench, notifications: RecordingNotifications(bench), session: session)
        video.setSampleBufferDelegate(fixture.frames, queue: fixture.frames.queue)
        return fixture
    }

    private let resumed = ["interruption ended", "start"]

    func testEachReasonInterruptsARunningSessionUntilItEnds() throws {
        for reason in CaptureHAL.InterruptionReason.allCases {
            let fixture = try makeFixture()
            fixture.session.startRunning()
            fixture.bench.advance(milliseconds: 50)
            fixture.bench.system.interruptions.begin(reason)
            XCTAssertTrue(fixture.session.isInterrupted)
            XCTAssertFalse(fixture.session.isRunning)
            fixture.bench.system.interruptions.end(reason)
            XCTAssertEqual(
                fixture.notifications.events, ["start", "interrupted \(reason.rawValue)", "stop"] + resumed)
            XCTAssertEqual(AVCaptureSession.InterruptionReason(rawValue: reason.rawValue)?.rawValue, reason.rawValue)
            fixture.session.stopRunning()
        }
    }

    func testASessionThatIsStoppedDuringAnInterruptionStaysInterruptedUntilItsCauseIsGone() throws {
        let fixture = try makeFixture()
        let reported = Lock<[Bool]>([])
        let observation = fixture.session.observe(\.isInterrupted, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? false) }
        }
        fixture.session.startRunning()
        fixture.bench.advance(milliseconds: 50)
        fixture.bench.system.interruptions.begin(.notAvailableInBackground)
        fixture.session.stopRunning()
        XCTAssertTrue(fixture.session.isInterrupted)
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 1", "stop"])
        fixture.bench.system.interruptions.end(.notAvailableInBackground)
        XCTAssertFalse(fixture.session.isInterrupted)
        XCTAssertFalse(fixture.session.isRunning, "the end of an interruption does not start a stopped session")
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 1", "stop", "interruption ended"])
        // A stopped session is not interrupted.
        fixture.bench.system.interruptions.begin(.notAvailableInBackground)
        XCTAssertFalse(fixture.session.isInterrupted)
        fixture.bench.system.interruptions.end(.notAvailableInBackground)
        XCTAssertEqual(fixture.notifications.events.count, 4)
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
    }

    func testASessionThatIsStoppedAndStartedDuringAnInterruptionRunsAtItsEnd() throws {
        let fixture = try makeFixture()
        fixture.session.startRunning()
        fixture.bench.system.interruptions.begin(.notAvailableInBackground)
        fixture.session.stopRunning()
        fixture.session.startRunning()
        XCTAssertFalse(fixture.session.isRunning)
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 1", "stop"])
        fixture.bench.system.interruptions.end(.notAvailableInBackground)
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 1", "stop"] + resumed)
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
            for reason in reasons { fixture.bench.system.interruptions.begin(reason) }
            fixture.bench.system.interruptions.end(reasons[0])
            XCTAssertTrue(fixture.session.isInterrupted)
            XCTAssertEqual(fixture.notifications.events, ["interrupted \(reasons[0].rawValue)", "stop"])
            fixture.bench.system.interruptions.end(reasons[1])
            XCTAssertEqual(fixture.notifications.events, ["interrupted \(reasons[0].rawValue)", "stop"] + resumed)
        }
        XCTAssertEqual(reported.withLock { $0 }, [true, false, true, false])
        observation.invalidate()
        fixture.session.stopRunning()
    }

    func testADeviceInUseByAnotherClientInterruptsUntilItIsFree() throws {
        for (id, reason) in [(CaptureFixture.camera, 3), (CaptureFixture.microphone, 2)] {
            let fixture = try makeFixture()
            let device = try fixture.bench.device(id)
            let changes = Lock<[Bool]>([], order: .client)
            let observation = device.observe(\.isInUseByAnotherApplication) { device, _ in
                changes.withLock { $0.append(device.isInUseByAnotherApplication) }
            }
            fixture.session.startRunning()
            fixture.bench.advance(milliseconds: 50)
            try fixture.bench.host.setInUse(true, uniqueID: id)
            fixture.bench.clock.settle()
            XCTAssertEqual(fixture.notifications.events, ["start", "interrupted \(reason)", "stop"])
            fixture.bench.advance(milliseconds: 100)
            fixture.frames.clear()
            try fixture.bench.host.setInUse(false, uniqueID: id)
            fixture.bench.clock.settle()
            XCTAssertEqual(fixture.notifications.events.suffix(2), resumed[...])
            fixture.bench.advance(milliseconds: 50)
            XCTAssertEqual(fixture.frames.counters, [0, 1])
            XCTAssertEqual(changes.withLock { $0 }, [true, false])
            observation.invalidate()
            fixture.session.stopRunning()
        }
    }

    func testAStartWaitsWhileAnotherClientUsesTheCamera() throws {
        let fixture = try makeFixture()
        try fixture.bench.host.setInUse(true, uniqueID: CaptureFixture.camera)
        fixture.session.startRunning()
        XCTAssertEqual(fixture.notifications.events, ["interrupted 3"])
        try fixture.bench.host.setInUse(false, uniqueID: CaptureFixture.camera)
        fixture.bench.clock.settle()
        XCTAssertEqual(fixture.notifications.events, ["interrupted 3"] + resumed)
        fixture.session.stopRunning()
    }

    func testTheCameraIsDisconnectedWhileAnotherClientUsesIt() throws {
        let fixture = try makeFixture()
        fixture.session.removeInput(fixture.session.inputs[1])
        fixture.session.startRunning()
        try fixture.bench.host.setInUse(true, uniqueID: CaptureFixture.camera)
        fixture.bench.clock.settle()
        try fixture.bench.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.bench.clock.settle()
        XCTAssertEqual(
            fixture.notifications.events,
            [
                "start", "interrupted 3", "stop", "interruption ended", "error deviceWasDisconnected",
                "disconnected webcam.camera",
            ])
        XCTAssertFalse(fixture.session.isInterrupted)
    }

    func testAnotherSessionUsesTheCameraAndReleasesIt() throws {
        let fixture = try makeFixture()
        let other = try fixture.bench.makeSession(
            microphone: nil, [fixture.bench.run { AVCaptureVideoDataOutput() }])
        fixture.session.startRunning()
        fixture.bench.advance(milliseconds: 50)
        other.startRunning()
        XCTAssertTrue(other.isRunning)
        XCTAssertTrue(fixture.session.isInterrupted)
        XCTAssertFalse(fixture.session.isRunning)
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 3", "stop", "start"])
        // Other events do not return the camera.
        fixture.bench.system.interruptions.begin(.audioInUseByAnotherClient)
        fixture.bench.system.interruptions.end(.audioInUseByAnotherClient)
        XCTAssertTrue(other.isRunning)
        other.stopRunning()
        XCTAssertTrue(fixture.session.isRunning)
        XCTAssertFalse(fixture.session.isInterrupted)
        fixture.frames.clear()
        fixture.bench.advance(milliseconds: 50)
        XCTAssertEqual(fixture.frames.counters, [0, 1])
        fixture.session.stopRunning()
        fixture.bench.assertNoMisuse()
    }

    func testAReleasedSessionReleasesTheCamera() throws {
        // Without an observer of notifications, which would retain the session.
        let bench = try CaptureFixture()
        let session = try bench.makeSession([bench.run { AVCaptureVideoDataOutput() }])
        var other: AVCaptureSession? = try bench.makeSession(
            microphone: nil, [bench.run { AVCaptureVideoDataOutput() }])
        session.startRunning()
        other?.startRunning()
        XCTAssertFalse(session.isRunning)
        other = nil
        XCTAssertTrue(session.isRunning)
        session.stopRunning()
    }

    func testSessionsThatCompeteForTheCameraOnManyThreadsDoNotDeadlock() throws {
        let fixture = try makeFixture()
        let other = try fixture.bench.makeSession([fixture.bench.run { AVCaptureVideoDataOutput() }])
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
        for device in try fixture.bench.host.devices { XCTAssertNoThrow(try device.open().close()) }
    }

    func testPressureIsReportedAndShutsTheCameraDown() throws {
        let fixture = try makeFixture()
        let camera = try fixture.bench.device(CaptureFixture.camera)
        let levels = Lock<[AVCaptureDevice.SystemPressureState.Level]>([])
        let observation = camera.observe(\.systemPressureState, options: [.new]) { _, change in
            if let level = change.newValue?.level { levels.withLock { $0.append(level) } }
        }
        fixture.session.startRunning()
        for level in [SystemPressure.Level.fair, .serious, .critical, .shutdown] {
            let pressure = SystemPressure(level, factors: [.systemTemperature, .peakPower])
            try fixture.bench.host.setPressure(pressure, uniqueID: CaptureFixture.camera)
            fixture.bench.clock.settle()
            XCTAssertEqual(fixture.session.isRunning, level < .shutdown)
        }
        XCTAssertEqual(fixture.notifications.events, ["start", "interrupted 5", "stop"])
        let info = try XCTUnwrap(fixture.notifications.notifications[1].userInfo)
        let reported = try XCTUnwrap(
            info[AVCaptureSessionInterruptionSystemPressureStateKey] as? AVCaptureDevice.SystemPressureState)
        XCTAssertEqual(reported.level, .shutdown)
        XCTAssertEqual(reported.factors, [.systemTemperature, .peakPower])
        XCTAssertEqual(reported, camera.systemPressureState)
        try fixture.bench.host.setPressure(.nominal, uniqueID: CaptureFixture.camera)
        fixture.bench.clock.settle()
        XCTAssertTrue(fixture.session.isRunning)
        XCTAssertEqual(levels.withLock { $0 }, [.fair, .serious, .critical, .shutdown, .nominal])
        observation.invalidate()
        fixture.session.stopRunning()
    }

    func testAnInterruptionEndsPendingPhotosAndRecordings() throws {
        let bench = try CaptureFixture()
        let (photo, movie) = bench.run { (AVCapturePhotoOutput(), AVCaptureMovieFileOutput()) }
        let session = try bench.makeSession([photo, movie])
        let (photos, movies) = (RecordingPhotos(), RecordingMovies())
        session.startRunning()
        movie.startRecording(to: bench.url("a.mov"), recordingDelegate: movies)
        bench.advance(milliseconds: 500)
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        bench.system.interruptions.begin(.videoInUseByAnotherClient)
        bench.clock.settle()
        XCTAssertEqual(photos.events, ["begin", "error", "end"])
        XCTAssertEqual(photos.errors.map { $0?.code }, [.sessionWasInterrupted])
        XCTAssertEqual(movies.ends.map { $0.error?.code }, [.sessionWasInterrupted])
        XCTAssertEqual(movies.ends.map(\.isGood), [true])
        bench.system.interruptions.end(.videoInUseByAnotherClient)
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        bench.advance(milliseconds: 100)
        XCTAssertEqual(photos.events.suffix(5), ["begin", "will", "did", "photo", "end"])
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testTheCameraIsSwitchedDuringAnInterruption() throws {
        let bench = try CaptureFixture(profile: "phone")
        let frames = RecordingFrames()
        let video = bench.run { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try bench.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [video])
        session.startRunning()
        bench.advance(milliseconds: 50)
        bench.system.interruptions.begin(.notAvailableInBackground)
        frames.clear()
        session.beginConfiguration()
        session.removeInput(session.inputs[0])
        session.addInput(try bench.input("phone.front"))
        session.commitConfiguration()
        bench.advance(milliseconds: 100)
        XCTAssertEqual(frames.counters, [])
        bench.system.interruptions.end(.notAvailableInBackground)
        bench.advance(milliseconds: 50)
        XCTAssertEqual(frames.counters, [0, 1])
        XCTAssertTrue(session.isRunning)
        // The other camera is available.
        let back = try XCTUnwrap(bench.host.devices.first { $0.descriptor.uniqueID == "phone.back-wide" })
        XCTAssertNoThrow(try back.open().close())
        session.stopRunning()
    }

    func testOtherProgramsInTheForegroundDoNotInterruptASessionForMultitasking() throws {
        let fixture = try makeFixture()
        XCTAssertTrue(fixture.session.isMultitaskingCameraAccessSupported)
        XCTAssertFalse(fixture.session.isMultitaskingCameraAccessEnabled)
        fixture.session.isMultitaskingCameraAccessEnabled = true
        fixture.session.startRunning()
        fixture.bench.system.interruptions.begin(.notAvailableWithMultipleForegroundApps)
        XCTAssertTrue(fixture.session.isRunning)
        fixture.bench.system.interruptions.begin(.notAvailableInBackground)
        XCTAssertFalse(fixture.session.isRunning)
        fixture.bench.assertMisuse(.invalidArgument) { fixture.session.isMultitaskingCameraAccessEnabled = false }
        fixture.session.stopRunning()
    }

    func testASessionCanBeStartedAfterAResetOfMediaServices() throws {
        let bench = try CaptureFixture()
        let notifications = RecordingNotifications(bench)
        let movie = bench.run { AVCaptureMovieFileOutput() }
        let session = try bench.makeSession([movie])
        let movies = RecordingMovies()
        bench.system.interruptions.resetMediaServices()
        XCTAssertEqual(notifications.events, [])
        session.startRunning()
        movie.startRecording(to: bench.url("a.mov"), recordingDelegate: movies)
        bench.advance(milliseconds: 300)
        bench.system.interruptions.resetMediaServices()
        bench.clock.settle()
        XCTAssertEqual(notifications.events, ["start", "error mediaServicesWereReset", "stop"])
        XCTAssertEqual(movies.ends.map { $0.error?.code }, [.mediaServicesWereReset])
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        session.stopRunning()
    }

    func testFramesAreBlackWhileConsentIsWithdrawn() throws {
        let fixture = try makeFixture()
        fixture.session.startRunning()
        fixture.bench.advance(milliseconds: 90)
        fixture.bench.system.authorization.set(.denied, for: .video)
        fixture.bench.advance(milliseconds: 100)
        fixture.bench.system.authorization.set(.authorized, for: .video)
        fixture.bench.advance(milliseconds: 100)
        XCTAssertEqual(fixture.frames.counters, [0, 1, 2, nil, nil, nil, 6, 7, 8])
        XCTAssertEqual(fixture.notifications.events, ["start"])
        fixture.session.stopRunning()
    }

    func testFramesAreBlackUntilThePromptIsAnswered() throws {
        let bench = try CaptureFixture(states: [.video: .notDetermined], answers: [.video: .never])
        let frames = RecordingFrames()
        let video = bench.run { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try bench.makeSession(microphone: nil, [video])
        let answers = Lock<[Bool]>([])
        bench.run { AVCaptureDevice.requestAccess(for: .video) { answer in answers.withLock { $0.append(answer) } } }
        session.startRunning()
        bench.advance(milliseconds: 3000)
        XCTAssertEqual(Set(frames.counters), [nil])
        XCTAssertEqual(answers.withLock { $0 }, [])
        // The user grants access in the settings much later.
        bench.system.authorization.set(.authorized, for: .video)
        XCTAssertEqual(answers.withLock { $0 }, [true])
        frames.clear()
        bench.advance(milliseconds: 50)
        XCTAssertFalse(frames.counters.contains(nil))
        session.stopRunning()
    }
}
