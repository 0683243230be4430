import AVFoundation
import CaptureTesting
import DepthViewer
import XCTest

final class DepthViewerTests: XCTestCase {
    func testEachFrameHasItsDepthMap() throws {
        let simulated = try SimulatedSystem(scene: .portrait)
        let viewer = try DepthViewer()
        var times: [CMTime] = []
        viewer.onFrame = { times.append($0.time) }
        viewer.session.startRunning()
        XCTAssertTrue(simulated.advance(until: { times.count == 5 }, limit: .seconds(3)))
        XCTAssertEqual(times, times.sorted())
        XCTAssertEqual(Set(times.map(\.value)).count, 5)
        let frame = try XCTUnwrap(viewer.lastFrame)
        // The camera is held upright.
        XCTAssertLessThan(frame.color.width, frame.color.height)
        XCTAssertLessThan(frame.depth.width, frame.depth.height)
        XCTAssertEqual(frame.depth.width, frame.map.width)
    }

    func testPeopleAreNearerThanTheWall() throws {
        let simulated = try SimulatedSystem(scene: .portrait)
        let viewer = try DepthViewer(position: .back)
        viewer.session.startRunning()
        simulated.advance(until: { viewer.lastFrame != nil }, limit: .seconds(3))
        simulated.advance(by: .milliseconds(500))
        let map = try XCTUnwrap(viewer.lastFrame?.map)
        // The nearest person stands at 0.9 m, the wall at 4 m.
        XCTAssertEqual(try XCTUnwrap(map.nearest), 0.9, accuracy: 0.1)
        XCTAssertEqual(try XCTUnwrap(map.distance(at: CGPoint(x: 0.5, y: 0.02))), 4, accuracy: 0.5)
    }

    func testWithoutADepthCameraTheViewerFails() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        XCTAssertThrowsError(try DepthViewer()) { XCTAssertEqual($0 as? DepthViewerError, .noDepthCamera) }
        withExtendedLifetime(simulated) {}
    }
}
