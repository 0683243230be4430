import AVFoundation
import CaptureTesting
import XCTest

@testable import Kamera

/// The requirements S0-17 to S0-25 of docs/tutorials.md, about focus, exposure and light.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS0_17…` tests S0-17.
final class FocusStoryTests: XCTestCase {
    private let point = CGPoint(x: 0.25, y: 0.75)

    func testS0_17SettingACameraWithoutALockOrInAnUnsupportedModeIsMisuse() throws {
        let app = try KameraApp()
        try app.controller.setupSession()
        let camera = try app.camera
        XCTAssertMisuse(.generic, containing: "lockForConfiguration", in: app.simulated) { camera.focusMode = .locked }
        app.controller.switchCameras()
        let front = try app.camera
        try front.lockForConfiguration()
        defer { front.unlockForConfiguration() }
        XCTAssertMisuse(.invalidArgument, containing: "setTorchMode", in: app.simulated) { front.torchMode = .on }
    }

    func testS0_18FocusScansOnceAtThePointAndIsLocked() throws {
        let app = try KameraApp(scene: .portrait)
        try app.start()
        let camera = try app.camera
        app.controller.focus(at: point)
        XCTAssertEqual(camera.focusPointOfInterest, point)
        XCTAssertEqual(camera.focusMode, .autoFocus)
        XCTAssertTrue(app.simulated.advance(until: { camera.focusMode == .locked }, limit: .seconds(5)))
        XCTAssertFalse(camera.isAdjustingFocus)
    }

    func testS0_19ACameraWithoutPointsIsNotChanged() throws {
        let app = try KameraApp(profile: "webcam")
        try app.start()
        let camera = try app.camera
        XCTAssertFalse(app.controller.cameraSupportsTapToFocus)
        let modes = (camera.focusMode, camera.exposureMode)
        app.controller.focus(at: point)
        app.controller.expose(at: point)
        app.controller.resetFocusAndExposureModes()
        app.advance(milliseconds: 500)
        XCTAssertEqual(camera.focusMode, modes.0)
        XCTAssertEqual(camera.exposureMode, modes.1)
        XCTAssertEqual(app.errors.all, [])
    }

    func testS0_20EachSetterReportsALockThatFails() throws {
        let lockError = "device \(AVError.Code.deviceNotConnected.rawValue)"
        try forEachKind { kind in
            let app = try KameraApp(kind)
            try app.start()
            let camera = try app.camera
            // Another part of the app holds the lock, which keeps the camera open with the modes that it supports.
            try camera.lockForConfiguration()
            defer { camera.unlockForConfiguration() }
            try app.simulated.host.disconnect(uniqueID: camera.uniqueID)
            app.advance(milliseconds: 200)
            let setters: [(String, [String], (CameraController) -> Void)] = [
                ("focus", [lockError], { $0.focus(at: self.point) }),
                ("exposure", [lockError], { $0.expose(at: self.point) }),
                ("reset", [lockError], { $0.resetFocusAndExposureModes() }),
                ("torch", [lockError], { $0.torchMode = .on }),
                // The photo output needs no lock for its flash.
                ("flash", kind == .classic ? [lockError] : [], { $0.flashMode = .on }),
            ]
            for (name, errors, set) in setters {
                app.errors.removeAll()
                set(app.controller)
                XCTAssertEqual(app.errors.all, errors, "\(name), \(kind)")
            }
            XCTAssertNil(app.controller.exposureObservation)
        }
    }

    func testS0_20ACameraInUseReportsThatTheLockFails() throws {
        let app = try KameraApp()
        try app.start()
        app.controller.stopSession()
        app.advance(milliseconds: 200)
        // While another program uses the camera, the camera supports no modes, so that the other setters do nothing.
        try app.simulated.host.setInUse(true, uniqueID: app.camera.uniqueID)
        app.controller.resetFocusAndExposureModes()
        XCTAssertEqual(app.errors.count, 1)
        XCTAssertTrue(app.errors.last?.hasPrefix("device") ?? false, "\(app.errors.all)")
        app.controller.focus(at: .zero)
        app.controller.torchMode = .on
        XCTAssertEqual(app.errors.count, 1)
    }

