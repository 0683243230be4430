import Foundation

/// The cases that a slow test tries: all if the environment variable `OBSCURA_ALL_CASES` is set, otherwise a sample.
///
/// `CI/all-cases` runs the tests that use it with all cases.
package enum CaseSample {
    /// Whether all cases are tried.
    package static var isComplete: Bool { ProcessInfo.processInfo.environment["OBSCURA_ALL_CASES"] != nil }

    /// Returns at most `count` cases: the first, the last, and evenly spaced ones between them.
    package static func of<Cases: RandomAccessCollection>(_ cases: Cases, count: Int) -> [Cases.Element] {
        guard !isComplete, count > 1, count < cases.count else { return Array(cases) }
        return (0..<count).map { number in
            cases[cases.index(cases.startIndex, offsetBy: number * (cases.count - 1) / (count - 1))]
        }
    }
}
