import CLinuxDevices
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the translation of each kind of V4L2 control into a `DeviceControl`.
final class V4L2ControlTranslationTests: XCTestCase {
    private func open(_ controls: [FakeV4L2Device.Control]) throws -> (FakeV4L2Device, any OpenDevice, V4L2Fixture) {
        let fake = FakeV4L2Device()
        fake.controls = controls
        let fixture = V4L2Fixture(fake)
        return (fake, try fixture.camera().open(), fixture)
    }

    func testControlsWithoutAUnitAreNormalized() throws {
        let (fake, opened, _) = try open([
            .integer(V4L2_CID_HUE, -180...180, 0), .integer(V4L2_CID_GAMMA, 72...500, 100),
            .integer(V4L2_CID_SHARPNESS, 0...6, 3), .integer(V4L2_CID_BACKLIGHT_COMPENSATION, 0...2, 0),
            .integer(V4L2_CID_GAIN, 0...100, 0), .integer(V4L2_CID_IRIS_ABSOLUTE, 0...20, 20),
        ])
        XCTAssertEqual(
            Set(opened.controls.keys), [.hue, .gamma, .sharpness, .backlightCompensation, .gain, .iris])
        XCTAssertEqual(opened.controls[.hue], .number(0...1, step: 1.0 / 360, default: 0.5))
        for (control, value, id, driverValue) in [
            (DeviceControl.hue, 0.75, V4L2_CID_HUE, Int64(90)), (.gamma, 1, V4L2_CID_GAMMA, 500),
            (.sharpness, 0.5, V4L2_CID_SHARPNESS, 3),
            (.backlightCompensation, 0.5, V4L2_CID_BACKLIGHT_COMPENSATION, 1), (.gain, 0.37, V4L2_CID_GAIN, 37),
            (.iris, 0.25, V4L2_CID_IRIS_ABSOLUTE, 5),
        ] {
            try opened.set(control, to: .number(value))
            XCTAssertEqual(fake.number(of: id), driverValue, "\(control)")
            XCTAssertEqual(try opened.value(of: control), .number(value), "\(control)")
        }
    }

    func testTheAnalogGainIsUsedIfThereIsNoOtherGain() throws {
        let (fake, opened, _) = try open([.integer(V4L2_CID_ANALOGUE_GAIN, 16...496, 16)])
        try opened.set(.gain, to: .number(1))
        XCTAssertEqual(fake.number(of: V4L2_CID_ANALOGUE_GAIN), 496)
    }

    func testPanAndTiltAreDegrees() throws {
        let (fake, opened, _) = try open([
            .integer(V4L2_CID_PAN_ABSOLUTE, -36_000...36_000, 0), .integer(V4L2_CID_TILT_ABSOLUTE, -7200...7200, 0),
        ])
        XCTAssertEqual(opened.controls[.tilt], .number(-2...2, step: 1.0 / 3600, default: 0))
        try opened.set(.pan, to: .number(-2.5))
        XCTAssertEqual(fake.number(of: V4L2_CID_PAN_ABSOLUTE), -9000)
        XCTAssertEqual(try opened.value(of: .pan), .number(-2.5))
        assertCode(try opened.set(.tilt, to: .number(3)), .unsupportedControl)
    }

    func testRedAndBlueBalanceAreGainsOfAtLeastOne() throws {
        let (fake, opened, _) = try open([
            .integer(V4L2_CID_RED_BALANCE, 64...1023, 64), .integer(V4L2_CID_BLUE_BALANCE, -100...100, 0),
        ])
        guard case .number(let red, _, let redDefault)? = opened.controls[.redGain],
            case .number(let blue, let step, _)? = opened.controls[.blueGain]
        else { return XCTFail("\(opened.controls)") }
        XCTAssertEqual(red.lowerBound, 1)
        XCTAssertEqual(red.upperBound, 1023.0 / 64)
        XCTAssertEqual(redDefault, 1)
        XCTAssertEqual(blue.lowerBound, 1, accuracy: 1e-12)
        XCTAssertEqual(blue.upperBound, 4, accuracy: 1e-12)
        XCTAssertEqual(step, 0.015, accuracy: 1e-12)
        try opened.set(.redGain, to: .number(2))
        XCTAssertEqual(fake.number(of: V4L2_CID_RED_BALANCE), 128)
        try opened.set(.blueGain, to: .number(2.5))
        XCTAssertEqual(fake.number(of: V4L2_CID_BLUE_BALANCE), 0)
        XCTAssertEqual(try opened.value(of: .blueGain), .number(2.5))
    }

