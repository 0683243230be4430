import AVFoundation
import CaptureHAL
import CaptureTesting
import ExampleTestSupport
import TestSupport
import XCTest

@testable import Kamera

/// The requirements S0-1 to S0-16 of docs/tutorials.md, about the session and its cameras.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS0_1…` tests S0-1.
final class SessionStoryTests: XCTestCase {
    func testS0_1TheSessionHasTwoInputsAndTwoOutputsInHighQuality() throws {
        try forEachKind { kind in
            let app = try KameraApp(kind)
            try app.controller.setupSession()
            let session = app.controller.session
            XCTAssertEqual(session.sessionPreset, .high)
            XCTAssertEqual(session.inputs.count, 2)
            XCTAssertEqual(session.outputs.count, 2)
            XCTAssertTrue(session.outputs.contains { $0 is AVCaptureMovieFileOutput })
            let hasClassicOutput = session.outputs.contains { $0 is AVCaptureStillImageOutput }
            XCTAssertEqual(hasClassicOutput, kind == .classic)
        }
    }

    func testS0_2WithoutAnInputTheSetUpFails() throws {
        let withoutCamera = try KameraApp(profile: "usb-microphone")
        XCTAssertThrowsError(try withoutCamera.controller.setupSession()) {
            XCTAssertEqual($0 as? CameraError, .noCamera)
        }
        XCTAssertTrue(withoutCamera.controller.session.inputs.isEmpty)
        let denied = try KameraApp(authorization: [.audio: .denied])
        XCTAssertThrowsError(try denied.controller.setupSession()) {
            XCTAssertEqual(($0 as? AVError)?.code, .applicationIsNotAuthorizedToUseDevice)
        }
    }

    func testS0_3AddingAnInputThatCannotBeAddedIsMisuse() throws {
        let app = try KameraApp()
        try app.controller.setupSession()
        let input = try AVCaptureDeviceInput(device: XCTUnwrap(app.controller.inactiveCamera))
        XCTAssertFalse(app.controller.session.canAddInput(input))
        XCTAssertMisuse(.invalidArgument, containing: "addInput", in: app.simulated) {
            app.controller.session.addInput(input)
        }
    }

    func testS0_4TheDefaultCameraIsAtTheBack() throws {
        let app = try KameraApp()
        try app.controller.setupSession()
        XCTAssertEqual(try app.camera.position, .back)
    }

    func testS0_5StartingTwiceAndStoppingTwiceDoNothing() throws {
        let app = try KameraApp()
        let events = Events<String>()
        let center = NotificationCenter.default
        let tokens = [
            center.addObserver(forName: .AVCaptureSessionDidStartRunning, object: nil, queue: nil) { _ in
                events.add("start")
            },
            center.addObserver(forName: .AVCaptureSessionDidStopRunning, object: nil, queue: nil) { _ in
                events.add("stop")
            },
        ]
        defer { for token in tokens { center.removeObserver(token) } }
        try app.controller.setupSession()
        app.controller.stopSession()
        app.advance(milliseconds: 100)
        for _ in 0..<2 { app.controller.startSession() }
        app.advance(milliseconds: 300)
        XCTAssertEqual(events.all, ["start"])
        for _ in 0..<2 { app.controller.stopSession() }
        app.advance(milliseconds: 300)
        XCTAssertEqual(events.all, ["start", "stop"])
    }

    func testS0_6StartingAndStoppingDoNotBlockTheMainThread() throws {
        let app = try KameraApp()
        try app.controller.setupSession()
        app.controller.startSession()
        XCTAssertFalse(app.controller.session.isRunning, "it starts on a queue")
        app.advance(milliseconds: 300)
        XCTAssertTrue(app.controller.session.isRunning)
        app.controller.stopSession()
        XCTAssertTrue(app.controller.session.isRunning)
        app.advance(milliseconds: 300)
        XCTAssertFalse(app.controller.session.isRunning)
    }

    func testS0_7UntilThePromptIsAnsweredMoviesAreBlackAndSilent() throws {
        let undecided: [ProtectedResource: AuthorizationState] = [.video: .notDetermined, .audio: .notDetermined]
        let app = try KameraApp(authorization: undecided, answers: [.video: .never, .audio: .never])
        try app.start()
        app.record(milliseconds: 500)
        let movie = try MovieFile(XCTUnwrap(app.libraryFiles(.video).first))
        XCTAssertLessThan(try movie.brightness(), 20)
        XCTAssertLessThan(try movie.peak(0..<0.5), 0.01)
        let allowed = try KameraApp()
        try allowed.start()
        allowed.record(milliseconds: 500)
        let visible = try MovieFile(XCTUnwrap(allowed.libraryFiles(.video).first))
        XCTAssertGreaterThan(try visible.brightness(), 60)
        XCTAssertGreaterThan(try visible.peak(0..<0.5), 0.1)
    }

    func testS0_8ADeniedDeviceHasACodeAndAReason() throws {
        let app = try KameraApp(authorization: [.audio: .denied])
        XCTAssertThrowsError(try app.controller.setupSession()) { error in
            XCTAssertEqual((error as? AVError)?.code, .applicationIsNotAuthorizedToUseDevice)
            let reason = (error as NSError).userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? ""
            XCTAssertTrue(reason.contains("not authorized to use"), reason)
        }
    }

