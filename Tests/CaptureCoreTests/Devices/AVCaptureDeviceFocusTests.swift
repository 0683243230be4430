import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureDeviceFocusTests: XCTestCase {
    func testAutomaticFocusStaysInItsRange() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .chart)
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 500)
        let device = try fixture.device("phone.back-wide")
        XCTAssertTrue(device.isAutoFocusRangeRestrictionSupported)
        XCTAssertEqual(device.autoFocusRangeRestriction, .none)
        try device.lockForConfiguration()
        let reported = Lock<[Int]>([])
        let observation = device.observe(\.autoFocusRangeRestriction, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue?.rawValue ?? -1) }
        }
        for (restriction, range) in [
            (AVCaptureDevice.AutoFocusRangeRestriction.near, Float(0)...0.5), (.far, 0.5...1), (.near, 0...0.5),
        ] {
            let before = device.lensPosition
            device.autoFocusRangeRestriction = restriction
            XCTAssertEqual(device.autoFocusRangeRestriction, restriction)
            XCTAssertEqual(device.lensPosition, before, "the restriction alone moved the lens")
            device.focusMode = .autoFocus
            fixture.advance(milliseconds: 4000)
            XCTAssertEqual(device.focusMode, .locked)
            XCTAssertTrue(range.contains(device.lensPosition), "\(restriction): \(device.lensPosition)")
        }
        XCTAssertEqual(reported.withLock { $0 }, [1, 2, 1])
        observation.invalidate()
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAFixedFocusLensHasNoRangeRestriction() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        XCTAssertFalse(device.isAutoFocusRangeRestrictionSupported)
        XCTAssertEqual(device.activeFormat.autoFocusSystem, .none)
        fixture.assertMisuse(.generic) { device.autoFocusRangeRestriction = .near }
        try device.lockForConfiguration()
        fixture.assertMisuse(.invalidArgument) { device.autoFocusRangeRestriction = .near }
        XCTAssertEqual(device.autoFocusRangeRestriction, .none)
    }

    func testMisuseOfAFixedFocusLensNamesTheMissingSupport() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        try device.lockForConfiguration()
        for (position, check) in [
            (AVCaptureDevice.currentLensPosition, "isFocusModeSupported:"),
            (0.5, "isLockingFocusWithCustomLensPositionSupported"),
        ] {
            let message = fixture.assertMisuse(.invalidArgument) { device.setFocusModeLocked(lensPosition: position) }
            XCTAssertTrue(message.hasSuffix("use -\(check)"), message)
        }
    }

    func testUnsupportedGlobalToneMappingIsMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        fixture.assertMisuse(.generic) { device.isGlobalToneMappingEnabled = false }
        try device.lockForConfiguration()
        fixture.assertMisuse(.generic) { device.isGlobalToneMappingEnabled = true }
        XCTAssertFalse(device.isGlobalToneMappingEnabled)
    }

    func testFaceDrivenSettingsAreEnabledByDefault() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        let setters: [() -> Void] = [
            { device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = false },
            { device.isFaceDrivenAutoFocusEnabled = false },
            { device.automaticallyAdjustsFaceDrivenAutoExposureEnabled = false },
            { device.isFaceDrivenAutoExposureEnabled = false },
        ]
        for setter in setters { fixture.assertMisuse(.generic, setter) }
        try device.lockForConfiguration()
        XCTAssertTrue(device.automaticallyAdjustsFaceDrivenAutoFocusEnabled)
        XCTAssertTrue(device.isFaceDrivenAutoFocusEnabled)
        XCTAssertTrue(device.automaticallyAdjustsFaceDrivenAutoExposureEnabled)
        XCTAssertTrue(device.isFaceDrivenAutoExposureEnabled)
        // While the camera adjusts a property automatically, setting it is misuse.
        fixture.assertMisuse(.invalidArgument, setters[1])
        fixture.assertMisuse(.invalidArgument, setters[3])
        for setter in setters { setter() }
        fixture.assertNoMisuse()
        XCTAssertFalse(device.automaticallyAdjustsFaceDrivenAutoFocusEnabled)
        XCTAssertFalse(device.isFaceDrivenAutoFocusEnabled)
        XCTAssertFalse(device.automaticallyAdjustsFaceDrivenAutoExposureEnabled)
        XCTAssertFalse(device.isFaceDrivenAutoExposureEnabled)
        device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = true
        XCTAssertTrue(device.isFaceDrivenAutoFocusEnabled)
        XCTAssertFalse(device.isFaceDrivenAutoExposureEnabled)
    }

    func testFaceDrivenSettingsTakeEffectWithTheMode() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        let reported = Lock<[String]>([])
        let observations = [
            device.observe(\.automaticallyAdjustsFaceDrivenAutoFocusEnabled, options: .new) { _, change in
                reported.withLock { $0.append("automatic focus setting: \(change.newValue ?? true)") }
            },
            device.observe(\.isFaceDrivenAutoFocusEnabled, options: .new) { _, change in
                reported.withLock { $0.append("focus: \(change.newValue ?? true)") }
            },
            device.observe(\.automaticallyAdjustsFaceDrivenAutoExposureEnabled, options: .new) { _, change in
                reported.withLock { $0.append("automatic exposure setting: \(change.newValue ?? true)") }
            },
            device.observe(\.isFaceDrivenAutoExposureEnabled, options: .new) { _, change in
                reported.withLock { $0.append("exposure: \(change.newValue ?? true)") }
            },
        ]
        try device.lockForConfiguration()
        device.automaticallyAdjustsFaceDrivenAutoExposureEnabled = false
        device.isFaceDrivenAutoExposureEnabled = false
        XCTAssertEqual(device.flag(.faceDrivenExposure), true)
        device.exposureMode = .continuousAutoExposure
        XCTAssertEqual(device.flag(.faceDrivenExposure), false)
        XCTAssertEqual(device.flag(.faceDrivenFocus), true)
        device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = false
        device.isFaceDrivenAutoFocusEnabled = false
        device.focusMode = .autoFocus
        XCTAssertEqual(device.flag(.faceDrivenFocus), false)
        device.automaticallyAdjustsFaceDrivenAutoExposureEnabled = true
        device.exposureMode = .continuousAutoExposure
        XCTAssertEqual(device.flag(.faceDrivenExposure), true)
        let changes = reported.withLock { $0 }
        for expected in [
            "automatic focus setting: false", "focus: false", "automatic exposure setting: false", "exposure: false",
            "automatic exposure setting: true", "exposure: true",
        ] {
            XCTAssertTrue(changes.contains(expected), "\(expected) is missing in \(changes)")
        }
        withExtendedLifetime(observations) {}
        fixture.assertNoMisuse()
    }

    func testFaceDrivenFocusWithoutAutomaticFocusIsMisuse() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        try device.lockForConfiguration()
        XCTAssertFalse(device.automaticallyAdjustsFaceDrivenAutoFocusEnabled)
        XCTAssertFalse(device.isFaceDrivenAutoFocusEnabled)
        fixture.assertMisuse(.invalidArgument) { device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = false }
        fixture.assertMisuse(.invalidArgument) { device.isFaceDrivenAutoFocusEnabled = false }
    }

    func testThePhotoPresetUsesTheFormatsOfTheHighestPhotoQuality() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        XCTAssertEqual(device.activeFormat.autoFocusSystem, .contrastDetection)
        let highestQualityFormats = device.formats.filter(\.isHighestPhotoQualitySupported)
        XCTAssertLessThan(highestQualityFormats.count, device.formats.count)
        let session = try fixture.makeSession(camera: device.uniqueID, microphone: nil, preset: .photo, [])
        XCTAssertTrue(highestQualityFormats.contains { $0 === device.activeFormat })
        XCTAssertEqual(session.sessionPreset, .photo)
    }
}
