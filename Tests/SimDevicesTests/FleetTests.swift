import CaptureHAL
import XCTest

@testable import SimDevices

/// The built-in profiles have the published properties of the phones that they are derived from.
final class FleetTests: XCTestCase {
    private func cameras(_ name: String) throws -> [CameraProfile] {
        try DeviceProfile.builtIn(name).devices.compactMap { if case .camera(let camera) = $0 { camera } else { nil } }
    }

    private func camera(_ id: String, of name: String) throws -> CameraProfile {
        try XCTUnwrap(cameras(name).first { $0.id == id }, "\(name).\(id)")
    }

    private func virtualCamera(_ id: String, of name: String) throws -> VirtualCameraProfile {
        let cameras = try DeviceProfile.builtIn(name).devices.compactMap { device -> VirtualCameraProfile? in
            if case .virtualCamera(let camera) = device { camera } else { nil }
        }
        return try XCTUnwrap(cameras.first { $0.id == id }, "\(name).\(id)")
    }

    func testTheNearestFocusOfEachBackCamera() throws {
        let expected: [String: [String: Double?]] = [
            "phone-two-lenses": ["back-wide": 150, "back-ultra-wide": nil],
            "phone-pro-2x": ["back-wide": 120, "back-ultra-wide": nil, "back-telephoto": 400],
            "phone-pro-3x": ["back-wide": 150, "back-ultra-wide": 20, "back-telephoto": 600],
            "phone-pro-5x": ["back-wide": 200, "back-ultra-wide": 20],
            "phone-square-front": ["back-wide": 120, "back-ultra-wide": 20],
            "phone-variable-aperture": ["back-wide": 200, "back-ultra-wide": 20],
        ]
        for (name, distances) in expected {
            for (id, distance) in distances {
                XCTAssertEqual(
                    try camera(id, of: name).lens.minimumFocusDistanceMillimeters, distance, "\(name).\(id)")
            }
        }
    }

    func testTheSwitchOverFactorsOfTripleCameras() throws {
        let expected: [(name: String, factors: [Double])] = [
            ("phone-pro-2x", [2, 4]), ("phone-pro-3x", [2, 6]), ("phone-pro-5x", [2, 10]),
            ("phone-variable-aperture", [2, 8]),
        ]
        for (name, factors) in expected {
            XCTAssertEqual(try virtualCamera("back-triple", of: name).switchOverZoomFactors, factors, name)
        }
    }

    func testPhonesDifferInLensesDepthAndFormats() throws {
        XCTAssertEqual(try cameras("phone-small").map(\.id), ["back-wide", "front"])
        XCTAssertTrue(try cameras("phone-small").allSatisfy { $0.depth == nil })
        XCTAssertEqual(
            try cameras("phone-two-lenses").map(\.id), ["back-wide", "back-ultra-wide", "front", "front-true-depth"])
        // Only Pro phones since the second generation have ProRes.
        for (name, hasProRes) in [("phone-two-lenses", false), ("phone-pro-2x", false), ("phone-pro-3x", true)] {
            let encodings = try camera("back-wide", of: name).formats.map(\.encoding)
            XCTAssertEqual(encodings.contains(.pixels(0x7834_3232)), hasProRes, name)  // x422
        }
        let front = try camera("front", of: "phone-square-front")
        XCTAssertTrue(front.formats.contains { $0.dimensions.width == $0.dimensions.height })
        XCTAssertEqual(front.mountingAngle, 0)
        XCTAssertEqual(try camera("back-wide", of: "phone-variable-aperture").lens.apertureStops, [1.48, 1.8, 2.8, 4])
        XCTAssertEqual(
            try cameras("phone-foldable").map(\.kind).suffix(2),
            [.builtInInnerUltraWideCamera, .builtInOuterUltraWideCamera])
        XCTAssertEqual(try cameras("laptop").map(\.kind), [.builtInWideAngleCamera, .deskViewCamera])
    }

    func testASecondaryNativeZoomFactorIsScaledToTheVirtualCamera() throws {
        let wide = try camera("back-wide", of: "phone-pro-5x")
        XCTAssertEqual(wide.formats.first { !$0.isBinned }?.secondaryNativeZoomFactors, [2])
        XCTAssertEqual(wide.formats.first { $0.isBinned }?.secondaryNativeZoomFactors, [])
        // The wide camera begins at the factor 2 of the triple camera.
        let triple = try virtualCamera("back-triple", of: "phone-pro-5x")
        XCTAssertEqual(triple.formats.first { !$0.isBinned }?.secondaryNativeZoomFactors, [4])
    }

    func testEachProfileNamesItsSources() throws {
        for name in DeviceProfile.builtInNames {
            let profile = try DeviceProfile.builtIn(name)
            XCTAssertFalse(profile.summary.isEmpty, name)
            XCTAssertLessThanOrEqual(profile.summary.count, 80, name)
            XCTAssertTrue(try DeviceProfile.builtInYAML(name).hasPrefix("# "), name)
        }
    }
}
