import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureDeviceZoomTests: XCTestCase {
    private func lockedDevice(_ fixture: CaptureFixture) throws -> AVCaptureDevice {
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        return device
    }

    func testARampOfRateOneDoublesTheZoomEachSecondAndEndsAtItsTarget() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.ramp(toVideoZoomFactor: 3, withRate: 1)
        device.unlockForConfiguration()
        XCTAssertTrue(device.isRampingVideoZoom)
        XCTAssertEqual(device.videoZoomFactor, 1)
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(Double(device.videoZoomFactor), 2.0.squareRoot(), accuracy: 0.04)
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(Double(device.videoZoomFactor), 2, accuracy: 0.05)
        XCTAssertTrue(device.isRampingVideoZoom)
        fixture.advance(milliseconds: 700)
        XCTAssertEqual(device.videoZoomFactor, 3)
        XCTAssertFalse(device.isRampingVideoZoom)
    }

    func testARampCanZoomOut() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.videoZoomFactor = 4
        device.ramp(toVideoZoomFactor: 1, withRate: 4)
        fixture.advance(milliseconds: 250)
        XCTAssertEqual(Double(device.videoZoomFactor), 2, accuracy: 0.2)
        fixture.advance(milliseconds: 350)
        XCTAssertEqual(device.videoZoomFactor, 1)
        XCTAssertFalse(device.isRampingVideoZoom)
    }

    func testACancelledRampKeepsTheCurrentZoom() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.ramp(toVideoZoomFactor: 4, withRate: 1)
        fixture.advance(milliseconds: 500)
        device.cancelVideoZoomRamp()
        let factor = device.videoZoomFactor
        XCTAssertGreaterThan(factor, 1.3)
        XCTAssertFalse(device.isRampingVideoZoom)
        fixture.advance(milliseconds: 2000)
        XCTAssertEqual(device.videoZoomFactor, factor)
    }

    func testSettingTheZoomEndsTheRamp() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.ramp(toVideoZoomFactor: 4, withRate: 1)
        fixture.advance(milliseconds: 100)
        device.videoZoomFactor = 2
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(device.videoZoomFactor, 2)
        XCTAssertFalse(device.isRampingVideoZoom)
    }

    func testANewRampReplacesTheActiveOne() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.ramp(toVideoZoomFactor: 4, withRate: 1)
        fixture.advance(milliseconds: 500)
        device.ramp(toVideoZoomFactor: 1, withRate: 8)
        fixture.advance(milliseconds: 2000)
        XCTAssertEqual(device.videoZoomFactor, 1)
    }

    func testRampsRequireTheLockAndAValidFactor() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        fixture.assertMisuse(.generic) { device.ramp(toVideoZoomFactor: 2, withRate: 1) }
        fixture.assertMisuse(.generic) { device.cancelVideoZoomRamp() }
        try device.lockForConfiguration()
        fixture.assertMisuse(.range) { device.ramp(toVideoZoomFactor: 0.5, withRate: 1) }
        fixture.assertMisuse(.range) { device.ramp(toVideoZoomFactor: 1000, withRate: 1) }
        XCTAssertFalse(device.isRampingVideoZoom)
    }

    func testARampOfRateZeroStopsTheRampAndTheSignIsIgnored() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.ramp(toVideoZoomFactor: 4, withRate: -1)
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(device.videoZoomFactor, 2, accuracy: 0.05)
        let factor = device.videoZoomFactor
        device.ramp(toVideoZoomFactor: 4, withRate: 0)
        XCTAssertFalse(device.isRampingVideoZoom)
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(device.videoZoomFactor, factor)
        fixture.assertNoMisuse()
    }

    func testZoomWorksIfOnlyTheControlReportsTheRange() throws {
        let fixture = try CaptureFixture {
            [FakeHost(try FakeCameraDevice(clock: $0, controls: [.zoomFactor: .number(1...4, step: 0.01, default: 1)]))]
        }
        let device = try fixture.device("fake.camera")
        XCTAssertEqual(device.maxAvailableVideoZoomFactor, 4)
        XCTAssertEqual(device.activeFormat.videoMaxZoomFactor, 4)
        try device.lockForConfiguration()
        device.videoZoomFactor = 3
        XCTAssertEqual(device.videoZoomFactor, 3)
        fixture.assertNoMisuse()
        fixture.assertMisuse(.range) { device.videoZoomFactor = 5 }
        device.unlockForConfiguration()
    }

    func testARampEndsIfTheCameraCannotBeOpened() throws {
        let fixture = try CaptureFixture {
            [FakeHost(try FakeCameraDevice(clock: $0, controls: [.zoomFactor: .number(1...4, step: 0.01, default: 1)]))]
        }
        let camera = try XCTUnwrap(fixture.hosts.first as? FakeHost).camera
        let device = try fixture.device("fake.camera")
        try device.lockForConfiguration()
        device.ramp(toVideoZoomFactor: 4, withRate: 1)
        device.unlockForConfiguration()
        fixture.advance(milliseconds: 100)
        XCTAssertTrue(device.isRampingVideoZoom)
        let changeCount = Lock(0)
        let observation = device.observe(\.videoZoomFactor) { _, _ in changeCount.withLock { $0 += 1 } }
        camera.openError.withLock { $0 = DeviceError(.busy, device: "fake", "another process uses it") }
        fixture.advance(milliseconds: 100)
        XCTAssertFalse(device.isRampingVideoZoom)
        XCTAssertEqual(changeCount.withLock { $0 }, 0, "the zoom factor has not changed")
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testAFormatChangeReportsTheNewZoomRange() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
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
