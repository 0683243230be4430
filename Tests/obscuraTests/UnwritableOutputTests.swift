import Foundation
import XCTest

/// Each command with each of its outputs in a folder that is full, read-only, missing, a file, or removed meanwhile.
final class UnwritableOutputTests: ObscuraTestCase {
    /// A command that writes in the folder `out`.
    private struct Command {
        var arguments: [String]
        /// The path that the error names, or its folder.
        var path: String
        /// Whether the command also creates the folder.
        var createsFolder = false
        /// The input that the command reads after it has checked the folder; nil if it reads a movie.
        var input: String?
    }

    private static let movie = media("street-3s.avi").path

    private func commands() throws -> [Command] {
        let capture = ["--profile", "./profile.yaml", "--size", "640x480"]
        let listing = try obscura("library", "list", "--library", "lib").text
        let asset = String(try XCTUnwrap(listing.split(separator: " ").first))
        func captures(_ path: String, _ arguments: String...) -> Command {
            Command(arguments: arguments + capture, path: path, input: "profile.yaml")
        }
        func plays(_ path: String, _ option: String, createsFolder: Bool = false) -> Command {
            Command(
                arguments: ["replay", "s.yaml", option, path], path: path, createsFolder: createsFolder,
                input: createsFolder ? nil : "s.yaml")
        }
        func other(_ path: String, _ arguments: String..., createsFolder: Bool = false, input: String? = nil) -> Command
        {
            Command(arguments: arguments, path: path, createsFolder: createsFolder, input: input)
        }
        return [
            captures("out/o.mov", "record", "out/o.mov", "--duration", "500ms"),
            captures("out/o.mp4", "record", "out/o.mp4", "--duration", "500ms", "--json"),
            captures("out/o.jpg", "photo", "out/o.jpg", "--after", "100ms"),
            captures("out/t", "trace", "record", "out/t", "--duration", "200ms", "--no-audio"),
            other("out/x.avi", "library", "export", asset, "out/x.avi", "--library", "lib"),
            other("out/lib", "library", "import", Self.movie, "--library", "out/lib", createsFolder: true),
            other("out/s.png", "sheet", Self.movie, "out/s.png"),
            other("out", "play", "whole.mov", "--frames", "out"),
            other("out/e.mov", "edit", "whole.mov", "out/e.mov"),
            other("out/e.mp4", "edit", "whole.mov", "out/e.mp4", "--constant-fps", "30"),
            other("out/c.png", "chart", "out/c.png", "--width", "64"),
            plays("out/l", "--log"), plays("out/j.xml", "--junit"), plays("out/h.html", "--html"),
            plays("out/r.json", "--results"), plays("out/k", "--keep", createsFolder: true),
            other("out/n.yaml", "scenario", "new", "out/n.yaml"),
            other("out/h.html", "scenario", "report", "results.json", "--html", "out/h.html", input: "results.json"),
            other("out/j.xml", "scenario", "report", "results.json", "--junit", "out/j.xml", input: "results.json"),
            other("out/m", "trace", "minimize", "trace", "out/m", "--frames", "2"),
            other("out/r.mov", "repair", "whole.mov", "--output", "out/r.mov"),
        ]
    }

    override func setUpWithError() throws {
        try super.setUpWithError()
        let scenario = """
            scenario: 1
            name: A short one
            session: {preset: 640x480, microphone: false, outputs: [video]}
            timeline: [{at: 0 s, do: start}]
            end: 100 ms
            expect: [{events: [session did start running]}]
            """
        try Data(scenario.utf8).write(to: file("s.yaml"))
        let size = ["--size", "640x480"]
        for arguments in [
            ["library", "import", Self.movie, "--library", "lib"],
            ["trace", "record", "trace", "--duration", "200ms", "--no-audio"] + size,
            ["replay", "s.yaml", "--results", "results.json"],
            ["record", "whole.mov", "--duration", "500ms"] + size,
        ] {
            let outcome = try run(Self.tool, arguments)
            XCTAssertEqual(outcome.status, 0, "\(arguments): \(outcome.errors)")
        }
        try obscura("profile", "phone").output.write(to: file("profile.yaml"))
    }

