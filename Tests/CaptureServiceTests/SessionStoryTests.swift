import AVFoundation
import CaptureTesting
import ExampleTestSupport
import TestSupport
import UIKit
import XCTest

@testable import CaptureService

/// The requirements S2-1 to S2-8, S2-13, S2-14, S2-16, S2-18, S2-19, S2-27 and S2-29 of docs/tutorials.md, about the
/// session, its states and its inputs.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS2_1…` tests S2-1.
final class SessionStoryTests: XCTestCase {
    func testS2_1PropertiesHaveTheirDefaults() throws {
        _ = try SimulatedSystem()
        let service = CaptureService()
        XCTAssertFalse(service.shouldRecordAudio)
        XCTAssertFalse(service.openNativeFaceDetect)
        XCTAssertFalse(service.openDepth)
        XCTAssertEqual(service.devicePosition, .front)
        XCTAssertEqual(service.sessionPreset, .hd1280x720)
        XCTAssertEqual(service.frameRate, 30)
        XCTAssertNil(service.recordURL)
        XCTAssertNil(service.previewSource)
        XCTAssertNil(service.delegate)
        XCTAssertFalse(service.isRunning)
        XCTAssertEqual([service.deviceISO, service.deviceAperture], [0, 0])
    }

    func testS2_1MoviesAreH264InTheSizeOfTheFrames() throws {
        let app = try ServiceApp()
        app.start()
        let movie = try app.record(.milliseconds(200))
        let video = try XCTUnwrap(movie.tracks(withMediaType: .video).first)
        XCTAssertEqual(video.naturalSize, CGSize(width: 288, height: 352))
        let format = try XCTUnwrap(video.formatDescriptions.first) as! CMFormatDescription
        XCTAssertEqual(CMFormatDescriptionGetMediaSubType(format), kCMVideoCodecType_H264)
    }

    func testS2_2TheFirstStartIsReportedAndAResumptionIsNot() throws {
        let app = try ServiceApp()
        app.start()
        app.simulated.system.interruptions.begin(.videoInUseByAnotherClient)
        app.advance(.seconds(1))
        XCTAssertFalse(app.service.session.isRunning)
        XCTAssertTrue(app.service.isRunning)
        app.simulated.system.interruptions.end(.videoInUseByAnotherClient)
        app.advance(.seconds(1))
        XCTAssertTrue(app.service.session.isRunning)
        XCTAssertEqual(app.events, ["started"])
        XCTAssertEqual(app.client.areOnMain.all, [true])
        XCTAssertEqual(app.log.all, ["the session was interrupted", "the interruption has ended"])
    }

    func testS2_3AStopIsReportedOnlyIfTheClientRequestedIt() throws {
        let app = try ServiceApp()
        app.start()
        app.simulated.system.interruptions.begin(.videoInUseByAnotherClient)
        app.advance(.milliseconds(300))
        app.simulated.system.interruptions.end(.videoInUseByAnotherClient)
        app.advance(.seconds(1))
        XCTAssertEqual(app.events, ["started"])
        app.service.stopRunning()
        XCTAssertFalse(app.service.isRunning)
        app.advance(.seconds(1))
        XCTAssertEqual(app.events, ["started", "stopped"])
        app.service.startRunning()
        app.advance(.seconds(1))
        XCTAssertEqual(app.events, ["started", "stopped", "started"])
    }

    func testS2_4ASetupErrorIsReported() throws {
        let app = try ServiceApp(authorization: [.video: .denied])
        app.service.startRunning()
        XCTAssertTrue(app.service.isRunning)
        app.advance(.seconds(1))
        XCTAssertEqual(app.events, ["failed"])
        XCTAssertEqual(app.client.areOnMain.all, [true])
        XCTAssertEqual(app.lastCode, -2201)
        XCTAssertFalse(app.service.isRunning)
        XCTAssertFalse(app.service.session.isRunning)

        // The user changes the permission, and the app starts again.
        app.simulated.system.authorization.set(.authorized, for: .video)
        app.service.startRunning()
        app.advance(.seconds(1))
        XCTAssertEqual(app.events, ["failed", "started"])
    }

