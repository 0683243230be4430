import CaptureHAL
import XCTest

extension HostConformance {
    /// Runs checks as part of a test: reports each failure with host, check, device and format, and prints what ran.
    ///
    /// - Parameter skipping: The checks that are known to be skipped on this host. Any other skip is a failure, and so is
    ///   one of these that is not; nil takes all skips, which are printed.
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
                "\(report.name), \(entry.check.rawValue): is no longer skipped; say so in the test", file: file,
                line: line)
        }
        return report
    }
}
