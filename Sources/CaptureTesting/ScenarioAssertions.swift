// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

import CaptureScenarios
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
