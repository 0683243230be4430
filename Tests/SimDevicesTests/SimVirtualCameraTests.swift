import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import SimDevices

final class SimVirtualCameraTests: XCTestCase {
    func testTheDescriptorNamesTheConstituentsAndTheirZoomFactors() throws {
        let host = try SimHost(clock: SimClock())
        let triple = try XCTUnwrap(host.devices.first { $0.descriptor.kind == .builtInTripleCamera })
        XCTAssertEqual(
            triple.descriptor.constituentIDs, ["phone.back-ultra-wide", "phone.back-wide", "phone.back-telephoto"])
        XCTAssertEqual(triple.descriptor.switchOverZoomFactors, [2, 6])
        XCTAssertEqual(triple.descriptor.position, .back)
        let known = Set(host.devices.map(\.descriptor.uniqueID))
        for device in host.devices { XCTAssertTrue(known.isSuperset(of: device.descriptor.constituentIDs)) }
        guard case .video(let format) = triple.formats[0] else { return XCTFail("no video format") }
        XCTAssertEqual(format.maximumZoomFactor, 55)
        XCTAssertEqual(format.horizontalFieldOfView, 108.32)
        // The telephoto camera does not support 240 fps; therefore the virtual camera does not, either.
        XCTAssertFalse(
            triple.formats.contains {
                if case .video(let video) = $0 {
                    video.supports(frameDuration: CMTime(value: 1, timescale: 240))
                } else {
                    false
                }
            })
    }

    func testTheZoomFactorSelectsTheConstituent() throws {
        let fixture = try SimDeviceFixture(device: "phone.back-triple", scene: .chart)
        try fixture.start()
        var apertures: [Double?] = []
        for zoom in [1, 1.99, 2, 5.9, 6, 40] {
            try fixture.device.set(.zoomFactor, to: .number(zoom))
            fixture.clear()
            fixture.clock.advance(by: .milliseconds(40))
            let frame = try XCTUnwrap(fixture.frames.last)
            XCTAssertEqual(frame.settings.zoomFactor, zoom)
            XCTAssertEqual(try fixture.device.value(of: .zoomFactor), .number(zoom))
            apertures.append(frame.settings.aperture)
        }
        XCTAssertEqual(apertures, [2.2, 2.2, 1.78, 1.78, 2.8, 2.8])
        XCTAssertThrowsError(try fixture.device.set(.zoomFactor, to: .number(56)))
        XCTAssertThrowsError(try fixture.device.set(.zoomFactor, to: .number(0.9)))
    }

