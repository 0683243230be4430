import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

/// Features of devices and outputs that depend on the light of the scene.
final class AutomaticLightTests: XCTestCase {
    private func bench(_ light: SceneLight) throws -> CaptureFixture {
        let phone = try DeviceProfile.builtIn("phone")
        return try CaptureFixture { clock in [try SimHost(profiles: [phone], scene: .grey, light: light, clock: clock)]
        }
    }

    private func session(_ bench: CaptureFixture, _ outputs: [AVCaptureOutput]) throws -> AVCaptureSession {
        try bench.makeSession(camera: "phone.back-wide", microphone: nil, preset: .vga640x480, outputs)
    }

    func testTheIlluminanceIsComputedFromTheExposure() throws {
        for lux in [20.0, 200, 2000] {
            let bench = try bench(SceneLight(lux: lux, kelvin: 5000))
            let session = try session(bench, [bench.run { AVCaptureVideoDataOutput() }])
            session.startRunning()
            bench.advance(milliseconds: 1000)
            let measured = try XCTUnwrap(bench.device("phone.back-wide").sceneLux)
            // Metering assumes a scene of medium reflectance.
            XCTAssertEqual(measured / lux, 1, accuracy: 0.5, "\(lux) lx")
            session.stopRunning()
        }
    }

    func testTheAutomaticTorchIsLitWhileTheSceneIsDark() throws {
        let light = SceneLight(
            lux: 3, kelvin: 4000,
            changes: [
                SceneLight.Change(seconds: 4, lux: 3, kelvin: 4000),
                SceneLight.Change(seconds: 4.5, lux: 900, kelvin: 4000),
            ])
        let bench = try bench(light)
        let back = try bench.device("phone.back-wide")
        let session = try session(bench, [bench.run { AVCaptureVideoDataOutput() }])
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
        bench.advance(milliseconds: 1500)
        XCTAssertTrue(back.isTorchActive)
        XCTAssertEqual(back.torchMode, .auto)
        XCTAssertGreaterThan(back.torchLevel, 0.25)
        // Its own light does not switch it off.
        bench.advance(milliseconds: 2000)
        XCTAssertTrue(back.isTorchActive)
        bench.advance(milliseconds: 3500)
        XCTAssertFalse(back.isTorchActive)
        XCTAssertEqual(back.torchMode, .auto)
        session.stopRunning()
        bench.clock.settle()
        XCTAssertEqual(back.torchMode, .off)
        XCTAssertEqual(reported.withLock { $0.filter { $0 } }.isEmpty, false)
        observation.invalidate()
        bench.assertNoMisuse()
    }

    func testAWebcamHasNoAutomaticTorch() throws {
        let bench = try CaptureFixture()
        let camera = try bench.device(CaptureFixture.camera)
        XCTAssertFalse(camera.isTorchModeSupported(.auto))
        try camera.lockForConfiguration()
        bench.assertMisuse(.invalidArgument) { camera.torchMode = .auto }
    }

