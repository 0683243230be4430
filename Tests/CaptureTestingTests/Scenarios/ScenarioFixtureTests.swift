import CaptureTesting
import XCTest

/// Plays the scenarios of `Fixtures/Scenarios`.
final class ScenarioFixtureTests: XCTestCase {
    private let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Fixtures/Scenarios")
        .standardizedFileURL.path

    func testEachScenarioMeetsItsExpectations() { XCTAssertScenarios(in: folder) }
}
