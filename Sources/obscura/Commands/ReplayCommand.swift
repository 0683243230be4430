import ArgumentParser
import CaptureScenarios
import Foundation
import SimDevices

/// `obscura replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Plays scenarios and compares their event logs with the golden logs.",
        discussion: "The golden log of NAME.yaml is NAME.log in the same folder, or in ../Golden.")

    @Argument(help: "The scenario files.") var files: [String]
    @Option(help: "Write the event log to this file; with one scenario only. (default: none)") var log: String?
    @Flag(help: "Write the event log as the new golden log. (default: off)") var updateGolden = false
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("name at least one scenario file") }
        if log != nil, files.count > 1 { throw ValidationError("--log requires a single scenario, not \(files.count)") }
    }

    fileprivate struct Report: Encodable {
        struct Scenario: Encodable {
            /// The result of the comparison with the golden log.
            enum Outcome: String, Encodable {
                case same, different, written
            }

            var file: String
            var events: Int
            var outcome: Outcome
            /// The first difference.
            var difference: String?
        }

        var scenarios: [Scenario] = []
    }

    func run() throws {
        var report = Report()
        for file in files {
            let outcome = try play(file)
            report.scenarios.append(outcome)
            if !json { try printLine(outcome.text) }
        }
        if json { try printJSON(report) }
        let failures = report.scenarios.count { $0.outcome == .different }
        if failures > 0 {
            throw CommandFailure("\(failures) of \(files.count) scenarios differ from their golden logs")
        }
    }

    private func play(_ file: String) throws -> Report.Scenario {
        let scenario = try ScenarioFile(path: file)
        let lines = try scenario.play()
        if let log { try write(lines, to: log) }
        if updateGolden {
            try scenario.writeGolden(lines)
            return Report.Scenario(file: file, events: lines.count, outcome: .written)
        }
        let difference = try scenario.compare(lines)
        return Report.Scenario(
            file: file, events: lines.count, outcome: difference == nil ? .same : .different,
            difference: difference.map { "\($0)" })
    }

    private func write(_ lines: [String], to path: String) throws(CommandFailure) {
        do {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure("the log \(path) cannot be written: \(error.localizedDescription)")
        }
    }
}

extension ReplayCommand.Report.Scenario {
    /// The outcome as a line of text.
    fileprivate var text: String {
        switch outcome {
        case .same: "\(file): matches its golden log, \(events) events"
        case .written: "\(file): golden log written, \(events) events"
        case .different: "\(file): \(difference ?? "")"
        }
    }
}
