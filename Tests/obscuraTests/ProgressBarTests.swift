import Foundation
import XCTest

@testable import obscura

/// The progress on standard error.
final class ProgressBarTests: ObscuraTestCase {
    /// Runs a command on a terminal and returns the lines that were shown one after the other.
    private func lines(_ arguments: [String], columns: UInt16) throws -> [String] {
        let terminal = try Terminal(columns: columns)
        let process = process(Self.tool, arguments)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.programSide
        try process.run()
        let shown = try terminal.readToEnd()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, shown)
        return shown.replacingOccurrences(of: "\u{1B}[K", with: "").components(separatedBy: "\r").filter { !$0.isEmpty }
    }

    func testTheLineFitsTheTerminal() {
        func line(_ columns: Int, remaining: Double? = nil) -> String {
            ProgressBar.line("recording", fraction: 0.425, remainingSeconds: remaining, columns: columns)
        }
        let bar = String(repeating: "#", count: 17) + String(repeating: ".", count: 23)
        XCTAssertEqual(line(80), "recording [\(bar)] 42 %")
        XCTAssertEqual(line(80, remaining: 65.2), "recording [\(bar)] 42 %, 1:06 left")
        XCTAssertEqual(line(40, remaining: 5), "recording [####.......] 42 %, 0:05 left")
        XCTAssertEqual(line(30, remaining: 3723), "recording 42 %, 1:02:03 left")
        XCTAssertEqual(line(12), "recording 4")
        for columns in 1...200 {
            XCTAssertLessThan(line(columns, remaining: 600).count, columns)
        }
    }

    func testNoCommandWrapsItsProgress() throws {
        let scenario = """
            scenario: 1
            name: A short one
            devices: {profile: webcam, scene: grey}
            session: {preset: 640x480, microphone: false, outputs: [movie]}
            timeline:
              - {at: 0 s, do: start}
            end: 500 ms
            """
        try Data(scenario.utf8).write(to: file("short.yaml"))
        let camera = ["--profile", "webcam", "--scene", "grey"]
        let size = ["--size", "640x480", "--duration", "500ms"]
        for (label, arguments) in [
            ("recording", ["record", "a.mov"] + camera + size), ("capturing", ["record", "--null"] + camera + size),
            ("taking a photo", ["photo", "p.jpg", "--size", "640x480"] + camera),
            ("short", ["replay", "short.yaml", "--update-golden"]),
            ("recording", ["trace", "record", "t"] + camera + size),
        ] {
            let lines = try lines(arguments, columns: 32)
            XCTAssertGreaterThan(lines.count { $0.hasPrefix("\(label) ") && $0.contains(" %") }, 3, "\(lines)")
            XCTAssertEqual(lines.filter { $0.count >= 32 }, [], "\(arguments)")
        }
        let chart = try lines(["chart", "c.png", "--width", "64", "--profile", "webcam"], columns: 32)
        XCTAssertTrue(chart.contains { $0.hasPrefix("capturing ") && $0.contains("87 %") }, "\(chart)")
    }

    func testTheRemainingTimeIsShown() throws {
        let lines = try lines(
            ["record", "--null", "--realtime", "--duration", "2s", "--size", "640x480"], columns: 80)
        XCTAssertTrue(lines.contains { $0.hasSuffix(", 0:01 left") }, "\(lines)")
    }

    func testASourceOfUnknownLengthShowsTheElapsedTime() throws {
        let lines = try lines(
            ["record", "--null", "--backend", "file:\(Self.media("street-3s.avi").path)"], columns: 80)
        XCTAssertTrue(lines.contains { $0.hasPrefix("capturing 1.") }, "\(lines)")
    }
}
