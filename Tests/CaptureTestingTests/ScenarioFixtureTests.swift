import CaptureTesting
import XCTest

/// The library of scenarios.
final class ScenarioFixtureTests: XCTestCase {
    private let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Fixtures/Scenarios")
        .standardizedFileURL.path

    func testEachScenarioMeetsItsExpectations() { XCTAssertScenarios(in: folder) }
}
