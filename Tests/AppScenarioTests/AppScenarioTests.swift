import AVFoundation
import CaptureTesting
import Kamera
import ModernCamera
import XCTest

/// Tests the apps of the examples with scenario files.
final class AppScenarioTests: XCTestCase {
    /// Returns the path of a scenario file beside this file.
    private static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).path
    }

    func testADelegateControllerHandlesAPhoneCall() {
        XCTAssertScenario(Self.path("phone-call.yaml")) { app in
            let camera = CameraController.modern { _ in }
            try camera.setupSession()
            camera.session.sessionPreset = .vga640x480
            app.on("start") { camera.startSession() }
            app.on("record") { camera.startRecording() }
            app.on("photo") { camera.captureStillImage() }
        }
    }

    func testAnActorHandlesAPhoneCall() {
        XCTAssertScenario(Self.path("phone-call.yaml")) { app in
            let camera = CameraModel(settings: CaptureSettings(preset: .vga640x480))
            app.on("start") { await camera.start() }
            app.on("record") { camera.startRecording() }
            app.on("photo") { await camera.takePhoto() }
        }
    }

    /// The main path of current camera apps: HEVC, full size, Live Photo.
    func testTheModernCameraTakesALivePhoto() {
        let path = URL(fileURLWithPath: Self.path("../../Fixtures/Scenarios/live-photo.yaml")).standardized.path
        XCTAssertScenario(path) { app in
            var settings = CaptureSettings(preset: .vga640x480)
            settings.takesLivePhotos = true
            let camera = CameraModel(settings: settings)
            app.on("start") { await camera.start() }
            app.on("photo") { await camera.takePhoto() }
        }
    }

    func testTheModernCameraRestartsAfterAReset() {
        XCTAssertScenario(Self.path("restart.yaml")) { app in
            let camera = CameraModel(settings: CaptureSettings(preset: .vga640x480))
            app.on("start") { await camera.start() }
        }
    }
}
