import CaptureHAL
import XCTest

extension HostConformance {
    /// Runs checks in a test case, records failures with XCTest, and prints and returns the report.
    ///
    /// - Parameters:
    ///   - checks: The checks to run.
    ///   - skipping: The checks that are expected to be skipped. Any other skipped check is a failure, and so is an
    ///     expected skip that does not happen. Nil accepts all skipped checks.
    ///   - file: The file in which failures are recorded.
    ///   - line: The line on which failures are recorded.
    @discardableResult
    public func check(
        _ checks: [HostCheck] = HostCheck.allCases, skipping: Set<HostCheck>? = nil, file: StaticString = #filePath,
        line: UInt = #line
    ) -> ConformanceReport {
        let report = run(checks)
        print(report)
        for entry in report.entries {
            for failure in entry.failures {
                XCTFail("\(report.name), \(entry.check.rawValue): \(failure)", file: file, line: line)
            }
        }
        guard let skipping else { return report }
        for entry in report.entries where entry.isSkipped && !skipping.contains(entry.check) {
            let reasons = Set(entry.skips.values).sorted().joined(separator: "; ")
            XCTFail("\(report.name), \(entry.check.rawValue): skipped: \(reasons)", file: file, line: line)
        }
        for entry in report.entries where !entry.isSkipped && skipping.contains(entry.check) {
            XCTFail(
                "\(report.name), \(entry.check.rawValue): is no longer skipped; remove it from `skipping`", file: file,
                line: line)
        }
        return report
    }
}
