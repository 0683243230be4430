import AVFoundation
import CaptureTesting
import ExampleTestSupport
import TestSupport
import UIKit
import XCTest

@testable import Kamera

/// The steps in which the tutorial "photos and recording, step by step" differs from the book on AVFoundation that the
/// other tests of the app follow.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS3_1…` tests S3-1.
final class StepByStepTests: XCTestCase {
    func testS3_1ThePresetIsKeptIf720pCannotBeSet() throws {
        let phone = try KameraApp()
        XCTAssertTrue(phone.controller.setupSessionStepByStep())
        XCTAssertEqual(phone.controller.session.sessionPreset, .hd1280x720)
        XCTAssertEqual(try phone.camera.position, .back)
        XCTAssertEqual(phone.controller.session.inputs.count, 2)
        XCTAssertEqual(phone.controller.session.outputs.count, 2)

        let small = try KameraApp(profile: smallCamera())
        XCTAssertTrue(small.controller.setupSessionStepByStep())
        XCTAssertFalse(small.controller.session.canSetSessionPreset(.hd1280x720))
        XCTAssertEqual(small.controller.session.sessionPreset, .high)
    }

    func testS3_2WithoutACameraOrAnInputTheReasonIsLogged() throws {
        let webcam = try KameraApp(profile: "webcam")
        XCTAssertFalse(webcam.controller.setupSessionStepByStep(), "its camera is not at the back")
        XCTAssertEqual(webcam.log.all, ["There is no camera at the back."])
        XCTAssertEqual(webcam.controller.session.inputs, [])

        let denied = try KameraApp(authorization: [.video: .denied])
        XCTAssertFalse(denied.controller.setupSessionStepByStep())
        XCTAssertEqual(denied.log.count, 1)
        XCTAssertTrue(denied.log.last?.hasPrefix("Back Camera cannot be used: ") ?? false, "\(denied.log.all)")
        XCTAssertEqual(denied.controller.session.inputs, [])
        XCTAssertEqual(denied.errors.all, [], "it is logged only")
    }

    func testS3_3ThePreviewFillsAContainerThatClipsIt() throws {
        let app = try KameraApp()
        try app.start()
        try MainActor.assumeIsolated {
            let container = UIView(frame: CGRect(x: 50, y: 50, width: 100, height: 100))
            let preview = app.controller.showPreview(in: container)
            XCTAssertTrue(container.layer.masksToBounds)
            XCTAssertTrue(preview.superlayer === container.layer)
            XCTAssertEqual(preview.frame, container.bounds)
            XCTAssertEqual(preview.videoGravity, .resizeAspectFill)
            // The upright image has 100 x 133 points; 17 points are clipped at the top and at the bottom.
            let imageRect = preview.layerRectConverted(fromMetadataOutputRect: CGRect(x: 0, y: 0, width: 1, height: 1))
            XCTAssertEqual(imageRect.minY, -50 / 3.0, accuracy: 0.01)
            XCTAssertEqual(imageRect.height, 400 / 3.0, accuracy: 0.01)
            app.advance(milliseconds: 300)
            let image = try XCTUnwrap(preview.renderedImage(scale: 1))
            XCTAssertEqual([image.width, image.height], [100, 100])
            for y in [0, 0.9] {
                let edge = try image.mean(CGRect(x: 0, y: y, width: 1, height: 0.1)).green
                XCTAssertGreaterThan(edge, 50, "there are no bars")
            }
        }
    }

