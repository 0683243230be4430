import CLinuxDevices
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class V4L2CameraTests: XCTestCase {
    func testANodeWithoutVideoStreamingIsNotACamera() {
        for flags in [V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING, V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_META_CAPTURE] {
            let fake = FakeV4L2Device()
            fake.capabilities = UInt32(flags)
            let fixture = V4L2Fixture(fake)
            XCTAssertNil(V4L2Camera(path: V4L2Fixture.path, kernel: fixture.kernel, clock: fixture.clock))
        }
    }

    func testTheUniqueIDContainsThePortOrTheSerialNumber() throws {
        let fixture = V4L2Fixture(FakeV4L2Device(card: "HD Cam", bus: "usb-0000:00:14.0-3"))
        XCTAssertEqual(try fixture.camera().descriptor.uniqueID, "v4l2:usb-0000:00:14.0-3:HD Cam:0")
        let usb = "/sys/devices/usb1/1-3"
        fixture.kernel.setLink("/sys/class/video4linux/video0/device", usb + "/1-3:1.0")
        for (name, text) in [
            ("idVendor", "046d"), ("idProduct", "0825"), ("serial", "A1B2"), ("manufacturer", "Acme"),
            ("removable", "fixed"),
        ] { fixture.kernel.setFile("\(usb)/\(name)", text) }
        let descriptor = try fixture.camera().descriptor
        XCTAssertEqual(descriptor.uniqueID, "v4l2:usb-046d:0825-A1B2:0")
        XCTAssertEqual(descriptor.modelID, "UVC Camera VendorID_1133 ProductID_2085")
        XCTAssertEqual(descriptor.manufacturer, "Acme")
        XCTAssertEqual(descriptor.kind, .builtInWideAngleCamera)
        XCTAssertEqual(descriptor.transport, .usb)
        XCTAssertEqual(descriptor.housing, usb)
    }

    func testThePositionAndMountingAngleAreThoseOfTheDriver() throws {
        let fake = FakeV4L2Device()
        fake.controls = [
            .integer(V4L2_CID_CAMERA_ORIENTATION, 0...2, 0), .integer(V4L2_CID_CAMERA_SENSOR_ROTATION, 0...360, 270),
        ]
        let descriptor = try V4L2Fixture(fake).camera().descriptor
        XCTAssertEqual(descriptor.position, .front)
        XCTAssertEqual(descriptor.mountingAngle, 270)
    }

    func testACameraWithoutPermissionIsListedAndCannotBeOpened() throws {
        let fake = FakeV4L2Device()
        fake.openError = EACCES
        let fixture = V4L2Fixture(fake)
        fixture.kernel.setFile("/sys/class/video4linux/video0/name", "Locked Cam")
        let camera = try fixture.camera()
        XCTAssertEqual(camera.descriptor.localizedName, "Locked Cam")
        XCTAssertEqual(camera.formats, [])
        assertCode(try camera.open(), .notPermitted)
        fixture.kernel.setFile("/sys/class/video4linux/video0/index", "1")
        XCTAssertNil(V4L2Camera(path: V4L2Fixture.path, kernel: fixture.kernel, clock: fixture.clock))
    }

    func testACameraIsOpenUntilTheClientClosesOrReleasesIt() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        var opened: (any OpenDevice)? = try camera.open()
        assertCode(try camera.open(), .busy)
        opened?.close()
        opened = try camera.open()
        opened = nil
        opened = try camera.open()
        withExtendedLifetime(opened) {}
    }

    func testACameraIsBusyWhileAnotherProgramStreamsFromIt() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let other = try fixture.camera()
        let opened = try other.open()
        XCTAssertFalse(camera.isInUseByAnotherApplication)
        let stream = try opened.makeStream(fixture.configuration(other))
        XCTAssertTrue(camera.isInUseByAnotherApplication)
        XCTAssertFalse(other.isInUseByAnotherApplication)
        assertCode(try camera.open(), .busy)
        withExtendedLifetime(stream) { opened.close() }
        XCTAssertFalse(camera.isInUseByAnotherApplication)
        _ = try camera.open()
    }

    func testAnUnsupportedFormatIsRejected() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        var configuration = try fixture.configuration(camera)
        configuration.frameDuration = CMTime(value: 1, timescale: 29)
        assertCode(try opened.makeStream(configuration), .unsupportedFormat)
        configuration.format = .audio(AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16))
        assertCode(try opened.makeStream(configuration), .unsupportedFormat)
    }

    func testAClosedDeviceRejectsAllCalls() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        opened.close()
        opened.close()
        assertCode(try opened.makeStream(fixture.configuration(camera)), .invalidState)
        assertCode(try opened.value(of: .brightness), .invalidState)
    }
}
