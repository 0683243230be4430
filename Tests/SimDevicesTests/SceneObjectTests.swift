import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import SimDevices

/// Tests objects of scenes that move, disappear and appear.
final class SceneObjectTests: XCTestCase {
    private func step(_ seconds: Double, _ change: SceneObjectChange) -> SceneObjectMotion.Step {
        SceneObjectMotion.Step(nanoseconds: Int64(seconds * 1e9), change: change)
    }

    private func movedScene(_ view: SceneView, _ steps: [SceneObjectMotion.Step]) -> MovedScene {
        let names = Set(steps.map(\.change.name))
        return MovedScene(
            PortraitScene(view: view), in: view, PortraitScene.objects.filter { names.contains($0.name) }, steps)
    }

    // MARK: Motion

    func testAMovementHasConstantSpeedAndEndsAtItsTarget() {
        let motion = SceneObjectMotion(
            SceneObject("a", x: 1, y: 2),
            [step(1, SceneObjectChange("a", x: 3, duration: CMTime(value: 4, timescale: 1)))])
        let expected: [(Double, Double, Double)] = [(0.5, 0, 0), (1, 0, 0.5), (3, 1, 0.5), (5, 2, 0), (9, 2, 0)]
        for (seconds, x, speed) in expected {
            let state = motion.state(at: Int64(seconds * 1e9))
            XCTAssertEqual(state.x, x, "at \(seconds) s")
            XCTAssertEqual(state.y, 0)
            XCTAssertEqual(state.speed, speed, "at \(seconds) s")
            XCTAssertTrue(state.isVisible)
        }
    }

    func testALaterMovementBeginsWhereTheEarlierOneIsInterrupted() {
        let duration = CMTime(value: 2, timescale: 1)
        let motion = SceneObjectMotion(
            SceneObject("a", x: 0, y: 0, isVisible: false),
            [
                step(0, SceneObjectChange("a", x: 2, y: 1, duration: duration)),
                step(1, SceneObjectChange("a", x: 0, isVisible: true, duration: duration)),
                step(1, SceneObjectChange("b", x: 7)), step(4, SceneObjectChange("a", isVisible: false)),
            ])
        XCTAssertEqual([0, 0.5, 1, 2, 3].map { motion.state(at: Int64($0 * 1e9)).x }, [0, 0.5, 1, 0.5, 0])
        XCTAssertEqual(motion.state(at: 1_500_000_000).y, 0.75)
        XCTAssertEqual([0, 1, 3.9, 4].map { motion.state(at: Int64($0 * 1e9)).isVisible }, [false, true, true, false])
    }

    // MARK: Rendered frames

    func testTheFaceOfAMovedPersonIsDetectedAtItsNewPosition() throws {
        let fixture = try RenderingFixture(size: (1280, 720)) { view in
            self.movedScene(view, [self.step(1, SceneObjectChange("person-1", x: -0.2))])
        }
        fixture.expose(seconds: 0.02, iso: 100)
        let before = fixture.render(at: 999_000_000).detectedFaces(at: 999_000_000)
        let after = fixture.render(at: 1_000_000_000).detectedFaces(at: 1_000_000_000)
        let (old, new) = try (XCTUnwrap(before.first { $0.id == 2 }), XCTUnwrap(after.first { $0.id == 2 }))
        // The person is at a depth of 0.9 m and moves from x = 0.05 m to -0.2 m.
        let shift = 0.25 / 0.9 * fixture.view.scale / 1280
        XCTAssertEqual(old.x - new.x, shift, accuracy: 0.002)
        XCTAssertEqual(old.y, new.y)
        /// Returns the ratio of red to blue at a point in fractions of the frame.
        func redness(_ x: Double, _ y: Double) -> Double {
            let codes = fixture.means(x: Int(x * 1280)..<Int(x * 1280) + 4, y: Int(y * 720)..<Int(y * 720) + 4)
            return codes[0] / codes[2]
        }
        let (x, y) = (new.x + new.width * 0.3, new.y + new.height * 0.6)
        XCTAssertGreaterThan(redness(x, y), 1.2)
        fixture.render(at: 999_000_000)
        XCTAssertGreaterThan(redness(old.x + old.width * 0.3, old.y + old.height * 0.6), 1.2)
    }

    func testAHiddenPersonIsNeitherRenderedNorDetected() throws {
        let fixture = try RenderingFixture(size: (640, 480)) { view in
            self.movedScene(view, [self.step(1, SceneObjectChange("person-1", isVisible: false))])
        }
        fixture.expose(seconds: 0.02, iso: 100)
        XCTAssertEqual(fixture.render(at: 0).detectedFaces(at: 0).count, 3)
        let (columns, rows) = (330..<350, 420..<440)
        let coat = fixture.means(x: columns, y: rows)
        let faces = fixture.render(at: 1_000_000_000).detectedFaces(at: 1_000_000_000)
        XCTAssertFalse(faces.contains { $0.id == 2 })
        XCTAssertEqual(faces.count, 2)
        XCTAssertNotEqual(fixture.means(x: columns, y: rows), coat)
    }

