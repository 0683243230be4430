import CaptureTesting
import XCTest

/// The library of scenarios.
final class ScenarioFixtureTests: XCTestCase {
    private let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Fixtures/Scenarios")
        .standardizedFileURL.path

    func testEachScenarioMeetsItsExpectations() { XCTAssertScenarios(in: folder) }

    func testTheIndexListsEachScenarioWithItsFirstLines() throws {
        let index = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        XCTAssertGreaterThan(names.count, 15)
        for name in names.sorted() {
            let lines = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n")
            let comment = lines.prefix { $0.hasPrefix("# ") }.map { $0.dropFirst(2) }.joined(separator: " ")
            XCTAssertTrue(
                index.contains("| [`\(name)`](\(name)) | \(comment) |\n"), "\(name) is not listed as \(comment)")
        }
    }
}
