import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureDeviceExposureTests: XCTestCase {
    private static let camera = "phone.back-wide"

    private func lockedDevice(_ fixture: CaptureFixture) throws -> AVCaptureDevice {
        let device = try fixture.device(Self.camera)
        try device.lockForConfiguration()
        return device
    }

    func testACameraWithManualExposureSupportsAllModes() throws {
        let device = try lockedDevice(CaptureFixture(profile: "phone"))
        for mode in [AVCaptureDevice.ExposureMode.locked, .autoExpose, .continuousAutoExposure, .custom] {
            XCTAssertTrue(device.isExposureModeSupported(mode), "\(mode)")
            device.exposureMode = mode
            XCTAssertEqual(device.exposureMode, mode)
        }
    }

    func testACameraWithoutManualExposureRejectsIt() throws {
        let fixture = try CaptureFixture(profile: "phone") { machine in
            machine.devices = machine.devices.map { device in
                guard case .camera(var camera) = device else { return device }
                camera.hasManualExposure = false
                return .camera(camera)
            }
        }
        let device = try lockedDevice(fixture)
        XCTAssertFalse(device.isExposureModeSupported(.custom))
        let before = device.exposureMode
        let message = fixture.assertMisuse(.invalidArgument) { device.exposureMode = .custom }
        XCTAssertTrue(message.contains("use -isExposureModeSupported:"), message)
        fixture.assertMisuse(.invalidArgument) {
            device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 100), iso: 100)
        }
        XCTAssertEqual(device.exposureMode, before)
    }

    func testEveryExposureSettingRequiresTheLock() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device(Self.camera)
        let settings: [(String, () -> Void)] = [
            ("setExposureMode:", { device.exposureMode = .locked }),
            ("setExposurePointOfInterest:", { device.exposurePointOfInterest = .zero }),
            (
                "setExposureModeCustomWithDuration:ISO:completionHandler:",
                { device.setExposureModeCustom(duration: AVCaptureDevice.currentExposureDuration, iso: 100) }
            ),
            ("setExposureTargetBias:completionHandler:", { device.setExposureTargetBias(1) }),
            (
                "setAutomaticallyEnablesLowLightBoostWhenAvailable:",
                { device.automaticallyEnablesLowLightBoostWhenAvailable = true }
            ),
        ]
        for (method, change) in settings {
            let message = fixture.assertMisuse(.generic, change)
            XCTAssertTrue(message.contains("\(method)] May not be called without first"), message)
        }
        XCTAssertEqual(device.exposureTargetBias, 0)
        XCTAssertEqual(device.exposureMode, .continuousAutoExposure)
    }

    func testACustomExposureCompletesWithItsFirstFrame() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let listener = FrameListener()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "frames"))
        let session = try fixture.makeSession(camera: Self.camera, microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 500)
        let device = try lockedDevice(fixture)
        let times = Lock<[(call: Int, time: CMTime)]>([])
        let duration = CMTime(value: 1, timescale: 250)
        device.setExposureModeCustom(duration: duration, iso: 200) { time in times.withLock { $0.append((1, time)) } }
        device.setExposureTargetBias(1) { time in times.withLock { $0.append((2, time)) } }
        XCTAssertEqual(device.exposureMode, .custom)
        XCTAssertEqual(device.iso, 200)
        XCTAssertEqual(times.withLock { $0.count }, 0)
        let before = listener.frames.count
        fixture.advance(milliseconds: 500)
        let reported = times.withLock { $0 }
        XCTAssertEqual(reported.map(\.call), [1, 2])
        let first = try XCTUnwrap(
            listener.frames.first { $0.exposureSeconds == duration.seconds && $0.iso == 200 },
            "no frame has the setting")
        XCTAssertEqual(reported.first?.time, first.time)
        XCTAssertGreaterThan(listener.frames.count, before + 10)
        session.stopRunning()
    }

    func testValuesOutOfRangeAreMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        let format = device.activeFormat
        let validDuration = CMTime(value: 1, timescale: 100)
        let calls: [() -> Void] = [
            { device.setExposureModeCustom(duration: CMTime(value: 3600, timescale: 1), iso: format.minISO) },
            { device.setExposureModeCustom(duration: .zero, iso: format.minISO) },
            { device.setExposureModeCustom(duration: validDuration, iso: format.maxISO * 2) },
            { device.setExposureModeCustom(duration: validDuration, iso: -1) },
            { device.setExposureTargetBias(device.maxExposureTargetBias + 1) },
            { device.setExposureTargetBias(device.minExposureTargetBias - 1) },
            { device.exposurePointOfInterest = CGPoint(x: 1.5, y: 0) },
        ]
        for call in calls { fixture.assertMisuse(.range, call) }
        XCTAssertEqual(device.exposureMode, .continuousAutoExposure)
        XCTAssertEqual(device.exposureTargetBias, 0)
        XCTAssertEqual(device.exposurePointOfInterest, CGPoint(x: 0.5, y: 0.5))
    }

    func testTheConstantsForCurrentValuesKeepThem() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        let (duration, iso) = (device.exposureDuration, device.iso)
        device.setExposureModeCustom(
            duration: AVCaptureDevice.currentExposureDuration, iso: AVCaptureDevice.currentISO)
        XCTAssertEqual(device.exposureDuration, duration)
        XCTAssertEqual(device.iso, iso)
        XCTAssertEqual(device.exposureMode, .custom)
        device.setExposureTargetBias(1.5)
        device.setExposureTargetBias(AVCaptureDevice.currentExposureTargetBias)
        XCTAssertEqual(device.exposureTargetBias, 1.5)
        fixture.assertNoMisuse()
    }

    func testThePointTakesEffectWithTheMode() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try lockedDevice(fixture)
        device.exposurePointOfInterest = CGPoint(x: 0.25, y: 0.75)
        XCTAssertEqual(device.exposurePointOfInterest, CGPoint(x: 0.25, y: 0.75))
        XCTAssertEqual(
            device.value(of: .exposurePoint), .point(x: 0.5, y: 0.5), "the point takes effect before the mode is set")
        device.exposureMode = .autoExpose
        XCTAssertEqual(device.value(of: .exposurePoint), .point(x: 0.25, y: 0.75))
        XCTAssertEqual(device.exposurePointOfInterest, CGPoint(x: 0.25, y: 0.75))
    }

    func testIsAdjustingExposureIsTrueWhileAutomaticExposureAdjusts() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(camera: Self.camera, microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 2000)
        let device = try lockedDevice(fixture)
        XCTAssertFalse(device.isAdjustingExposure)
        let before = device.iso * Float(device.exposureDuration.seconds)
        device.setExposureTargetBias(2)
        device.exposureMode = .autoExpose
        fixture.advance(milliseconds: 70)
        XCTAssertTrue(device.isAdjustingExposure)
        XCTAssertEqual(device.exposureMode, .autoExpose)
        fixture.advance(milliseconds: 3000)
        XCTAssertFalse(device.isAdjustingExposure)
        XCTAssertEqual(device.exposureMode, .locked)
        XCTAssertGreaterThan(device.iso * Float(device.exposureDuration.seconds), before * 2)
        session.stopRunning()
    }

    func testAutomaticExposureRespectsItsMaximumDuration() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .night)
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(camera: Self.camera, microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 1500)
        let device = try lockedDevice(fixture)
        let limit = CMTime(value: 1, timescale: 200)
        let defaultLimit = device.activeMaxExposureDuration
        XCTAssertGreaterThan(device.exposureDuration, limit)
        XCTAssertGreaterThanOrEqual(defaultLimit, device.exposureDuration)
        let reported = Lock(0)
        let observation = device.observe(\.activeMaxExposureDuration) { _, _ in reported.withLock { $0 += 1 } }
        device.activeMaxExposureDuration = limit
        XCTAssertEqual(device.activeMaxExposureDuration.seconds, limit.seconds, accuracy: 1e-9)
        fixture.advance(milliseconds: 2000)
        XCTAssertLessThanOrEqual(device.exposureDuration.seconds, limit.seconds + 1e-6)
        fixture.assertNoMisuse()
        for invalid in [CMTime.zero, CMTime(value: 3600, timescale: 1), .positiveInfinity] {
            fixture.assertMisuse(.range) { device.activeMaxExposureDuration = invalid }
        }
        device.activeMaxExposureDuration = .invalid
        XCTAssertEqual(device.activeMaxExposureDuration, defaultLimit)
        device.activeMaxExposureDuration = limit
        session.sessionPreset = .hd1280x720
        XCTAssertEqual(device.activeMaxExposureDuration, defaultLimit)
        XCTAssertEqual(reported.withLock { $0 }, 4)
        observation.invalidate()
        session.stopRunning()
        device.unlockForConfiguration()
        fixture.assertMisuse(.generic) { device.activeMaxExposureDuration = limit }
    }

    func testUnsupportedLowLightBoostIsMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.front")
        try device.lockForConfiguration()
        XCTAssertFalse(device.isLowLightBoostSupported)
        fixture.assertMisuse(.invalidArgument) { device.automaticallyEnablesLowLightBoostWhenAvailable = true }
        fixture.assertMisuse(.invalidArgument) { device.automaticallyEnablesLowLightBoostWhenAvailable = false }
    }

    func testManualExposureWorksForACameraThatReportsItsRangeInControlsOnly() throws {
        let modes = ControlRange.options(
            [ControlMode.custom.rawValue, ControlMode.continuousAuto.rawValue], default: 2)
        let durations = ControlRange.number(0.0001...0.5, step: 0.0001, default: 0.01)
        let sensitivities = ControlRange.number(100...800, step: 1, default: 100)
        for hasISO in [true, false] {
            var controls = [DeviceControl.exposureMode: modes, .exposureDuration: durations]
            if hasISO { controls[.iso] = sensitivities }
            let all = controls
            let fixture = try CaptureFixture { [FakeHost(try FakeCameraDevice(clock: $0, controls: all))] }
            let device = try fixture.device("fake.camera")
            XCTAssertTrue(device.isExposureModeSupported(.custom))
            let format = device.activeFormat
            XCTAssertEqual(format.minExposureDuration.seconds, 0.0001, accuracy: 1e-9)
            XCTAssertEqual(format.maxExposureDuration.seconds, 0.5, accuracy: 1e-9)
            XCTAssertEqual([format.minISO, format.maxISO], hasISO ? [100, 800] : [0, 0])
            try device.lockForConfiguration()
            let reported = Lock(0)
            let observation = device.observe(\.exposureDuration) { _, _ in reported.withLock { $0 += 1 } }
            device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 20), iso: hasISO ? 400 : device.iso)
            fixture.assertNoMisuse()
            XCTAssertEqual(device.exposureMode, .custom)
            XCTAssertEqual(device.exposureDuration.seconds, 0.05, accuracy: 1e-9)
            XCTAssertEqual(device.iso, hasISO ? 400 : 0)
            XCTAssertEqual(reported.withLock { $0 }, 1)
            fixture.assertMisuse(.range) {
                device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 1), iso: device.iso)
            }
            observation.invalidate()
            device.unlockForConfiguration()
        }
    }

    func testABiasAffectsALockedExposureButNotACustomOne() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = try fixture.makeSession(
            camera: Self.camera, microphone: nil, preset: .vga640x480, [fixture.inSystem { AVCaptureVideoDataOutput() }]
        )
        session.startRunning()
        fixture.advance(milliseconds: 2000)
        let device = try lockedDevice(fixture)
        func durationTimesISO() -> Double { device.exposureDuration.seconds * Double(device.iso) }
        device.exposureMode = .locked
        let locked = durationTimesISO()
        let reported = Lock(0)
        let observation = device.observe(\.exposureDuration) { _, _ in reported.withLock { $0 += 1 } }
        for bias in [Float(-2), -1, 0] {
            device.setExposureTargetBias(bias)
            fixture.advance(milliseconds: 200)
            XCTAssertEqual(device.exposureMode, .locked)
            XCTAssertEqual(log2(durationTimesISO() / locked), Double(bias), accuracy: 0.05, "\(bias)")
            XCTAssertEqual(device.exposureTargetOffset, 0, accuracy: 0.3, "\(bias)")
        }
        XCTAssertGreaterThan(reported.withLock { $0 }, 0)
        // After a bias beyond the camera's range, a bias of 0 restores the initial exposure.
        device.setExposureTargetBias(-8)
        device.setExposureTargetBias(0)
        XCTAssertEqual(log2(durationTimesISO() / locked), 0, accuracy: 0.05)
        device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 250), iso: 200)
        device.setExposureTargetBias(-2)
        fixture.advance(milliseconds: 200)
        XCTAssertEqual(device.exposureDuration.seconds, 1.0 / 250, accuracy: 1e-6)
        XCTAssertEqual(device.iso, 200, accuracy: 0.01)
        observation.invalidate()
        session.stopRunning()
        fixture.assertNoMisuse()
    }
}

/// Records the exposure of each frame.
private final class FrameListener: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    struct Frame: Sendable {
        let time: CMTime
        let exposureSeconds: Double?
        let iso: Int?
    }

    private let recorded = Lock<[Frame]>([])
    var frames: [Frame] { recorded.withLock { $0 } }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let exif = CMGetAttachment(sampleBuffer, key: "{Exif}" as CFString, attachmentModeOut: nil) as? [String: Any]
        recorded.withLock {
            $0.append(
                Frame(
                    time: sampleBuffer.presentationTimeStamp, exposureSeconds: exif?["ExposureTime"] as? Double,
                    iso: (exif?["ISOSpeedRatings"] as? [Int])?.first))
        }
    }
}
