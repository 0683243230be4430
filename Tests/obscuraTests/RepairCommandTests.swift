import Foundation
import Glibc
import TestSupport
import XCTest

/// `obscura repair`: a killed recording is converted into a plain movie.
final class RepairCommandTests: ObscuraTestCase {
    func testAKilledRecordingIsRepaired() throws {
        try recordAndKill("a.mov")
        let damaged = try Data(contentsOf: file("a.mov"))
        let before = try obscura("inspect", "a.mov", "--json", "--no-media")
        XCTAssertTrue(before.text.contains("\"isFragmented\":true"), before.text)
        let report = try obscura("repair", "a.mov", "--output", "b.mov", "--json").object()
        XCTAssertEqual(report["wasWhole"] as? Bool, false)
        XCTAssertGreaterThanOrEqual(try XCTUnwrap(report["seconds"] as? Double), 19)
        XCTAssertEqual(try Data(contentsOf: file("a.mov")), damaged)
        try assertDecodes(file("b.mov"))
        let after = try obscura("inspect", "b.mov", "--json").object()
        XCTAssertEqual(after["isFragmented"] as? Bool, false)
        XCTAssertEqual((after["problems"] as? [Any])?.count, 0)
        // In place: the same bytes under the original name, and no other file.
        let inPlace = try obscura("repair", "a.mov")
        XCTAssertEqual(inPlace.status, 0, inPlace.errors)
        XCTAssertEqual(try Data(contentsOf: file("a.mov")), try Data(contentsOf: file("b.mov")))
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix("mov") }.sorted(),
            ["a.mov", "b.mov"])
        let secondResult = try obscura("repair", "a.mov")
        XCTAssertTrue(secondResult.text.contains("nothing was changed"), secondResult.text)
    }

    func testAFileThatCannotBeRepairedStaysUnchanged() throws {
        try Data("a text".utf8).write(to: file("a.mov"))
        try assertFails(1, "repair", "a.mov", containing: ["a.mov", "is not a QuickTime or MPEG-4 file"])
        try assertFails(1, "repair", "missing.mov", containing: ["missing.mov"])
        try assertFails(1, "repair", "a.mov", "--output", "a.mov", containing: ["exists already"])
    }

    func testTracksAreListedInTheOrderOfTheirNumbers() throws {
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-y", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.2"]
                + Array(repeating: ["-map", "0"], count: 11).joined()
                + ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", file("a.mp4").path])
        XCTAssertEqual(result.status, 0, result.errors)
        let text = try obscura("repair", "a.mp4", "--output", "b.mp4").text
        let numbers = text.components(separatedBy: "samples of track ").dropFirst().map { $0.prefix { $0.isNumber } }
        XCTAssertEqual(numbers.map(String.init), (1...11).map(String.init), text)
    }

    /// Records until two fragments are complete, and kills the process.
    private func recordAndKill(_ name: String) throws {
        let terminal = try Terminal()
        let process = process(Self.tool, ["record", name, "--size", "640x480", "--duration", "100s"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.programSide
        try process.run()
        _ = terminal.read(until: "] 25 %")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationReason, .uncaughtSignal)
    }
}
