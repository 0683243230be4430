import CLinuxDevices
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the software loops of automatic exposure, white balance and focus, which drivers without automatic modes need.
///
/// The loops measure the frames of a fake camera with a scene, and set the manual controls of its driver.
final class V4L2AutomaticTests: XCTestCase {
    /// A running stream of a fake camera with a scene.
    private final class Fixture {
        let base: V4L2Fixture
        let fake: FakeV4L2Device
        let scene = FakeV4L2Scene()
        let opened: any OpenDevice
        private var stream: (any DeviceStream)?
        private let receiver = RecordingReceiver(keepsFrames: false)
        let changes = Lock<[(DeviceControl, ControlValue)]>([])
        private var observation: ObserverToken?

        init(_ fake: FakeV4L2Device = .manual()) throws {
            self.fake = fake
            base = V4L2Fixture(fake)
            let camera = try base.camera()
            opened = try camera.open()
            let stream = try opened.makeStream(base.configuration(camera))
            self.stream = stream
            observation = opened.observeControls { [changes] control, value in
                changes.withLock { $0.append((control, value)) }
            }
            try stream.start(receiver.receive)
        }

        deinit {
            stream?.stop()
            opened.close()
        }

        /// Releases the stream without stopping it.
        func releaseStream() { stream = nil }

        /// Captures frames, and waits after each one until the loops have processed it.
        func captureFrames(_ count: Int) {
            for _ in 0..<count {
                let bytes = scene.frame(of: fake)
                base.expose(FakeV4L2Device.Exposure(bytes: bytes))
                // The buffer is queued again when the frame has been processed.
                XCTAssertTrue(base.kernel.waitUntil { fake.queuedCount == 4 })
            }
            receiver.removeAll()
        }

        /// Captures frames until no loop is adjusting in nine consecutive frames. Returns the number of frames before
        /// these nine; nil if `limit` frames are not enough.
        func settle(within limit: Int) throws -> Int? {
            var stoppedCount = 0
            for count in 0..<limit {
                captureFrames(1)
                stoppedCount = try isAdjusting ? 0 : stoppedCount + 1
                if stoppedCount > 8 { return count - 8 }
            }
            return nil
        }

        var isAdjusting: Bool {
            get throws {
                try [.exposureAdjusting, .whiteBalanceAdjusting, .focusAdjusting].contains {
                    try opened.value(of: $0) == .flag(true)
                }
            }
        }

        /// The difference in EV between the last frame's exposure and the target of automatic exposure, a mean of 0.22.
        var error: Double { log2(scene.mean / 0.22) }

        /// The driver's values of the controls that the loops set: exposure time, gain, red and blue balance, focus.
        var numbers: [Int64?] {
            [
                V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_GAIN, V4L2_CID_RED_BALANCE, V4L2_CID_BLUE_BALANCE,
                V4L2_CID_FOCUS_ABSOLUTE,
            ].map { fake.number(of: $0) }
        }

        func set(_ control: DeviceControl, _ mode: ControlMode) throws {
            try opened.set(control, to: .integer(mode.rawValue))
        }

        func mode(_ control: DeviceControl) throws -> ControlMode? {
            guard case .integer(let raw) = try opened.value(of: control) else { return nil }
            return ControlMode(rawValue: raw)
        }
    }

    func testACameraWithoutAutomaticModesOffersThemWithSoftwareLoops() throws {
        let fixture = try Fixture()
        let all = ControlRange.options([0, 1, 2, 3], default: 2)
        for mode in [DeviceControl.exposureMode, .whiteBalanceMode, .focusMode] {
            XCTAssertEqual(fixture.opened.controls[mode], all)
            XCTAssertEqual(try fixture.mode(mode), .continuousAuto)
        }
        for control in fixture.opened.controls.keys { XCTAssertNoThrow(try fixture.opened.value(of: control)) }
        XCTAssertEqual(fixture.opened.controls[.exposurePoint], .point(defaultX: 0.5, defaultY: 0.5))
        assertCode(try fixture.opened.set(.exposureAdjusting, to: .flag(true)), .unsupportedControl)
        assertCode(try fixture.opened.set(.exposureBias, to: .number(9)), .unsupportedControl)
        assertCode(try fixture.opened.set(.exposureDuration, to: .number(9)), .unsupportedControl)
        XCTAssertEqual(try fixture.mode(.exposureMode), .continuousAuto)
    }

