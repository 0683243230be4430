import CaptureHAL
import MediaTypes
import ThreeA
import XCTest

@testable import SimDevices

final class SimCameraTests: XCTestCase {
    /// The middle of the picture, in linear light.
    private func level(_ rig: SimRig) throws -> Double {
        linear(try XCTUnwrap(rig.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4).y)
    }

    private func set(_ rig: SimRig, _ values: [(DeviceControl, ControlValue)]) throws {
        for (control, value) in values { try rig.device.set(control, to: value) }
    }

    /// Lets frames come at 30 a second, and keeps the last one.
    private func wait(_ rig: SimRig, frames count: Int) {
        for _ in 0..<count {
            rig.clear()
            rig.clock.advance(by: .nanoseconds(33_333_334))
        }
    }

    func testDoublingTheExposureDoublesTheLinearSignal() throws {
        let rig = try SimRig()
        try set(rig, [(.exposureDuration, .number(0.004)), (.iso, .number(100))])
        try rig.start()
        rig.clock.advance(by: .milliseconds(1))
        let once = try level(rig)
        try set(rig, [(.exposureDuration, .number(0.008))])
        rig.clock.advance(by: .milliseconds(34))
        let twice = try level(rig)
        XCTAssertEqual(twice / once, 2, accuracy: 0.04)
        try set(rig, [(.iso, .number(50))])
        rig.clock.advance(by: .milliseconds(34))
        XCTAssertEqual(try level(rig) / once, 1, accuracy: 0.02)
        // The picture's level is what ISO 12232 says of 500 lx on an 18 % card.
        let expected = 0.18 * Optics.saturation(lux: 500, seconds: 0.008, iso: 50, aperture: 1.78)
        XCTAssertEqual(try level(rig) / expected, 1, accuracy: 0.03)
    }

    func testSettingsTellWhatFormedThePicture() throws {
        let rig = try SimRig()
        try set(
            rig,
            [
                (.exposureDuration, .number(0.004)), (.iso, .number(200)), (.zoomFactor, .number(2)),
                (.whiteBalanceTemperature, .number(4000)),
            ])
        try rig.start()
        rig.clock.advance(by: .milliseconds(1))
        let settings = try XCTUnwrap(rig.frames.last).settings
        XCTAssertEqual(settings.exposureDuration, CMTime(nanoseconds: 4_000_000))
        XCTAssertEqual(settings.iso, 200)
        XCTAssertEqual(settings.zoomFactor, 2)
        XCTAssertEqual(settings.aperture, 1.78)
        XCTAssertEqual(settings.whiteBalanceKelvin, 4000)
        XCTAssertFalse(settings.flashFired)
    }

    func testAutomaticExposureConvergesAndTellsEachStep() throws {
        let rig = try SimRig()
        let steps = Lock<[DeviceControl]>([])
        let observation = rig.device.observeControls { control, _ in steps.withLock { $0.append(control) } }
        // Of the settings the exposure alone is to change.
        try set(
            rig, [(.exposureDuration, .number(0.0005)), (.iso, .number(50)), (.whiteBalanceTemperature, .number(5000))])
        XCTAssertEqual(try rig.device.value(of: .exposureMode), .integer(ControlMode.custom.rawValue))
        try rig.start()
        rig.clock.advance(by: .milliseconds(1))
        XCTAssertLessThan(try level(rig), 0.02)
        steps.withLock { $0 = [] }
        try set(rig, [(.exposureMode, .integer(ControlMode.auto.rawValue))])
        var previous = try XCTUnwrap(rig.frames.last?.settings)
        var changes = 0
        for _ in 0..<40 {
            rig.clock.advance(by: .nanoseconds(33_333_334))
            let settings = try XCTUnwrap(rig.frames.last?.settings)
            if settings != previous { changes += 1 }
            previous = settings
        }
        // Within a sixth of an EV, in steps; then it locks.
        XCTAssertEqual(try level(rig) / AutoExposure.target, 1, accuracy: 0.12)
        XCTAssertGreaterThan(changes, 3)
        XCTAssertEqual(try rig.device.value(of: .exposureMode), .integer(ControlMode.locked.rawValue))
        XCTAssertGreaterThanOrEqual(
            steps.withLock { $0.filter { $0 == .exposureDuration || $0 == .iso }.count }, changes - 1)
        XCTAssertTrue(steps.withLock { $0.contains(.exposureMode) })
        observation.cancel()
    }

