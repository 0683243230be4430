import ArgumentParser
import CaptureHAL
import CaptureScenarios
import CaptureSimulation
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
        completion: .file(extensions: ["yaml", "yml", "json"]))
    var files: [String]
    @Option(help: "Play only the scenarios with this text in the path or name. (default: all)") var filter: String?
    @Flag(help: "Print the scenarios and their names, and play none. (default: off)") var list = false
    @Option(help: "Play each scenario this many times and compare the event logs.") var `repeat` = 1
    @Option(help: "Play this many scenarios at a time.") var jobs = 1
    @Option(help: "Write the event log to this file; with one scenario only. (default: none)") var log: String?
    @Option(
        help:
            "Keep the files and the event log of each scenario in a subfolder of this folder. (default: none)")
    var keep: String?
    @Option(help: "Write the results to this file in JUnit's format. (default: none)") var junit: String?
    @Option(help: "Write the results to this file as a page for browsers. (default: none)") var html: String?
    @Option(
        help:
            "Write the results, with logs, photos and movies, to this file, for 'obscura scenario report'. (default: none)"
    )
    var results: String?
    @Option(
        help: "Play one of several equal parts of the scenarios, such as 2/4. (default: all)",
        transform: Shard.init(argument:))
    var shard: Shard?
    @Flag(help: "Write the event log as the golden log, if the scenario needs or has one. (default: off)")
    var updateGolden = false
    @Flag(
        help:
            "Print the shortest scenario in which the first unmet expectation fails in the same way; with one scenario only. (default: off)"
    )
    var minimize = false
    @Option(
        help: ArgumentHelp(
            "Print the state at this virtual time, such as 1.5s; with one scenario only. (default: none)",
            discussion: """
                The state is that of the session, the devices, the recordings and the pending work. A debugger stops at \
                this time. In a terminal, the command waits, so that one can be attached.
                """), transform: DurationArgument.init(argument:))
    var stopAt: DurationArgument?
    @Flag(help: "Play in real time. (default: off)") var realtime = false
    @Flag(help: "Print one JSON object. (default: off)") var json = false
    /// Whether this process is a `ReplayWorker` of another one.
    @Flag(help: .hidden) var worker = false

    func validate() throws {
        try SelectedScenarios.requireFiles(files)
        if `repeat` < 1 { throw ValidationError("--repeat is \(`repeat`); a scenario is played at least once") }
        if jobs < 1 { throw ValidationError("--jobs is \(jobs); at least one scenario is played at a time") }
        let files = [("--log", log), ("--keep", keep), ("--junit", junit), ("--html", html), ("--results", results)]
        for (name, isUsed) in [
            ("--json", json), ("--update-golden", updateGolden), ("--repeat", `repeat` > 1), ("--realtime", realtime),
            ("--jobs", jobs > 1), ("--stop-at", stopAt != nil),
        ] + files.map({ ($0, $1 != nil) }) where isUsed {
            if minimize { throw ValidationError("--minimize prints a scenario, and excludes \(name)") }
            if list { throw ValidationError("--list plays no scenario, and excludes \(name)") }
        }
        if minimize, list { throw ValidationError("--list plays no scenario, and excludes --minimize") }
        if stopAt != nil, `repeat` > 1 || jobs > 1 {
            throw ValidationError("--stop-at stops one run, and excludes --repeat and --jobs")
        }
        try OutputFile.requireDifferent(files)
        guard let log else { return }
        if self.files.count > 1 { throw ValidationError("--log requires a single scenario, not \(self.files.count)") }
        let (target, scenario) = (URL(fileURLWithPath: log), URL(fileURLWithPath: self.files[0]))
        if OutputFile.isSameFile(target, scenario) { throw ValidationError("--log \(log) is the scenario itself") }
        let golden = ScenarioFile.goldenCandidates(of: scenario)
        for url in [golden.sibling, golden.inGoldenFolder] where OutputFile.isSameFile(target, url) {
            throw ValidationError("--log \(log) is the golden log of \(self.files[0]); --update-golden writes it")
        }
    }

    func run() throws {
        for case let file? in [log, junit, html, results] { try OutputFile.checkFolder(of: file) }
        var scenarios = try selectedScenarios()
        if list {
            for line in try scenarios.map({ "\($0.path): \(try $0.scenario.get().scenario.name)" }) {
                try printLine(line)
            }
            return
        }
        // Of a folder, the scenarios that need no app are played.
        let skipped = scenarios.filter(\.isSkipped)
        scenarios.removeAll(where: \.isSkipped)
        if worker { return try ReplayWorker.serve { try play(scenarios[$0]) } }
        if scenarios.isEmpty, let first = skipped.first {
            throw CommandFailure(
                "\(first.path): the scenario drives an app, as all that are selected; play it in a test with "
                    + "XCTAssertScenario(_:app:)")
        }
        if log != nil, scenarios.count > 1 {
            throw ValidationError("--log requires a single scenario, not \(scenarios.count)")
        }
        if let stopAt {
            guard scenarios.count == 1, let scenario = try? scenarios[0].scenario.get() else {
                throw ValidationError("--stop-at requires a single scenario, not \(scenarios.count)")
            }
            guard stopAt.time <= scenario.scenario.end else {
                throw ValidationError(
                    "--stop-at is \(stopAt), after the end of the scenario at \(plainNumber(scenario.scenario.end.seconds)) s"
                )
            }
        }
        if let keep { try Self.checkKeptFolders(scenarios.compactMap { try? $0.scenario.get().fileName }, in: keep) }
        if minimize { return try printMinimized(scenarios) }
        let reports = try play(scenarios)
        try reports.write(junit: junit, html: html)
        if let results { try ResultsFile(shard: shard, scenarios: reports).write(to: results) }
        if json {
            try printJSON(
                Report(
                    scenarios: reports.map { report in
                        var report = report
                        report.evidence = nil
                        return report
                    }, notPlayed: skipped.map(\.path)))
        } else {
            for entry in skipped {
                try printLine(
                    "\(entry.path): not played, because it drives an app; play it in a test with "
                        + "XCTAssertScenario(_:app:)")
            }
            if reports.count != 1 { try printLine(reports.summary) }
        }
        try reports.throwFailures()
    }

    /// A scenario to play, or the error in its file.
    private struct Entry: Sendable {
        /// The path of the file, with the combination of its matrix.
        var path: String
        /// Whether the file itself is an argument of the command, not its folder.
        var isNamed: Bool
        var scenario: Result<ScenarioFile, any Error>

        /// Whether the scenario is part of a folder and drives an app, so that it can be played only in a test.
        var isSkipped: Bool { !isNamed && (try? scenario.get().scenario.needsApp) ?? false }

        /// Whether a text is part of the path or the name.
        func contains(_ text: String) -> Bool {
            path.contains(text) || (try? scenario.get().scenario.name.contains(text)) ?? false
        }
    }

    /// Returns the named scenarios and those of the named folders that pass the filter.
    private func selectedScenarios() throws -> [Entry] {
        let all = try SelectedScenarios.paths(of: files).flatMap { path in
            do {
                return try ScenarioFile.load(path: path).map { scenario in
                    Entry(
                        path: path + (scenario.combination.map { "[\($0)]" } ?? ""), isNamed: files.contains(path),
                        scenario: .success(scenario))
                }
            } catch {
                // The other scenarios are still played.
                return [Entry(path: path, isNamed: files.contains(path), scenario: .failure(error))]
            }
        }
        var selected = all
        if let filter {
            selected = all.filter { $0.contains(filter) }
            guard !selected.isEmpty else { throw CommandFailure("no scenario contains \"\(filter)\"") }
        }
        return shard?.part(of: selected) ?? selected
    }

    /// Prints the shortest scenario found that fails in the same way as the selected one.
    private func printMinimized(_ scenarios: [Entry]) throws {
        guard scenarios.count == 1 else {
            throw ValidationError("--minimize requires a single scenario, not \(scenarios.count)")
        }
        let (path, scenario) = (scenarios[0].path, try scenarios[0].scenario.get())
        let bar = ProgressBar("minimizing")
        let short = try scenario.minimized(try scenario.run()) { bar.show(count: $0) }
        bar.finish()
        let verdict = short.verdict
        try printText(
            """
            # The shortest scenario found that fails as \(path) does, in \(short.runCount) runs.
            # Expected: \(verdict.expected)
            # Seen: \(verdict.seen)
            \(short.yaml)
            """)
    }

    // MARK: Playing

    /// Plays scenarios, up to `jobs` at a time, and prints the results in the order of the scenarios.
    private func play(_ scenarios: [Entry]) throws -> [ScenarioReport] {
        let collector = ReportCollector(count: scenarios.count)
        let bar = jobs > 1 && !json ? ProgressBar("\(scenarios.count) scenarios") : nil
        let finishedCount = Lock(0)
        @Sendable func playAll(_ play: (Int) throws -> ScenarioReport) {
            while let index = collector.nextIndex() {
                let result = Result { try play(index) }
                // Not in the closure below: the collector calls that while it is locked, and `finish()` acquires the
                // lock of the bar.
                bar?.finish()
                collector.store(result, at: index) { report in
                    // The problem of a single scenario is the error of the command.
                    let isError = report.problems != nil && scenarios.count == 1
                    if !json, !isError { try printLine(report.text) }
                }
                let finished = finishedCount.withLock { count in
                    count += 1
                    return count
                }
                bar?.show(Double(finished) / Double(scenarios.count))
            }
        }
        if jobs == 1 {
            playAll { try play(scenarios[$0]) }
        } else {
            // One thread for each process that plays scenarios.
            DispatchQueue.concurrentPerform(iterations: min(jobs, scenarios.count)) { _ in
                let worker = ReplayWorker()
                playAll(worker.play)
                worker.end()
            }
        }
        bar?.finish()
        return try collector.reports()
    }

    /// Plays a scenario. If it cannot be read or played, the report contains the problem.
    private func play(_ entry: Entry) throws -> ScenarioReport {
        do {
            let scenario = try entry.scenario.get()
            guard let keep else { return try play(scenario, entry.path) }
            return try OutputFile.creatingFolder("\(keep)/\(scenario.fileName)") { try play(scenario, entry.path) }
        } catch let failure as CommandFailure {
            // An output file of the command cannot be written, so that the command fails.
            throw failure
        } catch {
            return ScenarioReport(entry.path, try? entry.scenario.get(), problem: errorReason(error))
        }
    }

    private func play(_ scenario: ScenarioFile, _ path: String) throws -> ScenarioReport {
        let name = scenario.fileName
        let bar = jobs == 1 && !json ? ProgressBar(name) : nil
        let clock = ContinuousClock()
        let start = clock.now
        var files: [HTMLReport.File] = []
        let result = Result {
            let first = try scenario.run(
                updatesGoldenLog: updateGolden, showsEvents: html != nil || results != nil,
                keep: { folder in
                    if let keep { try Self.copy(folder, to: keep, name) }
                    if html != nil || results != nil { files = try HTMLReport.File.media(in: folder) }
                },
                reportProgress: { bar?.show($0) }, pace: realtime ? Self.realTime() : nil,
                stop: stopAt.map { ($0.time, stop) })
            var deviation: (run: Int, difference: LogDifference, log: [String])?
            for run in 1..<`repeat` where deviation == nil {
                let other = try scenario.run(
                    reportProgress: { bar?.show($0) }, pace: realtime ? Self.realTime() : nil)
                deviation = LogDifference(expected: first.log, actual: other.log).map { (run + 1, $0, other.log) }
            }
            return (first, deviation)
        }
        bar?.finish()
        let (first, deviation) = try result.get()
        if let keep { try OutputFile.replace(Self.text(first.log), at: "\(keep)/\(name)/events.log") }
        if let log { try OutputFile.replace(Self.text(first.log), at: log) }
        var otherLog = deviation?.log
        if case .different = first.goldenLog { otherLog = try scenario.goldenLog() }
        var report = ScenarioReport(
            path, scenario, first, files, otherLog: otherLog, duration: (clock.now - start) / .seconds(1))
        if let deviation {
            report.deviation = "run \(deviation.run) differs from the first run: \(deviation.difference)"
        }
        return report
    }

    /// Prints the state of the scenario, and stops in the debugger, or waits for one in a terminal.
    private func stop(_ state: String) {
        FileHandle.standardError.write(Data("\(state)\n".utf8))
        if !Debugger.isAttached, isatty(STDIN_FILENO) == 1 {
            FileHandle.standardError.write(
                Data(
                    "To stop in a debugger here, attach it with '\(Debugger.attachCommand)', then press Return.\n".utf8)
            )
            _ = readLine()
        }
        Debugger.stop()
    }

    /// Returns a closure that waits until a given time has elapsed in real time since this call.
    private static func realTime() -> (CMTime) -> Void {
        let start = HostClock.shared.now
        return { time in
            // Other ways to sleep would advance the virtual time.
            while case let rest = (time - (HostClock.shared.now - start)).seconds, rest > 0 {
                poll(nil, 0, Int32(max(1, min(rest * 1000, 1000))))
            }
        }
    }

    // MARK: Files

    private static func text(_ log: [String]) -> Data { Data((log.joined(separator: "\n") + "\n").utf8) }

    /// Throws if a folder of `--keep` exists, so that the files of several runs are not mixed.
    private static func checkKeptFolders(_ names: [String], in folder: String) throws {
        for name in names {
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
            throw CommandFailure("--keep: \(folder)/\(name) cannot be written: \(errorReason(error))")
        }
    }

    private struct Report: Encodable {
        var scenarios: [ScenarioReport]
        /// The files of scenarios that drive an app.
        var notPlayed: [String]
    }
}
