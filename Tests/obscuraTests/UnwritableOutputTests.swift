import Foundation
import XCTest

/// Each command with each of its outputs in a folder that is full, read-only, missing, or a file.
final class UnwritableOutputTests: ObscuraTestCase {
    /// A command that writes in the folder `out`.
    private struct Command {
        var arguments: [String]
        /// The path that the error names, or its folder.
        var path: String
        /// Whether the command also creates the folder.
        var createsFolder = false
    }

    private static let movie = media("street-3s.avi").path

    private func commands() throws -> [Command] {
        let capture = ["--profile", "./profile.yaml", "--size", "640x480"]
        let listing = try obscura("library", "list", "--library", "lib").text
        let asset = String(try XCTUnwrap(listing.split(separator: " ").first))
        func captures(_ path: String, _ arguments: String...) -> Command {
            Command(arguments: arguments + capture, path: path)
        }
        func plays(_ path: String, _ option: String, createsFolder: Bool = false) -> Command {
            Command(
                arguments: ["replay", "s.yaml", option, path], path: path, createsFolder: createsFolder)
        }
        func other(_ path: String, _ arguments: String..., createsFolder: Bool = false) -> Command {
            Command(arguments: arguments, path: path, createsFolder: createsFolder)
        }
        return [
            captures("out/o.mov", "record", "out/o.mov", "--duration", "500ms"),
            captures("out/o.mp4", "record", "out/o.mp4", "--duration", "500ms", "--json"),
            captures("out/o.jpg", "photo", "out/o.jpg", "--after", "100ms"),
            captures("out/l", "photo", "out/l.jpg", "--after", "100ms", "--live"),
            captures("out/b-1.jpg", "photo", "out/b.jpg", "--after", "100ms", "--burst", "2"),
            captures("out/b-1.jpg", "photo", "out/b.jpg", "--after", "100ms", "--bracket", "-1,1"),
            captures("out/r", "photo", "out/r.dng", "--after", "100ms", "--format", "dng+heif", "--thumbnail"),
            captures("out/t", "trace", "record", "out/t", "--duration", "200ms", "--no-audio"),
            other("out/x.avi", "library", "export", asset, "out/x.avi", "--library", "lib"),
            other("out/lib", "library", "import", Self.movie, "--library", "out/lib", createsFolder: true),
            other("out", "library", "export", "--to", "out", "--library", "lib"),
            other(
                "out", "library", "export", "--to", "out", "--library", "lib", "--xmp", "--folders", "{year}/{month}"),
            other("out/l.png", "library", "sheet", "out/l.png", "--library", "lib"),
            other("out/s.png", "sheet", Self.movie, "out/s.png"),
            other("out", "play", "whole.mov", "--frames", "out"),
            other("out/e.mov", "edit", "whole.mov", "out/e.mov"),
            other("out/e.mp4", "edit", "whole.mov", "out/e.mp4", "--constant-fps", "30"),
            other("out/c.png", "chart", "out/c.png", "--width", "64"),
            plays("out/l", "--log"), plays("out/j.xml", "--junit"), plays("out/h.html", "--html"),
            plays("out/r.json", "--results"), plays("out/k", "--keep", createsFolder: true),
            other("out/n.yaml", "scenario", "new", "out/n.yaml"),
            other("out/h.html", "scenario", "report", "results.json", "--html", "out/h.html"),
            other("out/j.xml", "scenario", "report", "results.json", "--junit", "out/j.xml"),
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
        try checkAll("read-only", try commands(), prefix: Self.unprivileged)
    }

    /// Starts a command to which permissions apply: they do not apply to the superuser.
    private static let unprivileged =
        geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] : []
    /// Starts a command that cannot write to files, as on a full disk.
    private static let limited = ["bash", "-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\" 2>&1", "limited"]

    /// A copy of a library without the files that SQLite keeps beside the index, on a read-only or a full volume.
    func testALibraryThatCannotBeWrittenIsRead() throws {
        let asset = String(
            try XCTUnwrap(try obscura("library", "list", "--library", "lib").text.split(separator: " ").first))
        for name in ["index.sqlite-shm", "index.sqlite-wal"]
        where FileManager.default.fileExists(atPath: file("lib/\(name)").path) {
            try FileManager.default.removeItem(at: file("lib/\(name)"))
        }
        let permissions = try tool("chmod", "-R", "a-w", "lib")
        XCTAssertEqual(permissions.status, 0, permissions.errors)
        defer { _ = try? tool("chmod", "-R", "u+w", "lib") }
        let before = try FileManager.default.subpathsOfDirectory(atPath: file("lib").path).sorted()
        func library(_ prefix: [String], _ arguments: [String]) throws -> Outcome {
            try run(
                URL(fileURLWithPath: "/usr/bin/env"),
                prefix + [Self.tool.path, "library"] + arguments + ["--library", "lib"])
        }
        for arguments in [["list"], ["show", asset], ["verify"], ["export", asset, "copy.avi"], ["sheet", "s.png"]] {
            let outcome = try library(Self.unprivileged, arguments)
            XCTAssertEqual(outcome.status, 0, "\(arguments): \(outcome.errors)")
        }
        let deletion = try library(Self.unprivileged, ["delete", asset])
        XCTAssertEqual(deletion.status, 1)
        XCTAssertTrue(
            deletion.errors.contains("lib/index.sqlite cannot be used: it cannot be opened for writing"),
            deletion.errors)
        XCTAssertEqual(try FileManager.default.subpathsOfDirectory(atPath: file("lib").path).sorted(), before)
        // The failed attempts to write leave empty files.
        for _ in 1...2 { XCTAssertTrue(try library(Self.limited, ["list"]).text.contains(asset)) }
    }

    /// The folder is removed after the movie was created; the command fails when it closes the movie.
    func testAFolderThatIsRemovedWhileACommandWrites() throws {
        try FileManager.default.createDirectory(at: file("out"), withIntermediateDirectories: false)
        let removal = "until [ -e out/o.mov ]; do sleep 0.05; done; rm -r out; wait"
        let outcome = try run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["bash", "-c", "\"$@\" & \(removal) $!", "removing", Self.tool.path, "record", "out/o.mov"]
                + ["--duration", "1s", "--size", "640x480"])
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(outcome.errors, "Error: cannot flush out: no such file or folder; out/o.mov has been removed\n")
    }

    /// A limit of the file size of 0 fails all writes to files, as a full disk does.
    ///
    /// Opening a library fails with this limit, so that its export and its sheet do not write.
    func testAFullDisk() throws {
        try FileManager.default.createDirectory(at: file("out"), withIntermediateDirectories: false)
        try checkAll("full", try commands().filter { !$0.arguments.contains("lib") }, prefix: Self.limited)
    }
}
