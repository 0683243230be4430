import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureDeviceZoomTests: XCTestCase {
    private func lockedDevice(_ bench: CaptureFixture) throws -> AVCaptureDevice {
        let device = try bench.device("phone.back-wide")
        try device.lockForConfiguration()
        return device
    }

    func testARampOfRateOneDoublesTheZoomEachSecondAndEndsAtItsTarget() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(bench)
        device.ramp(toVideoZoomFactor: 3, withRate: 1)
        device.unlockForConfiguration()
        XCTAssertTrue(device.isRampingVideoZoom)
        XCTAssertEqual(device.videoZoomFactor, 1)
        bench.advance(milliseconds: 500)
        XCTAssertEqual(Double(device.videoZoomFactor), 2.0.squareRoot(), accuracy: 0.04)
        bench.advance(milliseconds: 500)
        XCTAssertEqual(Double(device.videoZoomFactor), 2, accuracy: 0.05)
        XCTAssertTrue(device.isRampingVideoZoom)
        bench.advance(milliseconds: 700)
        XCTAssertEqual(device.videoZoomFactor, 3)
        XCTAssertFalse(device.isRampingVideoZoom)
    }

    func testARampCanZoomOut() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(bench)
        device.videoZoomFactor = 4
        device.ramp(toVideoZoomFactor: 1, withRate: 4)
        bench.advance(milliseconds: 250)
        XCTAssertEqual(Double(device.videoZoomFactor), 2, accuracy: 0.2)
        bench.advance(milliseconds: 350)
        XCTAssertEqual(device.videoZoomFactor, 1)
        XCTAssertFalse(device.isRampingVideoZoom)
    }

    func testACancelledRampKeepsTheCurrentZoom() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(bench)
        device.ramp(toVideoZoomFactor: 4, withRate: 1)
        bench.advance(milliseconds: 500)
        device.cancelVideoZoomRamp()
        let factor = device.videoZoomFactor
        XCTAssertGreaterThan(factor, 1.3)
        XCTAssertFalse(device.isRampingVideoZoom)
        bench.advance(milliseconds: 2000)
        XCTAssertEqual(device.videoZoomFactor, factor)
    }

    func testSettingTheZoomEndsTheRamp() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(bench)
        device.ramp(toVideoZoomFactor: 4, withRate: 1)
        bench.advance(milliseconds: 100)
        device.videoZoomFactor = 2
        bench.advance(milliseconds: 1000)
        XCTAssertEqual(device.videoZoomFactor, 2)
        XCTAssertFalse(device.isRampingVideoZoom)
    }

    func testANewRampReplacesTheActiveOne() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(bench)
        device.ramp(toVideoZoomFactor: 4, withRate: 1)
        bench.advance(milliseconds: 500)
        device.ramp(toVideoZoomFactor: 1, withRate: 8)
        bench.advance(milliseconds: 2000)
        XCTAssertEqual(device.videoZoomFactor, 1)
    }

    func testRampsRequireTheLockAndAValidFactor() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try bench.device("phone.back-wide")
        bench.assertMisuse(.generic) { device.ramp(toVideoZoomFactor: 2, withRate: 1) }
        bench.assertMisuse(.generic) { device.cancelVideoZoomRamp() }
        try device.lockForConfiguration()
        bench.assertMisuse(.range) { device.ramp(toVideoZoomFactor: 0.5, withRate: 1) }
        bench.assertMisuse(.range) { device.ramp(toVideoZoomFactor: 1000, withRate: 1) }
        XCTAssertFalse(device.isRampingVideoZoom)
    }

    func testARampOfRateZeroStopsTheRampAndTheSignIsIgnored() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(bench)
        device.ramp(toVideoZoomFactor: 4, withRate: -1)
        bench.advance(milliseconds: 1000)
        XCTAssertEqual(device.videoZoomFactor, 2, accuracy: 0.05)
        let factor = device.videoZoomFactor
        device.ramp(toVideoZoomFactor: 4, withRate: 0)
        XCTAssertFalse(device.isRampingVideoZoom)
        bench.advance(milliseconds: 500)
        XCTAssertEqual(device.videoZoomFactor, factor)
        bench.assertNoMisuse()
    }

    func testZoomWorksIfOnlyTheControlReportsTheRange() throws {
        let bench = try CaptureFixture {
            [FakeHost(try FakeCameraDevice(clock: $0, controls: [.zoomFactor: .number(1...4, step: 0.01, default: 1)]))]
        }
        let device = try bench.device("fake.camera")
        XCTAssertEqual(device.maxAvailableVideoZoomFactor, 4)
        XCTAssertEqual(device.activeFormat.videoMaxZoomFactor, 4)
        try device.lockForConfiguration()
        device.videoZoomFactor = 3
        XCTAssertEqual(device.videoZoomFactor, 3)
        bench.assertNoMisuse()
        bench.assertMisuse(.range) { device.videoZoomFactor = 5 }
        device.unlockForConfiguration()
    }

    func testAFormatChangeReportsTheNewZoomRange() throws {
        let bench = try CaptureFixture(profile: "phone")
        let device = try bench.device("phone.back-wide")
        let reported = Lock<[CGFloat]>([])
        let observation = device.observe(\.maxAvailableVideoZoomFactor, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? 0) }
        }
        try device.lockForConfiguration()
        device.activeFormat = device.formats[1]
        device.unlockForConfiguration()
        XCTAssertEqual(reported.withLock { $0 }, [16])
        observation.invalidate()
    }
}
