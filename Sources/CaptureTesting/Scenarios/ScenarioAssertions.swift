// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

#if Everything || Scenarios
import CaptureScenarios
import Foundation
import XCTest

/// Asserts that a scenario meets its expectations, and that its event log equals its golden log if there is one.
///
/// A scenario without expectations must have a golden log. A file with a matrix is played once for each combination.
/// Each unmet expectation is a failure with the expected and the actual result and the adjacent events.
/// Each object, file, thread and frame that is not released at the end is also a failure.
///
/// - Parameters:
///   - path: The scenario file `NAME.yaml`. Its golden log is `NAME.log` in the same folder, or in `../Golden`.
///   - file: The file of a failure.
///   - line: The line of a failure.
public func XCTAssertScenario(_ path: String, file: StaticString = #filePath, line: UInt = #line) {
    for failure in ScenarioRun.failures(path) { XCTFail(failure, file: file, line: line) }
}

/// A run of a scenario that describes a session.
enum ScenarioRun {
    /// Plays the scenarios of a file and returns descriptions of the failures.
    static func failures(_ path: String) -> [String] {
        do {
            return try ScenarioFile.load(path: path).flatMap { try failures($0) }
        } catch {
            return ["\(error)"]
        }
    }

    /// Plays a scenario and returns descriptions of the failures.
    static func failures(_ scenario: ScenarioFile) throws -> [String] {
        let check = LeakCheck()
        var system: LeakCheck.System?
        let result: ScenarioResult
        do {
            result = try scenario.run { system = LeakCheck.System($0.lifetimes, $0.host.history, folder: nil) }
        } catch {
            check.cancel()
            throw error
        }
        // A verdict contains the file, but not the combination of the matrix.
        let name = scenario.combination.map { "[\($0)] " } ?? ""
        var failures = result.verdicts.filter { !$0.isMet }.map { name + $0.lines.joined(separator: "\n") }
        switch result.goldenLog {
        case .equal, .unneeded, .written: break
        case .different(let difference): failures.append("\(scenario.name): \(difference)")
        case .missing:
            failures.append(
                "\(scenario.name): there is no golden log \(scenario.goldenURL.path); check the event log, then write "
                    + "it with 'obscura replay --update-golden'")
        }
        let leaks = check.leaks(of: system.map { [$0] } ?? [])
        return failures + leaks.map { "\(scenario.name): after the scenario, \($0)" }
    }
}

/// Asserts each scenario of a folder, as `XCTAssertScenario` does, and prints a line with the result of each file. A
/// folder without scenarios is a failure.
///
/// XCTest on Linux cannot create test cases at run time. In Swift Testing, `scenarios(in:)` returns a test case for
/// each scenario.
public func XCTAssertScenarios(in folder: String, file: StaticString = #filePath, line: UInt = #line) {
    do {
        for path in try ScenarioFile.paths(in: folder) {
            let failures = ScenarioRun.failures(path)
            for failure in failures { XCTFail(failure, file: file, line: line) }
            print("Scenario '\(path)' \(failures.isEmpty ? "passed" : "failed").")
        }
    } catch {
        XCTFail("\(error)", file: file, line: line)
    }
}
#endif
