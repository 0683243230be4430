import ArgumentParser
import CaptureScenarios
import Foundation
import StrictYAML

/// `obscura scenario`.
struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Checks, explains and creates scenario files, and merges results; 'obscura replay' plays them.",
        subcommands: [
            Check.self,
            Explain.self,
            New.self,
            Report.self,
            Schema.self,
        ])

    /// `obscura scenario check`.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Reads scenarios and lists all errors in them, without playing them.")

        @Argument(
            help: "Scenario files, and folders of scenarios.",
            completion: .file(extensions: ["yaml", "yml", "json"]))
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
            let bad = results.count { !$0.errors.isEmpty }
            if bad > 0 { throw CommandFailure("\(bad) of \(results.count) scenarios have errors") }
        }

        /// The result of checking a file.
        private struct Result: Encodable {
            struct Problem: Encodable {
                /// The error with file, line and correction.
                var message: String
                /// The file with the error, which can be an included file.
                var file: String?
                var line: Int?
            }

            var file: String
            var name: String?
            var steps: Int?
            var expectations: Int?
            /// The number of combinations of the matrix; 1 without a matrix.
            var combinations: Int?
            var errors: [Problem]

            /// Reads a file.
            init(_ path: String) {
                file = path
                errors = ScenarioFile.errors(path: path).map { error in
                    if let error = error as? YAMLError {
                        return Problem(message: error.description, file: error.file, line: error.line)
                    }
                    let reason = errorReason(error)
                    return Problem(message: reason.contains(path) ? reason : "\(path): \(reason)")
                }
                // A file without errors was read.
                guard errors.isEmpty, let files = try? ScenarioFile.load(path: path), let first = files.first else {
                    return
                }
                combinations = files.count
                name = first.scenario.name
                steps = first.scenario.timeline.count
                expectations = first.scenario.expectations.count
            }

            var text: String {
                guard errors.isEmpty else { return errors.map { $0.message.styled(.red) }.joined(separator: "\n") }
                let times = (combinations ?? 1) > 1 ? ", \(combinations ?? 1) combinations" : ""
                return "\(file): no errors, \(steps ?? 0) steps, \(expectations ?? 0) expectations\(times)"
            }
        }
    }

    /// `obscura scenario explain`.
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Describes a scenario and its expectations in sentences.")

        @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml", "json"])) var file: String

        func run() throws {
            let scenarios = try ScenarioFile.load(path: file)
            try printText(
                scenarios.map { file in
                    (file.combination.map { "With \($0): " } ?? "") + file.scenario.explanation
                }.joined(separator: "\n"))
        }
    }

    /// `obscura scenario new`.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Writes a scenario template with comments.")

        @Argument(
            help: "The file to create; an existing file is never overwritten.",
            completion: .file(extensions: ["yaml", "yml"]))
        var file = "scenario.yaml"

        func validate() throws {
            if file.lowercased().hasSuffix(".json") {
                throw ValidationError(
                    "the template explains itself in comments, which JSON does not have: use a name that ends in .yaml")
            }
            try OutputFile.require(file, endsWith: ["yaml", "yml"])
        }

        func run() throws {
            try OutputFile.check(file)
            try OutputFile.write(Data(Self.template.utf8), to: file)
            try printLine("\(file): play it with 'obscura replay \(file)'")
        }
    }

    /// `obscura scenario report`.
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "Writes one report of the results of several runs, such as those of shards.")

        @Argument(help: "Files that 'obscura replay --results' wrote.", completion: .file(extensions: ["json"]))
        var results: [String]
        @Option(help: "Write the results to this file in JUnit's format. (default: none)") var junit: String?
        @Option(help: "Write the results to this file as a page for browsers. (default: none)") var html: String?

        func validate() throws { try OutputFile.requireDifferent([("--junit", junit), ("--html", html)]) }

        func run() throws {
            for case let file? in [junit, html] { try OutputFile.checkFolder(of: file) }
            let reports = try ResultsFile.merge(results)
            for report in reports { try printLine(report.text) }
            try printLine(reports.summary)
            try reports.write(junit: junit, html: html)
            try reports.throwFailures()
        }
    }
}
