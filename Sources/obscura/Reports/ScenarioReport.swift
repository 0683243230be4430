import CaptureScenarios
import Foundation
import MediaTypes

/// What `obscura replay` reports of a scenario.
struct ScenarioReport: Codable {
    /// The result of the comparison with the golden log.
    enum Outcome: String, Codable {
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
    /// What other reports show in addition; nil in the JSON object on standard output.
    var evidence: Evidence?

    /// The log of a scenario, and what it wrote.
    struct Evidence: Codable {
        /// The real time in seconds.
        var duration: Double
        var log: [String]
        /// The golden log, or the log of another run, if the log differs from it.
        var otherLog: [String]?
        /// Photos and movies.
        var files: [HTMLReport.File] = []
        var eventPictures: [EventPicture]
        var comparedPictures: [ComparedPicture]
    }

    init(
        _ path: String, _ scenario: ScenarioFile, _ result: ScenarioResult, _ files: [HTMLReport.File] = [],
        otherLog: [String]? = nil, duration: Double
    ) {
        evidence = Evidence(
            duration: duration, log: result.log, otherLog: otherLog, files: files, eventPictures: result.eventPictures,
            comparedPictures: result.comparedPictures)
        (file, name, events) = (path, scenario.scenario.name, result.log.count)
        verdicts = result.verdicts
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
    var item: HTMLReport.Item? { evidence.map { HTMLReport.Item(report: self, evidence: $0) } }

    /// The result for a CI server.
    var junit: JUnitReport.Case {
        JUnitReport.Case(file: file, name: name, duration: evidence?.duration ?? 0, failures: failures)
    }
}

extension [ScenarioReport] {
    /// Writes the reports as JUnit's XML, and as a page for browsers.
    func write(junit: String?, html: String?) throws {
        if let junit { try OutputFile.replace(Data(JUnitReport(cases: map(\.junit)).xml.utf8), at: junit) }
        if let html { try OutputFile.replace(Data(HTMLReport(items: compactMap(\.item)).html.utf8), at: html) }
    }

    /// Throws an error with the numbers of scenarios that failed, if there are any.
    func throwFailures() throws {
        let kinds: [(String, (ScenarioReport) -> Bool)] = [
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

    /// The number of scenarios that passed, in words.
    var summary: String { "\(count { !$0.hasFailed }) of \(count) scenarios passed" }
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
