import CaptureHAL
import CaptureTesting
import MediaTypes
import Photos
import XCTest

@testable import ModernCamera

/// Tests an app with an actor, tasks and asynchronous sequences. Each test creates a simulated system, uses the app,
/// and waits in virtual time.
final class ModernCaptureServiceTests: XCTestCase {
    @MainActor
    private func makeModel(
        _ simulated: SimulatedSystem, _ recorder: EventRecorder, preset: AVCaptureSession.Preset = .cif352x288
    ) -> CameraModel {
        let settings = CaptureSettings(preset: preset, movieFolder: simulated.folder, takesLargestPhotos: false)
        return CameraModel(settings: settings, log: recorder.record)
    }

    /// Starts an app.
    @MainActor
    private func startedModel(
        profile: String = "phone", answers: [ProtectedResource: PromptAnswer] = [:],
        authorization: [ProtectedResource: AuthorizationState] = [:]
    ) async throws -> (SimulatedSystem, CameraModel, EventRecorder) {
        let simulated = try SimulatedSystem(
            profile: profile, scene: .grey, authorization: authorization, answers: answers)
        let recorder = try EventRecorder(simulated, in: self)
        let model = makeModel(simulated, recorder, preset: profile == "phone" ? .cif352x288 : .vga640x480)
        await model.start()
        XCTAssertEqual(model.status, .running)
        return (simulated, model, recorder)
    }

    // MARK: Starting

    @MainActor
    func testTheFirstStartRequestsAccessAndStartsWhenItIsGranted() async throws {
        let (simulated, model, recorder) = try await startedModel(
            answers: [
                .video: PromptAnswer(.authorized, after: .seconds(2)),
                .audio: PromptAnswer(.authorized, after: .seconds(1)),
            ],
            authorization: [.video: .notDetermined, .audio: .notDetermined])
        XCTAssertEqual(simulated.clock.now.seconds, 3, accuracy: 0.1)
        await simulated.wait(until: { model.frameCount > 0 }, limit: .seconds(1))
        XCTAssertEqual(model.cameraName, "Back Camera")
        XCTAssertEqual(recorder.events("status").map(\.text), ["status running"])
    }

