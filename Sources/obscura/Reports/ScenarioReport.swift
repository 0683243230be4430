import CaptureScenarios
import Foundation
import MediaTypes

/// What `obscura replay` reports of a scenario.
struct ScenarioReport: Encodable {
    /// The result of the comparison with the golden log.
    enum Outcome: String, Encodable {
        case same, different, missing, written
        /// The scenario has expectations and no golden log.
        case unneeded
    }

    var file: String
    var name: String
    var events: Int
    var outcome: Outcome
    /// The first difference, the path of the missing golden log, or what was changed in it.
    var difference: String?
    /// The verdicts of the expectations.
    var verdicts: [Verdict]
    /// How a repetition differs from the first run.
    var deviation: String?
    /// The real time in seconds.
    private var duration: Double
    /// The scenario for the page for browsers.
    private var log: [String]
    private var files: [HTMLReport.File]

    private enum CodingKeys: String, CodingKey {
        case file, name, events, outcome, difference, verdicts, deviation
    }

    init(
        _ path: String, _ scenario: ScenarioFile, _ result: ScenarioResult, _ files: [HTMLReport.File] = [],
        duration: Double
    ) {
        (log, self.files) = (result.log, files)
        (file, name, events) = (path, scenario.scenario.name, result.log.count)
        (verdicts, self.duration) = (result.verdicts, duration)
        switch result.goldenLog {
        case .unneeded: outcome = .unneeded
        case .equal: outcome = .same
        case .missing: (outcome, difference) = (.missing, "there is no golden log \(scenario.goldenURL.path)")
        case .different(let first): (outcome, difference) = (.different, "\(first)")
        case .written(let first): (outcome, difference) = (.written, first.map { "\($0)" })
        }
    }

    /// Whether anything is wrong.
    var hasFailed: Bool {
        deviation != nil || outcome == .different || outcome == .missing || verdicts.contains { !$0.isMet }
    }

    private var metCount: Int { verdicts.count(where: \.isMet) }

    /// What is wrong, each in lines of text.
    var failures: [[String]] {
        var failures = verdicts.filter { !$0.isMet }.map(\.lines)
        switch outcome {
        case .same, .written, .unneeded: break
        case .different: failures.append((difference ?? "").split(separator: "\n").map(String.init))
        case .missing:
            failures.append(["\(difference ?? ""); check the event log, then write it with --update-golden"])
        }
        if let deviation { failures.append(deviation.split(separator: "\n").map(String.init)) }
        return failures
    }

    /// The result as text: a line, and more for what is wrong.
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
                lines.append("\(file.styled(.red)): \(failures[0].joined(separator: "\n"))")
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

    /// The result for the page for browsers.
    var item: HTMLReport.Item { HTMLReport.Item(report: self, log: log, files: files) }

    /// The result for a CI server.
    var junit: JUnitReport.Case {
        JUnitReport.Case(file: file, name: name, duration: duration, failures: failures)
    }
}

/// The reports of scenarios that are played at the same time.
final class ReportBoard: Sendable {
    private struct State {
        var nextIndex = 0
        var printedCount = 0
        var results: [Result<ScenarioReport, any Error>?]
        var printError: (any Error)?
    }

    private let state: Lock<State>

    init(count: Int) { state = Lock(State(results: Array(repeating: nil, count: count))) }

    /// The index of the next scenario to play; nil if all are taken, or one could not be played.
    func next() -> Int? {
        state.withLock { state in
            let hasFailed = state.results.contains { if case .failure = $0 { true } else { false } }
            guard state.nextIndex < state.results.count, !hasFailed else { return nil }
            defer { state.nextIndex += 1 }
            return state.nextIndex
        }
    }

    /// Stores a report, and prints those that are next in the order of the scenarios.
    func set(
        _ index: Int, _ result: Result<ScenarioReport, any Error>, print: (ScenarioReport) throws -> Void
    ) {
        state.withLock { state in
            state.results[index] = result
            while state.printedCount < state.results.count,
                case .success(let report) = state.results[state.printedCount]
            {
                state.printedCount += 1
                do { try print(report) } catch { state.printError = error }
            }
        }
    }

    /// The reports in order.
    ///
    /// - Throws: The first error.
    func results() throws -> [ScenarioReport] {
        try state.withLock { state in
            if let error = state.printError { throw error }
            return try state.results.compactMap { try $0?.get() }
        }
    }
}
