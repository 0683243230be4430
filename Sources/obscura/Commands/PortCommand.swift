import ArgumentParser
import Foundation
import SourcePorting

/// `obscura port`.
struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port", abstract: "Lists what must change in an app's sources for Linux.",
        discussion: """
            Reads Swift sources without building them, and finds code that Linux does not compile, Objective-C syntax, and \
            Apple modules and names that do not exist on Linux. Prints the numbers of files, the most frequent code that \
            must change with its replacement, and the files, those with the least work first. --lines prints the lines \
            of each file.
            """)

    @Argument(help: "Files and folders.", completion: .file()) var sources: [String]
    @Flag(help: "Print all findings of each file with their lines. (default: off)") var lines = false
    @Flag(help: "Exit with status 1 if a file must change. (default: off)") var check = false
    @Option(
        name: [.customShort("D"), .long],
        help: ArgumentHelp(
            "A flag of the app's build for conditions such as `#if FLAG`, as for swiftc; repeatable. (default: DEBUG)",
            valueName: "flag"))
    var define: [String] = []
    @Flag(help: "Print one JSON object with the summary and all findings. (default: off)") var json = false

    func validate() throws {
        if lines, json { throw ValidationError("--json has all lines; leave out --lines") }
    }

    private struct Report: Encodable {
        struct Summary: Encodable {
            struct Group: Encodable {
                var code: String
                var advice: String
                var count: Int
            }

            struct File: Encodable {
                var path: String
                /// The number of findings without which the file does not compile.
                var changes: Int
                var findings: Int
            }

            /// The number of files that were read.
            var fileCount: Int
            var changedFileCount: Int
            var excludingFileCount: Int
            var unchangedFileCount: Int
            /// The code that must change, the most frequent first.
            var mostFrequent: [Group]
            /// The files with findings, those with the fewest changes first.
            var files: [File]

            init(_ summary: PortSummary) {
                fileCount = summary.fileCount
                changedFileCount = summary.changedCount
                excludingFileCount = summary.excludingCount
                unchangedFileCount = summary.unchangedCount
                mostFrequent = summary.mostFrequent.map { Group(code: $0.code, advice: $0.advice, count: $0.count) }
                files = summary.files.map {
                    File(path: $0.path, changes: $0.changeCount, findings: $0.findings.count)
                }
            }
        }

        var summary: Summary
        var findings: [PortFinding]
    }

    /// The indent of further lines of a finding, if the output is narrow.
    private static let indent = 5
    /// The number of the most frequent names that are printed.
    private static let frequentCount = 20

    func run() throws {
        let findings: [PortFinding]
        let fileCount: Int
        do {
            let files = try SourcePorting.sourceFiles(in: sources)
            fileCount = files.count
            findings = try SourcePorting.findings(in: files, flags: SourcePorting.debugFlags.union(define))
        } catch let error as SourcePorting.ReadingError {
            throw CommandFailure(error.description)
        }
        let summary = PortSummary(findings, fileCount: fileCount)
        if json {
            try printJSON(Report(summary: Report.Summary(summary), findings: findings))
        } else {
            try printLine(Self.counts(summary))
            if !findings.isEmpty { try printFindings(summary) }
            try printLine(Self.kinds(findings))
        }
        if check, summary.changedCount > 0 { throw ExitCode.failure }
    }

    private func printFindings(_ summary: PortSummary) throws {
        let frequent = summary.mostFrequent
        if !frequent.isEmpty {
            try printLine("\nMost frequent:")
            for group in frequent.prefix(Self.frequentCount) {
                try printLine("\(group.code): \(group.advice)", after: "  \(group.count)  ", indent: Self.indent)
            }
            if frequent.count > Self.frequentCount {
                try printLine("  and \(frequent.count - Self.frequentCount) others; --lines prints all")
            }
        }
        try printLine("\nFiles, those with the least work first:")
        for file in summary.files {
            guard lines else {
                try printLine("  \(file.findings.count)  \(file.path)")
                continue
            }
            try printLine(file.path)
            for group in PortSummary.groups(of: file.findings) {
                let lines = group.lines.map(String.init).joined(separator: ", ")
                try printLine("\(lines): \(group.code): \(group.advice)", after: "  ", indent: Self.indent)
            }
        }
        try printLine("")
    }

    /// `3 of 10 files must change, 2 compile without the code in their conditions, 5 need nothing.`
    private static func counts(_ summary: PortSummary) -> String {
        let total = summary.fileCount == 1 ? "1 file" : "\(summary.fileCount) files"
        var parts = ["\(summary.changedCount) of \(total) must change"]
        if summary.excludingCount > 0 {
            parts.append("\(summary.excludingCount) compile without the code that their conditions exclude")
        }
        return (parts + ["\(summary.unchangedCount) need nothing."]).joined(separator: ", ")
    }

    private static func kinds(_ findings: [PortFinding]) -> String {
        guard !findings.isEmpty else { return "Nothing found." }
        let counts = PortFinding.Kind.allCases.compactMap { kind -> String? in
            let count = findings.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.description(of: count))"
        }
        let places = findings.count == 1 ? "1 place" : "\(findings.count) places"
        return "\(places): \(counts.joined(separator: ", "))."
    }
}

extension PortFinding.Kind {
    /// The text that follows the number of findings of the kind.
    fileprivate func description(of count: Int) -> String {
        switch self {
        case .excludedCode: "with code that Linux does not compile"
        case .objectiveC: "of Objective-C"
        case .noEffect: "without effect"
        case .missingModule: count == 1 ? "with a missing module" : "with missing modules"
        case .missingName: count == 1 ? "with a missing name" : "with missing names"
        }
    }
}