    func testTheFirstFrameIsExposedWell() throws {
        let rig = try SimRig()
        try rig.start()
        rig.clock.advance(by: .milliseconds(1))
        XCTAssertEqual(try level(rig) / AutoExposure.target, 1, accuracy: 0.12)
    }

    func testTheFirstFrameIsBalancedAndSaysSo() throws {
        for kelvin in [2800.0, 4000, 6500] {
            let rig = try SimRig(light: SceneLight(lux: 500, kelvin: kelvin))
            let told = Lock<[DeviceControl]>([])
            let observation = rig.device.observeControls { control, _ in told.withLock { $0.append(control) } }
            try rig.start()
            rig.clock.advance(by: .milliseconds(1))
            let frame = try XCTUnwrap(rig.frames.first)
            let mean = try frame.buffer.mean(0.3, 0.3, 0.4, 0.4)
            XCTAssertEqual(mean.cb, 0, accuracy: 2, "\(kelvin)")
            XCTAssertEqual(mean.cr, 0, accuracy: 2, "\(kelvin)")
            XCTAssertEqual(frame.settings.whiteBalanceKelvin ?? 0, kelvin, accuracy: kelvin * 0.06)
            // The gains were told that formed it.
            XCTAssertTrue(told.withLock { Set($0) }.isSuperset(of: [.redGain, .blueGain, .whiteBalanceTemperature]))
            observation.cancel()
        }
    }

    func testExposureBiasMovesTheTarget() throws {
        let rig = try SimRig()
        try set(rig, [(.exposureBias, .number(-1))])
        try rig.start()
        rig.clock.advance(by: .seconds(1))
        XCTAssertEqual(try level(rig) / AutoExposure.target, 0.5, accuracy: 0.06)
    }

    func testWhiteBalanceMakesTheCardNeutralOrNot() throws {
        let rig = try SimRig()
        try rig.start()
        for (kelvin, blue) in [(5000.0, 0.0), (7500, -1), (3200, 1)] {
            try set(rig, [(.whiteBalanceTemperature, .number(kelvin))])
            rig.clock.advance(by: .milliseconds(34))
            let mean = try XCTUnwrap(rig.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4)
            if blue == 0 {
                XCTAssertEqual(mean.cb, 0, accuracy: 1)
                XCTAssertEqual(mean.cr, 0, accuracy: 1)
            } else {
                // A camera that thinks the light bluer than it is gives a yellow picture.
                XCTAssertGreaterThan(mean.cb * blue, 4)
                XCTAssertLessThan(mean.cr * blue, -2)
            }
        }
        try set(rig, [(.redGain, .number(4))])
        rig.clock.advance(by: .milliseconds(34))
        XCTAssertNil(rig.frames.last?.settings.whiteBalanceKelvin)
        XCTAssertGreaterThan(try XCTUnwrap(rig.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4).cr, 10)
    }

    func testAutomaticWhiteBalanceMakesTheCardNeutralAndLocks() throws {
        for kelvin in [2800.0, 4000, 6500, 7800] {
            let rig = try SimRig()
            try set(rig, [(.whiteBalanceTemperature, .number(kelvin))])
            try rig.start()
            rig.clock.advance(by: .milliseconds(34))
            let told = Lock<[String]>([])
            let observation = rig.device.observeControls { control, value in
                guard [.whiteBalanceMode, .whiteBalanceAdjusting].contains(control) else { return }
                told.withLock { $0.append("\(control) \(value)") }
            }
            try set(rig, [(.whiteBalanceMode, .integer(ControlMode.auto.rawValue))])
            rig.clock.advance(by: .milliseconds(34))
            XCTAssertEqual(try rig.device.value(of: .whiteBalanceAdjusting), .flag(true))
            wait(rig, frames: 90)
            let mean = try XCTUnwrap(rig.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4)
            XCTAssertEqual(mean.cb, 0, accuracy: 1.2, "\(kelvin)")
            XCTAssertEqual(mean.cr, 0, accuracy: 1.2, "\(kelvin)")
            // The card is lit by 5,000 K.
            XCTAssertEqual(rig.frames.last?.settings.whiteBalanceKelvin ?? 0, 5000, accuracy: 250)
            XCTAssertEqual(try rig.device.value(of: .whiteBalanceMode), .integer(ControlMode.locked.rawValue))
            XCTAssertEqual(
                told.withLock { $0 },
                [
                    "whiteBalanceAdjusting flag(true)", "whiteBalanceMode integer(0)",
                    "whiteBalanceAdjusting flag(false)",
                ], "\(kelvin)")
            let settings = rig.frames.last?.settings
            wait(rig, frames: 30)
            XCTAssertEqual(rig.frames.last?.settings, settings)
            observation.cancel()
        }
    }

