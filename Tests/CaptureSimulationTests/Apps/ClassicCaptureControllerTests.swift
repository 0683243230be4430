import CaptureHAL
import CaptureTesting
import MediaTypes
import Photos
import XCTest

@testable import ClassicCaptureController

/// Tests an app with queues, delegates, timers and completion handlers. Each test creates a simulated system, uses the
/// app, and advances the clock.
final class ClassicCaptureControllerTests: XCTestCase {
    private struct App {
        let simulated: SimulatedSystem
        let controller: CameraController
        let recorder: EventRecorder
    }

    private func makeApp(
        profile: String = "phone", answers: [ProtectedResource: PromptAnswer] = [:],
        authorization: [ProtectedResource: AuthorizationState] = [:]
    ) throws -> App {
        let simulated = try SimulatedSystem(
            profile: profile, scene: .grey, authorization: authorization, answers: answers)
        let recorder = try EventRecorder(simulated, in: self)
        let controller = CameraController(
            preset: profile == "phone" ? .cif352x288 : .vga640x480, movieFolder: simulated.folder, log: recorder.record)
        return App(simulated: simulated, controller: controller, recorder: recorder)
    }

    private func startedApp(profile: String = "phone") throws -> App {
        let app = try makeApp(profile: profile)
        app.controller.start()
        app.simulated.advance(until: { app.controller.state == .running })
        XCTAssertEqual(app.controller.state, .running)
        return app
    }

    // MARK: Starting