    @MainActor
    func testWithoutAccessToTheCameraTheStatusIsNotAuthorized() async throws {
        let simulated = try SimulatedSystem(
            authorization: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied, after: .seconds(2))])
        let recorder = try EventRecorder(simulated, in: self)
        let model = makeModel(simulated, recorder)
        await model.start()
        XCTAssertEqual(model.status, .notAuthorized)
        await simulated.wait(for: .seconds(1))
        XCTAssertEqual(model.frameCount, 0)
        XCTAssertEqual(recorder.events.map(\.text), ["status notAuthorized"])
    }

    @MainActor
    func testWithoutAccessToTheMicrophoneMoviesAreSaved() async throws {
        let (simulated, model, _) = try await startedModel(
            answers: [.audio: .deny], authorization: [.audio: .notDetermined])
        model.startRecording()
        await simulated.wait(for: .seconds(1))
        await model.stopRecording()
        XCTAssertNil(model.message)
        XCTAssertEqual(SavedMedia.movies.count, 1)
    }

    @MainActor
    func testFramesArriveAtTheRateOfTheCamera() async throws {
        let (simulated, model, recorder) = try await startedModel()
        await simulated.wait(until: { model.frameCount > 0 })
        let first = model.frameCount
        await simulated.wait(for: .seconds(2))
        XCTAssertEqual(model.frameCount - first, 60)
        let times = recorder.events("frame ").map(\.time.seconds)
        for (time, next) in zip(times, times.dropFirst()) { XCTAssertEqual(next - time, 1.0 / 30, accuracy: 0.001) }
        await model.stop()
        let last = model.frameCount
        await simulated.wait(for: .seconds(1))
        XCTAssertEqual(model.frameCount, last)
        XCTAssertEqual(model.status, .idle)
    }

    // MARK: Photos

    @MainActor
    func testAPhotoIsSavedToTheLibrary() async throws {
        let (_, model, recorder) = try await startedModel()
        await model.takePhoto()
        XCTAssertNil(model.message)
        XCTAssertEqual(SavedMedia.photos.count, 1)
        let photo = try XCTUnwrap(SavedMedia.photos.firstObject)
        XCTAssertEqual([photo.pixelWidth, photo.pixelHeight].sorted(), [288, 352])
        XCTAssertEqual(PHAssetResource.assetResources(for: photo).map(\.uniformTypeIdentifier), ["public.heic"])
        XCTAssertEqual(recorder.events("photo").map(\.text), ["photo captured", "photo saved"])
    }

    @MainActor
    func testAPhotoIsNotSavedWithoutAccessToTheLibrary() async throws {
        let (_, model, _) = try await startedModel(
            answers: [.photoLibraryAdditions: PromptAnswer(.denied, after: .seconds(1))],
            authorization: [.photoLibrary: .notDetermined, .photoLibraryAdditions: .notDetermined])
        await model.takePhoto()
        XCTAssertEqual(model.message, "libraryNotAuthorized")
    }

    @MainActor
    func testTheSelfTimerTakesAPhotoAfterThreeSeconds() async throws {
        let (simulated, model, recorder) = try await startedModel()
        let start = simulated.clock.now
        await model.takePhoto(after: 3)
        XCTAssertEqual(recorder.events("countdown").map(\.text), ["countdown 3", "countdown 2", "countdown 1"])
        for (second, event) in recorder.events("countdown").enumerated() {
            XCTAssertEqual((event.time - start).seconds, Double(second), accuracy: 0.001)
        }
        let captured = try XCTUnwrap(recorder.time(of: "photo captured"))
        XCTAssertEqual((captured - start).seconds, 3, accuracy: 0.1)
        XCTAssertEqual(SavedMedia.photos.count, 1)
    }

    @MainActor
    func testACancelledSelfTimerTakesNoPhoto() async throws {
        let (simulated, model, _) = try await startedModel()
        let photo = Task { await model.takePhoto(after: 3) }
        await simulated.wait(for: .milliseconds(1500))
        XCTAssertEqual(model.countdown, 2)
        photo.cancel()
        await photo.value
        XCTAssertNil(model.countdown)
        await simulated.wait(for: .seconds(3))
        XCTAssertEqual(SavedMedia.photos.count, 0)
    }

    // MARK: Movies

    @MainActor
    func testARecordingOfThreeSecondsIsSavedAndShowsItsTime() async throws {
        let (simulated, model, recorder) = try await startedModel()
        await simulated.wait(for: .milliseconds(510))
        model.startRecording()
        await simulated.wait(for: .seconds(3))
        await model.stopRecording()
        XCTAssertNil(model.message)
        XCTAssertNil(model.recordedTime)
        let movie = try XCTUnwrap(SavedMedia.movies.firstObject)
        XCTAssertEqual(movie.duration, 3, accuracy: 1.0 / 30)
        let steps = recorder.events("display")
        XCTAssertEqual(
            steps.prefix(6).map(\.text), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"].map { "display 00:0\($0)" })
        for (step, next) in zip(steps, steps.dropFirst()) {
            XCTAssertEqual((next.time - step.time).seconds, 0.5, accuracy: 0.001)
        }
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: simulated.folder.path), ["library"])
    }

    @MainActor
    func testACallInterruptsARecordingAndTheSessionContinuesAfterIt() async throws {
        let (simulated, model, recorder) = try await startedModel()
        model.startRecording()
        await simulated.wait(for: .seconds(2))
        simulated.system.interruptions.begin(.audioInUseByAnotherClient)
        await simulated.wait(until: { !model.isRecording })
        XCTAssertEqual(model.status, .interrupted(.audioDeviceInUseByAnotherClient))
        XCTAssertEqual(model.message, "AVError sessionWasInterrupted")
        XCTAssertEqual(try XCTUnwrap(SavedMedia.movies.firstObject).duration, 2, accuracy: 0.1)
        let count = model.frameCount
        await simulated.wait(for: .seconds(5))
        XCTAssertEqual(model.frameCount, count)

        simulated.system.interruptions.end(.audioInUseByAnotherClient)
        await simulated.wait(for: .seconds(1))
        XCTAssertEqual(model.status, .running)
        XCTAssertGreaterThan(model.frameCount, count + 20)
        XCTAssertEqual(recorder.events("movie").last?.text, "movie saved")
    }

    @MainActor
    func testAFullDiskEndsARecordingAndKeepsTheMovie() async throws {
        let (simulated, model, recorder) = try await startedModel()
        model.startRecording()
        await simulated.wait(for: .seconds(2))
        simulated.storage.freeByteCount = 0
        await simulated.wait(until: { !model.isRecording }, limit: .seconds(15))
        XCTAssertFalse(model.isRecording)
        XCTAssertEqual(model.status, .running)
        // The library needs space, too: the movie stays in the folder of the app.
        XCTAssertEqual(
            recorder.events("message").map(\.text),
            ["message AVError diskFull", "message PHPhotosError notEnoughSpace"])
        let duration = try SavedMedia.recordedMovieDuration(in: simulated.folder)
        XCTAssertTrue((1...2.1).contains(duration), "\(duration) s")
    }

    // MARK: The camera

    @MainActor
    func testCamerasAreSwitchedWhileFramesArrive() async throws {
        let (simulated, model, recorder) = try await startedModel()
        await simulated.wait(for: .seconds(1))
        await model.switchCamera()
        await simulated.wait(for: .seconds(1))
        XCTAssertEqual(model.cameraName, "Front Camera")
        await model.switchCamera()
        await simulated.wait(for: .seconds(1))
        XCTAssertEqual(model.cameraName, "Back Camera")
        XCTAssertNil(model.message)
        let times = recorder.events("frame ").map(\.time.seconds)
        XCTAssertEqual(times.count, 90, accuracy: 9)
        for (time, next) in zip(times, times.dropFirst()) { XCTAssertLessThan(next - time, 0.2) }
    }

    @MainActor
    func testFocusStaysLockedForThreeSecondsAfterTheLastTap() async throws {
        let (simulated, model, recorder) = try await startedModel()
        await simulated.wait(for: .seconds(1))
        await model.focus(at: CGPoint(x: 0.2, y: 0.3))
        await simulated.wait(for: .seconds(2))
        await model.focus(at: CGPoint(x: 0.7, y: 0.6))
        await simulated.wait(for: .seconds(2))
        XCTAssertTrue(model.isFocusLocked)
        let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        XCTAssertEqual(camera.focusMode, .locked)
        XCTAssertEqual(camera.focusPointOfInterest, CGPoint(x: 0.7, y: 0.6))
        await simulated.wait(for: .seconds(2))
        XCTAssertFalse(model.isFocusLocked)
        XCTAssertEqual(camera.focusMode, .continuousAutoFocus)
        let locked = try XCTUnwrap(recorder.events("service focusLocked").last)
        let released = recorder.events("service focusReleased")
        XCTAssertEqual(released.count, 1)
        XCTAssertEqual((try XCTUnwrap(released.first).time - locked.time).seconds, 3, accuracy: 0.001)
    }

    @MainActor
    func testUnpluggingTheCameraKeepsTheMovieAndReconnectingItResumesFrames() async throws {
        let (simulated, model, recorder) = try await startedModel(profile: "webcam")
        model.startRecording()
        await simulated.wait(for: .seconds(2))
        try simulated.host.disconnect(uniqueID: "webcam.camera")
        await simulated.wait(until: { !model.isRecording })
        XCTAssertEqual(model.status, .disconnected)
        XCTAssertEqual(model.message, "AVError deviceWasDisconnected")
        XCTAssertEqual(try XCTUnwrap(SavedMedia.movies.firstObject).duration, 2, accuracy: 0.1)
        let count = model.frameCount
        await model.takePhoto()
        XCTAssertEqual(model.message, "notRunning")

        try simulated.host.reconnect(uniqueID: "webcam.camera")
        await simulated.wait(for: .seconds(1))
        XCTAssertEqual(model.status, .running)
        XCTAssertGreaterThan(model.frameCount, count + 20)
        XCTAssertEqual(recorder.events("service cameraChanged").count, 2)
    }

    @MainActor
    func testTheSessionRestartsAfterAResetOfTheMediaServices() async throws {
        let (simulated, model, recorder) = try await startedModel()
        await simulated.wait(for: .seconds(1))
        simulated.system.interruptions.resetMediaServices()
        await simulated.wait(for: .seconds(1))
        XCTAssertEqual(model.status, .running)
        XCTAssertEqual(recorder.events("service restarted").count, 1)
        let count = model.frameCount
        await simulated.wait(for: .seconds(1))
        XCTAssertEqual(model.frameCount - count, 30, accuracy: 1)
    }

    // MARK: Repetition

    @MainActor
    func testTheSameUseYieldsTheSameLogInEachRun() async throws {
        var logs: [[String]] = []
        for _ in 0..<3 {
            let (simulated, model, recorder) = try await startedModel()
            await simulated.wait(for: .milliseconds(700))
            await model.focus(at: CGPoint(x: 0.4, y: 0.4))
            model.startRecording()
            await simulated.wait(for: .milliseconds(1200))
            await model.takePhoto()
            await model.stopRecording()
            await model.switchCamera()
            await model.takePhoto(after: 2)
            await model.stop()
            logs.append(recorder.log)
        }
        EventRecorder.assertEqual(logs)
    }
}