    func testHardwareLoopsAreNotReplaced() throws {
        let fake = FakeV4L2Device.manual()
        fake.controls[0] = .menu(V4L2_CID_EXPOSURE_AUTO, [nil, 1, nil, 3], 3)
        fake.controls += [.flag(V4L2_CID_AUTO_WHITE_BALANCE, true), .flag(V4L2_CID_FOCUS_AUTO, true)]
        let fixture = V4L2Fixture(fake)
        XCTAssertTrue(try fixture.camera().open() is V4L2OpenCamera)
        XCTAssertTrue(try V4L2Fixture().camera().open() is V4L2OpenCamera)
        // Only missing modes are added.
        fake.controls.removeLast()
        let opened = try fixture.camera().open()
        XCTAssertEqual(opened.controls[.focusMode], .options([0, 1, 2, 3], default: 2))
        XCTAssertNil(opened.controls[.exposurePoint])
    }

    func testAllThreeLoopsConvergeAndStop() throws {
        let fixture = try Fixture()
        (fixture.scene.light, fixture.scene.red, fixture.scene.blue, fixture.scene.sharpestFocus) = (
            0.8, 1.6, 0.55, 180
        )
        let count = try XCTUnwrap(fixture.settle(within: 150))
        XCTAssertGreaterThan(count, 10)
        XCTAssertEqual(fixture.error, 0, accuracy: 0.2)
        XCTAssertEqual(fixture.scene.redOverGreen, 1, accuracy: 0.05)
        XCTAssertEqual(fixture.scene.blueOverGreen, 1, accuracy: 0.05)
        XCTAssertEqual(try XCTUnwrap(fixture.fake.number(of: V4L2_CID_FOCUS_ABSOLUTE)), 180, accuracy: 8)
        let numbersBefore = fixture.numbers
        fixture.captureFrames(60)
        XCTAssertEqual(fixture.numbers, numbersBefore)
        XCTAssertFalse(try fixture.isAdjusting)
        // Changes are reported like those of hardware loops: the start, each change, and the end.
        let changes = fixture.changes.withLock { $0 }
        for (control, value) in [
            (DeviceControl.exposureAdjusting, ControlValue.flag(true)), (.exposureAdjusting, .flag(false)),
            (.whiteBalanceAdjusting, .flag(true)), (.whiteBalanceAdjusting, .flag(false)),
            (.focusAdjusting, .flag(true)), (.focusAdjusting, .flag(false)),
        ] { XCTAssertEqual(changes.filter { $0.0 == control && $0.1 == value }.count, 1, "\(control) \(value)") }
        XCTAssertEqual(
            changes.last { $0.0 == .exposureDuration }?.1, try fixture.opened.value(of: .exposureDuration))
        XCTAssertEqual(changes.last { $0.0 == .lensPosition }?.1, try fixture.opened.value(of: .lensPosition))
    }

    func testAutomaticExposureConvergesWithAnyDelayOfTheCamera() throws {
        for delay in [0, 2, 4] {
            let fixture = try Fixture()
            fixture.scene.delayFrameCount = delay
            XCTAssertNotNil(try fixture.settle(within: 150))
            for light in [0.22 / 16, 0.22, 3.5, 0.1] {
                fixture.scene.light = light
                let message = "\(light), delayed by \(delay) frames"
                fixture.captureFrames(4)
                XCTAssertTrue(try fixture.isAdjusting, message)
                XCTAssertNotNil(try fixture.settle(within: 150), message)
                XCTAssertEqual(fixture.error, 0, accuracy: 0.25, message)
                // The exposure time is limited by the frame duration.
                XCTAssertLessThanOrEqual(try XCTUnwrap(fixture.fake.number(of: V4L2_CID_EXPOSURE_ABSOLUTE)), 333)
            }
        }
    }

