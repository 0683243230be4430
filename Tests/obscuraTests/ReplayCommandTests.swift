import Foundation
import XCTest

/// `obscura replay`: comparison with the golden log, as text and as JSON.
final class ReplayCommandTests: ObscuraTestCase {
    override func setUpWithError() throws {
        try super.setUpWithError()
        let scenario = """
            scenario: 1
            name: A short one
            devices: {profile: webcam, scene: grey}
            session: {preset: 640x480, microphone: false, outputs: [movie]}
            timeline:
              - {at: 0 s, do: start}
            end: 200 ms
            """
        try Data(scenario.utf8).write(to: file("s.yaml"))
    }

    private func scenario(_ report: [String: Any]) throws -> [String: Any] {
        let scenarios = try XCTUnwrap(report["scenarios"] as? [[String: Any]])
        XCTAssertEqual(scenarios.count, 1)
        XCTAssertEqual(scenarios[0]["file"] as? String, "s.yaml")
        return scenarios[0]
    }

    func testJSONIsOneObject() throws {
        let written = try scenario(obscura("replay", "s.yaml", "--update-golden", "--json").object())
        XCTAssertEqual(written["outcome"] as? String, "written")
        let same = try scenario(obscura("replay", "s.yaml", "--json").object())
        XCTAssertEqual(same["outcome"] as? String, "same")
        XCTAssertEqual(same["events"] as? Int, written["events"] as? Int)
        XCTAssertNil(same["difference"])

        try Data("another log\n".utf8).write(to: file("s.log"))
        let outcome = try obscura("replay", "s.yaml", "--json")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: 1 of 1 scenarios differ from their golden logs\n")
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let different = try scenario(object)
        XCTAssertEqual(different["outcome"] as? String, "different")
        XCTAssertTrue(try XCTUnwrap(different["difference"] as? String).contains("another log"))
    }

    func testTheTextIsOneLine() throws {
        let written = try obscura("replay", "s.yaml", "--update-golden")
        XCTAssertTrue(written.text.hasPrefix("s.yaml: golden log written, "), written.text + written.errors)
        let same = try obscura("replay", "s.yaml")
        XCTAssertTrue(same.text.hasPrefix("s.yaml: matches its golden log, "), same.text + same.errors)
        XCTAssertEqual(same.status, 0)
    }
}