    func testS2_5EachSetupErrorHasItsCode() throws {
        let causes: [(Int, String, (ServiceApp, AVCaptureSession) throws -> Void)] = [
            (
                -2200, "video",
                { app, _ in
                    let front = try XCTUnwrap(app.service.cameras(at: .front).first)
                    app.service.session.addInput(try AVCaptureDeviceInput(device: front))
                }
            ),
            (
                -2201, "video",
                { app, _ in
                    try app.simulated.host.disconnect(uniqueID: "phone.front")
                    try app.simulated.host.disconnect(uniqueID: "phone.front-true-depth")
                    app.advance(.milliseconds(100))
                }
            ),
            (-2203, "video", { app, _ in try app.simulated.host.setInUse(true, uniqueID: "phone.front") }),
            (-2204, "video", { app, other in other.addOutput(app.service.videoOutput) }),
            (-2205, "image", { app, other in other.addOutput(app.service.photoOutput) }),
        ]
        for (code, part, cause) in causes {
            let app = try ServiceApp()
            let other = AVCaptureSession()
            try cause(app, other)
            app.service.startRunning()
            app.advance(.seconds(1))
            XCTAssertEqual(app.events, ["failed"], "\(code)")
            let error = try XCTUnwrap(app.client.errors.last as? CaptureServiceError, "\(code)")
            XCTAssertEqual(error.code.rawValue, code)
            XCTAssertEqual(error.nsError.domain, "com.caixindong.captureservice.\(part)")
            XCTAssertEqual(error.nsError.code, code)
            XCTAssertFalse(app.service.isRunning, "\(code)")
        }
    }

    func testS2_6TheFrameRateIsFixed() throws {
        for (rate, expected) in [(15, 15), (500, 60)] {
            let app = try ServiceApp()
            app.service.frameRate = rate
            app.start()
            let camera = try XCTUnwrap(app.camera)
            XCTAssertEqual(camera.activeVideoMinFrameDuration, CMTime(value: 1, timescale: Int32(expected)))
            XCTAssertEqual(camera.activeVideoMaxFrameDuration, camera.activeVideoMinFrameDuration)
            let count = app.client.receivedFrames.count
            app.advance(.seconds(1))
            XCTAssertEqual(app.client.receivedFrames.count - count, expected, accuracy: 1)
        }
    }

    func testS2_6TheNearestRateOfACameraWithFewRatesIsUsed() throws {
        for (rate, expected) in [(30, 50), (100, 60)] {
            let app = try ServiceApp(profile: "capture-card", preset: .hd1280x720)
            app.service.frameRate = rate
            app.start()
            XCTAssertEqual(app.events, ["started"])
            XCTAssertEqual(app.camera?.activeVideoMinFrameDuration, CMTime(value: 1, timescale: Int32(expected)))
        }
    }

    func testS2_7TheFirstAvailableCameraTypeIsUsed() throws {
        let expected: [(AVCaptureDevice.Position, [String], AVCaptureDevice.DeviceType)] = [
            (.front, [], .builtInWideAngleCamera),
            (.front, ["phone.front"], .builtInTrueDepthCamera),
            (.back, ["phone.back-wide"], .builtInTelephotoCamera),
        ]
        for (position, missing, type) in expected {
            let app = try ServiceApp()
            for camera in missing { try app.simulated.host.disconnect(uniqueID: camera) }
            app.advance(.milliseconds(100))
            app.service.devicePosition = position
            app.start()
            XCTAssertEqual(app.camera?.deviceType, type)
            XCTAssertEqual(app.camera?.position, position)
        }
    }

    func testS2_7CamerasAreFoundInTheOrderOfTheirTypes() throws {
        let app = try ServiceApp()
        XCTAssertEqual(
            app.service.cameras(at: .back).map(\.deviceType),
            [.builtInWideAngleCamera, .builtInTelephotoCamera, .builtInDualCamera])
        XCTAssertEqual(
            app.service.cameras(at: .front).map(\.deviceType), [.builtInWideAngleCamera, .builtInTrueDepthCamera])
    }

    func testS2_7TheDualCameraIsUsedIfItIsTheFirstThatMeasuresDepth() throws {
        let app = try ServiceApp(preset: .vga640x480)
        app.service.devicePosition = .back
        app.service.openDepth = true
        app.start()
        XCTAssertEqual(app.camera?.deviceType, .builtInDualCamera)
        XCTAssertEqual(app.camera?.position, .back)
    }

