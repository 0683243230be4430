import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_13…` tests S1-13.
final class LightTests: XCTestCase {
    /// Takes a still of a grey card and returns whether the flash fired.
    private func flashFires(_ mode: AVCaptureDevice.FlashMode, lux: Int) throws -> Bool {
        let simulated = try SimulatedSystem(scene: grey(lux: lux))
        defer { simulated.close() }
        let still = StillCamera()
        let session = try makeSession(.cif352x288, still.output)
        XCTAssertTrue(try Light(of: camera(of: session)).setFlash(mode))
        session.startRunning()
        simulated.advance(by: .seconds(1))
        let values = Events<Int>()
        still.capture { result in
            if let exif = try? result.get().exif, let flash = exif["Flash"] as? Int { values.add(flash) }
        }
        XCTAssertTrue(simulated.advance(until: { values.count == 1 }))
        return try XCTUnwrap(values.last) & 1 == 1
    }

    func testS1_13TheFlashModeDeterminesWhenItFires() throws {
        XCTAssertFalse(try flashFires(.off, lux: 1))
        XCTAssertTrue(try flashFires(.on, lux: 1000))
        XCTAssertTrue(try flashFires(.auto, lux: 1))
        XCTAssertFalse(try flashFires(.auto, lux: 1000))
    }

    func testS1_14TheTorchLightsTheSceneAndGoesOffWithTheSession() throws {
        let simulated = try SimulatedSystem(scene: grey(lux: 1))
        // The session needs an output to run the camera. The frames are not checked.
        let receiver = FrameReceiver(pixelFormat: nil) { _ in }
        let session = try makeSession(.cif352x288, receiver.output)
        let light = Light(of: try camera(of: session))
        session.startRunning()
        simulated.advance(by: .seconds(2))
        let iso = light.device.iso
        XCTAssertTrue(try light.setTorch(.on))
        XCTAssertTrue(light.device.isTorchActive)
        simulated.advance(by: .seconds(2))
        XCTAssertLessThan(light.device.iso, iso / 2, "the scene is brighter")
        XCTAssertTrue(try light.setTorch(.off))
        XCTAssertFalse(light.device.isTorchActive)
        XCTAssertTrue(try light.setTorch(.auto))
        XCTAssertTrue(simulated.advance(until: { light.device.isTorchActive }), "the scene is dark")
        session.stopRunning()
        XCTAssertFalse(light.device.isTorchActive)

        let front = Light(of: try XCTUnwrap(DeviceList.camera(at: .front)))
        XCTAssertFalse(try front.setTorch(.on), "the front camera has no torch")
    }
}
