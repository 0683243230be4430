import ArgumentParser
import Foundation
import SourcePorting

/// `obscura port`.
struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port", abstract: "Lists what must change in an app's sources for Linux.",
        discussion: """
            Reads Swift sources without building them, and prints for each file the lines with code that Linux does not \
            compile, Objective-C syntax, and Apple modules and names that do not exist on Linux, with the \
            replacement. The last line has the counts.
            """)

    @Argument(help: "Files and folders.", completion: .file()) var sources: [String]
    @Flag(help: "Print one JSON array. (default: off)") var json = false

    func run() throws {
        let findings: [PortFinding]
        let fileCount: Int
        do {
            let files = try SourcePorting.sourceFiles(in: sources)
            fileCount = files.count
            findings = try SourcePorting.findings(in: files)
        } catch let error as SourcePorting.ReadingError {
            throw CommandFailure(error.description)
        }
        if json { return try printJSON(findings) }
        let files = Dictionary(grouping: findings, by: \.file)
        for (file, findings) in files.sorted(by: { $0.key < $1.key }) {
            print(file)
            for finding in findings { print("  \(finding.line): \(finding.code): \(finding.advice)") }
        }
        print(Self.summary(findings, in: files.count, of: fileCount))
    }

    private static func summary(_ findings: [PortFinding], in count: Int, of fileCount: Int) -> String {
        guard !findings.isEmpty else { return "Nothing found in \(fileCount) \(fileCount == 1 ? "file" : "files")." }
        let counts = PortFinding.Kind.allCases.compactMap { kind -> String? in
            let count = findings.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.description(of: count))"
        }
        let places = findings.count == 1 ? "1 place" : "\(findings.count) places"
        return "\(places) in \(count) of \(fileCount) files: \(counts.joined(separator: ", "))."
    }
}

extension PortFinding.Kind {
    /// The text that follows the number of findings of the kind.
    fileprivate func description(of count: Int) -> String {
        switch self {
        case .excludedCode: "with code that Linux does not compile"
        case .objectiveC: "of Objective-C"
        case .missingModule: count == 1 ? "with a missing module" : "with missing modules"
        case .missingName: count == 1 ? "with a missing name" : "with missing names"
        }
    }
}
