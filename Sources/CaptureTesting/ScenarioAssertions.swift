// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

import CaptureScenarios
import Foundation
import XCTest

/// Asserts that a scenario meets its expectations, and that its event log equals its golden log if there is one.
///
/// A scenario without expectations must have a golden log. A file with a matrix is played once for each combination.
/// Each unmet expectation is a failure with what was expected, what was seen, and the events around it.
///
/// - Parameters:
///   - path: The scenario file `NAME.yaml`. Its golden log is `NAME.log` in the same folder, or in `../Golden`.
///   - file: The file of a failure.
///   - line: The line of a failure.
public func XCTAssertScenario(_ path: String, file: StaticString = #filePath, line: UInt = #line) {
    do {
        for scenario in try ScenarioFile.load(path: path) { try assert(scenario, file: file, line: line) }
    } catch {
        XCTFail("\(error)", file: file, line: line)
    }
}

private func assert(_ scenario: ScenarioFile, file: StaticString, line: UInt) throws {
    let result = try scenario.run()
    // A verdict names the file only.
    let name = scenario.combination.map { "[\($0)] " } ?? ""
    for verdict in result.verdicts where !verdict.isMet {
        XCTFail(name + verdict.lines.joined(separator: "\n"), file: file, line: line)
    }
    switch result.goldenLog {
    case .equal, .unneeded, .written: break
    case .different(let difference): XCTFail("\(scenario.name): \(difference)", file: file, line: line)
    case .missing:
        XCTFail(
            "\(scenario.name): there is no golden log \(scenario.goldenURL.path); check the event log, then write it "
                + "with 'obscura replay --update-golden'", file: file, line: line)
    }
}

/// Asserts each scenario of a folder, as `XCTAssertScenario` does; a folder without scenarios is a failure.
public func XCTAssertScenarios(in folder: String, file: StaticString = #filePath, line: UInt = #line) {
    do {
        for path in try ScenarioFile.paths(in: folder) { XCTAssertScenario(path, file: file, line: line) }
    } catch {
        XCTFail("\(error)", file: file, line: line)
    }
}
