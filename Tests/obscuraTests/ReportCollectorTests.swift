import Foundation
import XCTest

@testable import obscura

final class ReportCollectorTests: XCTestCase {
    private struct PrintError: Error, Equatable {
        let number: Int
    }

    /// Returns a report, whose type is inferred.
    private func report<Report: Decodable>() throws -> Report {
        let json = #"{"file": "a.yaml", "name": "a", "events": 1, "outcome": "unneeded", "verdicts": []}"#
        return try JSONDecoder().decode(Report.self, from: Data(json.utf8))
    }

    func testTheFirstErrorOfPrintingIsThrown() throws {
        let collector = ReportCollector(count: 2)
        for index in 0..<2 {
            collector.store(.success(try report()), at: index) { _ in throw PrintError(number: index) }
        }
        XCTAssertThrowsError(try collector.reports()) { error in
            XCTAssertEqual(error as? PrintError, PrintError(number: 0))
        }
    }
}