    func testExposureTimesAreMultiplesOfTheFlickerPeriod() throws {
        let fixture = try Fixture()
        fixture.scene.light = 0.12
        XCTAssertNotNil(try fixture.settle(within: 150))
        XCTAssertEqual(try XCTUnwrap(fixture.fake.number(of: V4L2_CID_EXPOSURE_ABSOLUTE)) % 100, 0)
        try fixture.opened.set(.powerLineFrequency, to: .integer(60))
        XCTAssertNotNil(try fixture.settle(within: 150))
        // Multiples of 8.33 ms in units of 0.1 ms.
        XCTAssertTrue([83, 166, 250, 333].contains(try XCTUnwrap(fixture.fake.number(of: V4L2_CID_EXPOSURE_ABSOLUTE))))
        XCTAssertEqual(fixture.error, 0, accuracy: 0.25)
    }

    func testBiasAndPointOfInterestAreApplied() throws {
        let fixture = try Fixture()
        for bias in [-1.0, 1] {
            try fixture.opened.set(.exposureBias, to: .number(bias))
            XCTAssertNotNil(try fixture.settle(within: 150))
            XCTAssertEqual(fixture.error, bias, accuracy: 0.25)
        }
        try fixture.opened.set(.exposureBias, to: .number(0))
        fixture.scene.leftLight = 8
        try fixture.opened.set(.exposurePoint, to: .point(x: 0.8, y: 0.5))
        XCTAssertNotNil(try fixture.settle(within: 150))
        let meanWithDarkHalfMetered = fixture.scene.mean
        try fixture.opened.set(.exposurePoint, to: .point(x: 0.2, y: 0.5))
        XCTAssertNotNil(try fixture.settle(within: 150))
        XCTAssertGreaterThan(log2(meanWithDarkHalfMetered / fixture.scene.mean), 1.5)
        // The left half is eight times as bright as the right one, so it has 16/9 of the mean.
        XCTAssertEqual(fixture.scene.mean / 9 * 16, 0.22, accuracy: 0.06)
    }

    func testLockedAndCustomModesDoNotChangeControls() throws {
        let fixture = try Fixture()
        fixture.captureFrames(6)
        XCTAssertTrue(try fixture.isAdjusting)
        try fixture.set(.exposureMode, .locked)
        try fixture.opened.set(.redGain, to: .number(100))
        try fixture.opened.set(.lensPosition, to: .number(0.5))
        XCTAssertEqual(try fixture.mode(.exposureMode), .locked)
        XCTAssertEqual(try fixture.mode(.whiteBalanceMode), .custom)
        XCTAssertEqual(try fixture.mode(.focusMode), .custom)
        XCTAssertFalse(try fixture.isAdjusting)
        let numbersBefore = fixture.numbers
        fixture.scene.light *= 8
        fixture.captureFrames(40)
        XCTAssertEqual(fixture.numbers, numbersBefore)
        XCTAssertEqual(fixture.fake.number(of: V4L2_CID_RED_BALANCE), 100)
        XCTAssertEqual(fixture.fake.number(of: V4L2_CID_FOCUS_ABSOLUTE), 125)
        try fixture.set(.exposureMode, .continuousAuto)
        XCTAssertNotNil(try fixture.settle(within: 150))
        XCTAssertEqual(fixture.error, 0, accuracy: 0.25)
        try fixture.opened.set(.exposureDuration, to: .number(0.005))
        XCTAssertEqual(try fixture.mode(.exposureMode), .custom)
        fixture.captureFrames(40)
        XCTAssertEqual(fixture.fake.number(of: V4L2_CID_EXPOSURE_ABSOLUTE), 50)
    }

    func testAutoModesAdjustOnce() throws {
        let fixture = try Fixture()
        for mode in [DeviceControl.exposureMode, .whiteBalanceMode, .focusMode] { try fixture.set(mode, .auto) }
        (fixture.scene.light, fixture.scene.red, fixture.scene.sharpestFocus) = (0.6, 1.3, 90)
        XCTAssertNotNil(try fixture.settle(within: 150))
        for mode in [DeviceControl.exposureMode, .whiteBalanceMode, .focusMode] {
            XCTAssertEqual(try fixture.mode(mode), .locked)
            XCTAssertTrue(fixture.changes.withLock { $0.contains { $0.0 == mode && $0.1 == .integer(0) } })
        }
        XCTAssertEqual(fixture.error, 0, accuracy: 0.2)
        XCTAssertEqual(try XCTUnwrap(fixture.fake.number(of: V4L2_CID_FOCUS_ABSOLUTE)), 90, accuracy: 8)
        let numbersBefore = fixture.numbers
        (fixture.scene.light, fixture.scene.sharpestFocus) = (0.1, 200)
        fixture.captureFrames(40)
        XCTAssertEqual(fixture.numbers, numbersBefore)
    }