    func testAdjustingIsToldWhileTheExposureMoves() throws {
        let rig = try SimRig()
        try set(rig, [(.exposureDuration, .number(0.0005)), (.iso, .number(50))])
        try rig.start()
        rig.clock.advance(by: .milliseconds(1))
        XCTAssertEqual(try rig.device.value(of: .exposureAdjusting), .flag(false))
        try set(rig, [(.exposureMode, .integer(ControlMode.continuousAuto.rawValue))])
        var wasAdjusting = false
        for _ in 0..<40 {
            let before = rig.frames.last?.settings
            wait(rig, frames: 1)
            let isAdjusting = try rig.device.value(of: .exposureAdjusting) == .flag(true)
            wasAdjusting = wasAdjusting || isAdjusting
            // What moved the picture was told.
            if before != rig.frames.last?.settings { XCTAssertTrue(wasAdjusting) }
        }
        XCTAssertTrue(wasAdjusting)
        XCTAssertEqual(try rig.device.value(of: .exposureAdjusting), .flag(false))
        XCTAssertThrowsError(try rig.device.set(.exposureAdjusting, to: .flag(true)))
        // Locked on its way, it is at rest.
        try set(rig, [(.exposureBias, .number(2))])
        wait(rig, frames: 2)
        XCTAssertEqual(try rig.device.value(of: .exposureAdjusting), .flag(true))
        try set(rig, [(.exposureMode, .integer(ControlMode.locked.rawValue))])
        XCTAssertEqual(try rig.device.value(of: .exposureAdjusting), .flag(false))
    }

    func testPatchesOfTheChartHaveTheirReflectance() throws {
        let rig = try SimRig(scene: .chart, size: (1280, 720))
        try set(
            rig, [(.exposureDuration, .number(0.008)), (.iso, .number(60)), (.whiteBalanceTemperature, .number(5000))])
        try rig.start()
        rig.clock.advance(by: .milliseconds(1))
        let buffer = try XCTUnwrap(rig.frames.last).buffer
        let gain = Optics.saturation(lux: 1000, seconds: 0.008, iso: 60, aperture: 1.78)
        for index in 18..<23 {
            let frame = ChartScene.patchFrame(index)
            let mean = buffer.mean(
                frame.x + frame.width / 4, frame.y + frame.height / 4, frame.width / 2, frame.height / 2)
            let expected = ChartScene.patches[index].green * gain
            XCTAssertEqual(linear(mean.y) / expected, 1, accuracy: 0.04, "patch \(index)")
            XCTAssertEqual(mean.cb, 0, accuracy: 1.5)
        }
    }

    func testKeptHighlightsLeaveTheExposureAsItIs() throws {
        for bias in [0.0, 2] {
            let rig = try SimRig(scene: .chart, size: (1280, 720))
            try set(rig, [(.videoHDR, .flag(false)), (.exposureBias, .number(bias))])
            try rig.start()
            wait(rig, frames: 60)
            let plain = try XCTUnwrap(rig.frames.last).settings
            try set(rig, [(.videoHDR, .flag(true))])
            wait(rig, frames: 60)
            let kept = try XCTUnwrap(rig.frames.last).settings
            func product(_ settings: FrameSettings) throws -> Double {
                try XCTUnwrap(settings.exposureDuration).seconds * XCTUnwrap(settings.iso)
            }
            XCTAssertEqual(try log2(product(kept) / product(plain)), 0, accuracy: 0.3, "\(bias) EV")
        }
    }

    func testAnAutomaticCameraKeepsTheHighlightsOfASceneThatHasThem() throws {
        for (scene, keeps) in [(SimScene.backlight, true), (.chart, false)] {
            let rig = try SimRig(scene: scene, size: (1280, 720))
            try rig.start()
            wait(rig, frames: 60)
            XCTAssertEqual(try rig.device.value(of: .videoHDR), .flag(keeps), "\(scene)")
            XCTAssertEqual(try rig.device.value(of: .automaticVideoHDR), .flag(true))
        }
    }

