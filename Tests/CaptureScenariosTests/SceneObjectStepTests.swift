import StrictYAML
import XCTest

@testable import CaptureScenarios

/// Tests steps that change an object of the scene.
final class SceneObjectStepTests: XCTestCase {
    /// Returns the error of a scenario with these steps; empty if it is valid.
    private func error(_ steps: [String], scene: String = "portrait") -> String {
        let lines =
            ["scenario: 1", "name: Objects", "devices: {scene: \(scene)}", "session: {outputs: [video]}", "timeline:"]
            + steps.map { "  - {at: \($0)}" } + ["end: 3 s"]
        do {
            _ = try ScenarioDocument(text: lines.joined(separator: "\n"), file: "t.yaml")
                .scenario([], checksNames: true)
            return ""
        } catch {
            return "\(error)"
        }
    }

    func testTheObjectMustBeInTheSceneAtTheTimeOfTheStep() {
        let change = "do: scene-object, object"
        XCTAssertEqual(error(["1 s, \(change): person-3, x: 1 m"]), "")
        XCTAssertEqual(error(["1 s, do: scene, scene: shelf", "1 s, \(change): qr, y: 1 cm"]), "")
        for (steps, text) in [
            (["1 s, \(change): persn-3, x: 1 m"], "t.yaml:6:"),
            (["1 s, \(change): persn-3, x: 1 m"], "did you mean \"person-3\"?"),
            (["1 s, \(change): qr, x: 1 m", "2 s, do: scene, scene: shelf"], "portrait has no object \"qr\""),
            (["1 s, do: scene, scene: shelf", "2 s, \(change): person-1, x: 1 m"], "t.yaml:7:"),
            (["1 s, do: scene, scene: grey", "2 s, \(change): person-1, x: 1 m"], "it has none with a name"),
            (["1 s, \(change): person-1, y: 1 m"], "stands on the floor"),
        ] {
            XCTAssertTrue(error(steps).contains(text), "\(steps): \(error(steps))")
        }
    }

    func testAStepThatChangesNothingIsAnError() {
        for (values, text) in [
            ("object: person-1", "the object does not change"),
            ("object: person-1, visible: false, over: 1 s", "appears or disappears at once"),
            ("x: 1 m", "object"),
        ] {
            let message = error(["1 s, do: scene-object, \(values)"])
            XCTAssertTrue(message.contains(text), "\(values): \(message)")
        }
    }
}
