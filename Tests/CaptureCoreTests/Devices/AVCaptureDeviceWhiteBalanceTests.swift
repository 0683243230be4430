import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureDeviceWhiteBalanceTests: XCTestCase {
    private func lockedDevice(_ fixture: CaptureFixture) throws -> AVCaptureDevice {
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        return device
    }

    func testEveryWhiteBalanceSettingRequiresTheLock() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        let before = device.deviceWhiteBalanceGains
        fixture.assertMisuse(.generic) { device.whiteBalanceMode = .locked }
        fixture.assertMisuse(.generic) {
            device.setWhiteBalanceModeLocked(with: AVCaptureDevice.WhiteBalanceGains())
        }
        XCTAssertEqual(device.deviceWhiteBalanceGains, before)
    }

    func testLockedGainsAreApplied() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        let gains = AVCaptureDevice.WhiteBalanceGains(redGain: 1.5, greenGain: 1, blueGain: 2.25)
        device.setWhiteBalanceModeLocked(with: gains)
        XCTAssertEqual(device.deviceWhiteBalanceGains, gains)
        XCTAssertEqual(device.whiteBalanceMode, .locked)
        device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains)
        XCTAssertEqual(device.deviceWhiteBalanceGains, gains)
        fixture.assertNoMisuse()
    }

    func testGainsOutOfRangeAreMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        let before = device.deviceWhiteBalanceGains
        for gains in [
            AVCaptureDevice.WhiteBalanceGains(redGain: -1, greenGain: 1, blueGain: 1),
            AVCaptureDevice.WhiteBalanceGains(redGain: 1, greenGain: 1, blueGain: device.maxWhiteBalanceGain + 1),
        ] {
            fixture.assertMisuse(.range) { device.setWhiteBalanceModeLocked(with: gains) }
            fixture.assertMisuse(.range) { _ = device.temperatureAndTintValues(for: gains) }
            fixture.assertMisuse(.range) { _ = device.chromaticityValues(for: gains) }
        }
        XCTAssertEqual(device.deviceWhiteBalanceGains, before)
    }

    func testGainsAreScaledSoThatTheSmallestIsOne() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.setWhiteBalanceModeLocked(
            with: AVCaptureDevice.WhiteBalanceGains(redGain: 3, greenGain: 2, blueGain: 4))
        XCTAssertEqual(device.deviceWhiteBalanceGains.redGain, 1.5, accuracy: 0.001)
        XCTAssertEqual(device.deviceWhiteBalanceGains.greenGain, 1, accuracy: 0.001)
        XCTAssertEqual(device.deviceWhiteBalanceGains.blueGain, 2, accuracy: 0.001)
        fixture.assertNoMisuse()
    }

    func testColorsAndGainsConvertInBothDirections() throws {
        let device = try lockedDevice(CaptureFixture(profile: "phone"))
        for temperature in [4200, 5200, 6500] as [Float] {
            for tint in [-20, 0, 20] as [Float] {
                let gains = device.deviceWhiteBalanceGains(
                    for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: temperature, tint: tint))
                let roundTripped = device.temperatureAndTintValues(for: gains)
                XCTAssertEqual(roundTripped.temperature, temperature, accuracy: temperature / 100)
                XCTAssertEqual(roundTripped.tint, tint, accuracy: 1)
                let color = device.chromaticityValues(for: gains)
                let roundTrippedGains = device.deviceWhiteBalanceGains(for: color)
                XCTAssertEqual(roundTrippedGains.redGain, gains.redGain, accuracy: 0.01)
                XCTAssertEqual(roundTrippedGains.greenGain, gains.greenGain, accuracy: 0.01)
                XCTAssertEqual(roundTrippedGains.blueGain, gains.blueGain, accuracy: 0.01)
            }
        }
    }

    func testTheGainsForALightMatchAutomaticWhiteBalance() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.set(.whiteBalanceTemperature, to: .number(4000))
        let automatic = device.deviceWhiteBalanceGains
        let reported = device.deviceWhiteBalanceGains(
            for: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: 4000, tint: 0))
        XCTAssertEqual(reported.redGain, automatic.redGain, accuracy: 0.01)
        XCTAssertEqual(reported.greenGain, automatic.greenGain, accuracy: 0.01)
        XCTAssertEqual(reported.blueGain, automatic.blueGain, accuracy: 0.01)
    }

    func testBluishLightRequiresMoreRedGain() throws {
        let device = try lockedDevice(CaptureFixture(profile: "phone"))
        let (warm, cool) = (
            device.deviceWhiteBalanceGains(for: .init(temperature: 3000, tint: 0)),
            device.deviceWhiteBalanceGains(for: .init(temperature: 8000, tint: 0))
        )
        XCTAssertGreaterThan(cool.redGain / cool.blueGain, warm.redGain / warm.blueGain * 2)
    }
}