    func testZoomShowsTheMiddleLarger() throws {
        let rig = try SimRig(scene: .chart, size: (1280, 720))
        try rig.start()
        rig.clock.advance(by: .milliseconds(1))
        let whole = try XCTUnwrap(rig.frames.last).buffer
        try set(rig, [(.exposureMode, .integer(ControlMode.locked.rawValue)), (.zoomFactor, .number(2))])
        rig.clock.advance(by: .milliseconds(34))
        let zoomed = try XCTUnwrap(rig.frames.last).buffer
        // What was at 0.45 is at 0.4 of the doubled picture.
        for (x, y) in [(0.36, 0.42), (0.46, 0.59), (0.53, 0.28)] {
            let before = whole.mean(x, y, 0.02, 0.02)
            let after = zoomed.mean((x - 0.25) * 2, (y - 0.25) * 2, 0.04, 0.04)
            XCTAssertEqual(before.y, after.y, accuracy: 2)
            XCTAssertEqual(before.cb, after.cb, accuracy: 2)
            XCTAssertEqual(before.cr, after.cr, accuracy: 2)
        }
    }

    func testTorchAndFlashLightTheCard() throws {
        let rig = try SimRig()
        try set(rig, [(.exposureDuration, .number(0.004)), (.iso, .number(50))])
        try rig.start()
        rig.clock.advance(by: .milliseconds(1))
        let dark = try level(rig)
        try set(rig, [(.torchLevel, .number(1))])
        rig.clock.advance(by: .milliseconds(34))
        // 220 lx of torch at 1 m on top of 500 lx.
        XCTAssertEqual(try level(rig) / dark, 720.0 / 500, accuracy: 0.04)
        try set(rig, [(.torchLevel, .number(0)), (.flash, .flag(true))])
        rig.clock.advance(by: .milliseconds(34))
        XCTAssertEqual(rig.frames.last?.settings.flashFired, true)
        XCTAssertGreaterThan(try level(rig) / dark, 4)
        rig.clock.advance(by: .milliseconds(34))
        XCTAssertEqual(rig.frames.last?.settings.flashFired, false)
        XCTAssertEqual(try level(rig) / dark, 1, accuracy: 0.03)
    }

    func testNoiseGrowsWithTheRootOfISO() throws {
        func deviation(iso: Double, seconds: Double) throws -> Double {
            let rig = try SimRig()
            try set(rig, [(.exposureDuration, .number(seconds)), (.iso, .number(iso))])
            try rig.start()
            rig.clock.advance(by: .milliseconds(1))
            let plane = try XCTUnwrap(rig.frames.last).buffer.planes[0]
            var sum = 0.0
            var squares = 0.0
            for y in 200..<300 {
                for x in 200..<400 {
                    let value = Double(
                        plane.baseAddress.load(fromByteOffset: y * plane.bytesPerRow + x, as: UInt8.self))
                    sum += value
                    squares += value * value
                }
            }
            let mean = sum / 20000
            return (squares / 20000 - mean * mean).squareRoot()
        }
        let low = try deviation(iso: 400, seconds: 0.008)
        let high = try deviation(iso: 3200, seconds: 0.001)
        XCTAssertEqual(high / low, 8.0.squareRoot(), accuracy: 0.2)
    }

    func testOnlyControlsThatActAreOffered() throws {
        let fixed = try SimRig(profile: "webcam", device: "webcam.camera")
        XCTAssertNil(fixed.device.controls[.lensPosition])
        XCTAssertNil(fixed.device.controls[.focusMode])
        XCTAssertThrowsError(try fixed.device.set(.lensPosition, to: .number(0.5))) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .unsupportedControl)
        }
        let rig = try SimRig()
        let controls = rig.device.controls
        XCTAssertThrowsError(try rig.device.set(.iso, to: .number(1)))
        let front = try SimRig(device: "phone.front")
        XCTAssertNil(front.device.controls[.torchLevel])
        for control in controls.keys { XCTAssertNoThrow(try rig.device.value(of: control)) }
    }

    func testALongExposureLengthensTheFrame() throws {
        let rig = try SimRig()
        try set(rig, [(.exposureDuration, .number(0.1))])
        try rig.start()
        rig.clock.advance(by: .milliseconds(350))
        XCTAssertEqual(rig.frames.map(\.presentationTime.nanoseconds), [0, 100_000_000, 200_000_000, 300_000_000])
    }
}