    func testSequenceNumbersContinueAcrossASwitch() throws {
        let fixture = try SimDeviceFixture(device: "phone.back-dual-wide")
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(70))
        try fixture.device.set(.zoomFactor, to: .number(3))
        fixture.clock.advance(by: .milliseconds(70))
        XCTAssertEqual(fixture.eventLog, (0...4).map { "frame \($0)" })
        XCTAssertEqual(try fixture.frames.map { FrameMarker.read(from: try $0.buffer)?.counter }, [0, 1, 2, 3, 4])
    }

    func testOtherControlsApplyToAllConstituents() throws {
        let fixture = try SimDeviceFixture(device: "phone.back-triple")
        try fixture.device.set(.exposureBias, to: .number(1))
        try fixture.device.set(.iso, to: .number(100))
        for zoom in [1.0, 3, 8] {
            try fixture.device.set(.zoomFactor, to: .number(zoom))
            XCTAssertEqual(try fixture.device.value(of: .iso), .number(100))
            XCTAssertEqual(try fixture.device.value(of: .exposureBias), .number(1))
        }
        // The telephoto camera has the smallest range.
        XCTAssertThrowsError(try fixture.device.set(.iso, to: .number(5000)))
        fixture.device.close()
        XCTAssertThrowsError(try fixture.device.value(of: .iso)) {
            XCTAssertEqual(($0 as? DeviceError)?.code, .invalidState)
        }
    }

    func testAControlFaultAffectsAllConstituents() throws {
        let fixture = try SimDeviceFixture(device: "phone.back-triple")
        let id = "phone.back-triple"
        try fixture.host.schedule(.alterControl(.zoomFactor, to: .number(3), count: 2), uniqueID: id, at: .time(.zero))
        for _ in 0..<2 {
            try fixture.device.set(.zoomFactor, to: .number(7))
            XCTAssertEqual(try fixture.device.value(of: .zoomFactor), .number(3))
        }
        try fixture.device.set(.zoomFactor, to: .number(7))
        XCTAssertEqual(try fixture.device.value(of: .zoomFactor), .number(7))
        try fixture.host.schedule(.failControl(.exposureBias, count: 1), uniqueID: id, at: .time(.zero))
        XCTAssertThrowsError(try fixture.device.set(.exposureBias, to: .number(1)))
        XCTAssertEqual(try fixture.device.value(of: .exposureBias), .number(0))
        XCTAssertNoThrow(try fixture.device.set(.exposureBias, to: .number(1)))
    }

    func testObserversAreNotifiedOfAConstituentThatAFaultSelects() throws {
        let fixture = try SimDeviceFixture(device: "phone.back-triple")
        try fixture.host.schedule(
            .alterControl(.constituent, to: .integer(2), count: 1), uniqueID: "phone.back-triple", at: .time(.zero))
        let changes = Lock<[ControlValue]>([])
        let observation = fixture.device.observeControls { control, value in
            if control == .constituent { changes.withLock { $0.append(value) } }
        }
        try fixture.device.set(.constituent, to: .integer(1))
        XCTAssertEqual(try fixture.device.value(of: .constituent), .integer(2))
        XCTAssertEqual(changes.withLock { $0 }, [.integer(2)])
        try fixture.device.set(.constituent, to: .integer(1))
        XCTAssertEqual(changes.withLock { $0 }, [.integer(2)], "the client knows the value that it set")
        observation.cancel()
    }

    func testTheExposureIsCorrectImmediatelyAfterASwitch() throws {
        let fixture = try SimDeviceFixture(device: "phone.back-dual-wide")
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(300))
        let before = try XCTUnwrap(fixture.frames.last).buffer.mean(0.3, 0.3, 0.4, 0.4).y
        try fixture.device.set(.zoomFactor, to: .number(2))
        fixture.clear()
        fixture.clock.advance(by: .milliseconds(34))
        let after = try XCTUnwrap(fixture.frames.first).buffer.mean(0.3, 0.3, 0.4, 0.4).y
        XCTAssertEqual(after, before, accuracy: 12)
    }

    func testTheFieldOfViewIsContinuousAcrossASwitch() throws {
        for scene in [SimScene.chart, .portrait] {
            let fixture = try SimDeviceFixture(device: "phone.back-triple", scene: scene)
            try fixture.start()
            for (before, after) in [(1.98, 2.0), (5.95, 6.0)] {
                let lumaGrids = try [before, after].map { zoom in
                    try fixture.device.set(.zoomFactor, to: .number(zoom))
                    // Without this, the first camera keeps an exposure that is slightly wrong.
                    let automatic = ControlValue.integer(ControlMode.continuousAuto.rawValue)
                    try fixture.device.set(.exposureMode, to: automatic)
                    fixture.clear()
                    fixture.clock.advance(by: .milliseconds(400))
                    let buffer = try XCTUnwrap(fixture.frames.last).buffer
                    // The areas are below the marker, and so large that the different sharpness of the lenses has no
                    // effect.
                    return (0..<36).map {
                        buffer.mean(Double($0 % 6) / 6, 0.16 + Double($0 / 6) * 0.14, 0.166, 0.139).y
                    }
                }
                let differences = zip(lumaGrids[0], lumaGrids[1]).map { abs($0 - $1) }
                XCTAssertLessThan(differences.reduce(0, +) / 36, 6, "\(scene.name) at \(after): \(differences)")
            }
        }
    }

    func testInvalidVirtualCamerasAreErrorsWithTheirLine() throws {
        let phone = String(decoding: PackageResources.phone_yaml, as: UTF8.self)
        for (old, new, words) in [
            ("switchOver: [2, 6]", "switchOver: [2, 5]", "is too small; write 5.93 or more"),
            ("switchOver: [2, 6]", "switchOver: [2]", "1 zoom factors for 3 cameras"),
            ("switchOver: [2, 6]", "switchOver: [6, 2]", "ascending order"),
            (
                "constituents: [back-wide, back-telephoto]", "constituents: [back-telephoto, back-wide]",
                "wider camera first"
            ),
            ("constituents: [back-wide, back-telephoto]", "constituents: [back-wide, back-tele]", "did you mean"),
            ("constituents: [back-wide, back-telephoto]", "constituents: [front, back-telephoto]", "the same position"),
            ("kind: builtInTripleCamera", "kind: external", "not a valid value here"),
        ] {
            XCTAssertTrue(phone.contains(old))
            XCTAssertThrowsError(
                try DeviceProfile(yaml: phone.replacingOccurrences(of: old, with: new), file: "p.yaml"), new
            ) { error in
                XCTAssertTrue("\(error)".contains(words), "\(error)")
                XCTAssertGreaterThan((error as? ProfileError)?.line ?? 0, 100)
            }
        }
    }
}
