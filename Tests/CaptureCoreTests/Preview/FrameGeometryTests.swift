import Foundation
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class FrameGeometryTests: XCTestCase {
    private let bounds = CGRect(x: 10, y: 20, width: 300, height: 300)

    private func geometry(
        _ gravity: AVLayerVideoGravity, _ angle: Int = 0, isMirrored: Bool = false
    ) -> FrameGeometry {
        FrameGeometry(
            frameSize: CGSize(width: 1600, height: 900), rotationAngle: angle, isMirrored: isMirrored,
            bounds: bounds, gravity: gravity)
    }

    func testGravityDeterminesTheFrameRect() {
        XCTAssertEqual(geometry(.resize).frameRect, bounds)
        XCTAssertEqual(geometry(.resize, 90).frameRect, bounds)
        XCTAssertEqual(geometry(.resizeAspect).frameRect, CGRect(x: 10, y: 85.625, width: 300, height: 168.75))
        XCTAssertEqual(geometry(.resizeAspect, 90).frameRect, CGRect(x: 75.625, y: 20, width: 168.75, height: 300))
        let filled = geometry(.resizeAspectFill, 180).frameRect
        XCTAssertEqual(filled.midX, 160, accuracy: 1e-9)
        XCTAssertEqual(filled.width, 1600.0 / 3, accuracy: 1e-9)
        XCTAssertEqual(filled.height, 300, accuracy: 1e-9)
    }

    func testRotationAndMirroringMoveTheUpperLeftCorner() {
        let corners: [(angle: Int, isMirrored: Bool, corner: CGPoint)] = [
            (0, false, CGPoint(x: 10, y: 20)), (90, false, CGPoint(x: 310, y: 20)),
            (180, false, CGPoint(x: 310, y: 320)), (270, false, CGPoint(x: 10, y: 320)),
            (0, true, CGPoint(x: 310, y: 20)), (90, true, CGPoint(x: 10, y: 20)),
            (180, true, CGPoint(x: 10, y: 320)), (270, true, CGPoint(x: 310, y: 320)),
        ]
        for (angle, isMirrored, corner) in corners {
            let converted = CGPoint.zero.applying(geometry(.resize, angle, isMirrored: isMirrored).fromDevice)
            XCTAssertEqual(converted.x, corner.x, accuracy: 1e-9, "\(angle) \(isMirrored)")
            XCTAssertEqual(converted.y, corner.y, accuracy: 1e-9, "\(angle) \(isMirrored)")
        }
    }

    func testToDeviceIsTheInverseOfFromDevice() throws {
        for gravity in [AVLayerVideoGravity.resize, .resizeAspect, .resizeAspectFill] {
            for angle in [0, 90, 180, 270] {
                for isMirrored in [false, true] {
                    let geometry = geometry(gravity, angle, isMirrored: isMirrored)
                    let inverse = try XCTUnwrap(geometry.toDevice)
                    for point in [CGPoint(x: 0.2, y: 0.7), CGPoint(x: -0.1, y: 1.3)] {
                        let roundTripped = point.applying(geometry.fromDevice).applying(inverse)
                        XCTAssertEqual(roundTripped.x, point.x, accuracy: 1e-9)
                        XCTAssertEqual(roundTripped.y, point.y, accuracy: 1e-9)
                    }
                }
            }
        }
        var empty = geometry(.resizeAspect)
        empty.bounds = .zero
        XCTAssertNil(empty.toDevice)
    }
}