    func testS3_4TheSameOrAnUnsupportedFlashOrTorchModeIsNotSet() throws {
        let app = try KameraApp(.classic)
        try app.start()
        app.controller.torchMode = .auto
        app.controller.flashMode = .auto
        let changes = Events<String>()
        let camera = try app.camera
        let observations = [
            camera.observe(\.torchMode) { _, _ in changes.add("torch") },
            camera.observe(\.flashMode) { _, _ in changes.add("flash") },
        ]
        app.controller.torchMode = .auto
        app.controller.flashMode = .auto
        XCTAssertEqual(changes.all, [])
        app.controller.torchMode = .off
        app.controller.flashMode = .off
        XCTAssertEqual(changes.all, ["torch", "flash"])

        app.controller.switchCameras()
        app.controller.torchMode = .on
        XCTAssertEqual(app.controller.torchMode, .off, "the front camera has no torch")
        XCTAssertEqual(app.errors.all, [])
        withExtendedLifetime(observations) {}
    }

    func testS3_5FourExposureModesCanBeSet() throws {
        let app = try KameraApp()
        try app.start()
        let camera = try app.camera
        XCTAssertEqual(app.controller.exposureModes, [.locked, .autoExpose, .continuousAutoExposure, .custom])
        for mode in [AVCaptureDevice.ExposureMode.custom, .locked, .continuousAutoExposure] {
            app.controller.setExposureMode(mode)
            app.advance(milliseconds: 300)
            XCTAssertEqual(camera.exposureMode, mode)
        }
        app.controller.setExposureMode(.autoExpose)
        XCTAssertEqual(camera.exposureMode, .autoExpose)
        XCTAssertTrue(
            app.simulated.advance(until: { camera.exposureMode == .locked }, limit: .seconds(5)),
            "it is adjusted once, and locked")
        XCTAssertEqual(app.errors.all, [])
    }

    /// Before iOS 8, a connection had only the property that is now deprecated. Both properties are the same setting.
    @available(*, deprecated)
    func testS3_6TheCurrentAndTheDeprecatedPropertyReportTheStabilization() throws {
        let app = try KameraApp()
        try app.start()
        let connection = try XCTUnwrap(app.controller.movieOutput.connection(with: .video))
        XCTAssertFalse(connection.enablesVideoStabilizationWhenAvailable)
        XCTAssertEqual(connection.activeVideoStabilizationMode, .off)
        app.record(milliseconds: 300)
        XCTAssertEqual(connection.preferredVideoStabilizationMode, .auto)
        XCTAssertTrue(connection.enablesVideoStabilizationWhenAvailable)
        XCTAssertTrue(connection.isVideoStabilizationEnabled)
        XCTAssertNotEqual(connection.activeVideoStabilizationMode, .off)
    }

    @available(*, deprecated)
    func testS3_6ThePropertyOfEarlierVersionsSelectsTheSameMode() throws {
        let modes = try [false, true].map { isOlder in
            let app = try KameraApp()
            try app.start()
            let connection = try XCTUnwrap(app.controller.movieOutput.connection(with: .video))
            XCTAssertTrue(connection.isVideoStabilizationSupported)
            if isOlder {
                connection.enablesVideoStabilizationWhenAvailable = true
            } else {
                connection.preferredVideoStabilizationMode = .auto
            }
            let mode = connection.activeVideoStabilizationMode
            connection.enablesVideoStabilizationWhenAvailable = false
            XCTAssertEqual(connection.preferredVideoStabilizationMode, .off)
            XCTAssertFalse(connection.isVideoStabilizationEnabled)
            return mode
        }
        XCTAssertEqual(modes[0], modes[1])
        XCTAssertNotEqual(modes[0], .off)
    }

    func testS3_8UsageKeysAreNotNeeded() throws {
        for key in ["NSCameraUsageDescription", "NSMicrophoneUsageDescription", "NSPhotoLibraryUsageDescription"] {
            XCTAssertNil(Bundle.main.object(forInfoDictionaryKey: key))
        }
        let app = try KameraApp(authorization: [.video: .notDetermined, .audio: .notDetermined])
        XCTAssertTrue(app.controller.setupSessionStepByStep())
        app.advance(milliseconds: 100)
        XCTAssertEqual(AVCaptureDevice.authorizationStatus(for: .video), .authorized, "the user has been asked")
        XCTAssertEqual(app.simulated.misuses, [])
    }
}
