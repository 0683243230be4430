import CaptureHAL
import MediaTypes
import ThreeA
import XCTest

@testable import SimDevices

final class SimCameraTests: XCTestCase {
    func testCarsThatPassAtNightDoNotStartAFocusScan() throws {
        let fixture = try SimDeviceFixture(scene: .night, size: (1920, 1080))
        let positions = Lock<Set<Double>>([])
        try fixture.start(keeping: false) { event in
            guard case .video(let frame) = event, let position = frame.settings.lensPosition else { return }
            positions.withLock { _ = $0.insert(position) }
        }
        // After two seconds, headlights have doubled the brightness of the focus window for half a second.
        fixture.clock.advance(by: .milliseconds(2500))
        XCTAssertEqual(positions.withLock { $0.count }, 1)
        fixture.stream.stop()
    }

    /// Returns the mean linear light in the center of the last frame.
    private func level(_ fixture: SimDeviceFixture) throws -> Double {
        linear(try XCTUnwrap(fixture.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4).y)
    }

    func testAClosedShutterDeliversBlackFramesUntilItOpens() throws {
        let fixture = try SimDeviceFixture()
        try fixture.host.setSuspended(true, uniqueID: "phone.back-wide")
        try fixture.start()
        wait(fixture, frames: 10)
        // Neither the torch nor the longest exposure helps; the highest gain adds some noise.
        try fixture.device.set(.torchLevel, to: .number(1))
        wait(fixture, frames: 2)
        XCTAssertLessThan(try level(fixture), 0.02)
        try fixture.device.set(.torchLevel, to: .number(0))
        try fixture.host.setSuspended(false, uniqueID: "phone.back-wide")
        wait(fixture, frames: 40)
        XCTAssertGreaterThan(try level(fixture), 0.15)
        try fixture.host.setSuspended(true, uniqueID: "phone.back-wide")
        wait(fixture, frames: 2)
        XCTAssertLessThan(try level(fixture), 0.02)
        fixture.stream.stop()
    }

    private func set(_ fixture: SimDeviceFixture, _ values: [(DeviceControl, ControlValue)]) throws {
        for (control, value) in values { try fixture.device.set(control, to: value) }
    }

    /// Advances by a number of frames at 30 fps and keeps only the last one.
    private func wait(_ fixture: SimDeviceFixture, frames count: Int) {
        for _ in 0..<count {
            fixture.clear()
            fixture.clock.advance(by: .nanoseconds(33_333_334))
        }
    }

    func testAColorSpaceThatTheFormatDoesNotSupportIsNotUsed() throws {
        func transfer(_ pixelFormat: OSType) throws -> [String?] {
            let fixture = try SimDeviceFixture(size: (1280, 720), pixelFormat: pixelFormat)
            try fixture.start()
            try fixture.device.set(.colorSpace, to: .integer(CameraColorSpace.hlgBT2020.rawValue))
            wait(fixture, frames: 3)
            fixture.stream.stop()
            return try fixture.frames.map {
                try $0.buffer.attachments[kCVImageBufferTransferFunctionKey]?.value as? String
            }
        }
        XCTAssertEqual(
            try transfer(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange), [kCVImageBufferTransferFunction_ITU_R_709_2])
        XCTAssertEqual(
            try transfer(kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange),
            [kCVImageBufferTransferFunction_ITU_R_2100_HLG])
    }

    /// Returns the linear light of the backlit face.
    ///
    /// - Parameters:
    ///   - point: The point at which the camera meters.
    private func backlitFace(isFaceDriven: Bool, _ point: (x: Double, y: Double) = (0.5, 0.5)) throws -> Double {
        let fixture = try SimDeviceFixture(scene: .backlight, size: (1280, 720))
        try fixture.device.set(.faceDrivenExposure, to: .flag(isFaceDriven))
        try fixture.device.set(.exposurePoint, to: .point(x: point.x, y: point.y))
        let last = Lock<CVPixelBuffer?>(nil)
        try fixture.start(keeping: false) { event in
            if case .video(let frame) = event { last.withLock { $0 = try? frame.buffer } }
        }
        fixture.clock.advance(by: .milliseconds(1500))
        return linear(try XCTUnwrap(last.withLock { $0 }).mean(0.515, 0.45, 0.04, 0.07).y)
    }