    func testASceneIsRenderedUnchangedUntilAnObjectMoves() throws {
        let unchanged = try RenderingFixture(size: (640, 480)) { PortraitScene(view: $0) }
        let fixture = try RenderingFixture(size: (640, 480)) { view in
            self.movedScene(view, [self.step(100, SceneObjectChange("person-3", isVisible: false))])
        }
        for fixture in [unchanged, fixture] {
            fixture.expose(seconds: 0.02, iso: 100)
            fixture.render(at: 300_000_000)
        }
        for column in stride(from: 0, to: 640, by: 80) {
            for row in stride(from: 0, to: 480, by: 80) {
                let (columns, rows) = (column..<column + 80, row..<row + 80)
                for (a, b) in zip(unchanged.means(x: columns, y: rows), fixture.means(x: columns, y: rows)) {
                    XCTAssertEqual(a, b, accuracy: 1, "at \(column), \(row)")
                }
            }
        }
    }

    // MARK: Hosts and files

    func testTheHostRejectsObjectsThatTheSceneDoesNotContain() throws {
        let host = try SimHost(scene: .portrait, clock: SimClock())
        host.setScene(.shelf, at: CMTime(value: 1, timescale: 1))
        func problem(_ change: SceneObjectChange, at seconds: Int64 = 0) -> String {
            do throws(DeviceError) {
                try host.changeSceneObject(change, at: CMTime(value: seconds, timescale: 1))
                return ""
            } catch {
                return error.message
            }
        }
        XCTAssertEqual(problem(SceneObjectChange("person-2", x: 1)), "")
        XCTAssertTrue(problem(SceneObjectChange("persn-2", x: 1)).contains("did you mean \"person-2\"?"))
        XCTAssertTrue(problem(SceneObjectChange("person-2", y: 1)).contains("stands on the floor"))
        XCTAssertTrue(problem(SceneObjectChange("person-2", x: 1), at: 1).contains("no object"))
        XCTAssertEqual(problem(SceneObjectChange("qr", y: 1), at: 1), "")
    }

    private func file(_ lines: String) throws -> SceneFile {
        try SceneFile(yaml: "scene: 1\nname: mine\n" + lines, file: "s.yaml")
    }

    private func problem(_ lines: String) -> String {
        do {
            _ = try file(lines)
            return ""
        } catch {
            return "\(error)"
        }
    }

    func testTheObjectsOfAFileAreItsNamedCodesAndThePeopleOfItsBase() throws {
        let code = "kind: qr, text: a, depth: 1 m, module: 1 mm"
        let scene = try file("base: portrait\ncodes: [{\(code), name: poster, x: 1 m, visible: false}, {\(code)}]\n")
        XCTAssertEqual(
            Set(SimScene.file(scene).objects),
            Set(PortraitScene.objects + [SceneObject("poster", x: 1, y: 0, isVisible: false)]))
        XCTAssertEqual(
            SimScene.file(try file("base: shelf\n")).objects.map(\.name), SimScene.shelf.objects.map(\.name))
        XCTAssertTrue(problem("codes: [{\(code), visible: false}]").contains("without a name"))
        XCTAssertTrue(problem("codes: [{\(code), name: a}, {\(code), name: a}]").contains("two objects \"a\""))
        XCTAssertTrue(
            problem("base: backlight\ncodes: [{\(code), name: person-1}]").contains("two objects \"person-1\""))
    }

    func testAHiddenCodeOfAFileAppears() throws {
        let code = "kind: qr, text: a, depth: 50 cm, module: 5 mm, name: label, visible: false"
        let scene = SimScene.file(try file("codes: [{\(code)}]\n"))
        let object = try XCTUnwrap(scene.objects.first)
        let fixture = try RenderingFixture(size: (640, 480)) { view in
            MovedScene(
                scene.painted(for: view, movable: ["label"], seed: 1, startNanoseconds: 0), in: view, [object],
                [self.step(1, SceneObjectChange("label", x: 0.1, isVisible: true))])
        }
        fixture.expose(seconds: 0.01, iso: 100)
        let (columns, rows) = (316..<324, 200..<280)
        let wall = fixture.render(at: 0).means(x: columns, y: rows)
        let (x, width) = (320 + Int(0.1 / 0.5 * fixture.view.scale), 40)
        let background = fixture.means(x: x - width..<x + width, y: rows)
        fixture.render(at: 1_000_000_000)
        XCTAssertEqual(fixture.means(x: columns, y: rows)[1], wall[1], accuracy: 2)
        XCTAssertGreaterThan(abs(fixture.means(x: x - width..<x + width, y: rows)[1] - background[1]), 10)
    }
}
