import CLinuxDevices
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class V4L2ControlsTests: XCTestCase {
    private func webcam() -> FakeV4L2Device {
        let fake = FakeV4L2Device()
        fake.controls = [
            .integer(V4L2_CID_BRIGHTNESS, -64...64, 0),
            .flag(V4L2_CID_AUTO_WHITE_BALANCE, true),
            .button(V4L2_CID_DO_WHITE_BALANCE),
            .menu(V4L2_CID_POWER_LINE_FREQUENCY, [0, 1, 2], 1),
            .integer(V4L2_CID_WHITE_BALANCE_TEMPERATURE, 2800...6500, 4600),
            .menu(V4L2_CID_EXPOSURE_AUTO, [nil, 1, nil, 3], 3),
            .integer(V4L2_CID_EXPOSURE_ABSOLUTE, 1...5000, 157),
            .flag(V4L2_CID_EXPOSURE_AUTO_PRIORITY, false),
            .integer(V4L2_CID_FOCUS_ABSOLUTE, 0...250, 0),
            .flag(V4L2_CID_FOCUS_AUTO, true),
            .integer(V4L2_CID_ZOOM_ABSOLUTE, 100...500, 100),
            .menu(V4L2_CID_ISO_SENSITIVITY, [100_000, 200_000, 400_000], 0, ofNumbers: true),
        ]
        return fake
    }

    func testTheControlsOfAWebcamAreConvertedToTheirUnits() throws {
        let fixture = V4L2Fixture(webcam())
        let opened = try fixture.camera().open()
        XCTAssertEqual(
            Set(opened.controls.keys),
            [
                .brightness, .whiteBalanceMode, .powerLineFrequency, .whiteBalanceTemperature, .exposureMode,
                .exposureDuration, .exposurePriority, .lensPosition, .focusMode, .zoomFactor, .iso,
            ])
        XCTAssertEqual(opened.controls[.powerLineFrequency], .options([0, 50, 60], default: 50))
        XCTAssertEqual(opened.controls[.whiteBalanceTemperature], .number(2800...6500, step: 1, default: 4600))
        XCTAssertEqual(opened.controls[.focusMode], .options([0, 2, 3], default: 2))
        XCTAssertEqual(opened.controls[.whiteBalanceMode], .options([0, 1, 2, 3], default: 2))
        XCTAssertEqual(opened.controls[.exposureMode], .options([0, 2, 3], default: 2))
        XCTAssertEqual(try opened.value(of: .exposureMode), .integer(2))
        XCTAssertEqual(try opened.value(of: .brightness), .number(0.5))
        XCTAssertEqual(try opened.value(of: .lensPosition), .number(1))
        XCTAssertEqual(try opened.value(of: .zoomFactor), .number(1))
        XCTAssertEqual(try opened.value(of: .iso), .number(100))
    }

    func testSetValuesAreWrittenToTheDriverAndReadBack() throws {
        let fake = webcam()
        let fixture = V4L2Fixture(fake)
        let opened = try fixture.camera().open()
        for (control, value, id, number) in [
            (DeviceControl.brightness, ControlValue.number(0.75), V4L2_CID_BRIGHTNESS, Int64(32)),
            (.exposureMode, .integer(3), V4L2_CID_EXPOSURE_AUTO, 1),
            (.exposureDuration, .number(0.01), V4L2_CID_EXPOSURE_ABSOLUTE, 100),
            (.focusMode, .integer(0), V4L2_CID_FOCUS_AUTO, 0),
            (.lensPosition, .number(0), V4L2_CID_FOCUS_ABSOLUTE, 250),
            (.zoomFactor, .number(2), V4L2_CID_ZOOM_ABSOLUTE, 200),
            (.powerLineFrequency, .integer(60), V4L2_CID_POWER_LINE_FREQUENCY, 2),
            (.iso, .number(400), V4L2_CID_ISO_SENSITIVITY, 2),
            (.whiteBalanceMode, .integer(1), V4L2_CID_DO_WHITE_BALANCE, 0),
            (.exposurePriority, .flag(true), V4L2_CID_EXPOSURE_AUTO_PRIORITY, 1),
        ] {
            try opened.set(control, to: value)
            XCTAssertEqual(fake.number(of: id), number, "\(control)")
            if control != .whiteBalanceMode { XCTAssertEqual(try opened.value(of: control), value, "\(control)") }
        }
        XCTAssertEqual(try opened.value(of: .whiteBalanceMode), .integer(0))
    }

    func testInvalidValuesAndUnknownControlsAreRejected() throws {
        let fixture = V4L2Fixture(webcam())
        let opened = try fixture.camera().open()
        assertCode(try opened.set(.brightness, to: .number(1.5)), .unsupportedControl)
        assertCode(try opened.set(.brightness, to: .flag(true)), .unsupportedControl)
        assertCode(try opened.set(.torchLevel, to: .number(1)), .unsupportedControl)
        assertCode(try opened.value(of: .torchLevel), .unsupportedControl)
        fixture.kernel.fail("VIDIOC_S_CTRL", with: EACCES)
        assertCode(try opened.set(.brightness, to: .number(0.5)), .unsupportedControl)
        fixture.kernel.fail("VIDIOC_S_CTRL", with: ENODEV)
        assertCode(try opened.set(.brightness, to: .number(0.5)), .disconnected)
    }

    func testFramesContainTheManualSettings() throws {
        let fixture = V4L2Fixture(webcam())
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        fixture.expose()
        XCTAssertNil(receiver.wait(for: 1).last?.frame?.settings.exposureDuration)
        try opened.set(.exposureMode, to: .integer(ControlMode.custom.rawValue))
        try opened.set(.exposureDuration, to: .number(0.02))
        fixture.expose()
        XCTAssertEqual(
            receiver.wait(for: 2).last?.frame?.settings.exposureDuration, CMTime(value: 1, timescale: 50))
        stream.stop()
    }

    func testFramesDoNotContainAnAutomaticISO() throws {
        let fake = webcam()
        fake.controls.append(.menu(V4L2_CID_ISO_SENSITIVITY_AUTO, [0, 1], 1))
        let fixture = V4L2Fixture(fake)
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        fixture.expose()
        XCTAssertNil(try XCTUnwrap(receiver.wait(for: 1).last?.frame).settings.iso)
        // The manual exposure mode also ends automatic ISO.
        try opened.set(.exposureMode, to: .integer(ControlMode.custom.rawValue))
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 2).last?.frame?.settings.iso, 100)
        stream.stop()
    }

    func testTheTorchLevelSetsTheModeAndTheIntensityOfTheLED() throws {
        let fake = FakeV4L2Device()
        fake.controls = [
            .menu(V4L2_CID_FLASH_LED_MODE, [0, 1, 2], 0), .integer(V4L2_CID_FLASH_TORCH_INTENSITY, 0...40, 0),
        ]
        let fixture = V4L2Fixture(fake)
        let opened = try fixture.camera().open()
        XCTAssertEqual(try opened.value(of: .torchLevel), .number(0))
        try opened.set(.torchLevel, to: .number(0.5))
        XCTAssertEqual(fake.number(of: V4L2_CID_FLASH_LED_MODE), 2)
        XCTAssertEqual(fake.number(of: V4L2_CID_FLASH_TORCH_INTENSITY), 20)
        XCTAssertEqual(try opened.value(of: .torchLevel), .number(0.5))
        try opened.set(.torchLevel, to: .number(0))
        XCTAssertEqual(fake.number(of: V4L2_CID_FLASH_LED_MODE), 0)
    }

    func testChangesAreReportedAfterAnErrorOfTheirMonitor() throws {
        // The monitor starts again in real time.
        let clock = HostClock()
        let kernel = FakeKernel(clock: clock)
        let fake = webcam()
        kernel.plug(fake, at: V4L2Fixture.path)
        let camera = try XCTUnwrap(V4L2Camera(path: V4L2Fixture.path, kernel: kernel, clock: clock))
        let opened = try camera.open()
        let reports = [4000.0, 5000].map { ($0, expectation(description: "\($0) is reported")) }
        let observation = opened.observeControls { _, value in
            for (number, report) in reports where value == .number(number) { report.fulfill() }
        }
        kernel.fail("poll", with: ENOMEM)
        for (number, report) in reports {
            fake.adjust(V4L2_CID_WHITE_BALANCE_TEMPERATURE, to: Int64(number))
            wait(for: [report], timeout: 20)
        }
        observation.cancel()
        opened.close()
    }

    func testChangesByTheDeviceAreReported() throws {
        let fake = webcam()
        let fixture = V4L2Fixture(fake)
        let opened = try fixture.camera().open()
        let isReported = expectation(description: "a change is reported")
        let observation = opened.observeControls { control, value in
            XCTAssertEqual(control, .whiteBalanceTemperature)
            XCTAssertEqual(value, .number(5000))
            isReported.fulfill()
        }
        try opened.set(.brightness, to: .number(0.25))
        fake.adjust(V4L2_CID_WHITE_BALANCE_TEMPERATURE, to: 5000)
        wait(for: [isReported], timeout: 20)
        observation.cancel()
        opened.close()
    }
}

extension FakeV4L2Device {
    func number(of id: Int32) -> Int64? {
        kernel.locked { controls.first { $0.id == UInt32(id) }?.value }
    }
}
