import ArgumentParser
import CaptureHAL
import Foundation
import LinuxDevices
import PhotoStore

/// `obscura doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Diagnoses this machine's cameras, microphones and photo library.",
        discussion: "Opens no stream and changes nothing. The exit status is 0 also if there are problems.")

    @Option(help: "The folder of the photo library. (default: \(LibraryAccess.defaultFolderHelp))")
    var library: String?
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    /// The width of the marks, such as `problem`, with the spaces after them.
    private static let indent = 9

    private struct Report: Encodable {
        var user: String
        var groups: [String]
        var findings: [LinuxDiagnosis.Finding]
        var problems: Int
    }

    /// Returns the finding about the permissions of the photo library; none if there is no library.
    private func libraryFindings() -> [LinuxDiagnosis.Finding] {
        let url = LibraryAccess.location(library)
        guard PHPhotoLibrary.exists(at: url) else { return [] }
        guard PHPhotoLibrary.isOpenToOthers(at: url) else {
            return [
                LinuxDiagnosis.Finding(
                    level: .fine, subject: url.path, message: "only its owner can read the photo library", advice: "")
            ]
        }
        return [
            LinuxDiagnosis.Finding(
                level: .problem, subject: url.path, message: "other users can read the photo library",
                advice: "Restrict it to its owner: chmod -R go= '\(url.path)'.")
        ]
    }

    func run() throws {
        let process = DiagnosedProcess.current()
        let findings = LinuxDiagnosis().findings() + libraryFindings()
        let problems = findings.count { $0.level == .problem }
        if json {
            return try printJSON(
                Report(user: process.user, groups: process.groups, findings: findings, problems: problems))
        }
        try printLine("\(process.user), in the groups \(process.groups.joined(separator: ", "))")
        for finding in findings {
            let mark =
                switch finding.level {
                case .fine: "ok     ".styled(.green)
                case .hint: "hint   ".styled(.yellow)
                case .problem: "problem".styled(.red)
                }
            try printLine("\(finding.subject): \(finding.message)", after: "\(mark)  ", indent: Self.indent)
            let space = String(repeating: " ", count: Self.indent)
            if !finding.advice.isEmpty { try printLine(finding.advice, after: space, indent: Self.indent) }
        }
        try printLine(
            problems == 0
                ? "no problems found"
                : "\(problems) problem\(problems == 1 ? "" : "s"); the line below each says what to do")
    }
}
