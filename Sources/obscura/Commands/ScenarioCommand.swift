import ArgumentParser
import CaptureScenarios
import Foundation
import StrictYAML

/// `obscura scenario`.
struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Checks, explains and creates scenario files; 'obscura replay' plays them.",
        subcommands: [
            Check.self,
            Explain.self,
            New.self,
        ])

    /// `obscura scenario check`.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Reads scenarios and lists the errors of all of them; plays none.")

        @Argument(
            help: "Scenario files, and folders of scenarios.",
            completion: .file(extensions: ["yaml", "yml"]))
        var files: [String]
        @Flag(help: "Print one JSON object. (default: off)") var json = false

        func validate() throws { try SelectedScenarios.requireFiles(files) }

        func run() throws {
            let results = try SelectedScenarios.paths(of: files).map(Result.init)
            if json {
                try printJSON(["scenarios": results])
            } else {
                for result in results { try printLine(result.text) }
            }
            let bad = results.count { $0.error != nil }
            if bad > 0 { throw CommandFailure("\(bad) of \(results.count) scenarios have errors") }
        }

        /// What the check of a file found.
        private struct Result: Encodable {
            var file: String
            var name: String?
            var steps: Int?
            var expectations: Int?
            /// The error with file, line and correction.
            var error: String?
            var line: Int?

            /// Reads a file.
            init(_ path: String) {
                file = path
                do {
                    let scenario = try ScenarioFile(path: path)
                    try scenario.checkDevices()
                    name = scenario.scenario.name
                    steps = scenario.scenario.timeline.count
                    expectations = scenario.scenario.expectations.count
                } catch let problem as YAMLError {
                    (error, line) = (problem.description, problem.line)
                } catch let problem {
                    error = "\(problem)".hasPrefix(path) ? "\(problem)" : "\(path): \(problem)"
                }
            }

            var text: String {
                if let error { return error.styled(.red) }
                return "\(file): no errors, \(steps ?? 0) steps, \(expectations ?? 0) expectations"
            }
        }
    }

    /// `obscura scenario explain`.
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Prints what happens in a scenario, and what it expects, in words.")

        @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"])) var file: String

        func run() throws { try printText(ScenarioFile(path: file).scenario.explanation) }
    }

    /// `obscura scenario new`.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Writes a scenario to start from, with comments.")

        @Argument(
            help: "The file to create; an existing file is never overwritten.",
            completion: .file(extensions: ["yaml", "yml"]))
        var file = "scenario.yaml"

        func validate() throws { try OutputFile.require(file, endsWith: ["yaml", "yml"]) }

        func run() throws {
            try OutputFile.check(file)
            try OutputFile.write(Data(Self.template.utf8), to: file)
            try printLine("\(file): play it with 'obscura replay \(file)'")
        }
    }
}
