import CaptureHAL
import MediaCodecs
import MediaTypes
import XCTest

@testable import CaptureCore

final class FaceTrackerTests: XCTestCase {
    private func face(_ x: Double, _ y: Double = 0.2) -> DetectedFace {
        DetectedFace(id: 0, x: x, y: y, width: 0.2, height: 0.2)
    }

    private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1000) }

    func testMovingFacesKeepTheirIdentifiersInAnyOrder() {
        var tracker = FaceTracker()
        XCTAssertEqual(tracker.identify([face(0.1), face(0.6)], at: time(0)).map(\.id), [1, 2])
        XCTAssertEqual(tracker.identify([face(0.58), face(0.13)], at: time(100)).map(\.id), [2, 1])
        XCTAssertEqual(tracker.identify([face(0.2), face(0.5)], at: time(200)).map(\.id), [1, 2])
    }

    func testAFaceThatIsMissedForLessThanASecondKeepsItsIdentifier() {
        var tracker = FaceTracker()
        XCTAssertEqual(tracker.identify([face(0.1)], at: time(0)).map(\.id), [1])
        XCTAssertEqual(tracker.identify([], at: time(500)).map(\.id), [])
        XCTAssertEqual(tracker.identify([face(0.1)], at: time(1000)).map(\.id), [1])
    }

    func testAFaceThatReturnsLaterHasANewIdentifier() {
        var tracker = FaceTracker()
        XCTAssertEqual(tracker.identify([face(0.1)], at: time(0)).map(\.id), [1])
        XCTAssertEqual(tracker.identify([face(0.1)], at: time(1001)).map(\.id), [2])
        // In another session, the times start at 0 again.
        XCTAssertEqual(tracker.identify([face(0.1)], at: time(0)).map(\.id), [3])
    }

    func testAFaceAtAnotherPositionHasANewIdentifier() {
        var tracker = FaceTracker()
        XCTAssertEqual(tracker.identify([face(0.1)], at: time(0)).map(\.id), [1])
        XCTAssertEqual(tracker.identify([face(0.5), face(0.1)], at: time(33)).map(\.id), [2, 1])
    }

    func testFacesOfARotatedImageAreInTheCoordinatesOfTheFrame() throws {
        // In an upright image of 100x200 pixels, at the top left.
        let upright = FaceDetector.Face(left: 10, top: 20, width: 20, height: 20, roll: 30)
        for (angle, x, y, roll) in [
            (0, 0.1, 0.1, 30.0), (90, 0.1, 0.7, 300), (180, 0.7, 0.8, 210), (270, 0.8, 0.1, 120),
        ] {
            let face = try XCTUnwrap(FrameFaceDetector.unrotated(upright, width: 100, height: 200, angle: angle))
            XCTAssertEqual(face.x, x, accuracy: 1e-9, "\(angle)")
            XCTAssertEqual(face.y, y, accuracy: 1e-9, "\(angle)")
            XCTAssertEqual(face.roll, roll, "\(angle)")
        }
    }

    func testFacesAreClippedAtTheEdgesOfTheFrame() throws {
        let half = FaceDetector.Face(left: -10, top: 180, width: 20, height: 40)
        let face = try XCTUnwrap(FrameFaceDetector.unrotated(half, width: 100, height: 200, angle: 0))
        XCTAssertEqual(face.x, 0)
        XCTAssertEqual(face.width, 0.1, accuracy: 1e-9)
        XCTAssertEqual(face.y + face.height, 1, accuracy: 1e-9)
        XCTAssertNil(
            FrameFaceDetector.unrotated(
                FaceDetector.Face(left: 110, top: 0, width: 20, height: 20), width: 100, height: 200, angle: 0))
    }
}
