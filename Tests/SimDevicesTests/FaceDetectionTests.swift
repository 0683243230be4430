import CaptureHAL
import MediaTypes
import PixelKernels
import ThreeA
import XCTest

@testable import SimDevices

final class FaceDetectionTests: XCTestCase {
    /// Creates a renderer of people in front of a card at 10 m, in focus and exposed correctly.
    ///
    /// - Parameters:
    ///   - cover: Creates a layer in front of the people.
    ///   - people: Returns the faces at a time in nanoseconds.
    private func makeFixture(
        rotation: PixelRotation = .none, cover: ((SceneView) -> PlacedLayer)? = nil,
        people: @escaping @Sendable (SceneView, Int64) -> [SceneFace]
    ) throws -> RenderingFixture {
        let fixture = try RenderingFixture(rotation: rotation) { view in
            let card = FakeScene.card(0.18, width: view.width, height: view.height)
            return FakeScene(
                backdrop: [PlacedLayer(bitmap: card, x: 0, y: 0, depth: 10)], moving: cover.map { [$0(view)] } ?? [],
                people: { people(view, $0) })
        }
        fixture.expose(seconds: 0.001, iso: 100)
        fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: 2)
        return fixture
    }

    func testFacesAreDetectedWhereTheFrameShowsThem() throws {
        let fixture = try RenderingFixture(size: (1280, 720)) { BacklightScene(view: $0) }
        let unzoomed = try XCTUnwrap(fixture.render().detectedFaces().first)
        // The face has a size of 0.16 m × 0.22 m and a depth of 1.1 m. Its center is 0.06 m to the right of the axis
        // and 0.01 m above it.
        let tangent = fixture.view.tangentOfHalfView
        XCTAssertEqual(unzoomed.x + unzoomed.width / 2, 0.5 + 0.06 / 1.1 / tangent / 2, accuracy: 0.001)
        XCTAssertEqual(unzoomed.y + unzoomed.height / 2, 0.5 - 0.01 / 1.1 / tangent / 2 * 16 / 9, accuracy: 0.001)
        XCTAssertEqual(unzoomed.width, 0.16 / 1.1 / tangent / 2, accuracy: 0.001)
        XCTAssertEqual(unzoomed.height, 0.22 / 1.1 / tangent / 2 * 16 / 9, accuracy: 0.001)
        XCTAssertEqual(unzoomed.roll, 0)
        XCTAssertEqual(unzoomed.yaw, 0)
        // Zoom enlarges the face and moves it away from the center.
        fixture.state.zoom = 2
        let zoomed = try XCTUnwrap(fixture.render(at: 1).detectedFaces(at: 1).first)
        XCTAssertEqual(zoomed.x - 0.5, 2 * (unzoomed.x - 0.5), accuracy: 0.001)
        XCTAssertEqual(zoomed.height, 2 * unzoomed.height, accuracy: 0.001)
        let chart = try RenderingFixture { ChartScene(view: $0) }
        XCTAssertEqual(chart.render().detectedFaces(), [])
    }

    func testTheBoxSurroundsTheFaceInTheImage() throws {
        let fixture = try RenderingFixture(size: (1280, 720)) { PortraitScene(view: $0) }
        fixture.expose(seconds: 0.02, iso: 100)
        let faces = fixture.render(at: 700_000_000).detectedFaces(at: 700_000_000)
        XCTAssertEqual(faces.count, 3)
        for face in faces {
            let (x, y) = ((face.x + face.width / 2) * 1280, (face.y + face.height / 2) * 720)
            // Cheeks are redder than the walls and bookcases beside the box.
            func red(_ x: Double) -> Double {
                let codes = fixture.means(x: Int(x)..<Int(x) + 4, y: Int(y)..<Int(y) + 4)
                return codes[0] / codes[2]
            }
            XCTAssertGreaterThan(red(x - face.width * 1280 * 0.2), 1.25, "\(face)")
            XCTAssertGreaterThan(red(x + face.width * 1280 * 0.2), 1.25, "\(face)")
        }
    }

    func testTheBoxAndTheRollFollowTheRotationOfTheSensor() throws {
        let upright = try makeFixture { view, _ in [SceneFace(of: 7, in: view, depth: 2, x: 0.2, y: 0.4)] }
        let face = try XCTUnwrap(upright.render().detectedFaces().first)
        let upsideDown = try makeFixture(rotation: .clockwise180) { view, _ in
            var face = SceneFace(of: 7, in: view, depth: 2, x: 0.2, y: 0.4)
            face.roll = 10
            return [face]
        }
        let upsideDownFace = try XCTUnwrap(upsideDown.render().detectedFaces().first)
        XCTAssertEqual(upsideDownFace.x + upsideDownFace.width, 1 - face.x, accuracy: 0.001)
        XCTAssertEqual(upsideDownFace.y + upsideDownFace.height, 1 - face.y, accuracy: 0.001)
        XCTAssertEqual(upsideDownFace.roll, 190)
        let sideways = try makeFixture(rotation: .clockwise90) { view, _ in
            [SceneFace(of: 7, in: view, depth: 2, x: 0.2, y: 0.4)]
        }
        let sidewaysFace = try XCTUnwrap(sideways.render().detectedFaces().first)
        // The top of the scene is on the right.
        XCTAssertEqual(sidewaysFace.x + sidewaysFace.width / 2, 0.5 + 0.39 / 2 / 0.75 / 2, accuracy: 0.001)
        XCTAssertEqual(sidewaysFace.y + sidewaysFace.height / 2, 0.5 + 0.2 / 2 / 0.5625 / 2, accuracy: 0.001)
        XCTAssertEqual(sidewaysFace.width * 640, 0.22 / 2 * 640 / 1.5, accuracy: 0.5)
        XCTAssertEqual(sidewaysFace.height * 480, 0.16 / 2 * 640 / 1.5, accuracy: 0.5)
        XCTAssertEqual(sidewaysFace.roll, 90)
    }

    func testACoveredFaceIsNotDetected() throws {
        /// Returns the number of detected faces behind a card that covers the frame from its left edge up to the
        /// fraction `share` of the face's width.
        func count(_ share: Double, depth: Double = 1) throws -> Int {
            try makeFixture(
                cover: { view in
                    let width = view.width / 2 + Int((share - 0.5) * 0.16 / 2 * view.scale)
                    let card = FakeScene.card(0.5, width: width & ~1, height: view.height)
                    return PlacedLayer(bitmap: card, x: 0, y: 0, depth: depth)
                }
            ) { view, _ in [SceneFace(of: 0, in: view, depth: 2, x: 0, y: 0)] }.render().detectedFaces().count
        }
        XCTAssertEqual(try count(0.2), 1)
        XCTAssertEqual(try count(0.8), 0)
        XCTAssertEqual(try count(0.8, depth: 3), 1, "the card is behind the face")
    }

    func testAFaceAtTheEdgeIsDetectedIfMostOfItIsInsideTheFrame() throws {
        /// Returns a face with its center `x` meters to the right of the axis, at a distance of 2 m.
        func face(_ x: Double) throws -> DetectedFace? {
            try makeFixture { view, _ in [SceneFace(of: 0, in: view, depth: 2, x: x, y: 0)] }.render()
                .detectedFaces().first
        }
        // The right edge of the frame is at 1.5 m.
        let inside = try XCTUnwrap(try face(1.47))
        XCTAssertEqual(inside.x + inside.width, 1)
        XCTAssertEqual(inside.width, 0.11 / 3, accuracy: 0.001)
        XCTAssertNil(try face(1.53))
        XCTAssertNil(try face(-1.53))
    }

    func testASmallBlurredOrDarkFaceIsNotDetected() throws {
        let fixture = try makeFixture { view, _ in [SceneFace(of: 0, in: view, depth: 7, x: 0, y: 0)] }
        // The face is 13 of 480 rows high.
        XCTAssertEqual(fixture.render().detectedFaces(), [])
        fixture.state.zoom = 2
        XCTAssertEqual(fixture.render().detectedFaces().count, 1)
        fixture.state.lensPosition = 0
        XCTAssertEqual(fixture.render().detectedFaces(), [])
        fixture.state.lensPosition = 1
        XCTAssertEqual(fixture.render().detectedFaces().count, 1)
        fixture.expose(seconds: 0.0001, iso: 50)
        XCTAssertEqual(fixture.render().detectedFaces(), [])
    }

    func testAFaceKeepsItsIdentifierUntilItIsLost() {
        var tracker = SimFaceTracker()
        func face(_ person: Int, x: Double, height: Double) -> DetectedFace {
            DetectedFace(id: person, x: x, y: 0.4, width: 0.1, height: height)
        }
        func ids(_ faces: [DetectedFace], at milliseconds: Int64) -> [Int] {
            tracker.track(faces, at: milliseconds * 1_000_000).map(\.id)
        }
        let (left, right) = (face(4, x: 0.1, height: 0.2), face(2, x: 0.8, height: 0.3))
        // The largest face is first.
        XCTAssertEqual(ids([left, right], at: 0), [2, 1])
        // The two faces swap their positions.
        XCTAssertEqual(ids([face(4, x: 0.8, height: 0.2), face(2, x: 0.1, height: 0.3)], at: 33), [2, 1])
        XCTAssertEqual(ids([left], at: 66), [1])
        XCTAssertEqual(tracker.regions.count, 2)
        XCTAssertEqual(ids([left, right], at: 900), [2, 1], "it was covered for a moment")
        XCTAssertEqual(ids([left], at: 1800), [1])
        XCTAssertEqual(ids([left], at: 1900), [1])
        XCTAssertEqual(tracker.regions.count, 1)
        XCTAssertEqual(ids([left, right], at: 2000), [3, 1], "it returns as a new face")
        XCTAssertEqual(ids([], at: 5000), [])
        XCTAssertEqual(tracker.regions, [])
    }

    func testAPersonWhoLeavesAndReturnsHasANewIdentifier() throws {
        // Three people; the middle one walks out of the frame to the right, behind the last one, and returns.
        let fixture = try makeFixture { view, nanoseconds in
            let seconds = Double(nanoseconds) / 1e9
            let walked = 3 * max(0, 1 - abs(seconds - 2) / 2)
            return [
                SceneFace(of: 0, in: view, depth: 2, x: -0.8, y: 0),
                SceneFace(of: 1, in: view, depth: 2.2, x: walked, y: 0),
                SceneFace(of: 2, in: view, depth: 2, x: 0.8, y: 0.3),
            ]
        }
        var tracker = SimFaceTracker()
        var identifierLists: [[Int]] = []
        for frame in 0...120 {
            let time = Int64(frame) * 33_333_333
            let faces = tracker.track(fixture.render(at: time).detectedFaces(at: time), at: time)
            let ids = faces.sorted { $0.x < $1.x }.map(\.id)
            if identifierLists.last != ids { identifierLists.append(ids) }
        }
        // The identifiers from left to right. The others keep theirs; the person who returns has a new one.
        XCTAssertEqual(identifierLists, [[1, 2, 3], [1, 3, 2], [1, 3], [1, 3, 4], [1, 4, 3]])
    }
}
