import CaptureTesting
import TestSupport
import XCTest

/// Plays scenarios of `Fixtures/Scenarios`. `CI/replay` plays them all.
final class ScenarioFixtureTests: XCTestCase {
    private let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Fixtures/Scenarios")
        .standardizedFileURL.path

    func testScenariosMeetTheirExpectationsAndLeaveNoObjects() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
            .sorted()
        for name in CaseSample.of(names, count: 30) { XCTAssertScenario("\(folder)/\(name)") }
    }
}