    func testAnAutomaticGainFollowsTheExposureMode() throws {
        let (fake, opened, _) = try open([
            .menu(V4L2_CID_EXPOSURE_AUTO, [0, 1], 0), .flag(V4L2_CID_AUTOGAIN, true),
            .menu(V4L2_CID_ISO_SENSITIVITY_AUTO, [0, 1], 1),
            .menu(V4L2_CID_ISO_SENSITIVITY, [100_000, 200_000], 0, ofNumbers: true),
        ])
        XCTAssertEqual(try opened.value(of: .exposureMode), .integer(ControlMode.continuousAuto.rawValue))
        try opened.set(.exposureMode, to: .integer(ControlMode.custom.rawValue))
        XCTAssertEqual(fake.number(of: V4L2_CID_EXPOSURE_AUTO), 1)
        XCTAssertEqual(fake.number(of: V4L2_CID_AUTOGAIN), 0)
        XCTAssertEqual(fake.number(of: V4L2_CID_ISO_SENSITIVITY_AUTO), 0)
        try opened.set(.exposureMode, to: .integer(ControlMode.continuousAuto.rawValue))
        XCTAssertEqual(fake.number(of: V4L2_CID_AUTOGAIN), 1)
        try opened.set(.iso, to: .number(200))
        XCTAssertEqual(fake.number(of: V4L2_CID_ISO_SENSITIVITY), 1)
        XCTAssertEqual(fake.number(of: V4L2_CID_ISO_SENSITIVITY_AUTO), 0, "the value is used only in manual mode")
    }

    func testAutomaticGainWithoutAutomaticExposureIsAnExposureMode() throws {
        let (fake, opened, _) = try open([.flag(V4L2_CID_AUTOGAIN, false), .integer(V4L2_CID_GAIN, 0...255, 20)])
        XCTAssertEqual(opened.controls[.exposureMode], .options([0, 2, 3], default: 0))
        XCTAssertEqual(try opened.value(of: .exposureMode), .integer(ControlMode.locked.rawValue))
        try opened.set(.exposureMode, to: .integer(ControlMode.continuousAuto.rawValue))
        XCTAssertEqual(fake.number(of: V4L2_CID_AUTOGAIN), 1)
        XCTAssertEqual(try opened.value(of: .exposureMode), .integer(ControlMode.continuousAuto.rawValue))
    }

    func testAMenuOfPresetsIsAWhiteBalanceMode() throws {
        let presets = Array(Int64(0)...Int64(9)).map(Optional.some)
        let (fake, opened, _) = try open([.menu(V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE, presets, 1)])
        XCTAssertEqual(try opened.value(of: .whiteBalanceMode), .integer(ControlMode.continuousAuto.rawValue))
        try opened.set(.whiteBalanceMode, to: .integer(ControlMode.locked.rawValue))
        XCTAssertEqual(fake.number(of: V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE), 0)
        // V4L2_WHITE_BALANCE_DAYLIGHT.
        fake.adjust(V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE, to: 6)
        XCTAssertEqual(
            try opened.value(of: .whiteBalanceMode), .integer(ControlMode.locked.rawValue),
            "the daylight preset is a fixed white balance")
    }

