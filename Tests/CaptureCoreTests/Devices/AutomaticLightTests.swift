import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

/// Tests features of devices and outputs that depend on the light of the scene.
final class AutomaticLightTests: XCTestCase {
    private func makeFixture(_ light: SceneLight) throws -> CaptureFixture {
        let phone = try DeviceProfile.builtIn("phone")
        return try CaptureFixture { clock in [try SimHost(profiles: [phone], scene: .grey, light: light, clock: clock)]
        }
    }

    private func session(_ fixture: CaptureFixture, _ outputs: [AVCaptureOutput]) throws -> AVCaptureSession {
        try fixture.makeSession(camera: "phone.back-wide", microphone: nil, preset: .vga640x480, outputs)
    }

    func testTheIlluminanceIsComputedFromTheExposure() throws {
        for lux in [20.0, 200, 2000] {
            let fixture = try makeFixture(SceneLight(lux: lux, kelvin: 5000))
            let session = try session(fixture, [fixture.inSystem { AVCaptureVideoDataOutput() }])
            session.startRunning()
            fixture.advance(milliseconds: 1000)
            let measured = try XCTUnwrap(fixture.device("phone.back-wide").sceneLux)
            // Metering assumes a scene of medium reflectance.
            XCTAssertEqual(measured / lux, 1, accuracy: 0.5, "\(lux) lx")
            session.stopRunning()
        }
    }