    func testFocusFollowsAChangeOfTheSubjectDistance() throws {
        let fixture = try Fixture()
        fixture.scene.sharpestFocus = 200
        XCTAssertNotNil(try fixture.settle(within: 150))
        fixture.scene.sharpestFocus = 40
        fixture.captureFrames(20)
        XCTAssertTrue(try fixture.isAdjusting)
        XCTAssertNotNil(try fixture.settle(within: 200))
        XCTAssertEqual(try XCTUnwrap(fixture.fake.number(of: V4L2_CID_FOCUS_ABSOLUTE)), 40, accuracy: 8)
    }

    func testTheLoopsRecoverIfAWriteFails() throws {
        var ordinal = 1
        while true {
            let fixture = try Fixture()
            (fixture.scene.light, fixture.scene.red, fixture.scene.sharpestFocus) = (0.7, 1.4, 120)
            let before = fixture.base.kernel.callCount(of: "VIDIOC_S_CTRL")
            fixture.base.kernel.fail("VIDIOC_S_CTRL", ordinal: ordinal, with: ordinal % 2 == 0 ? EIO : EBUSY)
            XCTAssertNotNil(try fixture.settle(within: 200), "write \(ordinal)")
            XCTAssertEqual(fixture.error, 0, accuracy: 0.25, "write \(ordinal)")
            XCTAssertEqual(fixture.scene.redOverGreen, 1, accuracy: 0.06, "write \(ordinal)")
            XCTAssertEqual(
                try XCTUnwrap(fixture.fake.number(of: V4L2_CID_FOCUS_ABSOLUTE)), 120, accuracy: 10, "write \(ordinal)")
            if fixture.base.kernel.callCount(of: "VIDIOC_S_CTRL") - before < ordinal { return }
            ordinal += 7
        }
    }

    func testTheLoopsStopIfAllWritesToTheDriverFail() throws {
        let fixture = try Fixture()
        fixture.base.kernel.fail("VIDIOC_S_CTRL", with: EIO, always: true)
        fixture.scene.light = 0.01
        fixture.captureFrames(30)
        XCTAssertFalse(try fixture.isAdjusting)
        // Locking does not need a write.
        XCTAssertNoThrow(try fixture.set(.exposureMode, .locked))
        fixture.base.kernel.endFailures()
        try fixture.set(.exposureMode, .continuousAuto)
        XCTAssertNotNil(try fixture.settle(within: 150))
    }

    func testReleasingTheStreamEndsTheAdjustment() throws {
        let fixture = try Fixture()
        fixture.captureFrames(6)
        XCTAssertTrue(try fixture.isAdjusting)
        fixture.releaseStream()
        XCTAssertFalse(try fixture.isAdjusting)
    }

    func testDisconnectingWhileLoopsAdjustFailsTheStream() throws {
        let fixture = V4L2Fixture(.manual())
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 1).count, 1)
        fixture.kernel.unplug(V4L2Fixture.path)
        XCTAssertEqual(receiver.wait(for: 2).last?.failure?.code, .disconnected)
        XCTAssertEqual(try opened.value(of: .exposureAdjusting), .flag(false))
        stream.stop()
        opened.close()
    }

    func testAnExposureBiasOfZeroRestoresALockedExposure() throws {
        let fixture = try Fixture()
        fixture.scene.light = 0.8
        XCTAssertNotNil(try fixture.settle(within: 150))
        try fixture.set(.exposureMode, .locked)
        let (start, locked) = (fixture.error, Array(fixture.numbers.prefix(2)))
        for bias in [-1.0, 1, 0] {
            try fixture.opened.set(.exposureBias, to: .number(bias))
            fixture.captureFrames(6)
            XCTAssertEqual(fixture.error - start, bias, accuracy: 0.15)
            XCTAssertEqual(try fixture.mode(.exposureMode), .locked)
        }
        XCTAssertEqual(Array(fixture.numbers.prefix(2)), locked)
        try fixture.set(.exposureMode, .custom)
        try fixture.opened.set(.exposureBias, to: .number(-1))
        fixture.captureFrames(6)
        XCTAssertEqual(Array(fixture.numbers.prefix(2)), locked)
    }
}