    func testAnAutofocusOperationIsStartedStoppedAndReported() throws {
        let (fake, opened, _) = try open([
            .button(V4L2_CID_AUTO_FOCUS_START), .button(V4L2_CID_AUTO_FOCUS_STOP),
            FakeV4L2Device.Control(
                id: UInt32(V4L2_CID_AUTO_FOCUS_STATUS), type: V4L2_CTRL_TYPE_BITMASK, minimum: 0, maximum: 7,
                defaultValue: 0, value: 0, flags: UInt32(V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_VOLATILE)),
        ])
        XCTAssertEqual(opened.controls[.focusMode], .options([0, 1, 3], default: 0))
        try opened.set(.focusMode, to: .integer(ControlMode.auto.rawValue))
        XCTAssertEqual(fake.pressed, [UInt32(V4L2_CID_AUTO_FOCUS_START)])
        fake.adjust(V4L2_CID_AUTO_FOCUS_STATUS, to: Int64(V4L2_AUTO_FOCUS_STATUS_BUSY))
        XCTAssertEqual(try opened.value(of: .focusMode), .integer(ControlMode.auto.rawValue))
        XCTAssertEqual(try opened.value(of: .focusAdjusting), .flag(true))
        fake.adjust(V4L2_CID_AUTO_FOCUS_STATUS, to: Int64(V4L2_AUTO_FOCUS_STATUS_REACHED))
        XCTAssertEqual(try opened.value(of: .focusMode), .integer(ControlMode.locked.rawValue))
        XCTAssertEqual(try opened.value(of: .focusAdjusting), .flag(false))
        try opened.set(.focusMode, to: .integer(ControlMode.locked.rawValue))
        XCTAssertEqual(fake.pressed.last, UInt32(V4L2_CID_AUTO_FOCUS_STOP))
        assertCode(try opened.set(.focusAdjusting, to: .flag(true)), .unsupportedControl)
    }

    func testATorchWithoutAnIntensityControlIsOnOrOff() throws {
        let (fake, opened, _) = try open([.menu(V4L2_CID_FLASH_LED_MODE, [0, nil, 2], 0)])
        XCTAssertEqual(opened.controls[.torchLevel], .number(0...1, step: 1, default: 0))
        try opened.set(.torchLevel, to: .number(0.2))
        XCTAssertEqual(fake.number(of: V4L2_CID_FLASH_LED_MODE), 2)
        XCTAssertEqual(try opened.value(of: .torchLevel), .number(1))
    }

    func testAFlashWithoutTorchModeIsNotATorch() throws {
        let (_, opened, _) = try open([.menu(V4L2_CID_FLASH_LED_MODE, [0, 1], 0)])
        XCTAssertTrue(opened.controls.isEmpty)
    }

    // MARK: Flags

