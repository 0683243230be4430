import Foundation
import XCTest

/// Properties of all commands: help, completion, styles.
final class CommandLineTests: ObscuraTestCase {
    /// Returns the descriptions of a command and of its subcommands, with their full names.
    private func commands(in command: [String: Any], prefix: String = "") -> [(name: String, [[String: Any]])] {
        let name = prefix + (command["commandName"] as? String ?? "")
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        let subcommands = command["subcommands"] as? [[String: Any]] ?? []
        return [(name, arguments)] + subcommands.flatMap { commands(in: $0, prefix: name + " ") }
    }

    func testTheHelpOfEachOptionHasItsDefault() throws {
        let outcome = try obscura("--experimental-dump-help")
        let help = try XCTUnwrap(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], outcome.errors)
        let commands = commands(in: try XCTUnwrap(help["command"] as? [String: Any]))
        XCTAssertGreaterThan(commands.count, 15)
        for (command, arguments) in commands {
            for argument in arguments
            where argument["kind"] as? String != "positional" && argument["shouldDisplay"] as? Bool == true {
                let name = argument["valueName"] as? String ?? ""
                // The default of a flag with an inversion is that of its first form.
                if ["help", "version"].contains(name) || name.hasPrefix("no-") { continue }
                let text = argument["abstract"] as? String ?? ""
                XCTAssertTrue(
                    argument["defaultValue"] != nil || text.contains("(default: "), "\(command) --\(name): \(text)")
            }
        }
    }

    func testHelpIsPrinted() throws {
        for command in ["--help", "record --help", "library album create --help", "help edit"] {
            let arguments = command.split(separator: " ").map(String.init)
            let outcome = try run(Self.tool, arguments)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            XCTAssertTrue(outcome.text.contains("USAGE: obscura"), "\(command): \(outcome.text)\(outcome.errors)")
        }
    }

    func testOnlyCommandsThatUseTheLibraryHaveItsOption() throws {
        let outcome = try obscura("--experimental-dump-help")
        let help = try XCTUnwrap(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], outcome.errors)
        let libraryCommands = commands(in: try XCTUnwrap(help["command"] as? [String: Any])).filter { _, arguments in
            arguments.contains { $0["valueName"] as? String == "library" }
        }
        XCTAssertEqual(
            Set(libraryCommands.map(\.name)),
            [
                "obscura record", "obscura photo", "obscura library list", "obscura library import",
                "obscura library export", "obscura library verify", "obscura library show", "obscura library delete",
                "obscura library sheet", "obscura library restore", "obscura library album list",
                "obscura library album create", "obscura library album rename", "obscura library album delete",
                "obscura library album add", "obscura library album remove", "obscura doctor",
            ])
    }

    func testCompletionScriptsContainScenesProfilesAndPresets() throws {
        for shell in ["bash", "zsh", "fish"] {
            let outcome = try obscura("--generate-completion-script", shell)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            for name in ["backlight", "capture-card", "352x288", "hevc", "minimize"] {
                XCTAssertTrue(outcome.text.contains(name), "no \(name) for \(shell)")
            }
        }
    }

    func testTheTableOfDevicesFitsANarrowTerminal() throws {
        func check(_ text: String) {
            let lines = text.split(separator: "\r\n").flatMap { $0.split(separator: "\n") }.map(String.init)
            XCTAssertEqual(lines.first, "phone.back-wide", text)
            XCTAssertEqual(lines.dropFirst().first?.hasPrefix("    Back Camera, back, wide-angle,"), true, text)
            for line in lines { XCTAssertLessThanOrEqual(line.count, 40, line) }
        }
        check(try run(process(Self.tool, ["devices"], environment: ["COLUMNS": "40"])).text)
        let terminal = try Terminal(columns: 40)
        let process = process(Self.tool, ["devices"], environment: ["TERM": "dumb"])
        process.standardOutput = terminal.programSide
        try process.run()
        check(try terminal.readToEnd())
        process.waitUntilExit()
        // A file is not narrow.
        XCTAssertTrue(try obscura("devices").text.hasPrefix("ID "))
    }

    func testProfilesFitANarrowTerminal() throws {
        let outcome = try run(process(Self.tool, ["profile", "--list"], environment: ["COLUMNS": "40"]))
        let lines = outcome.text.split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.first, "phone", outcome.text)
        for line in lines { XCTAssertLessThanOrEqual(line.count, 40, line) }
        let details = lines.dropFirst().prefix { $0.hasPrefix(" ") }.joined(separator: " ")
        let text = details.split(separator: " ").joined(separator: " ")
        XCTAssertTrue(text.contains("back: 24 mm, 13 mm, 77 mm; nearest focus: 200 mm, 20 mm, 600 mm"), text)
    }

    func testHelpIsPrintedOnRequest() throws {
        for (arguments, text) in [
            (["--help"], "USAGE: obscura <subcommand>"), (["help"], "USAGE: obscura <subcommand>"),
            (["record", "--help"], "USAGE: obscura record"),
            (["help", "library", "list"], "USAGE: obscura library list"),
        ] {
            let outcome = try run(process(Self.tool, arguments))
            XCTAssertEqual(outcome.status, 0, "\(arguments)")
            XCTAssertTrue(outcome.text.contains(text), "\(arguments): \(outcome.text)")
            XCTAssertEqual(outcome.errors, "", "\(arguments)")
        }
    }

    func testListingsFitANarrowTerminal() throws {
        XCTAssertEqual(try obscura("record", "a.mov", "--duration", "0.2s", "--preset", "352x288").status, 0)
        XCTAssertEqual(try obscura("trace", "record", "t", "--duration", "200ms", "--no-audio").status, 0)
        for arguments in [["inspect", "a.mov", "--frames"], ["trace", "show", "t", "--events"]] {
            let outcome = try run(process(Self.tool, arguments, environment: ["COLUMNS": "40"]))
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            let lines = outcome.text.split(separator: "\n")
            XCTAssertGreaterThan(lines.count, 10, outcome.text)
            // Words are not divided.
            for line in lines where line.split(separator: " ").allSatisfy({ $0.count <= 32 }) {
                XCTAssertLessThanOrEqual(line.count, 40, String(line))
            }
            let wide = try run(process(Self.tool, arguments))
            XCTAssertTrue(wide.text.split(separator: "\n").contains { $0.count > 40 }, "a file is not narrow")
        }
    }

    func testStylesAreUsedOnlyOnATerminalThatSupportsThem() throws {
        func output(_ environment: [String: String]) throws -> String {
            let terminal = try Terminal()
            let process = process(Self.tool, ["devices"], environment: environment)
            process.standardOutput = terminal.programSide
            try process.run()
            let shown = try terminal.readToEnd()
            process.waitUntilExit()
            return shown
        }
        let base = ["TERM": "xterm", "NO_COLOR": ""]
        XCTAssertTrue(try output(base).hasPrefix("\u{1B}[1mID "))
        for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
            let uncolored = try output(base.merging(environment) { $1 })
            XCTAssertTrue(uncolored.hasPrefix("ID "), uncolored)
            XCTAssertFalse(uncolored.contains("\u{1B}"), uncolored)
        }
        let piped = try run(process(Self.tool, ["devices"], environment: base))
        XCTAssertTrue(piped.text.hasPrefix("ID "), piped.text)
    }

    func testASummaryWithoutVideoHasNoFrames() throws {
        let microphoneArguments = ["--device", "phone.microphone", "--duration", "1s"]
        let movie = try run(Self.tool, ["record", "a.mov"] + microphoneArguments)
        XCTAssertEqual(movie.text, "a.mov: 1.000 s, 48000 audio samples\n", movie.errors)
        let counted = try run(Self.tool, ["record", "--null"] + microphoneArguments)
        XCTAssertEqual(counted.text, "1.000 s, 48000 audio samples\n", counted.errors)
    }
}