    /// The files in the folder of the test, without those that SQLite keeps beside an index.
    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }.sorted()
    }

    /// Asserts that a run fails with one sentence that names the path, and leaves nothing.
    private func check(_ outcome: Outcome, _ command: Command, _ situation: String, before: [String]) throws {
        let text = outcome.errors + outcome.text
        let what = "\(situation): \(command.arguments.joined(separator: " ")): \(text)"
        XCTAssertNotEqual(outcome.status, 0, what)
        let sentences = text.split(separator: "\n").filter { $0.hasPrefix("Error: ") }.map(String.init)
        XCTAssertEqual(sentences.count, 1, what)
        let sentence = sentences.first ?? ""
        XCTAssertTrue(sentence.contains(command.path) || sentence.contains("folder out"), what)
        // No text of Foundation, SQLite or Swift, and no absolute path where the user wrote a relative one.
        let rawTexts = [
            "ErrorDomain", "Code=", "UserInfo", "could not be completed", "error 1.", "SQLite", "Optional(",
            folder.path,
        ]
        for raw in rawTexts { XCTAssertFalse(sentence.contains(raw), what) }
        XCTAssertEqual(try files(), before, what)
    }

    /// Runs all commands under a condition.
    private func checkAll(_ situation: String, _ commands: [Command], prefix: [String] = []) throws {
        for command in commands {
            let before = try files()
            let outcome = try run(
                URL(fileURLWithPath: "/usr/bin/env"), prefix + [Self.tool.path] + command.arguments)
            try check(outcome, command, situation, before: before)
        }
    }

    func testAMissingFolder() throws { try checkAll("missing", try commands().filter { !$0.createsFolder }) }

    func testAFileInPlaceOfTheFolder() throws {
        try Data().write(to: file("out"))
        try checkAll("a file", try commands())
    }

    func testAReadOnlyFolder() throws {
        try FileManager.default.createDirectory(at: file("out"), withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: file("out").path)
        // The permissions do not apply to the superuser.
        let unprivileged = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
        try checkAll("read-only", try commands(), prefix: geteuid() == 0 ? unprivileged : [])
    }

    /// A limit of the file size of 0 fails all writes to files, as a full disk does.
    ///
    /// Opening a library fails with this limit, so that an export does not write.
    func testAFullDisk() throws {
        try FileManager.default.createDirectory(at: file("out"), withIntermediateDirectories: false)
        let limited = ["bash", "-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\" 2>&1", "limited"]
        try checkAll("full", try commands().filter { $0.path != "out/x.avi" }, prefix: limited)
    }

    func testAFolderThatIsRemovedMeanwhile() throws {
        for command in try commands() where !command.createsFolder {
            // A trace is a folder. It is created after the pipe is read, with the folders that contain it.
            guard let input = command.input, command.path != "out/t" else { continue }
            let data = try Data(contentsOf: file(input))
            try FileManager.default.removeItem(at: file(input))
            let before = try files()
            try FileManager.default.createDirectory(at: file("out"), withIntermediateDirectories: false)
            XCTAssertEqual(mkfifo(file(input).path, 0o600), 0)
            // A command that reads the pipe twice would wait forever.
            let arguments = ["timeout", "60", Self.tool.path] + command.arguments
            let process = process(URL(fileURLWithPath: "/usr/bin/env"), arguments)
            let (output, errors) = (Pipe(), Pipe())
            (process.standardOutput, process.standardError) = (output, errors)
            try process.run()
            // The command has checked the folder when it opens the pipe.
            var descriptor: Int32 = -1
            while descriptor < 0, process.isRunning {
                descriptor = open(file(input).path, O_WRONLY | O_NONBLOCK)
                if descriptor < 0 { sched_yield() }
            }
            try FileManager.default.removeItem(at: file("out"))
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, 0)
                let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                try pipe.write(contentsOf: data)
                try pipe.close()
            }
            let outputData = output.fileHandleForReading.readDataToEndOfFile()
            let errorData = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            try FileManager.default.removeItem(at: file(input))
            let outcome = Outcome(
                status: process.terminationStatus, output: outputData,
                errors: String(decoding: errorData, as: UTF8.self))
            try check(outcome, command, "removed", before: before)
            try data.write(to: file(input))
        }
    }
}
