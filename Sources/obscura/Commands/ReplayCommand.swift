import ArgumentParser
import CaptureScenarios
import Foundation
import MediaTypes
import SimDevices

/// `obscura replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Plays scenarios and checks their expectations and their event logs.",
        discussion: """
            The golden log of NAME.yaml is NAME.log in the same folder, or in ../Golden. A scenario without expectations \
            must have one.
            """)

    @Argument(
        help: "Scenario files, and folders of scenarios.",
        completion: .file(extensions: ["yaml", "yml"]))
    var files: [String]
    @Option(help: "Play only the scenarios with this text in the path or name. (default: all)") var filter: String?
    @Flag(help: "Print the scenarios and their names, and play none. (default: off)") var list = false
    @Option(help: "Play each scenario this many times and compare the event logs.") var `repeat` = 1
    @Option(help: "Play this many scenarios at a time.") var jobs = 1
    @Option(help: "Write the event log to this file; with one scenario only. (default: none)") var log: String?
    @Option(
        help:
            "Keep what the scenarios write, and their event logs, in a folder for each in this folder. (default: none)")
    var keep: String?
    @Option(help: "Write the results to this file in JUnit's format. (default: none)") var junit: String?
    @Option(help: "Write the results to this file as a page for browsers. (default: none)") var html: String?
    @Flag(help: "Write the event log as the new golden log. (default: off)") var updateGolden = false
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    func validate() throws {
        try SelectedScenarios.requireFiles(files)
        if `repeat` < 1 { throw ValidationError("--repeat is \(`repeat`); a scenario is played at least once") }
        if jobs < 1 { throw ValidationError("--jobs is \(jobs); at least one scenario is played at a time") }
        guard let log else { return }
        if files.count > 1 { throw ValidationError("--log requires a single scenario, not \(files.count)") }
        let (target, scenario) = (URL(fileURLWithPath: log), URL(fileURLWithPath: files[0]))
        if OutputFile.isSameFile(target, scenario) { throw ValidationError("--log \(log) is the scenario itself") }
        let golden = ScenarioFile.goldenCandidates(of: scenario)
        for url in [golden.sibling, golden.inGoldenFolder] where OutputFile.isSameFile(target, url) {
            throw ValidationError("--log \(log) is the golden log of \(files[0]); --update-golden writes it")
        }
    }

    func run() throws {
        let scenarios = try selectedScenarios()
        if list {
            for (path, scenario) in scenarios { try printLine("\(path): \(scenario.scenario.name)") }
            return
        }
        if log != nil, scenarios.count > 1 {
            throw CommandFailure("--log requires a single scenario, not \(scenarios.count)")
        }
        if let keep { try Self.checkKeptFolders(scenarios.map(\.path), in: keep) }
        let reports = try play(scenarios)
        if let junit { try write(JUnitReport(cases: reports.map(\.junit)).xml, to: junit, "results") }
        if let html { try write(HTMLReport(items: reports.map(\.item)).html, to: html, "page") }
        if json {
            try printJSON(Report(scenarios: reports))
        } else if reports.count > 1 {
            let passed = reports.count { !$0.hasFailed }
            try printLine("\(passed) of \(reports.count) scenarios passed")
        }
        try throwFailures(of: reports)
    }

    /// Returns the named scenarios and those of the named folders that pass the filter.
    private func selectedScenarios() throws -> [(path: String, scenario: ScenarioFile)] {
        let all = try SelectedScenarios.paths(of: files).map { (path: $0, scenario: try ScenarioFile(path: $0)) }
        guard let filter else { return all }
        let selected = all.filter { $0.path.contains(filter) || $0.scenario.scenario.name.contains(filter) }
        guard !selected.isEmpty else { throw CommandFailure("no scenario contains \"\(filter)\"") }
        return selected
    }

    // MARK: Playing

    /// Plays scenarios, several at a time if the user wants that, and prints each result in the order of the scenarios.
    private func play(_ scenarios: [(path: String, scenario: ScenarioFile)]) throws -> [ScenarioReport] {
        let board = ReportBoard(count: scenarios.count)
        @Sendable func playAll() {
            while let index = board.next() {
                let (path, scenario) = scenarios[index]
                board.set(index, Result { try play(scenario, path) }) { report in
                    if !json { try printLine(report.text) }
                }
            }
        }
        if jobs == 1 {
            playAll()
        } else {
            // Sessions post their notifications on the main queue, which runs meanwhile.
            let isDone = Lock(false)
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: min(jobs, scenarios.count)) { _ in playAll() }
                isDone.withLock { $0 = true }
                DispatchQueue.main.async {}
            }
            while !isDone.withLock({ $0 }) {
                _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
            }
        }
        return try board.results()
    }

    private func play(_ scenario: ScenarioFile, _ path: String) throws -> ScenarioReport {
        let name = scenario.url.deletingPathExtension().lastPathComponent
        let bar = jobs == 1 && !json ? ProgressBar(name) : nil
        let clock = ContinuousClock()
        let start = clock.now
        var files: [HTMLReport.File] = []
        let result = Result {
            let first = try scenario.run(
                updatesGoldenLog: updateGolden,
                keep: { folder in
                    if let keep { try Self.copy(folder, to: keep, name) }
                    if html != nil { files = try Self.media(in: folder) }
                },
                reportProgress: { bar?.show($0) })
            var deviation: (run: Int, difference: LogDifference)?
            for run in 1..<`repeat` where deviation == nil {
                let other = try scenario.run(reportProgress: { bar?.show($0) })
                deviation = LogDifference(expected: first.log, actual: other.log).map { (run + 1, $0) }
            }
            return (first, deviation)
        }
        bar?.finish()
        let (first, deviation) = try result.get()
        if let keep { try write(Self.text(first.log), to: "\(keep)/\(name)/events.log", "event log") }
        if let log { try write(Self.text(first.log), to: log, "log") }
        var report = ScenarioReport(path, scenario, first, files, duration: (clock.now - start) / .seconds(1))
        if let deviation {
            report.deviation = "run \(deviation.run) differs from the first run: \(deviation.difference)"
        }
        return report
    }

    // MARK: Files

    private static func text(_ log: [String]) -> String { log.joined(separator: "\n") + "\n" }

    /// Refuses to mix the files of several runs.
    private static func checkKeptFolders(_ paths: [String], in folder: String) throws {
        for path in paths {
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            guard !FileManager.default.fileExists(atPath: "\(folder)/\(name)") else {
                throw CommandFailure("--keep: \(folder)/\(name) exists already; remove it, or name another folder")
            }
        }
    }

    private static func copy(_ files: URL, to folder: String, _ name: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: files.path, toPath: "\(folder)/\(name)")
        } catch {
            throw CommandFailure("--keep: \(folder)/\(name) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Reads the photos and movies of a folder.
    private static func media(in folder: URL) throws -> [HTMLReport.File] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().compactMap { name in
            var file = HTMLReport.File(name: name, data: Data())
            guard file.mediaType != nil else { return nil }
            file.data = try Data(contentsOf: folder.appendingPathComponent(name))
            return file
        }
    }

    private func write(_ text: String, to path: String, _ what: String) throws(CommandFailure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure("the \(what) \(path) cannot be written: \(error.localizedDescription)")
        }
    }

    private func throwFailures(of reports: [ScenarioReport]) throws {
        let kinds: [(String, (ScenarioReport) -> Bool)] = [
            ("scenarios do not meet their expectations", { $0.verdicts.contains { !$0.isMet } }),
            ("scenarios differ from their golden logs", { $0.outcome == .different }),
            ("scenarios have no golden log", { $0.outcome == .missing }),
            ("scenarios differ from run to run", { $0.deviation != nil }),
        ]
        let failures = kinds.compactMap { text, isFailed -> String? in
            let count = reports.count(where: isFailed)
            return count == 0 ? nil : "\(count) of \(reports.count) \(text)"
        }
        if !failures.isEmpty { throw CommandFailure(failures.joined(separator: ", and ")) }
    }

    private struct Report: Encodable {
        var scenarios: [ScenarioReport]
    }
}
