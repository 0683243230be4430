import ArgumentParser
import CaptureScenarios
import Foundation
import SimDevices

/// `obscura replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Plays scenarios and compares their event logs with the golden logs.",
        discussion: "The golden log of NAME.yaml is NAME.log in the same folder, or in ../Golden.")

    @Argument(help: "The scenario files.", completion: .file(extensions: ["yaml", "yml"])) var files: [String]
    @Option(help: "Write the event log to this file; with one scenario only. (default: none)") var log: String?
    @Flag(help: "Write the event log as the new golden log. (default: off)") var updateGolden = false
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("name at least one scenario file") }
        guard let log else { return }
        if files.count > 1 { throw ValidationError("--log requires a single scenario, not \(files.count)") }
        let (target, scenario) = (URL(fileURLWithPath: log), URL(fileURLWithPath: files[0]))
        if OutputFile.isSameFile(target, scenario) { throw ValidationError("--log \(log) is the scenario itself") }
        let golden = ScenarioFile.goldenCandidates(of: scenario)
        for url in [golden.sibling, golden.inGoldenFolder] where OutputFile.isSameFile(target, url) {
            throw ValidationError("--log \(log) is the golden log of \(files[0]); --update-golden writes it")
        }
    }

    fileprivate struct Report: Encodable {
        struct Scenario: Encodable {
            /// The result of the comparison with the golden log.
            enum Outcome: String, Encodable {
                case same, different, missing, written
            }

            var file: String
            var events: Int
            var outcome: Outcome
            /// The first difference, or the path of the missing golden log.
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
        let different = report.scenarios.count { $0.outcome == .different }
        let missing = report.scenarios.count { $0.outcome == .missing }
        var failures: [String] = []
        if different > 0 { failures.append("\(different) of \(files.count) scenarios differ from their golden logs") }
        if missing > 0 { failures.append("\(missing) of \(files.count) scenarios have no golden log") }
        if !failures.isEmpty { throw CommandFailure(failures.joined(separator: ", and ")) }
    }

    private func play(_ file: String) throws -> Report.Scenario {
        let scenario = try ScenarioFile(path: file)
        let bar = ProgressBar(scenario.url.deletingPathExtension().lastPathComponent)
        let result = Result { try scenario.play(reportProgress: bar.show(_:)) }
        bar.finish()
        let lines = try result.get()
        let report = try compare(lines, with: scenario, file)
        if let log { try write(lines, to: log) }
        return report
    }

    private func compare(_ lines: [String], with scenario: ScenarioFile, _ file: String) throws -> Report.Scenario {
        if updateGolden {
            try scenario.writeGolden(lines)
            return Report.Scenario(file: file, events: lines.count, outcome: .written)
        }
        guard scenario.hasGoldenLog else {
            return Report.Scenario(
                file: file, events: lines.count, outcome: .missing,
                difference: "there is no golden log \(scenario.goldenURL.path)")
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
        case .same: "\(file): \("matches its golden log".styled(.green)), \(events) events"
        case .written: "\(file): golden log written, \(events) events"
        case .different: "\(file.styled(.red)): \(difference ?? "")"
        case .missing:
            "\(file.styled(.red)): \(difference ?? ""); check the event log, then write it with --update-golden"
        }
    }
}
