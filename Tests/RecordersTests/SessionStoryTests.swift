import AVFoundation
import CaptureTesting
import ExampleTestSupport
import XCTest

@testable import Recorders

/// The requirements S4-1 to S4-6 and S4-19 of docs/tutorials.md, about the session, which both recorders share.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS4_1…` tests S4-1.
final class SessionStoryTests: XCTestCase {
    // MARK: Permission

    func testS4_1UndeterminedPermissionsAreRequestedAndChangesArriveOnTheMainThread() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(
                kind, authorization: [.video: .notDetermined, .audio: .notDetermined],
                answers: [
                    .video: PromptAnswer(.authorized, after: .seconds(3)),
                    .audio: PromptAnswer(.authorized, after: .seconds(2)),
                ])
            var areOnMain: [Bool] = []
            app.controller.changeHandler = { areOnMain.append(Thread.isMainThread) }
            app.controller.start()
            app.advance(.milliseconds(4900))
            XCTAssertFalse(app.controller.isRunning)
            XCTAssertEqual(areOnMain, [], "\(kind)")
            app.advance(.seconds(1))
            XCTAssertTrue(app.controller.isRunning)
            XCTAssertEqual(Set(areOnMain), [true], "\(kind)")
        }
    }

    func testS4_1ADeniedCameraShowsAMessageOnTheMainThread() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(
                kind, authorization: [.video: .notDetermined],
                answers: [.video: PromptAnswer(.denied, after: .seconds(1))])
            var areOnMain: [Bool] = []
            app.controller.changeHandler = { areOnMain.append(Thread.isMainThread) }
            app.controller.start()
            app.advance(.seconds(2))
            XCTAssertEqual(app.controller.message, "This app may not use the camera. Allow it in Settings.")
            XCTAssertEqual(areOnMain, [true], "\(kind)")
            XCTAssertFalse(app.controller.isRunning)
            app.controller.startRecording()
            app.advance(.seconds(1))
            XCTAssertFalse(app.controller.isRecording)
            XCTAssertFalse(FileManager.default.fileExists(atPath: app.folder.path))
        }
    }

    func testS4_1WithoutTheMicrophoneMoviesHaveNoAudioTrack() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind, authorization: [.audio: .denied])
            app.start()
            let movie = try app.record(.seconds(1))
            XCTAssertNil(movie.audio, "\(kind)")
            XCTAssertEqual(movie.duration, 1, accuracy: 0.1, "\(kind)")
        }
    }

    // MARK: Configuration

    func testS4_2ThePresetIsHigh() throws {
        try forEachRecorder { kind in
            let simulated = try SimulatedSystem(scene: .grey)
            let recorder: any Recorder = kind == .dataOutputs ? DataOutputRecorder() : MovieFileRecorder()
            let controller = CameraController(
                recorder: recorder, movieFolder: MovieFolder(url: simulated.folder)
            ) { _ in }
            controller.start()
            simulated.advance(until: { controller.isRunning })
            XCTAssertEqual(controller.session.sessionPreset, .high)
            let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            let size = CMVideoFormatDescriptionGetDimensions(camera.activeFormat.formatDescription)
            XCTAssertEqual([size.width, size.height], [1920, 1080])
        }
    }

    func testS4_2AnUnsupportedPresetIsReplacedByiFrame() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind, preset: AVCaptureSession.Preset(rawValue: "AVCaptureSessionPreset320x240"))
            app.start()
            XCTAssertEqual(app.controller.session.sessionPreset.rawValue, "AVCaptureSessionPresetiFrame960x540")
            let movie = try app.record(.milliseconds(300))
            XCTAssertEqual(movie.video.naturalSize, CGSize(width: 960, height: 540), "\(kind)")
        }
    }

    func testS4_3FramesAndPreviewAreLandscapeRightWithBothCameras() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind, scene: .street)
            app.controller.previewLayer.frame = CGRect(x: 0, y: 0, width: 352, height: 288)
            app.start()
            for name in ["back", "front"] {
                let movie = try app.record(.milliseconds(400))
                XCTAssertEqual(app.controller.previewLayer.connection?.videoOrientation, .landscapeRight)
                let preview = try XCTUnwrap(app.controller.previewLayer.renderedImage(scale: 1))
                XCTAssertGreaterThan(try preview.upperMinusLowerBrightness(), 8, "\(kind) \(name)")
                XCTAssertGreaterThan(try movie.image().upperMinusLowerBrightness(), 8, "\(kind) \(name)")
                XCTAssertEqual(movie.video.naturalSize, CGSize(width: 352, height: 288))
                // A data output rotates the pixels, a movie output describes the rotation in the file.
                let isRotated = kind == .movieFile && name == "front"
                XCTAssertEqual(movie.video.preferredTransform.a, isRotated ? -1 : 1, "\(kind) \(name)")
                app.controller.switchCamera()
                app.advance(.seconds(1))
            }
        }
    }

    func testS4_4SwitchingStopsTheSessionChangesTheCameraAndRestartsIt() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            let log = app.log
            let session = app.controller.session
            let tokens = [
                NotificationCenter.default.addObserver(
                    forName: .AVCaptureSessionDidStopRunning, object: session, queue: nil
                ) { _ in log.add("stop") },
                NotificationCenter.default.addObserver(
                    forName: .AVCaptureSessionDidStartRunning, object: session, queue: nil
                ) { _ in log.add("start") },
            ]
            defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
            app.controller.switchCamera()
            app.advance(.seconds(1))
            XCTAssertEqual(log.all, ["stop", "start"], "\(kind)")
            let cameras = session.inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device }.filter {
                $0.hasMediaType(.video)
            }
            XCTAssertEqual(cameras.map(\.position), [.front], "\(kind)")
            let movie = try app.record(.milliseconds(500))
            XCTAssertEqual(movie.duration, 0.5, accuracy: 0.1, "\(kind)")
        }
    }

    func testS4_4TheCameraIsNotSwitchedDuringARecording() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            app.controller.startRecording()
            app.advance(.milliseconds(300))
            app.controller.switchCamera()
            app.advance(.milliseconds(300))
            XCTAssertEqual(app.controller.cameraInput?.device.position, .back, "\(kind)")
            XCTAssertEqual(try app.finish().duration, 0.6, accuracy: 0.1, "\(kind)")
        }
    }

    func testS4_4ASingleCameraRemainsInUse() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind, profile: "webcam", preset: .vga640x480)
            app.start()
            app.controller.switchCamera()
            app.advance(.seconds(1))
            XCTAssertEqual(app.controller.message, "There is no camera.", "\(kind)")
            XCTAssertTrue(app.controller.isRunning)
            XCTAssertEqual(app.controller.session.inputs.count, 2)
        }
    }

    // MARK: Settings

    func testS4_5TheFlashButtonCyclesThroughTheModes() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            try camera.lockForConfiguration()
            camera.flashMode = .auto
            camera.unlockForConfiguration()
            var icons: [String?] = []
            var modes: [AVCaptureDevice.FlashMode] = []
            for _ in 0..<3 {
                app.controller.changeFlashMode()
                app.advance(.milliseconds(10))
                icons.append(app.controller.flashIcon)
                modes.append(camera.flashMode)
            }
            XCTAssertEqual(modes, [.on, .off, .auto], "\(kind)")
            XCTAssertEqual(icons, ["flash-on", "flash-off", "flash-auto"], "\(kind)")
        }
    }

    func testS4_5WithoutAFlashTheButtonHasNoEffect() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            app.start()
            XCTAssertNotNil(app.controller.flashIcon)
            app.controller.switchCamera()
            app.advance(.seconds(1))
            XCTAssertNil(app.controller.flashIcon, "\(kind)")
            app.controller.changeFlashMode()
            app.advance(.milliseconds(10))
            XCTAssertNil(app.controller.flashIcon, "\(kind)")
            XCTAssertEqual(app.controller.cameraInput?.device.flashMode, .off, "\(kind)")
        }
    }

    func testS4_6ATapSetsThePointsBeforeTheModes() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind)
            // The square layer crops the image at its sides, so the point is not the position divided by the size of
            // the layer.
            app.controller.previewLayer.frame = CGRect(x: 0, y: 0, width: 288, height: 288)
            app.start()
            let camera = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            let log = app.log
            let observations = [
                camera.observe(\.focusPointOfInterest) { _, _ in log.add("focus point") },
                camera.observe(\.focusMode) { _, _ in log.add("focus mode") },
                camera.observe(\.exposurePointOfInterest) { _, _ in log.add("exposure point") },
                camera.observe(\.exposureMode) { _, _ in log.add("exposure mode") },
            ]
            app.controller.focus(at: CGPoint(x: 0, y: 72))
            app.advance(.zero)
            let point = CGPoint(x: 32.0 / 352, y: 0.25)
            XCTAssertEqual(camera.focusPointOfInterest.x, point.x, accuracy: 0.001, "\(kind)")
            XCTAssertEqual(camera.focusPointOfInterest.y, point.y, accuracy: 0.001, "\(kind)")
            XCTAssertEqual(camera.exposurePointOfInterest.x, point.x, accuracy: 0.001, "\(kind)")
            XCTAssertEqual(camera.exposureMode, .continuousAutoExposure)
            for name in ["focus", "exposure"] {
                let point = try XCTUnwrap(log.all.firstIndex(of: "\(name) point"), "\(kind): \(log.all)")
                let mode = try XCTUnwrap(log.all.firstIndex(of: "\(name) mode"), "\(kind): \(log.all)")
                XCTAssertLessThan(point, mode, "\(kind)")
            }
            app.advance(.seconds(2))
            XCTAssertEqual(camera.focusMode, .locked, "the scan has ended: \(kind)")
            withExtendedLifetime(observations) {}
        }
    }

    func testS4_6AnUnsupportedFocusPointIsLogged() throws {
        try forEachRecorder { kind in
            let app = try RecordersApp(kind, profile: "webcam", preset: .vga640x480)
            app.start()
            app.controller.focus(at: CGPoint(x: 10, y: 10))
            app.advance(.milliseconds(10))
            XCTAssertEqual(app.log.all.first, "focus mode modification failed", "\(kind)")
        }
    }

    // MARK: Metadata

    func testS4_19CodesAndFacesAreDetected() throws {
        for (kind, scene) in [(RecordersApp.Kind.dataOutputs, SimScene.shelf), (.movieFile, .portrait)] {
            let app = try RecordersApp(kind, scene: scene, preset: .hd1280x720, readsMetadata: true)
            app.start()
            let reader = try XCTUnwrap(app.controller.metadataReader)
            app.simulated.advance(until: { !reader.codes.isEmpty || !reader.faces.isEmpty })
            if scene == .shelf {
                XCTAssertTrue(reader.codes.contains("https://example.org/obscura"), "\(kind): \(reader.codes)")
                XCTAssertTrue(reader.codes.contains("4012345678901"), "\(kind): \(reader.codes)")
            } else {
                XCTAssertEqual(reader.faces.count, 3, "\(kind)")
                XCTAssertTrue(reader.faces.allSatisfy { CGRect(x: 0, y: 0, width: 1, height: 1).intersects($0) })
            }
        }
    }
}