    func testExposingForABacklitFaceBrightensIt() throws {
        let centerMetered = try backlitFace(isFaceDriven: false)
        // The center of the face, and taps near it.
        for point in [(0.536, 0.478), (0.53, 0.45), (0.54, 0.5)] {
            let faceLevel = try backlitFace(isFaceDriven: false, point)
            XCTAssertGreaterThan(faceLevel, 0.12, "\(point)")
            XCTAssertGreaterThan(faceLevel, 2 * centerMetered, "\(point)")
        }
    }

    func testFaceDrivenExposureBrightensABacklitFace() throws {
        let (with, without) = (try backlitFace(isFaceDriven: true), try backlitFace(isFaceDriven: false))
        XCTAssertGreaterThan(with, 0.12)
        XCTAssertGreaterThan(with, 3 * without)
        // The point is in the sky; an exposure point of the client takes precedence over faces.
        let sky = (0.3, 0.2)
        XCTAssertEqual(try backlitFace(isFaceDriven: true, sky), try backlitFace(isFaceDriven: false, sky))
        XCTAssertLessThan(try backlitFace(isFaceDriven: true, sky), without)
    }

    private typealias ReceivedFrame = (settings: FrameSettings, faces: [DetectedFace])

    /// Returns the frames of a run without their images, so that they occupy no buffers.
    private func run(_ fixture: SimDeviceFixture, milliseconds: Int) throws -> [ReceivedFrame] {
        let frames = Lock<[ReceivedFrame]>([])
        try fixture.start(keeping: false) { event in
            if case .video(let frame) = event { frames.withLock { $0.append((frame.settings, frame.faces)) } }
        }
        fixture.clock.advance(by: .milliseconds(milliseconds))
        fixture.stream.stop()
        return frames.withLock { $0 }
    }

    func testFaceDrivenExposureRemainsSteady() throws {
        let fixture = try SimDeviceFixture(scene: .portrait, size: (1280, 720))
        // The settings do not change although the heads sway.
        let settings = try run(fixture, milliseconds: 4000).dropFirst(30).map(\.settings)
        XCTAssertEqual(settings.count, 91)
        XCTAssertEqual(Set(settings.map(\.exposureDuration)).count, 1)
        XCTAssertEqual(Set(settings.map(\.iso)).count, 1)
        XCTAssertEqual(Set(settings.map(\.lensPosition)).count, 1)
    }

    func testFramesContainFacesWithStableIdentifiers() throws {
        let fixture = try SimDeviceFixture(scene: .portrait, size: (640, 480))
        let frames = try run(fixture, milliseconds: 3000).map(\.faces)
        XCTAssertEqual(frames.count, 91)
        for faces in frames {
            XCTAssertEqual(faces.map(\.id), frames[0].map(\.id))
            XCTAssertEqual(faces.map(\.height), faces.map(\.height).sorted(by: >))
        }
        XCTAssertEqual(frames[0].map(\.id).sorted(), [1, 2, 3])
        XCTAssertGreaterThan(Set(frames.map { $0[0].x }).count, 80, "the head does not move")
        // The camera does not track faces while it does not stream.
        fixture.clock.advance(by: .milliseconds(2000))
        XCTAssertEqual(try run(fixture, milliseconds: 1)[0].faces.map(\.id).sorted(), [4, 5, 6])
    }

