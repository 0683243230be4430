import CaptureCore
import Foundation
import Testing
import XCTest

@testable import CaptureTesting

/// Tests the scenarios of a folder as cases of a parameterized test.
final class ScenarioCaseTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-case-tests-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("good", "{session: running, at: 0.5 s}")
        try write("wrong", "{session: stopped, at: 0.5 s}")
        try write("matrix", "{session: running, at: 0.5 s}", "matrix: {start: [0 s, 0.1 s]}", start: "${start}")
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private func write(
        _ name: String, _ expectation: String, _ additionalKeys: String = "", start: String = "0 s"
    ) throws {
        let text = """
            scenario: 1
            name: \(name)
            devices: {scene: grey}
            session: {camera: phone.back-wide, preset: 352x288, outputs: [video]}
            timeline: [{at: \(start), do: start}]
            end: 1 s
            expect: [\(expectation)]
            \(additionalKeys)
            """
        try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).yaml"))
    }

    func testEachScenarioAndEachCombinationIsACase() throws {
        try Data("scenario: 1\nnam: x\n".utf8).write(to: folder.appendingPathComponent("unreadable.yaml"))
        let cases = try scenarios(in: folder.path)
        XCTAssertEqual(
            cases.map(\.testDescription), ["good", "matrix[start=0 s]", "matrix[start=0.1 s]", "unreadable", "wrong"])
        XCTAssertThrowsError(try cases[3].load()) { XCTAssertTrue("\($0)".contains("unreadable.yaml:2"), "\($0)") }
        XCTAssertThrowsError(try scenarios(in: folder.appendingPathComponent("none").path))
    }

    func testAFailureIsReportedForTheCaseOfItsFile() throws {
        let result = try TestFixtures.runSwiftTesting(
            "ScenarioCaseFixtures/plays\\(", environment: ["OBSCURA_CASES": folder.path])
        XCTAssertNotEqual(result.status, 0, result.output)
        XCTAssertTrue(result.output.contains("recorded an issue with 1 argument scenario → wrong"), result.output)
        XCTAssertTrue(result.output.contains("expected: the session is stopped at 0.5 s"), result.output)
        for name in ["good", "matrix[start=0 s]"] {
            XCTAssertFalse(result.output.contains("issue with 1 argument scenario → \(name)"), result.output)
        }
        XCTAssertTrue(result.output.contains("with 4 test cases"), result.output)
    }

    func testPlayingAFolderPrintsALineForEachFile() throws {
        let result = try TestFixtures.runXCTest(
            "ScenarioFolderFixtures", environment: ["OBSCURA_CASES": folder.path])
        XCTAssertTrue(result.output.contains("Scenario '\(folder.path)/good.yaml' passed.\n"), result.output)
        XCTAssertTrue(result.output.contains("Scenario '\(folder.path)/wrong.yaml' failed.\n"), result.output)
    }
}

/// The folder of the scenarios that the fixtures play; nil if there are none.
private var fixtureFolder: String? { ProcessInfo.processInfo.environment["OBSCURA_CASES"] }

/// Tests that are run by `ScenarioCaseTests` in a separate process.
@Suite(.enabled(if: TestFixtures.areEnabled)) struct ScenarioCaseFixtures {
    @Test(arguments: try fixtureFolder.map(scenarios(in:)) ?? [])
    func plays(_ scenario: ScenarioCase) { expectScenario(scenario) }
}

final class ScenarioFolderFixtures: XCTestCase {
    override func invokeTest() {
        if TestFixtures.areEnabled { super.invokeTest() }
    }

    func testPlaysAFolder() { if let fixtureFolder { XCTAssertScenarios(in: fixtureFolder) } }
}
