import ArgumentParser
import Foundation
import Scenario
import SimDevices

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Plays scenario files and compares what happens with their golden logs.",
        discussion: "The golden log of NAME.yaml is NAME.log beside it, or in ../Golden.")

    @Argument(help: "Scenario files.") var files: [String]
    @Option(help: "Write the event log into this file; with one scenario only.") var log: String?
    @Flag(help: "Make what happens now the golden log.") var updateGolden = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("name a scenario file") }
        if log != nil, files.count > 1 { throw ValidationError("--log goes with one scenario, not \(files.count)") }
    }

    func run() throws {
        var failures = 0
        for file in files {
            let scenario = try ScenarioFile(path: file)
            let lines = try scenario.play()
            if let log { try write(lines, to: log) }
            if updateGolden {
                try scenario.writeGolden(lines)
                try printLine("\(file): golden log written, \(lines.count) events")
            } else if let difference = try scenario.compare(lines) {
                failures += 1
                try printLine("\(file): \(difference)")
            } else {
                try printLine("\(file): as its golden log, \(lines.count) events")
            }
        }
        if failures > 0 {
            throw CommandFailure("\(failures) of \(files.count) scenarios differ from their golden logs")
        }
    }

    private func write(_ lines: [String], to path: String) throws(CommandFailure) {
        do {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure("the log \(path) cannot be written: \(error.localizedDescription)")
        }
    }
}