    func testS0_21ExposureIsLockedOnceItIsAdjusted() throws {
        let app = try KameraApp(scene: .backlight)
        try app.start()
        let camera = try app.camera
        app.controller.expose(at: point)
        XCTAssertEqual(camera.exposurePointOfInterest, point)
        XCTAssertEqual(camera.exposureMode, .continuousAutoExposure)
        XCTAssertNotNil(app.controller.exposureObservation)
        XCTAssertTrue(app.simulated.advance(until: { camera.exposureMode == .locked }, limit: .seconds(5)))
        XCTAssertFalse(camera.isAdjustingExposure)
        XCTAssertNil(app.controller.exposureObservation)
        XCTAssertEqual(app.errors.all, [])
    }

    func testS0_21ASecondTapReplacesTheFirst() throws {
        let app = try KameraApp(scene: .backlight)
        try app.start()
        let camera = try app.camera
        app.controller.expose(at: point)
        app.advance(milliseconds: 50)
        app.controller.expose(at: CGPoint(x: 0.5, y: 0.1))
        XCTAssertTrue(app.simulated.advance(until: { camera.exposureMode == .locked }, limit: .seconds(5)))
        XCTAssertEqual(camera.exposurePointOfInterest, CGPoint(x: 0.5, y: 0.1))
        app.controller.resetFocusAndExposureModes()
        app.advance(milliseconds: 2000)
        XCTAssertEqual(camera.exposureMode, .continuousAutoExposure, "nothing locks it again")
    }

    func testS0_22WithoutTheLockedModeTheExposureIsNotObserved() throws {
        let app = try KameraApp(profile: smallCamera(hasExposureLock: false), scene: .backlight)
        try app.start()
        let camera = try app.camera
        XCTAssertTrue(camera.isExposurePointOfInterestSupported)
        XCTAssertFalse(camera.isExposureModeSupported(.locked))
        XCTAssertFalse(camera.isExposureModeSupported(.autoExpose))
        app.controller.expose(at: point)
        XCTAssertEqual(camera.exposurePointOfInterest, point)
        XCTAssertTrue(camera.isAdjustingExposure)
        XCTAssertNil(app.controller.exposureObservation)
        XCTAssertTrue(app.simulated.advance(until: { !camera.isAdjustingExposure }, limit: .seconds(5)))
        app.advance(milliseconds: 500)
        XCTAssertEqual(camera.exposureMode, .continuousAutoExposure, "it is not locked")
        XCTAssertEqual(app.errors.all, [])
    }

    func testS0_23ResetReturnsToTheCenterAndContinuousModes() throws {
        let app = try KameraApp()
        try app.start()
        let camera = try app.camera
        app.controller.focus(at: point)
        app.controller.expose(at: point)
        app.advance(milliseconds: 1500)
        app.controller.resetFocusAndExposureModes()
        let center = CGPoint(x: 0.5, y: 0.5)
        XCTAssertEqual(camera.focusPointOfInterest, center)
        XCTAssertEqual(camera.exposurePointOfInterest, center)
        XCTAssertEqual(camera.focusMode, .continuousAutoFocus)
        XCTAssertEqual(camera.exposureMode, .continuousAutoExposure)
    }

    func testS0_24TheSameFlashModeNeedsNoLock() throws {
        let app = try KameraApp(.classic)
        try app.start()
        app.controller.flashMode = .auto
        XCTAssertEqual(try app.camera.flashMode, .auto)
        try app.simulated.host.setInUse(true, uniqueID: app.camera.uniqueID)
        app.errors.removeAll()
        app.controller.flashMode = .auto
        XCTAssertEqual(app.errors.all, [])
    }

    func testS0_25AnUnsupportedTorchIsIgnored() throws {
        let app = try KameraApp()
        try app.start()
        app.controller.torchMode = .on
        XCTAssertEqual(try app.camera.torchMode, .on)
        app.controller.torchMode = .off
        app.controller.switchCameras()
        app.controller.torchMode = .on
        XCTAssertEqual(app.controller.torchMode, .off)
        XCTAssertEqual(app.errors.all, [])
    }
}
