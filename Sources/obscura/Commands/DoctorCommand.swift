import ArgumentParser
import LinuxDevices

/// `obscura doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Diagnoses this machine's cameras and microphones.",
        discussion: "Opens no stream and changes nothing. The exit status is 0 also if there are problems.")

    @Flag(help: "Print one JSON object. (default: off)") var json = false

    private struct Report: Encodable {
        var user: String
        var groups: [String]
        var findings: [LinuxDiagnosis.Finding]
        var problems: Int
    }

    func run() throws {
        let process = DiagnosedProcess.current()
        let findings = LinuxDiagnosis().findings()
        let problems = findings.count { $0.level == .problem }
        if json {
            return try printJSON(
                Report(user: process.user, groups: process.groups, findings: findings, problems: problems))
        }
        try printLine("\(process.user), in the groups \(process.groups.joined(separator: ", "))")
        for finding in findings {
            let mark =
                switch finding.level {
                case .fine: "ok     "
                case .hint: "hint   "
                case .problem: "problem"
                }
            try printLine("\(mark)  \(finding.subject): \(finding.message)")
            if !finding.advice.isEmpty { try printLine("         \(finding.advice)") }
        }
        try printLine(
            problems == 0
                ? "no problems found"
                : "\(problems) problem\(problems == 1 ? "" : "s"); the line below each says what to do")
    }
}
