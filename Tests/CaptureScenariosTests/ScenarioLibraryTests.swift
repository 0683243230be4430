import AssetTypes
import Foundation
import XCTest

@testable import CaptureScenarios

/// Tests the index page of the scenario library, and the rules for its files.
final class ScenarioLibraryTests: XCTestCase {
    private static let folder = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../Fixtures/Scenarios").standardizedFileURL

    /// The text of each scenario by its file name.
    private func scenarios() throws -> [String: String] {
        var result: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) where name.hasSuffix(".yaml")
        {
            result[name] = try text(name)
        }
        return result
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// Returns the table rows of the index page as cells: those after the line `heading`, or from the top of the page
    /// if it is nil, and before the line `end`.
    private func rows(after heading: String?, before end: String? = nil) throws -> [[String]] {
        var lines = try text("README.md").split(separator: "\n", omittingEmptySubsequences: false)[...]
        if let heading { lines = lines.drop { $0 != heading } }
        if let end { lines = lines.prefix { $0 != end } }
        return lines.filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }
            .map { $0.dropFirst(2).dropLast(2).components(separatedBy: " | ") }
    }

    func testTheIndexListsEachScenarioOnceWithItsFirstLines() throws {
        let listed = try rows(after: nil, before: "## Errors").filter { $0[0] != "Scenario" }
        let scenarios = try scenarios()
        XCTAssertGreaterThan(scenarios.count, 60)
        let expected = scenarios.map { name, text in
            let comment = text.split(separator: "\n").prefix { $0.hasPrefix("# ") }.map { $0.dropFirst(2) }
                .joined(separator: " ")
            return ["[`\(name)`](\(name))", comment]
        }
        XCTAssertEqual(listed.sorted { $0[0] < $1[0] }, expected.sorted { $0[0] < $1[0] })
    }

    func testTheIndexListsTheScenariosThatExpectEachError() throws {
        let scenarios = try scenarios()
        let codes = Dictionary(uniqueKeysWithValues: AVError.Code.scenarioNames.map { ($0.name, $0.value.rawValue) })
        var listed: Set<String> = []
        for row in try rows(after: "## Errors") where row.count == 3 && row[0] != "Code" {
            let code = row[0].split(separator: "`").first.map(String.init) ?? ""
            listed.insert(code)
            XCTAssertEqual(row[0], "`\(code)` (\(codes[code] ?? 0))")
            let names = row[2].components(separatedBy: ", ").map {
                $0.components(separatedBy: "](").last?.dropLast() ?? ""
            }
            for name in names {
                XCTAssertTrue(scenarios[String(name)]?.contains("error: \(code)") ?? false, "\(name) on \(code)")
            }
        }
        XCTAssertGreaterThan(listed.count, 15)
        for (code, _) in codes where scenarios.values.contains(where: { $0.contains("error: \(code),") }) {
            XCTAssertTrue(listed.contains(code), "a scenario expects \(code), which the index does not list")
        }
        for row in try rows(after: "## Errors") where row.count == 2 && row[0] != "Codes" && row[0].hasPrefix("`") {
            for code in row[0].split(separator: "`") where code != ", " {
                XCTAssertNotNil(codes[String(code)], "\(code)")
                XCTAssertFalse(listed.contains(String(code)), "\(code) is listed as impossible, too")
            }
        }
    }

    func testScenariosAreShortAndHaveExpectationsAndUniqueNames() throws {
        var names: [String: String] = [:]
        for (file, text) in try scenarios() {
            let scenario = try ScenarioFile(path: Self.folder.appendingPathComponent(file).path).scenario
            XCTAssertFalse(scenario.expectations.isEmpty, file)
            XCTAssertLessThan(text.split(separator: "\n").count, 40, file)
            XCTAssertLessThan(scenario.end.seconds, 5, file)
            XCTAssertNil(names.updateValue(file, forKey: scenario.name), "\(file): \(scenario.name)")
        }
    }
}