    func testS0_9AccessThatIsAllowedLaterInSettingsWorks() throws {
        let app = try KameraApp(authorization: [.video: .denied])
        XCTAssertThrowsError(try app.controller.setupSession())
        app.simulated.system.authorization.set(.authorized, for: .video)
        try app.start()
        XCTAssertTrue(app.controller.session.isRunning)
        XCTAssertEqual(app.controller.session.inputs.count, 2)
    }

    // MARK: Cameras

    func testS0_12WithOneCameraThereIsNothingToSwitch() throws {
        let app = try KameraApp(profile: "webcam")
        try app.controller.setupSession()
        XCTAssertEqual(app.controller.cameraCount, 1)
        XCTAssertFalse(app.controller.canSwitchCameras)
        XCTAssertNil(app.controller.inactiveCamera)
        XCTAssertFalse(app.controller.switchCameras())
    }

    func testS0_13TheCapabilitiesAreThoseOfTheActiveCamera() throws {
        let app = try KameraApp()
        let controller = app.controller
        try controller.setupSession()
        XCTAssertTrue(controller.cameraHasFlash && controller.cameraHasTorch)
        XCTAssertTrue(controller.cameraSupportsTapToFocus && controller.cameraSupportsTapToExpose)
        XCTAssertTrue(controller.switchCameras())
        let front = try app.camera
        XCTAssertEqual(front.position, .front)
        XCTAssertEqual(controller.cameraHasTorch, front.hasTorch)
        XCTAssertFalse(controller.cameraHasTorch)
        XCTAssertEqual(controller.cameraHasFlash, front.hasFlash)
        XCTAssertEqual(controller.cameraSupportsTapToFocus, front.isFocusPointOfInterestSupported)
    }

    func testS0_14CamerasAreSwitchedInOneStepWhileTheSessionRuns() throws {
        let app = try KameraApp()
        try app.start()
        let stops = Events<Notification.Name>()
        let token = NotificationCenter.default.addObserver(
            forName: .AVCaptureSessionDidStopRunning, object: nil, queue: nil
        ) { stops.add($0.name) }
        defer { NotificationCenter.default.removeObserver(token) }
        for position in [AVCaptureDevice.Position.front, .back] {
            XCTAssertTrue(app.controller.switchCameras())
            XCTAssertEqual(try app.camera.position, position)
            XCTAssertEqual(app.controller.session.inputs.count, 2)
            app.advance(milliseconds: 300)
            XCTAssertTrue(app.controller.session.isRunning)
        }
        XCTAssertEqual(stops.all, [])
    }

    func testS0_15IfTheNewInputFailsTheOldCameraStays() throws {
        let app = try KameraApp()
        try app.start()
        app.simulated.system.authorization.set(.denied, for: .video)
        XCTAssertFalse(app.controller.switchCameras())
        XCTAssertEqual(app.errors.all, ["device \(AVError.Code.applicationIsNotAuthorizedToUseDevice.rawValue)"])
        XCTAssertEqual(try app.camera.position, .back)
        XCTAssertEqual(app.controller.session.inputs.count, 2)
    }

    func testS0_16IfTheSessionRefusesTheNewCameraTheOldOneReturns() throws {
        let profile = FileManager.default.temporaryDirectory.appendingPathComponent("two-cameras-\(getpid()).yaml")
        try Self.twoCameras.write(to: profile, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: profile) }
        let app = try KameraApp(profile: profile.path)
        try app.start()
        app.controller.session.sessionPreset = .hd1280x720
        XCTAssertEqual(app.controller.inactiveCamera?.supportsSessionPreset(.hd1280x720), false)
        XCTAssertTrue(app.controller.switchCameras(), "true although the camera is not switched")
        XCTAssertEqual(try app.camera.position, .back)
        XCTAssertEqual(app.controller.session.inputs.count, 2)
        app.advance(milliseconds: 100)
        XCTAssertTrue(app.controller.session.isRunning)
    }

    /// The profile of a phone whose front camera supports small sizes only.
    private static let twoCameras: String = {
        func camera(_ position: String, _ size: String) -> String {
            """
              - camera:
                  id: \(position)
                  name: \(position)
                  model: test
                  kind: builtInWideAngleCamera
                  position: \(position)
                  lens: {aperture: 2.2, focalLength: 3.6 mm, equivalentFocalLength: 28 mm}
                  sensor: {fullWell: 5000 e, readNoise: 3 e}
                  exposure: {durations: [1/10000 s, 1/15 s], iso: [100, 1600]}
                  whiteBalance: {temperatures: [2800 K, 6500 K]}
                  formats:
                    - {size: \(size), pixelFormats: [420v], frameRates: [[5 fps, 30 fps]]}
                    - {size: 640x480, pixelFormats: [420v], frameRates: [[5 fps, 30 fps]]}

            """
        }
        let microphone = """
              - microphone:
                  id: microphone
                  name: microphone
                  model: test
                  sampleRates: [48 kHz]
                  channels: 1
                  samples: [int16]
                  noiseFloor: -62 dBFS

            """
        return "profile: 1\nname: two-cameras\nmanufacturer: Obscura\ndevices:\n" + camera("back", "1280x720")
            + camera("front", "320x240") + microphone
    }()
}
