import CaptureScenarios
import Foundation
import MediaTypes

extension ScenarioReport {
    private var metCount: Int { verdicts.count(where: \.isMet) }

    /// The result as text: one line, with further lines for failures.
    var text: String {
        var parts: [String] = []
        switch outcome {
        case .same: parts.append("matches its golden log".styled(.green))
        case .written: parts.append("golden log written")
        case .different, .missing, .unneeded: break
        }
        if !verdicts.isEmpty {
            let words = "\(metCount) of \(verdicts.count) expectations met"
            parts.append(metCount == verdicts.count ? words.styled(.green) : words)
        }
        var lines: [String] = []
        if hasFailed {
            // A single failure without a verdict is one line with the file.
            if verdicts.isEmpty, failures.count == 1 {
                let text = failures[0].joined(separator: "\n")
                // The error in a file begins with the file and the line.
                lines.append(text.hasPrefix("\(file):") ? text.styled(.red) : "\(file.styled(.red)): \(text)")
            } else {
                lines.append("\(file.styled(.red)): " + (parts + ["\(events) events"]).joined(separator: ", "))
                lines += failures.flatMap { $0.map { "  " + $0 } }
            }
        } else {
            lines.append("\(file): " + (parts + ["\(events) events"]).joined(separator: ", "))
        }
        if outcome == .written, let difference { lines.append("  " + difference.replacing("\n", with: "\n  ")) }
        return lines.joined(separator: "\n")
    }
}

extension [ScenarioReport] {
    /// Writes the reports as JUnit's XML, and as a page for browsers.
    func write(junit: String?, html: String?) throws {
        if let junit { try OutputFile.replace(Data(JUnitReport(self).xml.utf8), at: junit) }
        if let html { try OutputFile.replace(Data(HTMLReport(self).html.utf8), at: html) }
    }

    /// Throws an error with the numbers of scenarios that failed, if there are any.
    func throwFailures() throws {
        if count == 1, let problem = self[0].problems?.first { throw CommandFailure(problem) }
        let kinds: [(String, (ScenarioReport) -> Bool)] = [
            ("scenarios cannot be played", { $0.problems != nil }),
            ("scenarios do not meet their expectations", { $0.verdicts.contains { !$0.isMet } }),
            ("scenarios differ from their golden logs", { $0.outcome == .different }),
            ("scenarios have no golden log", { $0.outcome == .missing }),
            ("scenarios differ from run to run", { $0.deviation != nil }),
        ]
        let failures = kinds.compactMap { text, isFailed -> String? in
            let failed = count(where: isFailed)
            return failed == 0 ? nil : "\(failed) of \(count) \(text)"
        }
        if !failures.isEmpty { throw CommandFailure(failures.joined(separator: ", and ")) }
    }

    /// The number of scenarios that passed, as text.
    var summary: String { "\(count { !$0.hasFailed }) of \(count) scenarios passed" }
}

/// Assigns scenarios to threads that play them concurrently, and collects the reports.
final class ReportCollector: Sendable {
    private struct State {
        var nextIndex = 0
        var printedCount = 0
        var results: [Result<ScenarioReport, any Error>?]
        /// The first error of printing.
        var printError: (any Error)?
    }

    private let state: Lock<State>

    init(count: Int) { state = Lock(State(results: Array(repeating: nil, count: count))) }

    /// Returns the index of the next scenario to play; nil if all are assigned, or if one ended with an error instead
    /// of a report.
    func nextIndex() -> Int? {
        state.withLock { state in
            let hasFailed = state.results.contains { if case .failure = $0 { true } else { false } }
            guard state.nextIndex < state.results.count, !hasFailed else { return nil }
            defer { state.nextIndex += 1 }
            return state.nextIndex
        }
    }

    /// Stores a result, then prints the unprinted reports that precede the first scenario without a report.
    func store(
        _ result: Result<ScenarioReport, any Error>, at index: Int, print: (ScenarioReport) throws -> Void
    ) {
        state.withLock { state in
            state.results[index] = result
            while state.printedCount < state.results.count,
                case .success(let report) = state.results[state.printedCount]
            {
                state.printedCount += 1
                do { try print(report) } catch { state.printError = state.printError ?? error }
            }
        }
    }

    /// The reports in order.
    ///
    /// - Throws: The first error of printing; otherwise the first error that is stored instead of a report.
    func reports() throws -> [ScenarioReport] {
        try state.withLock { state in
            if let error = state.printError { throw error }
            return try state.results.compactMap { try $0?.get() }
        }
    }
}