    func testTheFirstStartRequestsAccessAndStartsWhenItIsGranted() throws {
        let app = try makeApp(
            answers: [
                .video: PromptAnswer(.authorized, after: .seconds(2)),
                .audio: PromptAnswer(.authorized, after: .seconds(1)),
            ], authorization: [.video: .notDetermined, .audio: .notDetermined])
        app.controller.start()
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.controller.state, .idle)
        app.simulated.advance(by: .seconds(2))
        XCTAssertEqual(app.controller.state, .running)
        XCTAssertEqual(app.controller.cameraName, "Back Camera")
        XCTAssertEqual(app.controller.frameCount, 30, accuracy: 3)
    }

    func testWithoutAccessToTheCameraTheStateIsNotAuthorized() throws {
        let app = try makeApp(
            answers: [.video: PromptAnswer(.denied, after: .seconds(2))], authorization: [.video: .notDetermined])
        app.controller.start()
        app.simulated.advance(by: .seconds(3))
        XCTAssertEqual(app.controller.state, .notAuthorized)
        XCTAssertEqual(app.recorder.log, ["2.000000 state notAuthorized"])
    }

    func testFramesArriveAtTheRateOfTheCamera() throws {
        let app = try startedApp()
        app.simulated.advance(until: { app.controller.frameCount > 0 })
        let first = app.controller.frameCount
        app.simulated.advance(by: .seconds(2))
        XCTAssertEqual(app.controller.frameCount - first, 60)
    }

    func testStoppingWaitsForPhotosAndMovies() throws {
        let app = try startedApp()
        app.controller.toggleRecording()
        app.simulated.advance(by: .seconds(1))
        app.controller.takePhoto()
        let isDone = Lock(false)
        app.controller.stop { isDone.withLock { $0 = true } }
        XCTAssertTrue(app.simulated.advance(until: { isDone.withLock { $0 } }))
        XCTAssertEqual(app.controller.state, .stopped)
        XCTAssertEqual(app.recorder.log.last?.hasSuffix(" stopped"), true)
        XCTAssertEqual(SavedMedia.photos.count, 1)
        XCTAssertEqual(SavedMedia.movies.count, 1)
        let count = app.controller.frameCount
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.controller.frameCount, count)
    }

    // MARK: Photos

    func testAPhotoIsSavedToTheLibrary() throws {
        let app = try startedApp()
        app.controller.takePhoto()
        app.simulated.advance(by: .seconds(1))
        XCTAssertNil(app.controller.message)
        let photo = try XCTUnwrap(SavedMedia.photos.firstObject)
        XCTAssertEqual([photo.pixelWidth, photo.pixelHeight].sorted(), [288, 352])
        let types = app.simulated.run { PHAssetResource.assetResources(for: photo).map(\.uniformTypeIdentifier) }
        XCTAssertEqual(types, ["public.heic"])
        XCTAssertEqual(app.recorder.events("photo").map(\.text), ["photo captured", "photo saved"])
    }

    func testTheSelfTimerTakesAPhotoAfterThreeSeconds() throws {
        let app = try startedApp()
        let start = app.simulated.clock.now
        app.controller.takePhoto(after: 3)
        app.simulated.advance(by: .seconds(2.5))
        XCTAssertEqual(app.controller.countdown, 1)
        XCTAssertEqual(SavedMedia.photos.count, 0)
        app.simulated.advance(by: .seconds(1))
        XCTAssertNil(app.controller.countdown)
        XCTAssertEqual(SavedMedia.photos.count, 1)
        let captured = try XCTUnwrap(app.recorder.time(of: "photo captured"))
        XCTAssertEqual((captured - start).seconds, 3, accuracy: 0.1)
        for (second, event) in app.recorder.events("countdown").enumerated() {
            XCTAssertEqual((event.time - start).seconds, Double(second), accuracy: 0.001)
        }
    }

    func testACancelledSelfTimerTakesNoPhoto() throws {
        let app = try startedApp()
        app.controller.takePhoto(after: 3)
        app.simulated.advance(by: .seconds(1.5))
        XCTAssertEqual(app.controller.countdown, 2)
        app.controller.cancelSelfTimer()
        app.simulated.advance(by: .seconds(3))
        XCTAssertEqual(SavedMedia.photos.count, 0)
    }

    // MARK: Movies

    func testARecordingOfThreeSecondsIsSavedAndShowsItsTime() throws {
        let app = try startedApp()
        app.simulated.advance(by: .seconds(0.51))
        app.controller.toggleRecording()
        app.simulated.advance(by: .seconds(3))
        XCTAssertEqual(app.controller.recordedTime, "00:02.5")
        app.controller.toggleRecording()
        app.simulated.advance(by: .seconds(1))
        XCTAssertNil(app.controller.message)
        XCTAssertNil(app.controller.recordedTime)
        let movie = try XCTUnwrap(SavedMedia.movies.firstObject)
        XCTAssertEqual(movie.duration, 3, accuracy: 1.0 / 30)
        let steps = app.recorder.events("display")
        XCTAssertEqual(
            steps.map(\.text), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"].map { "display 00:0\($0)" })
        for (step, next) in zip(steps, steps.dropFirst()) {
            XCTAssertEqual((next.time - step.time).seconds, 0.5, accuracy: 0.001)
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: app.simulated.folder.path), ["library"])
    }

    func testACallInterruptsARecordingAndTheSessionContinuesAfterIt() throws {
        let app = try startedApp()
        app.controller.toggleRecording()
        app.simulated.advance(by: .seconds(2))
        app.simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        app.simulated.advance(by: .seconds(5))
        XCTAssertEqual(app.controller.state, .interrupted(.audioDeviceInUseByAnotherClient))
        XCTAssertEqual(app.controller.message, "AVError sessionWasInterrupted")
        XCTAssertEqual(try XCTUnwrap(SavedMedia.movies.firstObject).duration, 2, accuracy: 0.1)
        let count = app.controller.frameCount

        app.simulated.system.interruptions.end(.audioInUseByAnotherClient)
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.controller.state, .running)
        XCTAssertEqual(app.recorder.events("interruption ended").count, 1)
        XCTAssertGreaterThan(app.controller.frameCount, count + 20)
    }

    func testAFullDiskEndsARecordingAndKeepsTheMovie() throws {
        let app = try startedApp()
        app.controller.toggleRecording()
        app.simulated.advance(by: .seconds(2))
        app.simulated.storage.freeByteCount = 0
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.controller.state, .running)
        // The library needs space, too: the movie stays in the folder of the app.
        XCTAssertEqual(
            app.recorder.events("message").map(\.text),
            ["message AVError diskFull", "message PHPhotosError notEnoughSpace"])
        let duration = try SavedMedia.recordedMovieDuration(in: app.simulated.folder)
        XCTAssertTrue((1...2.1).contains(duration), "\(duration) s")
    }

    // MARK: The camera

    func testCamerasAreSwitchedWhileFramesArrive() throws {
        let app = try startedApp()
        app.simulated.advance(by: .seconds(1))
        app.controller.switchCamera()
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.controller.cameraName, "Front Camera")
        app.controller.switchCamera()
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.controller.cameraName, "Back Camera")
        XCTAssertNil(app.controller.message)
        let times = app.recorder.events("frame ").map(\.time.seconds)
        XCTAssertEqual(times.count, 90, accuracy: 9)
        for (time, next) in zip(times, times.dropFirst()) { XCTAssertLessThan(next - time, 0.2) }
    }

    func testFocusStaysLockedForThreeSecondsAfterTheLastTap() throws {
        let app = try startedApp()
        app.simulated.advance(by: .seconds(1))
        app.controller.focus(at: CGPoint(x: 0.2, y: 0.3))
        app.simulated.advance(by: .seconds(2))
        app.controller.focus(at: CGPoint(x: 0.7, y: 0.6))
        app.simulated.advance(by: .seconds(2))
        let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        XCTAssertEqual(camera.focusMode, .locked)
        XCTAssertEqual(camera.focusPointOfInterest, CGPoint(x: 0.7, y: 0.6))
        app.simulated.advance(by: .seconds(2))
        XCTAssertEqual(camera.focusMode, .continuousAutoFocus)
        XCTAssertFalse(app.controller.isAdjustingFocus)
        XCTAssertFalse(app.recorder.events("focus adjusting").isEmpty)
        let locked = try XCTUnwrap(app.recorder.events("focus locked").last)
        let released = app.recorder.events("focus released")
        XCTAssertEqual(released.count, 1)
        XCTAssertEqual((try XCTUnwrap(released.first).time - locked.time).seconds, 3, accuracy: 0.001)
    }

    func testUnpluggingTheCameraKeepsTheMovieAndReconnectingItResumesFrames() throws {
        let app = try startedApp(profile: "webcam")
        app.controller.toggleRecording()
        app.simulated.advance(by: .seconds(2))
        try app.simulated.host.disconnect(uniqueID: "webcam.camera")
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.controller.message, "AVError deviceWasDisconnected")
        XCTAssertEqual(try XCTUnwrap(SavedMedia.movies.firstObject).duration, 2, accuracy: 0.1)
        let count = app.controller.frameCount
        app.controller.takePhoto()
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.recorder.events("no photo").count, 1)

        try app.simulated.host.reconnect(uniqueID: "webcam.camera")
        app.simulated.advance(by: .seconds(1))
        XCTAssertGreaterThan(app.controller.frameCount, count + 20)
        XCTAssertEqual(app.recorder.events("camera ").count, 2)
    }

    func testTheSessionRestartsAfterAResetOfTheMediaServices() throws {
        let app = try startedApp()
        app.simulated.advance(by: .seconds(1))
        app.simulated.system.interruptions.resetMediaServices()
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.recorder.events("restarted").count, 1)
        let count = app.controller.frameCount
        app.simulated.advance(by: .seconds(1))
        XCTAssertEqual(app.controller.frameCount - count, 30, accuracy: 1)
    }

    // MARK: Repetition

    func testTheSameUseYieldsTheSameLogInEachRun() throws {
        let logs = try (0..<3).map { _ in
            let app = try startedApp()
            app.simulated.advance(by: .seconds(0.7))
            app.controller.focus(at: CGPoint(x: 0.4, y: 0.4))
            app.controller.toggleRecording()
            app.simulated.advance(by: .seconds(1.2))
            app.controller.takePhoto()
            app.controller.toggleRecording()
            app.controller.switchCamera()
            app.simulated.advance(by: .seconds(1))
            app.controller.takePhoto(after: 2)
            app.controller.stop {}
            app.simulated.advance(by: .seconds(4))
            return app.recorder.log
        }
        EventRecorder.assertEqual(logs)
    }
}
