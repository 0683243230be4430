import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

/// Exposure with priorities, and a variable aperture.
final class CustomExposureTests: XCTestCase {
    private let auto = (
        aperture: AVCaptureDevice.autoLensAperture, duration: AVCaptureDevice.autoExposureDuration,
        iso: AVCaptureDevice.autoISO
    )
    private let current = (
        aperture: AVCaptureDevice.currentLensAperture, duration: AVCaptureDevice.currentExposureDuration,
        iso: AVCaptureDevice.currentISO
    )

    /// A running session with the wide camera of a phone with a variable aperture, whose device is locked.
    private func running(
        lux: Double, device id: String = "phone-variable-aperture.back-wide"
    ) throws -> (fixture: CaptureFixture, session: AVCaptureSession, device: AVCaptureDevice) {
        let fixture = try CaptureFixture { clock in
            [
                try SimHost(
                    profiles: [DeviceProfile.builtIn("phone-variable-aperture")], scene: .grey,
                    light: SceneLight(lux: lux, kelvin: 5500), clock: clock)
            ]
        }
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(camera: id, microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 1000)
        let device = try fixture.device(id)
        try device.lockForConfiguration()
        return (fixture, session, device)
    }

    func testAutomaticExposureOpensAndClosesTheAperture() throws {
        for (lux, expected) in [(50.0, 1.48...1.48001), (3000, 1.79...1.81), (200_000, 3.99...4.00001)] {
            let (fixture, session, device) = try running(lux: lux)
            XCTAssertTrue(expected.contains(Double(device.lensAperture)), "\(device.lensAperture) at \(lux) lx")
            XCTAssertEqual(device.exposureTargetOffset, 0, accuracy: 0.2, "\(lux) lx")
            XCTAssertTrue(device.automaticallyAdjustsLensAperture)
            XCTAssertEqual(device.activeFormat.defaultLensAperture, 1.8)
            session.stopRunning()
            fixture.assertNoMisuse()
        }
    }