    /// Returns the message of the error that `body` throws.
    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "it succeeded"
        } catch {
            XCTAssertEqual((error as? DeviceError)?.code, .unsupportedControl)
            return "\(error)"
        }
    }

    func testTheErrorContainsTheReasonWhyAControlCannotBeSet() throws {
        let (fake, opened, fixture) = try open([
            .integer(V4L2_CID_BRIGHTNESS, 0...255, 128),
            .integer(V4L2_CID_GAIN, 0...255, 128, flags: UInt32(V4L2_CTRL_FLAG_READ_ONLY)),
            .integer(V4L2_CID_HUE, 0...255, 128, flags: UInt32(V4L2_CTRL_FLAG_WRITE_ONLY)),
        ])
        XCTAssertTrue(message { try opened.set(.gain, to: .number(0)) }.contains("is read-only"))
        XCTAssertTrue(message { _ = try opened.value(of: .hue) }.contains("is write-only"))
        fake.changeDescription(V4L2_CID_BRIGHTNESS, V4L2_EVENT_CTRL_CH_FLAGS) {
            $0.flags = UInt32(V4L2_CTRL_FLAG_GRABBED)
        }
        XCTAssertTrue(message { try opened.set(.brightness, to: .number(0)) }.contains("uses it"))
        // While a control is inactive, a new value has no effect. Drivers may reject it or accept it.
        fake.changeDescription(V4L2_CID_BRIGHTNESS, V4L2_EVENT_CTRL_CH_FLAGS) {
            $0.flags = UInt32(V4L2_CTRL_FLAG_INACTIVE)
        }
        for errorNumber in [EACCES, EIO, EBUSY] {
            fixture.kernel.fail("VIDIOC_S_CTRL", with: errorNumber)
            let text = message { try opened.set(.brightness, to: .number(0)) }
            XCTAssertTrue(text.contains("set the mode to locked or custom first"), text)
        }
        try opened.set(.brightness, to: .number(0))
        fake.changeDescription(V4L2_CID_BRIGHTNESS, V4L2_EVENT_CTRL_CH_FLAGS) {
            $0.flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY)
        }
        XCTAssertTrue(message { try opened.set(.brightness, to: .number(1)) }.contains("is read-only"))
    }

    // MARK: Changes

    func testAChangedRangeIsUpdated() throws {
        let (fake, opened, _) = try open([.integer(V4L2_CID_EXPOSURE_ABSOLUTE, 1...5000, 100)])
        XCTAssertEqual(opened.controls[.exposureDuration], .number(0.0001...0.5, step: 0.0001, default: 0.01))
        fake.changeDescription(V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_EVENT_CTRL_CH_RANGE) {
            ($0.maximum, $0.value) = (300, 300)
        }
        assertCode(try opened.set(.exposureDuration, to: .number(0.2)), .unsupportedControl)
        XCTAssertEqual(opened.controls[.exposureDuration], .number(0.0001...300 * 0.0001, step: 0.0001, default: 0.01))
        try opened.set(.exposureDuration, to: .number(0.03))
        XCTAssertEqual(fake.number(of: V4L2_CID_EXPOSURE_ABSOLUTE), 300)
    }

    func testAChangedRangeIsUpdatedAlsoWithAnObserver() throws {
        let (fake, opened, _) = try open([.integer(V4L2_CID_BRIGHTNESS, 0...10, 5)])
        let isReported = expectation(description: "the change is reported")
        let observation = opened.observeControls { _, value in
            if value == .number(0.25) { isReported.fulfill() }
        }
        fake.changeDescription(
            V4L2_CID_BRIGHTNESS, V4L2_EVENT_CTRL_CH_RANGE | V4L2_EVENT_CTRL_CH_VALUE
        ) { $0.maximum = 20 }
        wait(for: [isReported], timeout: 20)
        XCTAssertEqual(opened.controls[.brightness], .number(0...1, step: 0.05, default: 0.25))
        observation.cancel()
        opened.close()
    }

    func testAControlThatCannotBeQueriedAgainIsUnchanged() throws {
        let (fake, opened, fixture) = try open([.integer(V4L2_CID_BRIGHTNESS, 0...10, 5)])
        let before = opened.controls
        fake.changeDescription(V4L2_CID_BRIGHTNESS, V4L2_EVENT_CTRL_CH_RANGE) { $0.maximum = 20 }
        fixture.kernel.fail("VIDIOC_QUERY_EXT_CTRL", with: EIO)
        XCTAssertEqual(opened.controls, before)
    }

    /// Fails the first, second, … system call. Each time, the client receives a `DeviceError` or the value.
    func testEachFailingCallLeaksNothing() throws {
        var ordinal = 0
        var allCallsSucceeded = false
        while !allCallsSucceeded {
            ordinal += 1
            let fake = FakeV4L2Device()
            fake.controls = [
                .integer(V4L2_CID_BRIGHTNESS, 0...10, 5), .menu(V4L2_CID_EXPOSURE_AUTO, [0, 1], 0),
                .flag(V4L2_CID_AUTOGAIN, true), .integer(V4L2_CID_EXPOSURE_ABSOLUTE, 1...5000, 100),
            ]
            let fixture = V4L2Fixture(fake)
            let camera = try fixture.camera()
            let before = fixture.kernel.callCount
            fixture.kernel.fail(ordinal: ordinal, with: EIO)
            do {
                let opened = try camera.open()
                fake.changeDescription(V4L2_CID_BRIGHTNESS, V4L2_EVENT_CTRL_CH_RANGE) { $0.maximum = 20 }
                try opened.set(.exposureMode, to: .integer(ControlMode.custom.rawValue))
                try opened.set(.exposureDuration, to: .number(0.02))
                let isRead = try opened.value(of: .exposureDuration) == .number(0.02)
                // With fewer calls than `ordinal`, none has failed.
                allCallsSucceeded = isRead && fixture.kernel.callCount - before < ordinal
                opened.close()
            } catch {
                XCTAssertEqual(error.code, .inputOutput, "call \(ordinal): \(error)")
            }
            XCTAssertEqual(fixture.kernel.leaks.descriptors, 0, "after call \(ordinal) failed")
            if ordinal > 300 { return XCTFail("a call failed in each run") }
        }
        XCTAssertGreaterThan(ordinal, 20)
    }
}
