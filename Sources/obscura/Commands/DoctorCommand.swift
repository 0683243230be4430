import ArgumentParser
import CaptureHAL
import Foundation
import LinuxDevices
import MediaCodecs
import PhotoStore

/// `obscura doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnoses this machine: its libraries, cameras, microphones and photo library.",
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

    /// Returns the findings about the system and the libraries, with their versions.
    private func versionFindings() -> [LinuxDiagnosis.Finding] {
        let description = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let name = description.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let system = name.map { $0.dropFirst(12).trimmingCharacters(in: ["\""]) } ?? "Linux"
        var kernel = utsname()
        uname(&kernel)
        var libc = [CChar](repeating: 0, count: 64)
        confstr(Int32(_CS_GNU_LIBC_VERSION), &libc, libc.count)
        func text(_ bytes: UnsafeRawBufferPointer) -> String {
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let versions = [
            withUnsafeBytes(of: kernel.machine, text), "kernel \(withUnsafeBytes(of: kernel.release, text))",
            libc.withUnsafeBytes(text), "obscura \(Obscura.configuration.version) built with Swift \(Self.compiler)",
        ].joined(separator: ", ")
        let libraries = LoadedLibrary.all().map { library in
            if let version = library.version {
                return LinuxDiagnosis.Finding(level: .fine, subject: library.name, message: version, advice: "")
            }
            return LinuxDiagnosis.Finding(
                level: library.name == "FFmpeg" ? .problem : .hint, subject: library.name,
                message: library.problem ?? "", advice: "It is needed for \(library.purpose).")
        }
        return [LinuxDiagnosis.Finding(level: .fine, subject: system, message: versions, advice: "")] + libraries
    }

    /// The version of the compiler, which a program can only compare.
    private static var compiler: String {
        #if compiler(>=6.5)
        "6.5 or newer"
        #elseif compiler(>=6.4)
        "6.4"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
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
        let findings = versionFindings() + LinuxDiagnosis().findings() + libraryFindings()
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