    func testTheFlashSceneFollowsTheLight() throws {
        let light = SceneLight(
            lux: 5, kelvin: 4000,
            changes: [
                SceneLight.Change(seconds: 1, lux: 5, kelvin: 4000),
                SceneLight.Change(seconds: 1.2, lux: 900, kelvin: 4000),
            ])
        let bench = try bench(light)
        let output = bench.run { AVCapturePhotoOutput() }
        let session = try session(bench, [output])
        let reported = Lock<[Bool]>([], order: .client)
        let observation = output.observe(\.isFlashScene) { output, _ in
            reported.withLock { $0.append(output.isFlashScene) }
        }
        session.startRunning()
        bench.advance(milliseconds: 500)
        // Scene monitoring is disabled.
        XCTAssertFalse(output.isFlashScene)
        let settings = AVCapturePhotoSettings()
        settings.flashMode = .auto
        output.photoSettingsForSceneMonitoring = settings
        XCTAssertTrue(output.isFlashScene)
        XCTAssertEqual(output.photoSettingsForSceneMonitoring?.flashMode, .auto)
        bench.advance(milliseconds: 2000)
        XCTAssertFalse(output.isFlashScene)
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testMonitoringAnUnsupportedFlashModeIsMisuse() throws {
        let bench = try CaptureFixture()
        let output = bench.run { AVCapturePhotoOutput() }
        let session = try bench.makeSession([output])
        let settings = AVCapturePhotoSettings()
        settings.flashMode = .auto
        bench.assertMisuse(.invalidArgument) { output.photoSettingsForSceneMonitoring = settings }
        XCTAssertNil(output.photoSettingsForSceneMonitoring)
        session.stopRunning()
    }

    func testVideoHDRIsControlledByTheDeviceOrTheClient() throws {
        let phone = try DeviceProfile.builtIn("phone")
        let bench = try CaptureFixture { clock in
            [try SimHost(profiles: [phone], scene: .backlight, orientation: .landscapeLeft, clock: clock)]
        }
        let back = try bench.device("phone.back-wide")
        let session = try bench.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .hd1280x720,
            [bench.run { AVCaptureVideoDataOutput() }])
        XCTAssertTrue(back.activeFormat.isVideoHDRSupported)
        XCTAssertTrue(back.automaticallyAdjustsVideoHDREnabled)
        let reported = Lock<[Bool]>([], order: .client)
        let observation = back.observe(\.isVideoHDREnabled) { back, _ in
            reported.withLock { $0.append(back.isVideoHDREnabled) }
        }
        session.startRunning()
        bench.advance(milliseconds: 2000)
        // The window behind the person is overexposed.
        XCTAssertTrue(back.isVideoHDREnabled)
        XCTAssertEqual(reported.withLock { $0 }, [true])
        try back.lockForConfiguration()
        bench.assertMisuse(.generic) { back.isVideoHDREnabled = false }
        back.automaticallyAdjustsVideoHDREnabled = false
        XCTAssertFalse(back.automaticallyAdjustsVideoHDREnabled)
        back.isVideoHDREnabled = false
        XCTAssertFalse(back.isVideoHDREnabled)
        bench.advance(milliseconds: 1000)
        XCTAssertFalse(back.isVideoHDREnabled)
        let plain = try XCTUnwrap(back.formats.first { !$0.isVideoHDRSupported })
        back.activeFormat = plain
        bench.assertMisuse(.generic) { back.isVideoHDREnabled = true }
        observation.invalidate()
        session.stopRunning()
    }

    func testLowLightBoostIsReportedWhileActive() throws {
        let bench = try bench(SceneLight(lux: 2, kelvin: 4000))
        let back = try bench.device("phone.back-wide")
        let session = try session(bench, [bench.run { AVCaptureVideoDataOutput() }])
        XCTAssertTrue(back.isLowLightBoostSupported)
        let reported = Lock<[Bool]>([], order: .client)
        let observation = back.observe(\.isLowLightBoostEnabled) { back, _ in
            reported.withLock { $0.append(back.isLowLightBoostEnabled) }
        }
        session.startRunning()
        bench.advance(milliseconds: 1000)
        XCTAssertFalse(back.isLowLightBoostEnabled)
        let dark = back.exposureTargetOffset
        try back.lockForConfiguration()
        back.automaticallyEnablesLowLightBoostWhenAvailable = true
        bench.advance(milliseconds: 2000)
        XCTAssertTrue(back.isLowLightBoostEnabled)
        XCTAssertLessThanOrEqual(back.iso, back.activeFormat.maxISO)
        XCTAssertGreaterThan(back.exposureTargetOffset, dark + 1.2)
        back.automaticallyEnablesLowLightBoostWhenAvailable = false
        bench.advance(milliseconds: 100)
        XCTAssertFalse(back.isLowLightBoostEnabled)
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
        session.stopRunning()
        bench.assertNoMisuse()
    }
}