    func testACameraWithoutFaceDetectionReportsNone() throws {
        let fixture = try SimDeviceFixture(
            profile: "webcam", device: "webcam.camera", scene: .portrait, size: (640, 480),
            pixelFormat: kCVPixelFormatType_422YpCbCr8_yuvs)
        XCTAssertNil(fixture.device.controls[.faceDrivenExposure])
        XCTAssertNil(fixture.device.controls[.faceDrivenFocus])
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(40))
        XCTAssertEqual(fixture.frames.map(\.faces), [[], []])
    }

    func testAVirtualCameraKeepsTheIdentifiersWhenItSwitches() throws {
        let fixture = try SimDeviceFixture(device: "phone.back-dual", scene: .portrait, size: (1280, 720))
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(100))
        let unzoomedFace = try XCTUnwrap(fixture.frames.last?.faces.first)
        try fixture.device.set(.zoomFactor, to: .number(4))
        fixture.clock.advance(by: .milliseconds(100))
        let zoomedFace = try XCTUnwrap(fixture.frames.last?.faces.first)
        XCTAssertEqual(zoomedFace.id, unzoomedFace.id)
        XCTAssertGreaterThan(zoomedFace.height, 3 * unzoomedFace.height)
    }

    func testFaceDrivenFocusPrefersAFaceToTheCenter() throws {
        // A label at 30 cm covers the nearest person, who is in the center.
        let scene = try SceneFile(
            yaml: """
                scene: 1
                name: label
                base: portrait
                codes:
                  - {kind: qr, text: "https://example.org", depth: 30 cm, x: 17 mm, y: 7 mm, module: 4 mm}
                """, file: "label.yaml")
        /// Returns the lens position after a scan.
        func position(isFaceDriven: Bool, _ point: (x: Double, y: Double) = (0.5, 0.5)) throws -> Double {
            let fixture = try SimDeviceFixture(scene: .file(scene), size: (1280, 720))
            try set(
                fixture,
                [
                    (.faceDrivenFocus, .flag(isFaceDriven)), (.focusPoint, .point(x: point.x, y: point.y)),
                    (.focusMode, .integer(ControlMode.auto.rawValue)),
                ])
            let frames = try run(fixture, milliseconds: 3000)
            XCTAssertEqual(try fixture.device.value(of: .focusMode), .integer(ControlMode.locked.rawValue))
            XCTAssertEqual(frames[0].faces.count, 2, "the nearest face is not covered")
            return try XCTUnwrap(frames.last?.settings.lensPosition)
        }
        func expected(_ distance: Double) -> Double { 1 - 0.2 / distance }
        // The accuracy of 0.05 corresponds to a circle of confusion with a radius of half a pixel.
        XCTAssertEqual(try position(isFaceDriven: false), expected(0.3), accuracy: 0.05)
        XCTAssertEqual(try position(isFaceDriven: true), expected(1.6), accuracy: 0.05)
        // The point is on the label; a focus point of the client takes precedence over faces.
        XCTAssertEqual(try position(isFaceDriven: true, (0.53, 0.48)), expected(0.3), accuracy: 0.05)
    }

    func testDoublingTheExposureDoublesTheLinearSignal() throws {
        let fixture = try SimDeviceFixture()
        try set(fixture, [(.exposureDuration, .number(0.004)), (.iso, .number(100))])
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        let once = try level(fixture)
        try set(fixture, [(.exposureDuration, .number(0.008))])
        fixture.clock.advance(by: .milliseconds(34))
        let twice = try level(fixture)
        XCTAssertEqual(twice / once, 2, accuracy: 0.04)
        try set(fixture, [(.iso, .number(50))])
        fixture.clock.advance(by: .milliseconds(34))
        XCTAssertEqual(try level(fixture) / once, 1, accuracy: 0.02)
        // The level follows from ISO 12232 for 500 lx on an 18 % card.
        let expected = 0.18 * Optics.saturationFraction(lux: 500, seconds: 0.008, iso: 50, aperture: 1.78)
        XCTAssertEqual(try level(fixture) / expected, 1, accuracy: 0.03)
    }

    func testFrameSettingsReportTheRenderingParameters() throws {
        let fixture = try SimDeviceFixture()
        try set(
            fixture,
            [
                (.exposureDuration, .number(0.004)), (.iso, .number(200)), (.zoomFactor, .number(2)),
                (.whiteBalanceTemperature, .number(4000)),
            ])
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        let settings = try XCTUnwrap(fixture.frames.last).settings
        XCTAssertEqual(settings.exposureDuration, CMTime(nanoseconds: 4_000_000))
        XCTAssertEqual(settings.iso, 200)
        XCTAssertEqual(settings.zoomFactor, 2)
        XCTAssertEqual(settings.aperture, 1.78)
        XCTAssertEqual(settings.whiteBalanceKelvin, 4000)
        XCTAssertFalse(settings.flashFired)
    }

    func testAutomaticExposureConvergesAndReportsEachStep() throws {
        let fixture = try SimDeviceFixture()
        let steps = Lock<[DeviceControl]>([])
        let observation = fixture.device.observeControls { control, _ in steps.withLock { $0.append(control) } }
        // Only the exposure is automatic.
        try set(
            fixture,
            [(.exposureDuration, .number(0.0005)), (.iso, .number(50)), (.whiteBalanceTemperature, .number(5000))])
        XCTAssertEqual(try fixture.device.value(of: .exposureMode), .integer(ControlMode.custom.rawValue))
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        XCTAssertLessThan(try level(fixture), 0.02)
        steps.withLock { $0 = [] }
        try set(fixture, [(.exposureMode, .integer(ControlMode.auto.rawValue))])
        var previous = try XCTUnwrap(fixture.frames.last?.settings)
        var changes = 0
        for _ in 0..<40 {
            fixture.clock.advance(by: .nanoseconds(33_333_334))
            let settings = try XCTUnwrap(fixture.frames.last?.settings)
            if settings != previous { changes += 1 }
            previous = settings
        }
        // The exposure converges to within a sixth of an EV in several steps and locks.
        XCTAssertEqual(try level(fixture) / AutoExposure.target, 1, accuracy: 0.12)
        XCTAssertGreaterThan(changes, 3)
        XCTAssertEqual(try fixture.device.value(of: .exposureMode), .integer(ControlMode.locked.rawValue))
        XCTAssertGreaterThanOrEqual(
            steps.withLock { $0.filter { $0 == .exposureDuration || $0 == .iso }.count }, changes - 1)
        XCTAssertTrue(steps.withLock { $0.contains(.exposureMode) })
        observation.cancel()
    }

    func testTheFirstFrameIsWellExposed() throws {
        let fixture = try SimDeviceFixture()
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        XCTAssertEqual(try level(fixture) / AutoExposure.target, 1, accuracy: 0.12)
    }

    func testTheFirstFrameIsWhiteBalancedAndReportsIt() throws {
        for kelvin in [2800.0, 4000, 6500] {
            let fixture = try SimDeviceFixture(light: SceneLight(lux: 500, kelvin: kelvin))
            let reported = Lock<[DeviceControl]>([])
            let observation = fixture.device.observeControls { control, _ in reported.withLock { $0.append(control) } }
            try fixture.start()
            fixture.clock.advance(by: .milliseconds(1))
            let frame = try XCTUnwrap(fixture.frames.first)
            let mean = try frame.buffer.mean(0.3, 0.3, 0.4, 0.4)
            XCTAssertEqual(mean.cb, 0, accuracy: 2, "\(kelvin)")
            XCTAssertEqual(mean.cr, 0, accuracy: 2, "\(kelvin)")
            XCTAssertEqual(frame.settings.whiteBalanceKelvin ?? 0, kelvin, accuracy: kelvin * 0.06)
            // The gains used for the first frame were reported.
            XCTAssertTrue(
                reported.withLock { Set($0) }.isSuperset(of: [.redGain, .blueGain, .whiteBalanceTemperature]))
            observation.cancel()
        }
    }

    func testExposureBiasMovesTheTarget() throws {
        let fixture = try SimDeviceFixture()
        try set(fixture, [(.exposureBias, .number(-1))])
        try fixture.start()
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(try level(fixture) / AutoExposure.target, 0.5, accuracy: 0.06)
    }

    func testWhiteBalanceDeterminesTheColorOfAGrayCard() throws {
        let fixture = try SimDeviceFixture()
        try fixture.start()
        for (kelvin, cbSign) in [(5000.0, 0.0), (7500, -1), (3200, 1)] {
            try set(fixture, [(.whiteBalanceTemperature, .number(kelvin))])
            fixture.clock.advance(by: .milliseconds(34))
            let mean = try XCTUnwrap(fixture.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4)
            if cbSign == 0 {
                XCTAssertEqual(mean.cb, 0, accuracy: 1)
                XCTAssertEqual(mean.cr, 0, accuracy: 1)
            } else {
                // If the camera assumes bluer light, its frames are yellow.
                XCTAssertGreaterThan(mean.cb * cbSign, 4)
                XCTAssertLessThan(mean.cr * cbSign, -2)
            }
        }
        try set(fixture, [(.redGain, .number(4))])
        fixture.clock.advance(by: .milliseconds(34))
        XCTAssertNil(fixture.frames.last?.settings.whiteBalanceKelvin)
        XCTAssertGreaterThan(try XCTUnwrap(fixture.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4).cr, 10)
    }

    func testAutomaticWhiteBalanceMakesTheCardNeutralAndLocks() throws {
        for kelvin in [2800.0, 4000, 6500, 7800] {
            let fixture = try SimDeviceFixture()
            try set(fixture, [(.whiteBalanceTemperature, .number(kelvin))])
            try fixture.start()
            fixture.clock.advance(by: .milliseconds(34))
            let reported = Lock<[String]>([])
            let observation = fixture.device.observeControls { control, value in
                guard [.whiteBalanceMode, .whiteBalanceAdjusting].contains(control) else { return }
                reported.withLock { $0.append("\(control) \(value)") }
            }
            try set(fixture, [(.whiteBalanceMode, .integer(ControlMode.auto.rawValue))])
            fixture.clock.advance(by: .milliseconds(34))
            XCTAssertEqual(try fixture.device.value(of: .whiteBalanceAdjusting), .flag(true))
            wait(fixture, frames: 90)
            let mean = try XCTUnwrap(fixture.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4)
            XCTAssertEqual(mean.cb, 0, accuracy: 1.2, "\(kelvin)")
            XCTAssertEqual(mean.cr, 0, accuracy: 1.2, "\(kelvin)")
            // The card is illuminated at 5,000 K.
            XCTAssertEqual(fixture.frames.last?.settings.whiteBalanceKelvin ?? 0, 5000, accuracy: 250)
            XCTAssertEqual(try fixture.device.value(of: .whiteBalanceMode), .integer(ControlMode.locked.rawValue))
            XCTAssertEqual(
                reported.withLock { $0 },
                [
                    "whiteBalanceAdjusting flag(true)", "whiteBalanceMode integer(0)",
                    "whiteBalanceAdjusting flag(false)",
                ], "\(kelvin)")
            let settings = fixture.frames.last?.settings
            wait(fixture, frames: 30)
            XCTAssertEqual(fixture.frames.last?.settings, settings)
            observation.cancel()
        }
    }

    func testAdjustingIsReportedWhileTheExposureChanges() throws {
        let fixture = try SimDeviceFixture()
        try set(fixture, [(.exposureDuration, .number(0.0005)), (.iso, .number(50))])
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        XCTAssertEqual(try fixture.device.value(of: .exposureAdjusting), .flag(false))
        try set(fixture, [(.exposureMode, .integer(ControlMode.continuousAuto.rawValue))])
        var wasAdjusting = false
        for _ in 0..<40 {
            let before = fixture.frames.last?.settings
            wait(fixture, frames: 1)
            let isAdjusting = try fixture.device.value(of: .exposureAdjusting) == .flag(true)
            wasAdjusting = wasAdjusting || isAdjusting
            // Changes of the exposure are reported as adjusting.
            if before != fixture.frames.last?.settings { XCTAssertTrue(wasAdjusting) }
        }
        XCTAssertTrue(wasAdjusting)
        XCTAssertEqual(try fixture.device.value(of: .exposureAdjusting), .flag(false))
        XCTAssertThrowsError(try fixture.device.set(.exposureAdjusting, to: .flag(true)))
        // Locking during the adjustment ends it.
        try set(fixture, [(.exposureBias, .number(2))])
        wait(fixture, frames: 2)
        XCTAssertEqual(try fixture.device.value(of: .exposureAdjusting), .flag(true))
        try set(fixture, [(.exposureMode, .integer(ControlMode.locked.rawValue))])
        XCTAssertEqual(try fixture.device.value(of: .exposureAdjusting), .flag(false))
    }

    func testPatchesOfTheChartHaveTheirReflectance() throws {
        let fixture = try SimDeviceFixture(scene: .chart, size: (1280, 720))
        try set(
            fixture,
            [(.exposureDuration, .number(0.008)), (.iso, .number(60)), (.whiteBalanceTemperature, .number(5000))])
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        let buffer = try XCTUnwrap(fixture.frames.last).buffer
        let gain = Optics.saturationFraction(lux: 1000, seconds: 0.008, iso: 60, aperture: 1.78)
        for index in 18..<23 {
            let frame = ChartScene.patchFrame(index)
            let mean = buffer.mean(
                frame.x + frame.width / 4, frame.y + frame.height / 4, frame.width / 2, frame.height / 2)
            let expected = ChartScene.patches[index].green * gain
            XCTAssertEqual(linear(mean.y) / expected, 1, accuracy: 0.04, "patch \(index)")
            XCTAssertEqual(mean.cb, 0, accuracy: 1.5)
        }
    }

    func testHDRDoesNotChangeTheExposure() throws {
        for bias in [0.0, 2] {
            let fixture = try SimDeviceFixture(scene: .chart, size: (1280, 720))
            try set(fixture, [(.videoHDR, .flag(false)), (.exposureBias, .number(bias))])
            try fixture.start()
            wait(fixture, frames: 60)
            let settingsWithoutHDR = try XCTUnwrap(fixture.frames.last).settings
            try set(fixture, [(.videoHDR, .flag(true))])
            wait(fixture, frames: 60)
            let settingsWithHDR = try XCTUnwrap(fixture.frames.last).settings
            func product(_ settings: FrameSettings) throws -> Double {
                try XCTUnwrap(settings.exposureDuration).seconds * XCTUnwrap(settings.iso)
            }
            XCTAssertEqual(
                try log2(product(settingsWithHDR) / product(settingsWithoutHDR)), 0, accuracy: 0.3, "\(bias) EV")
        }
    }

    func testAutomaticHDRIsEnabledForScenesWithHighlights() throws {
        for (scene, expectsHDR) in [(SimScene.backlight, true), (.chart, false)] {
            let fixture = try SimDeviceFixture(scene: scene, size: (1280, 720))
            try fixture.start()
            wait(fixture, frames: 60)
            XCTAssertEqual(try fixture.device.value(of: .videoHDR), .flag(expectsHDR), "\(scene)")
            XCTAssertEqual(try fixture.device.value(of: .automaticVideoHDR), .flag(true))
        }
    }

    func testZoomEnlargesTheCenter() throws {
        let fixture = try SimDeviceFixture(scene: .chart, size: (1280, 720))
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        let unzoomed = try XCTUnwrap(fixture.frames.last).buffer
        try set(fixture, [(.exposureMode, .integer(ControlMode.locked.rawValue)), (.zoomFactor, .number(2))])
        fixture.clock.advance(by: .milliseconds(34))
        let zoomed = try XCTUnwrap(fixture.frames.last).buffer
        // The point at 0.45 moves to 0.4 in the zoomed frame.
        for (x, y) in [(0.36, 0.42), (0.46, 0.59), (0.53, 0.28)] {
            let before = unzoomed.mean(x, y, 0.02, 0.02)
            let after = zoomed.mean((x - 0.25) * 2, (y - 0.25) * 2, 0.04, 0.04)
            XCTAssertEqual(before.y, after.y, accuracy: 2)
            XCTAssertEqual(before.cb, after.cb, accuracy: 2)
            XCTAssertEqual(before.cr, after.cr, accuracy: 2)
        }
    }

    func testTorchAndFlashLightTheCard() throws {
        let fixture = try SimDeviceFixture()
        try set(fixture, [(.exposureDuration, .number(0.004)), (.iso, .number(50))])
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        let dark = try level(fixture)
        try set(fixture, [(.torchLevel, .number(1))])
        fixture.clock.advance(by: .milliseconds(34))
        // 220 lx of torch at 1 m on top of 500 lx.
        XCTAssertEqual(try level(fixture) / dark, 720.0 / 500, accuracy: 0.04)
        try set(fixture, [(.torchLevel, .number(0)), (.flash, .flag(true))])
        fixture.clock.advance(by: .milliseconds(34))
        XCTAssertEqual(fixture.frames.last?.settings.flashFired, true)
        XCTAssertGreaterThan(try level(fixture) / dark, 4)
        fixture.clock.advance(by: .milliseconds(34))
        XCTAssertEqual(fixture.frames.last?.settings.flashFired, false)
        XCTAssertEqual(try level(fixture) / dark, 1, accuracy: 0.03)
    }

    func testNoiseGrowsWithTheRootOfISO() throws {
        func deviation(iso: Double, seconds: Double) throws -> Double {
            let fixture = try SimDeviceFixture()
            try set(fixture, [(.exposureDuration, .number(seconds)), (.iso, .number(iso))])
            try fixture.start()
            fixture.clock.advance(by: .milliseconds(1))
            let plane = try XCTUnwrap(fixture.frames.last).buffer.planes[0]
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

    func testOnlySupportedControlsAreOffered() throws {
        let fixed = try SimDeviceFixture(profile: "webcam", device: "webcam.camera")
        XCTAssertNil(fixed.device.controls[.lensPosition])
        XCTAssertNil(fixed.device.controls[.focusMode])
        XCTAssertThrowsError(try fixed.device.set(.lensPosition, to: .number(0.5))) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .unsupportedControl)
        }
        let fixture = try SimDeviceFixture()
        let controls = fixture.device.controls
        XCTAssertThrowsError(try fixture.device.set(.iso, to: .number(1)))
        let front = try SimDeviceFixture(device: "phone.front")
        XCTAssertNil(front.device.controls[.torchLevel])
        for control in controls.keys { XCTAssertNoThrow(try fixture.device.value(of: control)) }
    }

    func testALongExposureExtendsTheFrameDuration() throws {
        let fixture = try SimDeviceFixture()
        try set(fixture, [(.exposureDuration, .number(0.1))])
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(350))
        XCTAssertEqual(fixture.frames.map(\.presentationTime.nanoseconds), [0, 100_000_000, 200_000_000, 300_000_000])
    }
}
