import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureSessionInterruptionTests: XCTestCase {
    private struct Stage {
        let bench: CaptureBench
        let frames = RecordingFrames()
        let notifications: RecordingNotifications
        let session: AVCaptureSession
    }

    private func makeStage(_ outputs: (CaptureBench) -> [AVCaptureOutput] = { _ in [] }) throws -> Stage {
        let bench = try CaptureBench()
        let video = bench.run { AVCaptureVideoDataOutput() }
        let audio = bench.run { AVCaptureAudioDataOutput() }
        let session = try bench.makeSession([video, audio] + bench.run { outputs(bench) })
        let stage = Stage(bench: bench, notifications: RecordingNotifications(bench), session: session)
        video.setSampleBufferDelegate(stage.frames, queue: stage.frames.queue)
        return stage
    }

    private let resumed = ["interruption ended", "start"]

    func testEachReasonHoldsARunningSessionUpUntilItIsOver() throws {
        for reason in CaptureHAL.InterruptionReason.allCases {
            let stage = try makeStage()
            stage.session.startRunning()
            stage.bench.advance(milliseconds: 50)
            stage.bench.system.interruptions.begin(reason)
            XCTAssertTrue(stage.session.isInterrupted)
            XCTAssertFalse(stage.session.isRunning)
            stage.bench.system.interruptions.end(reason)
            XCTAssertEqual(
                stage.notifications.story, ["start", "interrupted \(reason.rawValue)", "stop"] + resumed)
            XCTAssertEqual(AVCaptureSession.InterruptionReason(rawValue: reason.rawValue)?.rawValue, reason.rawValue)
            stage.session.stopRunning()
        }
    }

    func testASessionThatIsStoppedDuringAnInterruptionStaysInterruptedUntilItsCauseIsGone() throws {
        let stage = try makeStage()
        let told = Lock<[Bool]>([])
        let observation = stage.session.observe(\.isInterrupted, options: .new) { _, change in
            told.withLock { $0.append(change.newValue ?? false) }
        }
        stage.session.startRunning()
        stage.bench.advance(milliseconds: 50)
        stage.bench.system.interruptions.begin(.notAvailableInBackground)
        stage.session.stopRunning()
        XCTAssertTrue(stage.session.isInterrupted)
        XCTAssertEqual(stage.notifications.story, ["start", "interrupted 1", "stop"])
        stage.bench.system.interruptions.end(.notAvailableInBackground)
        XCTAssertFalse(stage.session.isInterrupted)
        XCTAssertFalse(stage.session.isRunning, "what was stopped is not started by the end of an interruption")
        XCTAssertEqual(stage.notifications.story, ["start", "interrupted 1", "stop", "interruption ended"])
        // Nothing is taken from a session that stands still.
        stage.bench.system.interruptions.begin(.notAvailableInBackground)
        XCTAssertFalse(stage.session.isInterrupted)
        stage.bench.system.interruptions.end(.notAvailableInBackground)
        XCTAssertEqual(stage.notifications.story.count, 4)
        XCTAssertEqual(told.withLock { $0 }, [true, false])
        observation.invalidate()
    }

    func testASessionThatIsStoppedAndStartedDuringAnInterruptionRunsAtItsEnd() throws {
        let stage = try makeStage()
        stage.session.startRunning()
        stage.bench.system.interruptions.begin(.notAvailableInBackground)
        stage.session.stopRunning()
        stage.session.startRunning()
        XCTAssertFalse(stage.session.isRunning)
        XCTAssertEqual(stage.notifications.story, ["start", "interrupted 1", "stop"])
        stage.bench.system.interruptions.end(.notAvailableInBackground)
        XCTAssertEqual(stage.notifications.story, ["start", "interrupted 1", "stop"] + resumed)
        stage.session.stopRunning()
    }

    func testInterruptionsThatOverlapBeginOnceAndEndOnce() throws {
        let stage = try makeStage()
        let told = Lock<[Bool]>([])
        let observation = stage.session.observe(\.isInterrupted, options: .new) { _, change in
            told.withLock { $0.append(change.newValue ?? false) }
        }
        stage.session.startRunning()
        for reasons in [
            [CaptureHAL.InterruptionReason.notAvailableInBackground, .audioInUseByAnotherClient],
            [.sensitiveContentMitigationActivated, .notAvailableWithMultipleForegroundApps],
        ] {
            stage.notifications.clear()
            for reason in reasons { stage.bench.system.interruptions.begin(reason) }
            stage.bench.system.interruptions.end(reasons[0])
            XCTAssertTrue(stage.session.isInterrupted)
            XCTAssertEqual(stage.notifications.story, ["interrupted \(reasons[0].rawValue)", "stop"])
            stage.bench.system.interruptions.end(reasons[1])
            XCTAssertEqual(stage.notifications.story, ["interrupted \(reasons[0].rawValue)", "stop"] + resumed)
        }
        XCTAssertEqual(told.withLock { $0 }, [true, false, true, false])
        observation.invalidate()
        stage.session.stopRunning()
    }

    func testADeviceThatAnotherClientTakesInterruptsUntilItIsFree() throws {
        for (id, reason) in [(CaptureBench.camera, 3), (CaptureBench.microphone, 2)] {
            let stage = try makeStage()
            let device = try stage.bench.device(id)
            let changes = Lock<[Bool]>([], order: .client)
            let observation = device.observe(\.isInUseByAnotherApplication) { device, _ in
                changes.withLock { $0.append(device.isInUseByAnotherApplication) }
            }
            stage.session.startRunning()
            stage.bench.advance(milliseconds: 50)
            try stage.bench.host.setInUse(true, uniqueID: id)
            stage.bench.clock.settle()
            XCTAssertEqual(stage.notifications.story, ["start", "interrupted \(reason)", "stop"])
            stage.bench.advance(milliseconds: 100)
            stage.frames.clear()
            try stage.bench.host.setInUse(false, uniqueID: id)
            stage.bench.clock.settle()
            XCTAssertEqual(stage.notifications.story.suffix(2), resumed[...])
            stage.bench.advance(milliseconds: 50)
            XCTAssertEqual(stage.frames.counters, [0, 1])
            XCTAssertEqual(changes.withLock { $0 }, [true, false])
            observation.invalidate()
            stage.session.stopRunning()
        }
    }

    func testAStartWhileAnotherClientHasTheCameraWaitsForIt() throws {
        let stage = try makeStage()
        try stage.bench.host.setInUse(true, uniqueID: CaptureBench.camera)
        stage.session.startRunning()
        XCTAssertEqual(stage.notifications.story, ["interrupted 3"])
        try stage.bench.host.setInUse(false, uniqueID: CaptureBench.camera)
        stage.bench.clock.settle()
        XCTAssertEqual(stage.notifications.story, ["interrupted 3"] + resumed)
        stage.session.stopRunning()
    }

    func testTheCameraIsUnpluggedWhileAnotherClientHasIt() throws {
        let stage = try makeStage()
        stage.session.removeInput(stage.session.inputs[1])
        stage.session.startRunning()
        try stage.bench.host.setInUse(true, uniqueID: CaptureBench.camera)
        stage.bench.clock.settle()
        try stage.bench.host.disconnect(uniqueID: CaptureBench.camera)
        stage.bench.clock.settle()
        XCTAssertEqual(
            stage.notifications.story,
            [
                "start", "interrupted 3", "stop", "interruption ended", "error deviceWasDisconnected",
                "disconnected webcam.camera",
            ])
        XCTAssertFalse(stage.session.isInterrupted)
    }

    func testAnotherSessionTakesTheCameraAndGivesItBack() throws {
        let stage = try makeStage()
        let other = try stage.bench.makeSession(
            microphone: nil, [stage.bench.run { AVCaptureVideoDataOutput() }])
        stage.session.startRunning()
        stage.bench.advance(milliseconds: 50)
        other.startRunning()
        XCTAssertTrue(other.isRunning)
        XCTAssertTrue(stage.session.isInterrupted)
        XCTAssertFalse(stage.session.isRunning)
        XCTAssertEqual(stage.notifications.story, ["start", "interrupted 3", "stop", "start"])
        // What happens meanwhile gives it nothing back.
        stage.bench.system.interruptions.begin(.audioInUseByAnotherClient)
        stage.bench.system.interruptions.end(.audioInUseByAnotherClient)
        XCTAssertTrue(other.isRunning)
        other.stopRunning()
        XCTAssertTrue(stage.session.isRunning)
        XCTAssertFalse(stage.session.isInterrupted)
        stage.frames.clear()
        stage.bench.advance(milliseconds: 50)
        XCTAssertEqual(stage.frames.counters, [0, 1])
        stage.session.stopRunning()
        stage.bench.assertNoMisuse()
    }

    func testASessionThatIsLetGoOfGivesTheCameraBack() throws {
        // Without a listener to notifications, which would keep the session.
        let bench = try CaptureBench()
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

    func testSessionsThatTakeTheCameraFromEachOtherOnManyThreadsComeToRest() throws {
        let stage = try makeStage()
        let other = try stage.bench.makeSession([stage.bench.run { AVCaptureVideoDataOutput() }])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for _ in 0..<10 {
                let session = number % 2 == 0 ? stage.session : other
                if number % 4 < 2 { session.startRunning() } else { session.stopRunning() }
            }
        }
        stage.session.stopRunning()
        other.startRunning()
        XCTAssertTrue(other.isRunning)
        XCTAssertFalse(stage.session.isRunning)
        other.stopRunning()
        for device in try stage.bench.host.devices { XCTAssertNoThrow(try device.open().close()) }
    }

    func testPressureIsToldAndShutsTheCameraDown() throws {
        let stage = try makeStage()
        let camera = try stage.bench.device(CaptureBench.camera)
        let levels = Lock<[AVCaptureDevice.SystemPressureState.Level]>([])
        let observation = camera.observe(\.systemPressureState, options: [.new]) { _, change in
            if let level = change.newValue?.level { levels.withLock { $0.append(level) } }
        }
        stage.session.startRunning()
        for level in [SystemPressure.Level.fair, .serious, .critical, .shutdown] {
            let pressure = SystemPressure(level, factors: [.systemTemperature, .peakPower])
            try stage.bench.host.setPressure(pressure, uniqueID: CaptureBench.camera)
            stage.bench.clock.settle()
            XCTAssertEqual(stage.session.isRunning, level < .shutdown)
        }
        XCTAssertEqual(stage.notifications.story, ["start", "interrupted 5", "stop"])
        let info = try XCTUnwrap(stage.notifications.notifications[1].userInfo)
        let told = try XCTUnwrap(
            info[AVCaptureSessionInterruptionSystemPressureStateKey] as? AVCaptureDevice.SystemPressureState)
        XCTAssertEqual(told.level, .shutdown)
        XCTAssertEqual(told.factors, [.systemTemperature, .peakPower])
        XCTAssertEqual(told, camera.systemPressureState)
        try stage.bench.host.setPressure(.nominal, uniqueID: CaptureBench.camera)
        stage.bench.clock.settle()
        XCTAssertTrue(stage.session.isRunning)
        XCTAssertEqual(levels.withLock { $0 }, [.fair, .serious, .critical, .shutdown, .nominal])
        observation.invalidate()
        stage.session.stopRunning()
    }

    func testAPhotoAndARecordingInFlightEndWithTheInterruption() throws {
        let bench = try CaptureBench()
        let (photo, movie) = bench.run { (AVCapturePhotoOutput(), AVCaptureMovieFileOutput()) }
        let session = try bench.makeSession([photo, movie])
        let (photos, movies) = (RecordingPhotos(), RecordingMovies())
        session.startRunning()
        movie.startRecording(to: bench.url("a.mov"), recordingDelegate: movies)
        bench.advance(milliseconds: 500)
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        bench.system.interruptions.begin(.videoInUseByAnotherClient)
        bench.clock.settle()
        XCTAssertEqual(photos.story, ["begin", "error", "end"])
        XCTAssertEqual(photos.errors.map { $0?.code }, [.sessionWasInterrupted])
        XCTAssertEqual(movies.ends.map { $0.error?.code }, [.sessionWasInterrupted])
        XCTAssertEqual(movies.ends.map(\.isGood), [true])
        bench.system.interruptions.end(.videoInUseByAnotherClient)
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        bench.advance(milliseconds: 100)
        XCTAssertEqual(photos.story.suffix(5), ["begin", "will", "did", "photo", "end"])
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testTheCameraIsSwitchedDuringAnInterruption() throws {
        let bench = try CaptureBench(profile: "phone")
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
        // The other camera is not held.
        let back = try XCTUnwrap(bench.host.devices.first { $0.descriptor.uniqueID == "phone.back-wide" })
        XCTAssertNoThrow(try back.open().close())
        session.stopRunning()
    }

    func testOtherProgramsInTheForegroundLeaveASessionAloneThatIsMadeForThem() throws {
        let stage = try makeStage()
        XCTAssertTrue(stage.session.isMultitaskingCameraAccessSupported)
        XCTAssertFalse(stage.session.isMultitaskingCameraAccessEnabled)
        stage.session.isMultitaskingCameraAccessEnabled = true
        stage.session.startRunning()
        stage.bench.system.interruptions.begin(.notAvailableWithMultipleForegroundApps)
        XCTAssertTrue(stage.session.isRunning)
        stage.bench.system.interruptions.begin(.notAvailableInBackground)
        XCTAssertFalse(stage.session.isRunning)
        stage.bench.assertMisuse(.invalidArgument) { stage.session.isMultitaskingCameraAccessEnabled = false }
        stage.session.stopRunning()
    }

    func testASessionWhoseMediaServicesWereResetIsStartedAnew() throws {
        let bench = try CaptureBench()
        let notifications = RecordingNotifications(bench)
        let movie = bench.run { AVCaptureMovieFileOutput() }
        let session = try bench.makeSession([movie])
        let movies = RecordingMovies()
        bench.system.interruptions.resetMediaServices()
        XCTAssertEqual(notifications.story, [])
        session.startRunning()
        movie.startRecording(to: bench.url("a.mov"), recordingDelegate: movies)
        bench.advance(milliseconds: 300)
        bench.system.interruptions.resetMediaServices()
        bench.clock.settle()
        XCTAssertEqual(notifications.story, ["start", "error mediaServicesWereReset", "stop"])
        XCTAssertEqual(movies.ends.map { $0.error?.code }, [.mediaServicesWereReset])
        session.startRunning()
        XCTAssertTrue(session.isRunning)
        session.stopRunning()
    }

    func testConsentThatIsTakenAwayAndGivenBackWhileRunningShowsInThePictures() throws {
        let stage = try makeStage()
        stage.session.startRunning()
        stage.bench.advance(milliseconds: 90)
        stage.bench.system.authorization.set(.denied, for: .video)
        stage.bench.advance(milliseconds: 100)
        stage.bench.system.authorization.set(.authorized, for: .video)
        stage.bench.advance(milliseconds: 100)
        XCTAssertEqual(stage.frames.counters, [0, 1, 2, nil, nil, nil, 6, 7, 8])
        XCTAssertEqual(stage.notifications.story, ["start"])
        stage.session.stopRunning()
    }

    func testAPromptThatIsNeverAnsweredLeavesThePicturesBlack() throws {
        let bench = try CaptureBench(states: [.video: .notDetermined], answers: [.video: .never])
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
        // The user says yes in the settings, long after.
        bench.system.authorization.set(.authorized, for: .video)
        XCTAssertEqual(answers.withLock { $0 }, [true])
        frames.clear()
        bench.advance(milliseconds: 50)
        XCTAssertFalse(frames.counters.contains(nil))
        session.stopRunning()
    }
}