    func testWithShutterPriorityOnlyTheOtherValuesFollowTheLight() throws {
        let (fixture, session, device) = try running(lux: 500)
        let duration = CMTime(value: 1, timescale: 400)
        device.setExposureModeCustom(lensAperture: auto.aperture, duration: duration, iso: auto.iso)
        XCTAssertEqual(device.exposureMode, .custom)
        XCTAssertFalse(device.automaticallyAdjustsExposureDuration)
        XCTAssertTrue(device.automaticallyAdjustsISO && device.automaticallyAdjustsLensAperture)
        fixture.advance(milliseconds: 1500)
        XCTAssertEqual(device.exposureDuration.seconds, 1.0 / 400, accuracy: 1e-8)
        XCTAssertEqual(device.exposureTargetOffset, 0, accuracy: 0.2)
        // The aperture opens before the sensitivity is increased.
        XCTAssertEqual(device.lensAperture, 1.48, accuracy: 0.01)
        XCTAssertGreaterThan(device.iso, device.activeFormat.minISO)
        let iso = device.iso
        device.setExposureTargetBias(1)
        fixture.advance(milliseconds: 1500)
        XCTAssertEqual(device.iso / iso, 2, accuracy: 0.2)
        XCTAssertEqual(device.exposureDuration.seconds, 1.0 / 400, accuracy: 1e-8)
        device.exposureMode = .continuousAutoExposure
        XCTAssertTrue(device.automaticallyAdjustsExposureDuration)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testWithAperturePriorityTheApertureStays() throws {
        let (fixture, session, device) = try running(lux: 300)
        let applied = Lock<CMTime?>(nil, order: .client)
        device.setExposureModeCustom(lensAperture: 4, duration: auto.duration, iso: auto.iso) { time in
            applied.withLock { $0 = time }
        }
        XCTAssertEqual(device.lensAperture, 4)
        fixture.advance(milliseconds: 1500)
        XCTAssertEqual(try XCTUnwrap(applied.withLock { $0 }).isNumeric, true)
        XCTAssertEqual(device.lensAperture, 4)
        XCTAssertEqual(device.exposureTargetOffset, 0, accuracy: 0.2)
        XCTAssertFalse(device.automaticallyAdjustsLensAperture)
        XCTAssertTrue(device.automaticallyAdjustsExposureDuration && device.automaticallyAdjustsISO)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testTheRateLimitSlowsTheBlades() throws {
        let (fixture, session, device) = try running(lux: 200_000)
        let host = try fixture.host
        fixture.assertMisuse(.range) { device.autoExposureLensApertureRateLimit = 0.5 }
        XCTAssertEqual(device.autoExposureLensApertureRateLimit, 0)
        device.autoExposureLensApertureRateLimit = 1.1
        XCTAssertEqual(device.autoExposureLensApertureRateLimit, 1.1, accuracy: 1e-6)
        host.setScene(.grey, light: SceneLight(lux: 100, kelvin: 5500))
        var before = device.lensAperture
        var moved = 0
        for _ in 0..<60 {
            fixture.advance(milliseconds: 33)
            let ratio = (before / device.lensAperture) * (before / device.lensAperture)
            // Two frames can be between two readings.
            XCTAssertLessThan(ratio, 1.1 * 1.1 + 0.01)
            if ratio > 1.01 { moved += 1 }
            before = device.lensAperture
        }
        XCTAssertGreaterThan(moved, 10)
        XCTAssertLessThan(before, 2)
        device.autoExposureLensApertureRateLimit = 1
        host.setScene(.grey, light: SceneLight(lux: 100_000, kelvin: 5500))
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(device.lensAperture, before, accuracy: 0.001)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testTheFormatNamesTheSupportedCombinations() throws {
        let fixture = try CaptureFixture(profile: "phone-variable-aperture")
        func supported(
            _ id: String, _ aperture: Float, _ duration: CMTime, _ iso: Float
        ) throws -> Bool {
            try fixture.device("phone-variable-aperture.\(id)").activeFormat.supportsExposureModeCustom(
                lensAperture: aperture, duration: duration, iso: iso)
        }
        let cases: [(Float, CMTime, Float, wide: Bool, telephoto: Bool, triple: Bool)] = [
            (current.aperture, current.duration, current.iso, true, true, false),
            (auto.aperture, current.duration, auto.iso, true, true, true),
            (current.aperture, auto.duration, auto.iso, true, true, true),
            (auto.aperture, auto.duration, current.iso, false, false, false),
            (4, CMTime(value: 1, timescale: 100), 100, true, false, false),
            (2.8, CMTime(value: 1, timescale: 100), 100, true, true, false),
            (1, CMTime(value: 1, timescale: 100), 100, false, false, false),
            (2.8, CMTime(value: 100, timescale: 1), 100, false, false, false),
            (2.8, CMTime(value: 1, timescale: 100), 1_000_000, false, false, false),
        ]
        for (index, entry) in cases.enumerated() {
            XCTAssertEqual(try supported("back-wide", entry.0, entry.1, entry.2), entry.wide, "\(index)")
            XCTAssertEqual(try supported("back-telephoto", entry.0, entry.1, entry.2), entry.telephoto, "\(index)")
            XCTAssertEqual(try supported("back-triple", entry.0, entry.1, entry.2), entry.triple, "\(index)")
        }
        let phone = try CaptureFixture(profile: "phone")
        let device = try phone.device("phone.back-wide")
        let old = device.activeFormat
        XCTAssertTrue(
            old.supportsExposureModeCustom(
                lensAperture: current.aperture, duration: current.duration, iso: current.iso))
        XCTAssertFalse(
            old.supportsExposureModeCustom(lensAperture: auto.aperture, duration: current.duration, iso: auto.iso))
    }

    func testUnsupportedValuesAreMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone-variable-aperture")
        let wide = try fixture.device("phone-variable-aperture.back-wide")
        let triple = try fixture.device("phone-variable-aperture.back-triple")
        let duration = CMTime(value: 1, timescale: 100)
        fixture.assertMisuse(.generic) { wide.setExposureModeCustom(lensAperture: 2, duration: duration, iso: 100) }
        fixture.assertMisuse(.generic) { wide.autoExposureLensApertureRateLimit = 1.5 }
        try wide.lockForConfiguration()
        try triple.lockForConfiguration()
        fixture.assertMisuse(.range) { wide.setExposureModeCustom(lensAperture: 8, duration: duration, iso: 100) }
        fixture.assertMisuse(.range) { wide.setExposureModeCustom(lensAperture: 2, duration: .zero, iso: 100) }
        fixture.assertMisuse(.range) { wide.setExposureModeCustom(lensAperture: 2, duration: duration, iso: 1) }
        fixture.assertMisuse(.invalidArgument) {
            wide.setExposureModeCustom(lensAperture: auto.aperture, duration: auto.duration, iso: 100)
        }
        XCTAssertEqual(wide.exposureMode, .continuousAutoExposure)
        XCTAssertTrue(triple.isExposureModeSupported(.custom))
        fixture.assertMisuse(.invalidArgument) { triple.setExposureModeCustom(duration: duration, iso: 100) }
        fixture.assertMisuse(.invalidArgument) { triple.exposureMode = .custom }
        triple.setExposureModeCustom(duration: duration, iso: AVCaptureDevice.autoISO)
        fixture.assertMisuse(.invalidArgument) {
            triple.setExposureModeCustom(duration: AVCaptureDevice.autoExposureDuration, iso: 100)
        }
        wide.setExposureModeCustom(lensAperture: 2.8, duration: duration, iso: 100)
        XCTAssertEqual([wide.lensAperture, wide.iso], [2.8, 100])
        fixture.assertNoMisuse()
    }
}
