import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureDeviceFlashTests: XCTestCase {
    func testTheFlashModeIsStoredIfThereIsAFlash() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (back, front) = (try fixture.device("phone.back-wide"), try fixture.device("phone.front"))
        fixture.assertMisuse(.generic) { back.flashMode = .on }
        try back.lockForConfiguration()
        try front.lockForConfiguration()
        XCTAssertEqual(back.flashMode, .off)
        XCTAssertFalse(back.isFlashActive)
        for mode in [AVCaptureDevice.FlashMode.on, .auto, .off] {
            XCTAssertTrue(back.isFlashModeSupported(mode))
            back.flashMode = mode
            XCTAssertEqual(back.flashMode, mode)
        }
        back.flashMode = .on
        XCTAssertTrue(back.isFlashActive)
        for mode in [AVCaptureDevice.FlashMode.on, .auto, .off] {
            XCTAssertFalse(front.isFlashModeSupported(mode))
            fixture.assertMisuse(.invalidArgument) { front.flashMode = mode }
        }
    }

    func testAHotDeviceHasNeitherTorchNorFlash() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let back = try fixture.device("phone.back-wide")
        try back.lockForConfiguration()
        back.flashMode = .on
        try fixture.host.setPressure(SystemPressure(.critical), uniqueID: "phone.back-wide")
        fixture.clock.settle()
        XCTAssertFalse(back.isFlashAvailable)
        XCTAssertFalse(back.isFlashActive)
        XCTAssertFalse(back.isTorchAvailable)
        XCTAssertThrowsError(try back.setTorchModeOn(level: 0.5)) {
            XCTAssertEqual(($0 as? AVError)?.code, .torchLevelUnavailable)
        }
        try fixture.host.setPressure(SystemPressure(.shutdown), uniqueID: "phone.back-wide")
        fixture.clock.settle()
        for level in [0.5, AVCaptureDevice.maxAvailableTorchLevel] {
            XCTAssertThrowsError(try back.setTorchModeOn(level: level)) {
                XCTAssertEqual(($0 as? AVError)?.code, .torchLevelUnavailable)
            }
        }
        try fixture.host.setPressure(.nominal, uniqueID: "phone.back-wide")
        fixture.clock.settle()
        XCTAssertTrue(back.isTorchAvailable)
        try back.setTorchModeOn(level: AVCaptureDevice.maxAvailableTorchLevel)
        XCTAssertEqual(back.torchLevel, 1)
        fixture.assertNoMisuse()
    }

    func testStoppingTheSessionOrChangingTheFormatTurnsTheTorchOff() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let back = try fixture.device("phone.back-wide")
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480,
            [fixture.inSystem { AVCaptureVideoDataOutput() }])
        let reported = Lock<[Bool]>([], order: .client)
        let observation = back.observe(\.isTorchActive) { back, _ in reported.withLock { $0.append(back.isTorchActive) }
        }
        session.startRunning()
        let ends: [() -> Void] = [{ session.sessionPreset = .hd1280x720 }, { session.stopRunning() }]
        for end in ends {
            try back.lockForConfiguration()
            back.torchMode = .on
            back.unlockForConfiguration()
            fixture.advance(milliseconds: 50)
            XCTAssertTrue(back.isTorchActive)
            end()
            fixture.clock.settle()
            XCTAssertFalse(back.isTorchActive)
        }
        XCTAssertEqual(reported.withLock { $0 }, [true, false, true, false])
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testATorchWithoutASessionStaysOn() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let back = try fixture.device("phone.back-wide")
        try back.lockForConfiguration()
        back.torchMode = .on
        fixture.advance(milliseconds: 1000)
        XCTAssertTrue(back.isTorchActive)
        back.torchMode = .off
        XCTAssertFalse(back.isTorchActive)
        back.unlockForConfiguration()
    }

    func testAWarmTorchUsesTheHighestAvailableLevel() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let back = try fixture.device("phone.back-wide")
        try back.lockForConfiguration()
        try fixture.host.setPressure(SystemPressure(.serious), uniqueID: "phone.back-wide")
        fixture.clock.settle()
        XCTAssertTrue(back.isTorchAvailable)
        back.torchMode = .on
        XCTAssertEqual(back.torchMode, .on)
        XCTAssertTrue(back.isTorchActive)
        XCTAssertEqual(back.torchLevel, 0.5)
        back.torchMode = .off
        XCTAssertEqual(back.torchLevel, 0)
        fixture.assertNoMisuse()
    }
}
