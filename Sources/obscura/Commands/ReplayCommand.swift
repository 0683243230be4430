import ArgumentParser
import CaptureScenarios
import Foundation
import SimDevices

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Plays scenario files and compares what happens with their golden logs.",
        discussion: "The golden log of NAME.yaml is NAME.log beside it, or in ../Golden.")

    @Argument(help: "Scenario files.") var files: [String]
    @Option(help: "Write the event log into this file; with one scenario only.") var log: String?
    @Flag(help: "Make what happens now the golden log.") var updateGolden = false
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("name a scenario file") }
        if log != nil, files.count > 1 { throw ValidationError("--log goes with one scenario, not \(files.count)") }
    }

    fileprivate struct Report: Encodable {
        struct Scenario: Encodable {
            /// How the events compare with the golden log.
            enum Outcome: String, Encodable {
                case same, different, written
            }

            var file: String
            var events: Int
            var outcome: Outcome
            /// The first lines that differ.
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
    /// The outcome in a sentence.
    fileprivate var text: String {
        switch outcome {
        case .same: "\(file): as its golden log, \(events) events"
        case .written: "\(file): golden log written, \(events) events"
        case .different: "\(file): \(difference ?? "")"
        }
    }
}
