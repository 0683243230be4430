import ArgumentParser
import LinuxDevices

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Looks at this machine's cameras and microphones and says what is missing.",
        discussion: "Takes no device and changes nothing. The status is 0 also where something is missing.")

    @Flag(help: "Print one JSON object.") var json = false

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
                ? "nothing stands in the way"
                : "\(problems) problem\(problems == 1 ? "" : "s"); what to do stands below each")
    }
}
