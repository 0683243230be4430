import AVFoundation
import CaptureTesting
import ModernCamera
import Observation
import Photos
import XCTest

/// Tests the app with the phone's Camera Control, a physical button.
@MainActor
final class ControlsTests: XCTestCase {
    private func startedModel(profile: String = "phone") async throws -> (SimulatedSystem, CameraModel) {
        let simulated = try SimulatedSystem(profile: profile, scene: .chart)
        let settings = CaptureSettings(
            preset: .vga640x480, movieFolder: simulated.folder, takesLargestPhotos: false)
        let model = CameraModel(settings: settings)
        await model.start()
        XCTAssertEqual(model.status, .running)
        return (simulated, model)
    }

    func testTheButtonChangesZoomAndExposureOfTheModelAndTheCamera() async throws {
        let (simulated, model) = try await startedModel()
        let button = try XCTUnwrap(simulated.cameraControl)
        let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        XCTAssertTrue(button.adjust("Zoom", to: 3))
        XCTAssertTrue(button.adjust("Exposure", to: -1))
        try await Task.sleep(for: .seconds(1))
        XCTAssertEqual(model.zoomFactor, 3)
        XCTAssertEqual(model.exposureBias, -1, accuracy: 0.1)
        XCTAssertEqual(camera.videoZoomFactor, 3)
        XCTAssertEqual(camera.exposureTargetBias, -1, accuracy: 0.1)
    }

    func testTheButtonsOnTheScreenAreHiddenWhileItShowsTheControls() async throws {
        let (simulated, model) = try await startedModel()
        let button = try XCTUnwrap(simulated.cameraControl)
        XCTAssertTrue(button.press())
        try await Task.sleep(for: .seconds(1))
        XCTAssertTrue(model.hidesButtons)
        XCTAssertTrue(button.dismiss())
        try await Task.sleep(for: .seconds(1))
        XCTAssertFalse(model.hidesButtons)
    }

    func testThePhotoIsTakenAfterTheSelectedTimer() async throws {
        let (simulated, model) = try await startedModel()
        XCTAssertTrue(try XCTUnwrap(simulated.cameraControl).adjust("Timer", to: 1))
        try await Task.sleep(for: .milliseconds(100))
        XCTAssertEqual(model.selfTimer, 3)
        let start = ContinuousClock.now
        await model.takePhoto()
        XCTAssertNil(model.message)
        XCTAssertGreaterThanOrEqual(start.duration(to: .now), .seconds(3))
        XCTAssertEqual(PHAsset.fetchAssets(with: .image, options: nil).count, 1)
    }

    func testEachCameraHasItsOwnControls() async throws {
        let (simulated, model) = try await startedModel()
        let button = try XCTUnwrap(simulated.cameraControl)
        XCTAssertTrue(button.adjust("Zoom", to: 3))
        try await Task.sleep(for: .milliseconds(100))
        let name = model.cameraName
        await model.switchCamera()
        try await Task.sleep(for: .milliseconds(100))
        XCTAssertNotEqual(model.cameraName, name)
        XCTAssertEqual(model.zoomFactor, 1)
        let front = try XCTUnwrap(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front))
        XCTAssertTrue(button.adjust("Zoom", to: 2))
        try await Task.sleep(for: .milliseconds(100))
        XCTAssertEqual(front.videoZoomFactor, 2)
        XCTAssertEqual(model.zoomFactor, 2)
    }

    func testAMachineWithoutCameraControlHasNoControls() async throws {
        let (simulated, model) = try await startedModel(profile: "webcam")
        XCTAssertNil(simulated.cameraControl)
        XCTAssertEqual(model.selfTimer, 0)
        await model.takePhoto()
        XCTAssertNil(model.message)
    }

    func testStartingARecordingUpdatesObserversOfTheModel() async throws {
        let (simulated, model) = try await startedModel()
        let isUpdated = expectation(description: "the screen is updated")
        withObservationTracking {
            _ = model.isRecording
        } onChange: {
            isUpdated.fulfill()
        }
        model.startRecording()
        await fulfillment(of: [isUpdated], timeout: 1)
        try await Task.sleep(for: .milliseconds(500))
        await model.stopRecording()
        XCTAssertFalse(model.isRecording)
        withExtendedLifetime(simulated) {}
    }
}