    func testTheAutomaticTorchIsActiveWhileTheSceneIsDark() throws {
        let light = SceneLight(
            lux: 3, kelvin: 4000,
            changes: [
                SceneLight.Change(seconds: 4, lux: 3, kelvin: 4000),
                SceneLight.Change(seconds: 4.5, lux: 900, kelvin: 4000),
            ])
        let fixture = try makeFixture(light)
        let back = try fixture.device("phone.back-wide")
        let session = try session(fixture, [fixture.inSystem { AVCaptureVideoDataOutput() }])
        let reported = Lock<[Bool]>([], order: .client)
        let observation = back.observe(\.isTorchActive) { back, _ in reported.withLock { $0.append(back.isTorchActive) }
        }
        session.startRunning()
        XCTAssertTrue(back.isTorchModeSupported(.auto))
        try back.lockForConfiguration()
        back.torchMode = .auto
        back.unlockForConfiguration()
        XCTAssertEqual(back.torchMode, .auto)
        XCTAssertFalse(back.isTorchActive)
        fixture.advance(milliseconds: 1500)
        XCTAssertTrue(back.isTorchActive)
        XCTAssertEqual(back.torchMode, .auto)
        XCTAssertGreaterThan(back.torchLevel, 0.25)
        // The light of the torch itself does not switch it off.
        fixture.advance(milliseconds: 2000)
        XCTAssertTrue(back.isTorchActive)
        fixture.advance(milliseconds: 3500)
        XCTAssertFalse(back.isTorchActive)
        XCTAssertEqual(back.torchMode, .auto)
        session.stopRunning()
        fixture.clock.settle()
        XCTAssertEqual(back.torchMode, .off)
        XCTAssertEqual(reported.withLock { $0.filter { $0 } }.isEmpty, false)
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testAWebcamHasNoAutomaticTorch() throws {
        let fixture = try CaptureFixture()
        let camera = try fixture.device(CaptureFixture.camera)
        XCTAssertFalse(camera.isTorchModeSupported(.auto))
        try camera.lockForConfiguration()
        fixture.assertMisuse(.invalidArgument) { camera.torchMode = .auto }
    }

    func testTheFlashSceneFollowsTheLight() throws {
        let light = SceneLight(
            lux: 5, kelvin: 4000,
            changes: [
                SceneLight.Change(seconds: 1, lux: 5, kelvin: 4000),
                SceneLight.Change(seconds: 1.2, lux: 900, kelvin: 4000),
            ])
        let fixture = try makeFixture(light)
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try session(fixture, [output])
        let reported = Lock<[Bool]>([], order: .client)
        let observation = output.observe(\.isFlashScene) { output, _ in
            reported.withLock { $0.append(output.isFlashScene) }
        }
        session.startRunning()
        fixture.advance(milliseconds: 500)
        // Scene monitoring is disabled.
        XCTAssertFalse(output.isFlashScene)
        let settings = AVCapturePhotoSettings()
        settings.flashMode = .auto
        output.photoSettingsForSceneMonitoring = settings
        XCTAssertTrue(output.isFlashScene)
        XCTAssertEqual(output.photoSettingsForSceneMonitoring?.flashMode, .auto)
        fixture.advance(milliseconds: 2000)
        XCTAssertFalse(output.isFlashScene)
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testSceneMonitoringCanBeSetBeforeTheOutputIsInASession() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let settings = AVCapturePhotoSettings()
        settings.flashMode = .auto
        output.photoSettingsForSceneMonitoring = settings
        let session = try fixture.makeSession([output])
        session.startRunning()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(output.photoSettingsForSceneMonitoring?.flashMode, .auto)
        // The webcam has no flash.
        XCTAssertFalse(output.isFlashScene)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testVideoHDRIsControlledByTheDeviceOrTheClient() throws {
        let phone = try DeviceProfile.builtIn("phone")
        let fixture = try CaptureFixture { clock in
            [try SimHost(profiles: [phone], scene: .backlight, orientation: .landscapeLeft, clock: clock)]
        }
        let back = try fixture.device("phone.back-wide")
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .hd1280x720,
            [fixture.inSystem { AVCaptureVideoDataOutput() }])
        XCTAssertTrue(back.activeFormat.isVideoHDRSupported)
        XCTAssertTrue(back.automaticallyAdjustsVideoHDREnabled)
        let reported = Lock<[Bool]>([], order: .client)
        let observation = back.observe(\.isVideoHDREnabled) { back, _ in
            reported.withLock { $0.append(back.isVideoHDREnabled) }
        }
        session.startRunning()
        fixture.advance(milliseconds: 2000)
        // The window behind the person is overexposed.
        XCTAssertTrue(back.isVideoHDREnabled)
        XCTAssertEqual(reported.withLock { $0 }, [true])
        try back.lockForConfiguration()
        fixture.assertMisuse(.generic) { back.isVideoHDREnabled = false }
        back.automaticallyAdjustsVideoHDREnabled = false
        XCTAssertFalse(back.automaticallyAdjustsVideoHDREnabled)
        back.isVideoHDREnabled = false
        XCTAssertFalse(back.isVideoHDREnabled)
        fixture.advance(milliseconds: 1000)
        XCTAssertFalse(back.isVideoHDREnabled)
        let formatWithoutHDR = try XCTUnwrap(back.formats.first { !$0.isVideoHDRSupported })
        back.activeFormat = formatWithoutHDR
        fixture.assertMisuse(.generic) { back.isVideoHDREnabled = true }
        observation.invalidate()
        session.stopRunning()
    }

    func testLowLightBoostIsReportedWhileActive() throws {
        let fixture = try makeFixture(SceneLight(lux: 2, kelvin: 4000))
        let back = try fixture.device("phone.back-wide")
        let session = try session(fixture, [fixture.inSystem { AVCaptureVideoDataOutput() }])
        XCTAssertTrue(back.isLowLightBoostSupported)
        let reported = Lock<[Bool]>([], order: .client)
        let observation = back.observe(\.isLowLightBoostEnabled) { back, _ in
            reported.withLock { $0.append(back.isLowLightBoostEnabled) }
        }
        session.startRunning()
        fixture.advance(milliseconds: 1000)
        XCTAssertFalse(back.isLowLightBoostEnabled)
        let offsetWithoutBoost = back.exposureTargetOffset
        try back.lockForConfiguration()
        back.automaticallyEnablesLowLightBoostWhenAvailable = true
        fixture.advance(milliseconds: 2000)
        XCTAssertTrue(back.isLowLightBoostEnabled)
        XCTAssertLessThanOrEqual(back.iso, back.activeFormat.maxISO)
        XCTAssertGreaterThan(back.exposureTargetOffset, offsetWithoutBoost + 1.2)
        back.automaticallyEnablesLowLightBoostWhenAvailable = false
        fixture.advance(milliseconds: 100)
        XCTAssertFalse(back.isLowLightBoostEnabled)
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
        session.stopRunning()
        fixture.assertNoMisuse()
    }
}
