import AssetTypes
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class AVCaptureDeviceVirtualTests: XCTestCase {
    private func camera(_ type: AVCaptureDevice.DeviceType, _ fixture: CaptureFixture) throws -> AVCaptureDevice {
        try XCTUnwrap(fixture.inSystem { AVCaptureDevice.default(type, for: .video, position: .back) })
    }

    func testAVirtualDeviceListsItsConstituents() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let triple = try camera(.builtInTripleCamera, fixture)
        XCTAssertTrue(triple.isVirtualDevice)
        XCTAssertEqual(
            triple.constituentDevices.map(\.deviceType),
            [.builtInUltraWideCamera, .builtInWideAngleCamera, .builtInTelephotoCamera])
        XCTAssertTrue(triple.constituentDevices.last === (try camera(.builtInTelephotoCamera, fixture)))
        XCTAssertEqual(triple.virtualDeviceSwitchOverVideoZoomFactors, [2, 6])
        let wide = try camera(.builtInWideAngleCamera, fixture)
        XCTAssertFalse(wide.isVirtualDevice)
        XCTAssertEqual(wide.constituentDevices, [])
        XCTAssertEqual(wide.virtualDeviceSwitchOverVideoZoomFactors, [])
        XCTAssertNil(wide.activePrimaryConstituent)
        XCTAssertGreaterThan(wide.nominalFocalLengthIn35mmFilm, 0)
        XCTAssertEqual(triple.nominalFocalLengthIn35mmFilm, 0)
        try fixture.host.disconnect(uniqueID: "phone.back-telephoto")
        fixture.clock.settle()
        XCTAssertEqual(triple.constituentDevices.count, 2)
    }

    func testConstituentsWithAutofocusAreSupportedAsFallbacks() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let triple = try camera(.builtInTripleCamera, fixture)
        XCTAssertEqual(
            triple.supportedFallbackPrimaryConstituentDevices.map(\.deviceType),
            [.builtInUltraWideCamera, .builtInWideAngleCamera])
        XCTAssertEqual(
            triple.fallbackPrimaryConstituentDevices, triple.supportedFallbackPrimaryConstituentDevices)
        let ultraWide = try camera(.builtInUltraWideCamera, fixture)
        triple.fallbackPrimaryConstituentDevices = [ultraWide]
        XCTAssertEqual(triple.fallbackPrimaryConstituentDevices, [ultraWide])
        fixture.assertNoMisuse()
        fixture.assertMisuse(.invalidArgument) {
            triple.fallbackPrimaryConstituentDevices = triple.constituentDevices
        }
        XCTAssertEqual(triple.fallbackPrimaryConstituentDevices, [ultraWide])
        XCTAssertEqual(ultraWide.supportedFallbackPrimaryConstituentDevices, [])
        XCTAssertEqual(ultraWide.fallbackPrimaryConstituentDevices, [])
    }

    func testAnUltraWideCameraWithFixedFocusIsNoFallback() throws {
        let fixture = try CaptureFixture(profile: "phone-pro-2x")
        let triple = try camera(.builtInTripleCamera, fixture)
        XCTAssertEqual(
            triple.supportedFallbackPrimaryConstituentDevices.map(\.deviceType), [.builtInWideAngleCamera])
        // The nearest focus of the constituents with autofocus.
        XCTAssertEqual(triple.minimumFocusDistance, 120)
        XCTAssertEqual(try camera(.builtInUltraWideCamera, fixture).minimumFocusDistance, -1)
    }

    func testALensWithVariableApertureReportsItsStops() throws {
        let fixture = try CaptureFixture(profile: "phone-variable-aperture")
        let wide = try camera(.builtInWideAngleCamera, fixture).activeFormat
        XCTAssertEqual(wide.recommendedLensApertureStops, [1.48, 1.8, 2.8, 4])
        XCTAssertEqual([wide.minLensAperture, wide.defaultLensAperture, wide.maxLensAperture], [1.48, 1.8, 4])
        XCTAssertEqual(wide.secondaryNativeResolutionZoomFactors, [2])
        let telephoto = try camera(.builtInTelephotoCamera, fixture).activeFormat
        XCTAssertEqual(telephoto.recommendedLensApertureStops, [2.8])
        XCTAssertEqual([telephoto.minLensAperture, telephoto.maxLensAperture], [2.8, 2.8])
    }

    func testTheDisplayedZoomIsRelativeToTheWideCamera() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let factors = try [
            AVCaptureDevice.DeviceType.builtInTripleCamera, .builtInUltraWideCamera, .builtInWideAngleCamera,
            .builtInTelephotoCamera,
        ].map { try camera($0, fixture).displayVideoZoomFactorMultiplier }
        XCTAssertEqual(factors, [0.5, 0.5, 1, 3])
        XCTAssertEqual(try fixture.device("phone.front").displayVideoZoomFactorMultiplier, 1)
    }

    func testALockedConstituentDeliversAtAnyZoom() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(camera: nil, microphone: nil, preset: .inputPriority, [output])
        let device = try camera(.builtInTripleCamera, fixture)
        try fixture.inSystem { session.addInput(try AVCaptureDeviceInput(device: device)) }
        session.startRunning()
        XCTAssertEqual(device.primaryConstituentDeviceSwitchingBehavior, .auto)
        try device.lockForConfiguration()
        device.videoZoomFactor = 2.5
        let reported = Lock<[Int]>([])
        let observation = device.observe(\.activePrimaryConstituentDeviceSwitchingBehavior, options: .new) {
            _, change in
            reported.withLock { $0.append(change.newValue?.rawValue ?? -1) }
        }
        device.setPrimaryConstituentDeviceSwitchingBehavior(.locked, restrictedSwitchingBehaviorConditions: [])
        XCTAssertEqual(reported.withLock { $0 }, [3])
        XCTAssertEqual(device.minAvailableVideoZoomFactor, 2)
        func fNumber() throws -> Double? {
            let sample = try XCTUnwrap(RecordingFrames.nextSample(of: session, on: fixture))
            let exif =
                CMGetAttachment(sample, key: kCGImagePropertyExifDictionary, attachmentModeOut: nil) as? [String: Any]
            return exif?["FNumber"] as? Double
        }
        device.videoZoomFactor = 7
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(device.activePrimaryConstituent?.deviceType, .builtInWideAngleCamera)
        XCTAssertEqual(try XCTUnwrap(fNumber()), 1.78, accuracy: 0.001)
        // Zooming out is limited to the field of view of the locked camera.
        device.videoZoomFactor = 1
        XCTAssertEqual(device.videoZoomFactor, 2)
        // The lock also survives a restart of the session.
        session.stopRunning()
        session.startRunning()
        device.videoZoomFactor = 7
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(try XCTUnwrap(fNumber()), 1.78, accuracy: 0.001)
        device.setPrimaryConstituentDeviceSwitchingBehavior(
            .restricted, restrictedSwitchingBehaviorConditions: [.focusModeChanged, .videoZoomChanged])
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(device.activePrimaryConstituent?.deviceType, .builtInTelephotoCamera)
        XCTAssertEqual(try XCTUnwrap(fNumber()), 2.8, accuracy: 0.001)
        XCTAssertEqual(
            device.activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions,
            [.focusModeChanged, .videoZoomChanged])
        XCTAssertEqual(device.minAvailableVideoZoomFactor, 1)
        fixture.assertNoMisuse()
        fixture.assertMisuse(.invalidArgument) {
            device.setPrimaryConstituentDeviceSwitchingBehavior(
                .auto, restrictedSwitchingBehaviorConditions: .videoZoomChanged)
        }
        fixture.assertMisuse(.invalidArgument) {
            device.setPrimaryConstituentDeviceSwitchingBehavior(.unsupported, restrictedSwitchingBehaviorConditions: [])
        }
        XCTAssertEqual(device.primaryConstituentDeviceSwitchingBehavior, .restricted)
        let wide = try camera(.builtInWideAngleCamera, fixture)
        XCTAssertEqual(wide.primaryConstituentDeviceSwitchingBehavior, .unsupported)
        fixture.assertMisuse(.invalidArgument) {
            wide.setPrimaryConstituentDeviceSwitchingBehavior(.auto, restrictedSwitchingBehaviorConditions: [])
        }
        observation.invalidate()
        device.unlockForConfiguration()
        session.stopRunning()
    }

    func testADeviceIsLockedToASelectedConstituent() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-triple", microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 100)
        let device = try fixture.device("phone.back-triple")
        let constituents = device.constituentDevices
        XCTAssertEqual(constituents.map(\.deviceType.rawValue).count, 3)
        XCTAssertTrue(device.isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported)
        fixture.assertMisuse(.generic) {
            device.setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(constituents[2])
        }
        try device.lockForConfiguration()
        device.videoZoomFactor = 1
        let smallest: [CGFloat] = [1] + device.virtualDeviceSwitchOverVideoZoomFactors.map { CGFloat($0.doubleValue) }
        for (index, constituent) in constituents.enumerated().reversed() {
            device.setPrimaryConstituentDeviceSwitchingBehavior(.auto, restrictedSwitchingBehaviorConditions: [])
            device.videoZoomFactor = 1
            device.setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(constituent)
            fixture.advance(milliseconds: 100)
            XCTAssertEqual(device.activePrimaryConstituent, constituent)
            XCTAssertEqual(device.primaryConstituentDeviceSwitchingBehavior, .locked)
            XCTAssertEqual(device.videoZoomFactor, smallest[index], "the factor is clamped")
            device.videoZoomFactor = 8
            fixture.advance(milliseconds: 100)
            XCTAssertEqual(device.activePrimaryConstituent, constituent, "the frames of the constituent are cropped")
        }
        // Another constituent can be locked at once.
        device.setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(constituents[1])
        XCTAssertEqual(device.activePrimaryConstituent, constituents[1])

        // A ramp to a factor that the constituent does not cover ends at its smallest one.
        device.setPrimaryConstituentDeviceSwitchingBehavior(.auto, restrictedSwitchingBehaviorConditions: [])
        device.videoZoomFactor = 8
        device.ramp(toVideoZoomFactor: 1, withRate: 4)
        fixture.advance(milliseconds: 100)
        device.setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(constituents[1])
        XCTAssertTrue(device.isRampingVideoZoom)
        fixture.advance(milliseconds: 1000)
        XCTAssertFalse(device.isRampingVideoZoom)
        XCTAssertEqual(device.videoZoomFactor, smallest[1])
        fixture.assertNoMisuse()
        let other = try fixture.device("phone.front")
        XCTAssertFalse(other.isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported)
        for (locked, constituent) in [(device, other), (other, constituents[0])] {
            try other.lockForConfiguration()
            fixture.assertMisuse(.invalidArgument) {
                locked.setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(constituent)
            }
            other.unlockForConfiguration()
        }
        device.unlockForConfiguration()
        session.stopRunning()
    }

    func testZoomingSwitchesThePrimaryConstituentAndItsFrames() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let frames = RecordingFrames(keepsSamples: true)
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(
            camera: nil, microphone: nil, preset: .inputPriority, [output])
        let device = try camera(.builtInTripleCamera, fixture)
        try fixture.inSystem { session.addInput(try AVCaptureDeviceInput(device: device)) }
        XCTAssertNil(device.activePrimaryConstituent)
        let reported = Lock<[AVCaptureDevice.DeviceType?]>([], order: .client)
        let observation = device.observe(\.activePrimaryConstituent) { device, _ in
            reported.withLock { $0.append(device.activePrimaryConstituent?.deviceType) }
        }
        session.startRunning()
        fixture.clock.settle()
        XCTAssertEqual(reported.withLock { $0 }, [.builtInUltraWideCamera])
        try device.lockForConfiguration()
        for (zoom, type, aperture) in [
            (1, AVCaptureDevice.DeviceType.builtInUltraWideCamera, 2.2), (2.5, .builtInWideAngleCamera, 1.78),
            (7, .builtInTelephotoCamera, 2.8),
        ] {
            device.videoZoomFactor = zoom
            frames.releaseSamples()
            frames.clear()
            fixture.advance(milliseconds: 70)
            XCTAssertEqual(device.activePrimaryConstituent?.deviceType, type)
            XCTAssertFalse(frames.frames.isEmpty)
            let sample = try XCTUnwrap(RecordingFrames.nextSample(of: session, on: fixture))
            let exif =
                CMGetAttachment(sample, key: kCGImagePropertyExifDictionary, attachmentModeOut: nil) as? [String: Any]
            XCTAssertEqual(try XCTUnwrap(exif?["FNumber"] as? Double), aperture, accuracy: 0.001)
        }
        device.unlockForConfiguration()
        session.stopRunning()
        fixture.clock.settle()
        XCTAssertNil(device.activePrimaryConstituent)
        XCTAssertEqual(reported.withLock { $0.last }, .some(nil))
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testAVirtualDeviceHasNoManualExposureLensPositionOrGains() throws {
        let fixture = try CaptureFixture(profile: "phone")
        for type in [AVCaptureDevice.DeviceType.builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera] {
            let device = try camera(type, fixture)
            try device.lockForConfiguration()
            XCTAssertFalse(device.isExposureModeSupported(.custom))
            XCTAssertTrue(device.isExposureModeSupported(.locked))
            XCTAssertFalse(device.isLockingFocusWithCustomLensPositionSupported)
            XCTAssertFalse(device.isLockingWhiteBalanceWithCustomDeviceGainsSupported)
            let before = (device.exposureDuration, device.lensPosition, device.deviceWhiteBalanceGains)
            fixture.assertMisuse(.invalidArgument) { device.exposureMode = .custom }
            fixture.assertMisuse(.invalidArgument) {
                device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 500), iso: 100)
            }
            fixture.assertMisuse(.invalidArgument) { device.setFocusModeLocked(lensPosition: 0.25) }
            fixture.assertMisuse(.invalidArgument) {
                device.setWhiteBalanceModeLocked(with: .init(redGain: 2, greenGain: 1, blueGain: 2))
            }
            XCTAssertEqual(device.exposureDuration, before.0)
            XCTAssertEqual(device.lensPosition, before.1)
            XCTAssertEqual(device.deviceWhiteBalanceGains, before.2)
            // The current values can still be locked.
            device.setFocusModeLocked(lensPosition: AVCaptureDevice.currentLensPosition)
            device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains)
            device.exposureMode = .locked
            XCTAssertEqual(device.focusMode, .locked)
            XCTAssertEqual(device.whiteBalanceMode, .locked)
            fixture.assertNoMisuse()
            device.unlockForConfiguration()
        }
        let single = try camera(.builtInWideAngleCamera, fixture)
        XCTAssertTrue(single.isExposureModeSupported(.custom))
        XCTAssertTrue(single.isLockingFocusWithCustomLensPositionSupported)
        XCTAssertTrue(single.isLockingWhiteBalanceWithCustomDeviceGainsSupported)
    }
}

extension RecordingFrames {
    /// Adds an output to the session for 40 ms, and returns the last sample buffer that it delivers; nil if there is
    /// none.
    fileprivate static func nextSample(of session: AVCaptureSession, on fixture: CaptureFixture) throws
        -> CMSampleBuffer?
    {
        let frames = RecordingFrames(keepsSamples: true)
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        session.addOutput(output)
        fixture.advance(milliseconds: 40)
        session.removeOutput(output)
        return frames.samples.last
    }
}
