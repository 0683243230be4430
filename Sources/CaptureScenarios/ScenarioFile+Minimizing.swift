import Foundation
import StrictYAML

extension ScenarioFile {
    /// A scenario that was shortened but still fails in the same way.
    public struct Minimized: Sendable {
        /// The scenario as YAML.
        public var yaml: String
        /// The verdict of its only expectation, which is not met.
        public var verdict: Verdict
        /// The number of scenarios that were played to find it.
        public var runCount: Int
    }

    /// Finds a short scenario in which the first unmet expectation fails in the same way. Two failures are the same if
    /// `Verdict.seen` is equal.
    ///
    /// Steps, faults, cameras, outputs, permissions and assets that the failure does not depend on are removed, and the
    /// scenario ends earlier.
    ///
    /// - Parameters:
    ///   - result: The result of the complete scenario.
    ///   - reportProgress: Called with the number of scenarios played so far.
    /// - Throws: `FileError` if no expectation other than the golden log failed, or if the failure is not reproducible.
    public func minimized(_ result: ScenarioResult, reportProgress: (Int) -> Void = { _ in }) throws -> Minimized {
        let pairs = zip(scenario.expectations, result.verdicts)
        guard let (expectation, failure) = pairs.first(where: { $0.kind != .goldenLog && !$1.isMet }) else {
            throw FileError(description: "\(url.relativePath): no expectation failed, so there is nothing to minimize")
        }
        var runCount = 0
        func failingVerdict(of candidate: Scenario) throws -> Verdict? {
            // The result must be a valid scenario file.
            guard let readBack = try? Scenario(yaml: candidate.yaml, file: url.relativePath) else { return nil }
            runCount += 1
            reportProgress(runCount)
            let verdict = try ScenarioFile(url: url, scenario: readBack, combination: combination).run().verdicts[0]
            return !verdict.isMet && verdict.seen == failure.seen ? verdict : nil
        }
        func fails(_ candidate: Scenario) throws -> Bool { try failingVerdict(of: candidate) != nil }
        var start = scenario
        start.expectations = [expectation]
        guard try fails(start) else {
            throw FileError(
                description:
                    "\(url.relativePath):\(expectation.line): the expectation does not fail alone, as it was written")
        }
        let reduced = try start.reduced(fails).withEarlierEnd(fails)
        guard let verdict = try failingVerdict(of: reduced) else {
            throw FileError(description: "\(url.relativePath): the failure of the scenario is not reproducible")
        }
        return Minimized(yaml: reduced.yaml, verdict: verdict, runCount: runCount)
    }
}
