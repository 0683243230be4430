import AVFoundation
import CaptureTesting
import Kamera
import UIKit
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS0_11…` tests S0-11.
final class CameraViewControllerTests: XCTestCase {
    /// A camera with a session. It logs the calls of the screen, and modes by their raw values: 0 is off, 1 on, 2 auto.
    private final class RecordingCamera: CameraControls {
        let session = AVCaptureSession()
        var log: [String] = []
        var setupError: AVError?
        var canSwitchCameras = true
        var cameraSupportsTapToFocus = true
        var cameraSupportsTapToExpose = true
        var cameraHasFlash = true
        var cameraHasTorch = true
        var flashMode = AVCaptureDevice.FlashMode.auto { didSet { log.append("flash \(flashMode.rawValue)") } }
        var torchMode = AVCaptureDevice.TorchMode.auto { didSet { log.append("torch \(torchMode.rawValue)") } }
        var isRecording = false
        var recordedDuration = CMTime.zero

        func setupSession() throws {
            if let setupError { throw setupError }
            session.sessionPreset = .vga640x480
            let device = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            session.addInput(try AVCaptureDeviceInput(device: device))
        }

        func startSession() { session.startRunning() }
        func stopSession() { session.stopRunning() }

        func switchCameras() -> Bool {
            log.append("switch")
            cameraSupportsTapToFocus = false
            cameraHasTorch = false
            return true
        }

        func focus(at point: CGPoint) { log.append("focus \(rounded(point.x)) \(rounded(point.y))") }
        func expose(at point: CGPoint) { log.append("expose \(rounded(point.x)) \(rounded(point.y))") }
        func resetFocusAndExposureModes() { log.append("reset") }
        func captureStillImage() { log.append("photo") }

        func startRecording() {
            log.append("start")
            isRecording = true
        }

        func stopRecording() {
            log.append("stop")
            isRecording = false
        }

        private func rounded(_ value: CGFloat) -> Double { (Double(value) * 100).rounded() / 100 }
    }

    /// The screen of an app in a simulated world.
    @MainActor
    private struct Fixture {
        let simulated: SimulatedSystem
        let camera: RecordingCamera
        let controller: CameraViewController

        init(size: CGSize = CGSize(width: 390, height: 844), orientation: SimulatedOrientation = .portrait) throws {
            simulated = try SimulatedSystem(scene: .grey)
            if orientation == .landscape { simulated.system.orientation.rotate(to: .landscapeLeft) }
            camera = RecordingCamera()
            controller = CameraViewController(camera: camera)
            controller.loadViewIfNeeded()
            controller.view.frame = CGRect(origin: .zero, size: size)
            camera.log = []
        }

        func appear() {
            controller.beginAppearanceTransition(true, animated: false)
            controller.endAppearanceTransition()
            simulated.advance(by: .milliseconds(500))
        }

        /// Taps the middle of a view.
        func tap(_ view: UIView) {
            let middle = view.convert(CGPoint(x: view.bounds.midX, y: view.bounds.midY), to: controller.view)
            controller.view.tap(at: middle)
        }

        /// Selects the photo mode, which is the second one.
        func selectPhoto() {
            let selector = controller.overlayView.modeControl
            controller.view.tap(
                at: selector.convert(
                    CGPoint(x: selector.bounds.width * 0.75, y: selector.bounds.height * 0.75), to: controller.view))
        }
    }

    private enum SimulatedOrientation { case portrait, landscape }

    func testS0_11ATapOnTheScreenFocusesTheCameraThere() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.appear()
            fixture.controller.view.tap(at: CGPoint(x: 195, y: 422))
            fixture.simulated.advance(by: .seconds(1))
            // This point is a quarter of the image height above the middle; the image is as high as the screen.
            fixture.controller.view.tap(at: CGPoint(x: 195, y: 211), tapCount: 2)
            fixture.controller.view.tap(at: CGPoint(x: 195, y: 422), tapCount: 2, touchCount: 2)
            fixture.simulated.advance(by: .seconds(1))
            XCTAssertEqual(fixture.camera.log, ["focus 0.5 0.5", "expose 0.25 0.5", "reset"])
        }
    }

    func testTheShutterRecordsAndShowsTheTime() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.appear()
            let (camera, overlay) = (fixture.camera, fixture.controller.overlayView)
            fixture.tap(overlay.shutterButton)
            XCTAssertTrue(overlay.isRecording)
            camera.recordedDuration = CMTime(seconds: 61.4, preferredTimescale: 600)
            fixture.simulated.advance(by: .milliseconds(600))
            XCTAssertEqual(overlay.elapsedTimeText, "00:01:01")
            fixture.tap(overlay.shutterButton)
            XCTAssertFalse(overlay.isRecording)
            camera.recordedDuration = CMTime(seconds: 99, preferredTimescale: 600)
            fixture.simulated.advance(by: .seconds(1))
            XCTAssertEqual(overlay.elapsedTimeText, "00:01:01")
            XCTAssertEqual(camera.log, ["start", "stop"])
        }
    }

    func testThePhotoModeTakesPhotosWithFlash() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.appear()
            fixture.selectPhoto()
            XCTAssertEqual(fixture.camera.log, ["torch 0", "flash 2"])
            fixture.tap(fixture.controller.overlayView.lightControl)
            fixture.tap(fixture.controller.overlayView.shutterButton)
            XCTAssertEqual(fixture.camera.log.suffix(3), ["torch 0", "flash 1", "photo"])
            XCTAssertNil(fixture.controller.overlayView.elapsedTimeText)
        }
    }

    func testTheControlsMatchTheCapabilitiesOfTheCamera() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.appear()
            let overlay = fixture.controller.overlayView
            XCTAssertFalse(overlay.lightControl.isHidden)
            fixture.tap(overlay.switchButton)
            XCTAssertEqual(fixture.camera.log.first, "switch")
            XCTAssertTrue(overlay.lightControl.isHidden)
            XCTAssertFalse(fixture.controller.previewView.isTapToFocusEnabled)
        }
    }

    func testTheThumbnailShowsTheLastPhotoAndOpensTheLibrary() throws {
        try MainActor.assumeIsolated {
            let fixture = try Fixture()
            fixture.appear()
            let overlay = fixture.controller.overlayView
            let image = UIImage()
            fixture.simulated.run { NotificationCenter.default.post(name: .thumbnailCreated, object: image) }
            fixture.simulated.advance(by: .milliseconds(10))
            XCTAssertTrue(overlay.thumbnail === image)
            var openingCount = 0
            fixture.controller.showLibrary = { openingCount += 1 }
            fixture.tap(overlay.thumbnailButton)
            XCTAssertEqual(openingCount, 1)
        }
    }

    func testAnErrorOfTheSetupIsShown() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem(scene: .grey)
            let camera = RecordingCamera()
            camera.setupError = AVError(.deviceNotConnected)
            let controller = CameraViewController(camera: camera)
            controller.loadViewIfNeeded()
            let alert = controller.presentedViewController as? UIAlertController
            XCTAssertEqual(alert?.message, AVError(.deviceNotConnected).localizedDescription)
            withExtendedLifetime(simulated) {}
        }
    }

    func testTheScreenIsDrawnInPortraitAndLandscape() throws {
        try MainActor.assumeIsolated {
            let layouts: [(CGSize, SimulatedOrientation)] = [
                (CGSize(width: 390, height: 844), .portrait), (CGSize(width: 844, height: 390), .landscape),
            ]
            for (size, orientation) in layouts {
                let fixture = try Fixture(size: size, orientation: orientation)
                fixture.appear()
                let (view, overlay) = (fixture.controller.view as UIView, fixture.controller.overlayView)
                let screen = try DrawnScreen(of: view)
                let shutter = overlay.shutterButton.convert(overlay.shutterButton.bounds, to: view)
                XCTAssertEqual(screen.color(at: CGPoint(x: shutter.midX, y: shutter.midY)), [255, 59, 48])
                let scene = screen.color(at: CGPoint(x: size.width / 2, y: size.height / 2))
                XCTAssertGreaterThan(scene[1], 50, "\(orientation)")
                // The bars darken the image.
                let bar = screen.color(at: CGPoint(x: shutter.minX - 4, y: shutter.minY - 4))
                XCTAssertEqual(Double(bar[1]), Double(scene[1]) / 2, accuracy: 8, "\(orientation)")
                let videoOrientation = fixture.controller.previewView.previewLayer?.connection?.videoOrientation
                XCTAssertEqual(videoOrientation, orientation == .portrait ? .portrait : .landscapeRight)
            }
        }
    }
}
