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
            let settings = CaptureSettings(preset: .vga640x480, takesLargestPhotos: false)
            let camera = CameraModel(settings: settings)
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

    func testAnAppCopiesThePhotosThatTheUserPicks() {
        let isDone = Flag()
        XCTAssertScenario(Self.path("pick-photos.yaml")) { app in
            let picking = PhotoPickingApp()
            app.on("pick") { picking.pick() }
            app.on("wait-for-user") {
                XCTAssertTrue(picking.isPicking)
                XCTAssertEqual(picking.pickedCounts, [])
            }
            app.on("look-again") {
                // The second picker was closed without a choice.
                XCTAssertEqual(picking.pickedCounts, [2, 0])
                XCTAssertFalse(picking.isPicking)
                isDone.set()
            }
        }
        XCTAssertTrue(isDone.isSet)
    }

    func testAnAppFollowsTheSelectionOfALimitedLibrary() {
        let isDone = Flag()
        XCTAssertScenario(Self.path("limited-library.yaml")) { app in
            let picking = PhotoPickingApp()
            app.on("authorize") { await picking.authorize() }
            app.on("change-selection") { await picking.changeSelection() }
            app.on("list") {
                picking.list()
                guard picking.lists.count == 3 else { return }
                let (first, movie, newest) = (
                    CGSize(width: 64, height: 48), CGSize(width: 64, height: 48), CGSize(width: 48, height: 64)
                )
                XCTAssertEqual(picking.lists, [[first], [movie, newest], [movie, newest]])
                XCTAssertEqual(picking.addedCounts, [2, 0])
                XCTAssertEqual(picking.observed, [[2, 1]])
                isDone.set()
            }
        }
        XCTAssertTrue(isDone.isSet)
    }
}

/// Whether the checks of an app have run.
private final class Flag: @unchecked Sendable {
    // SAFETY: the lock protects the value.
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set() { lock.withLock { value = true } }
}