    func testS2_8FramesArePortraitAfterSwitchingCameras() throws {
        let app = try ServiceApp(scene: .street)
        app.service.frameRate = 24
        app.start()
        for position in [AVCaptureDevice.Position.front, .back] {
            XCTAssertEqual(app.service.devicePosition, position)
            XCTAssertEqual(app.camera?.position, position)
            XCTAssertEqual(try app.frameSize(), [288, 352])
            let buffer = try XCTUnwrap(app.client.video.last?.imageBuffer)
            XCTAssertGreaterThan(brightness(buffer, 0..<100) - brightness(buffer, 252..<352), 8, "the sky is above")
            XCTAssertEqual(app.camera?.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 24))
            app.service.switchCamera()
            app.advance(.seconds(1))
        }
        XCTAssertEqual(app.service.devicePosition, .front)
        XCTAssertEqual(app.events, ["started"])
    }

    /// Returns the mean green component of rows of a frame.
    private func brightness(_ buffer: CVPixelBuffer, _ rows: Range<Int>) -> Double {
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { return 0 }
        let width = CVPixelBufferGetWidth(buffer)
        var sum = 0
        for row in rows {
            for x in 0..<width {
                sum += Int(
                    base.load(fromByteOffset: row * CVPixelBufferGetBytesPerRow(buffer) + 4 * x + 1, as: UInt8.self))
            }
        }
        return Double(sum) / Double(width * rows.count)
    }

    func testS2_13AfterAnErrorInTheBackgroundTheSessionStartsOnceInTheForeground() throws {
        let app = try ServiceApp()
        // Creates the application, which posts its notifications from then on.
        XCTAssertEqual(MainActor.assumeIsolated { UIApplication.shared.applicationState }, .active)
        app.start()
        let starts = Events<Bool>()
        let observer = NotificationCenter.default.addObserver(
            forName: .AVCaptureSessionDidStartRunning, object: app.service.session, queue: nil
        ) { _ in starts.add(true) }
        defer { NotificationCenter.default.removeObserver(observer) }
        let interruptions = app.simulated.system.interruptions
        interruptions.begin(.notAvailableInBackground)
        app.advance(.seconds(1))
        // As on early versions of iOS, the session ends with an error.
        app.service.session.stopRunning()
        NotificationCenter.default.post(
            name: .AVCaptureSessionRuntimeError, object: app.service.session,
            userInfo: [AVCaptureSessionErrorKey: AVError(.deviceIsNotAvailableInBackground)])
        app.advance(.seconds(1))
        XCTAssertEqual(app.events, ["started"])
        XCTAssertEqual(starts.count, 0, "not in the background")
        let frameCount = app.client.receivedFrames.count
        interruptions.end(.notAvailableInBackground)
        app.advance(.seconds(1))
        XCTAssertTrue(app.service.session.isRunning)
        XCTAssertEqual(starts.count, 1)
        XCTAssertGreaterThan(app.client.receivedFrames.count, frameCount + 20)

        app.service.session.stopRunning()
        interruptions.begin(.notAvailableInBackground)
        app.advance(.seconds(1))
        interruptions.end(.notAvailableInBackground)
        app.advance(.seconds(1))
        XCTAssertFalse(app.service.session.isRunning, "started again without an error")
        XCTAssertEqual(app.events, ["started"])
    }

    func testS2_13AServiceStoppedInTheBackgroundIsNotRestarted() throws {
        let app = try ServiceApp()
        _ = MainActor.assumeIsolated { UIApplication.shared }
        app.start()
        app.simulated.system.interruptions.begin(.notAvailableInBackground)
        NotificationCenter.default.post(
            name: .AVCaptureSessionRuntimeError, object: app.service.session,
            userInfo: [AVCaptureSessionErrorKey: AVError(.deviceIsNotAvailableInBackground)])
        app.service.stopRunning()
        app.advance(.seconds(1))
        app.simulated.system.interruptions.end(.notAvailableInBackground)
        app.advance(.seconds(1))
        XCTAssertFalse(app.service.session.isRunning)
    }

    func testS2_14OtherErrorsAreReported() throws {
        let app = try ServiceApp()
        app.start()
        let now = app.simulated.clock.now
        try app.simulated.host.schedule(.fail(.inputOutput), uniqueID: "phone.front", at: .time(now))
        app.advance(.seconds(1))
        XCTAssertEqual(app.events, ["started", "failed"])
        XCTAssertNotNil(app.client.errors.last as? AVError)
    }

    func testS2_16AStopRightAfterAStartTakesEffectAfterIt() throws {
        let app = try ServiceApp()
        app.service.startRunning()
        app.service.stopRunning()
        app.advance(.seconds(1))
        XCTAssertEqual(app.events, ["started", "stopped"])
        XCTAssertFalse(app.service.session.isRunning)
        XCTAssertFalse(app.service.isRunning)
        app.service.startRunning()
        app.service.stopRunning()
        app.service.startRunning()
        app.advance(.seconds(1))
        XCTAssertTrue(app.service.session.isRunning)
    }

    func testS2_18WithDepthTheCameraIsNotSwitched() throws {
        let app = try ServiceApp(preset: .vga640x480)
        app.service.openDepth = true
        app.start()
        XCTAssertTrue(app.simulated.advance(until: { app.client.depth.count > 0 }, limit: .seconds(2)))
        app.service.switchCamera()
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.camera?.deviceType, .builtInTrueDepthCamera)
        XCTAssertEqual(app.service.devicePosition, .front)
        XCTAssertEqual(app.log.all, ["the camera cannot be switched while depth is used"])
        let map = try XCTUnwrap(app.client.depth.last).depthDataMap
        XCTAssertEqual([CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map)], [480, 640])
    }

    func testS2_18UnsupportedPresetsHaveNoDepth() throws {
        let app = try ServiceApp(preset: .cif352x288)
        app.service.openDepth = true
        app.start()
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.client.depth.count, 0)
        XCTAssertEqual(app.log.all, ["no depth with this camera and preset"])
        app.service.switchCamera()
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.service.devicePosition, .back)
    }

    func testS2_19AnUnavailableCameraLeavesThePreviousOneInUse() throws {
        let app = try ServiceApp(preset: .vga640x480)
        app.start()
        try app.simulated.host.disconnect(uniqueID: "phone.back-wide")
        for id in ["phone.back-telephoto", "phone.back-dual"] {
            try? app.simulated.host.disconnect(uniqueID: id)
        }
        app.advance(.milliseconds(200))
        app.service.switchCamera()
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.lastCode, -2201)
        XCTAssertEqual(app.service.devicePosition, .front)
        XCTAssertEqual(app.camera?.position, .front)
        let count = app.client.receivedFrames.count
        app.advance(.milliseconds(500))
        XCTAssertGreaterThan(app.client.receivedFrames.count, count + 10)
        XCTAssertEqual(try app.frameSize(), [480, 640])
    }

    func testS2_19ASessionThatRejectsTheCameraKeepsThePreviousOne() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let profile = folder.appendingPathComponent("two.yaml")
        try Self.twoCamerasProfile.write(to: profile, atomically: true, encoding: .utf8)
        let app = try ServiceApp(profile: profile.path, preset: .hd1280x720)
        app.start()
        app.service.switchCamera()
        app.advance(.milliseconds(500))
        XCTAssertEqual(app.lastCode, -2200, "the back camera does not support the preset")
        XCTAssertEqual(app.service.devicePosition, .front)
        XCTAssertEqual(app.camera?.position, .front)
        let count = app.client.receivedFrames.count
        app.advance(.milliseconds(500))
        XCTAssertGreaterThan(app.client.receivedFrames.count, count + 10)
        XCTAssertEqual(try app.frameSize(), [720, 1280])
    }

    /// The device profile of a machine whose back camera has only small frames.
    private static let twoCamerasProfile =
        "profile: 1\nname: two\nmanufacturer: Obscura\ndevices:\n"
        + [("front", "1280x720"), ("back", "320x240")].map { position, size in
            cameraProfileEntry(
                id: position, name: position, model: "sim-\(position)", position: position, size: size)
        }.joined()

    func testS2_27AllMethodsOfTheDelegateAreOptional() throws {
        final class Silent: CaptureServiceDelegate {}
        let silent = Silent()
        let app = try ServiceApp(scene: .portrait, hasSound: true)
        app.service.delegate = silent
        app.service.openNativeFaceDetect = true
        app.service.startRunning()
        app.advance(.milliseconds(500))
        app.service.startRecording()
        app.service.capturePhoto()
        app.advance(.milliseconds(500))
        app.service.stopRecording()
        app.advance(.milliseconds(500))
        XCTAssertGreaterThan(AVURLAsset(url: try XCTUnwrap(app.service.recordURL)).duration.seconds, 0.3)
        app.service.switchCamera()
        app.service.stopRunning()
        app.advance(.milliseconds(500))
        XCTAssertFalse(app.service.session.isRunning)
        withExtendedLifetime(silent) {}
    }

    func testS2_29PermissionsAndDepthSupportAreReported() throws {
        let phone = try ServiceApp(authorization: [.audio: .denied])
        XCTAssertTrue(CaptureService.videoGranted)
        XCTAssertFalse(CaptureService.audioGranted)
        XCTAssertTrue(phone.service.depthSupported)
        phone.service.devicePosition = .back
        XCTAssertTrue(phone.service.depthSupported)
        let webcam = try ServiceApp(profile: "webcam", authorization: [.video: .notDetermined])
        XCTAssertFalse(CaptureService.videoGranted)
        XCTAssertTrue(CaptureService.audioGranted)
        XCTAssertFalse(webcam.service.depthSupported)
    }
}
