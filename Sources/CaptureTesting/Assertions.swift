// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

public import CaptureHAL
import CaptureScenarios
public import CaptureSimulation
import Foundation
import XCTest

/// Asserts that the event log of a scenario equals its golden log.
///
/// - Parameters:
///   - path: The scenario file `NAME.yaml`. Its golden log is `NAME.log` in the same folder, or in `../Golden`.
///   - file: The file of a failure.
///   - line: The line of a failure.
public func XCTAssertScenario(_ path: String, file: StaticString = #filePath, line: UInt = #line) {
    do {
        let scenario = try ScenarioFile(path: path)
        if let difference = try scenario.compare(scenario.play()) {
            XCTFail("\(path): \(difference)", file: file, line: line)
        }
    } catch {
        XCTFail("\(error)", file: file, line: line)
    }
}

/// Asserts that `body` is misuse, which raises an exception on Apple's systems, exactly once.
///
/// - Parameters:
///   - exception: The expected exception.
///   - text: A text that the message must contain.
///   - simulated: The system in which `body` runs.
///   - file: The file of a failure.
///   - line: The line of a failure.
///   - body: The code that is misuse.
public func XCTAssertMisuse(
    _ exception: Misuse.Exception, containing text: String = "", in simulated: SimulatedSystem,
    file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
) rethrows {
    let before = simulated.dequeueMisuses()
    XCTAssertEqual(before, [], "unclaimed misuse before the assertion", file: file, line: line)
    try simulated.run(body)
    let misuses = simulated.dequeueMisuses()
    guard misuses.count == 1, let misuse = misuses.first else {
        return XCTFail("expected one \(exception.rawValue), got \(misuses)", file: file, line: line)
    }
    XCTAssertEqual(misuse.exception, exception, file: file, line: line)
    if !text.isEmpty {
        XCTAssertTrue(
            misuse.message.contains(text), "\(misuse.message) does not contain: \(text)", file: file, line: line)
    }
}
