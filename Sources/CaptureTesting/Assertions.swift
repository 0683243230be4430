// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Assertions are named as XCTest names its own.

public import CaptureHAL
import CaptureScenarios
public import CaptureSimulation
import Foundation
import XCTest

/// Plays a scenario in a capture system of its own and compares what happens with its golden log.
///
/// - Parameter path: The scenario file; its golden log is `NAME.log` beside it or in the folder `../Golden`.
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

/// Checks that `body` is misuse: that it would raise exactly this exception on Apple's systems, once.
///
/// - Parameter text: What the exception's message must contain.
public func XCTAssertMisuse(
    _ exception: Misuse.Exception, containing text: String = "", in simulated: SimulatedSystem,
    file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
) rethrows {
    let before = simulated.takeMisuses()
    XCTAssertEqual(before, [], "there was misuse before", file: file, line: line)
    try simulated.run(body)
    let misuses = simulated.takeMisuses()
    guard misuses.count == 1, let misuse = misuses.first else {
        return XCTFail("expected one \(exception.rawValue), got \(misuses)", file: file, line: line)
    }
    XCTAssertEqual(misuse.exception, exception, file: file, line: line)
    if !text.isEmpty {
        XCTAssertTrue(misuse.message.contains(text), "\(misuse.message) does not say: \(text)", file: file, line: line)
    }
}
