import Foundation
import XCTest

/// Commands with an encrypted movie.
final class ProtectedMovieCommandTests: ObscuraTestCase {
    private func makeMovie(_ name: String, _ arguments: String...) throws {
        let outcome = try run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-f", "lavfi", "-i"]
                + ["sine=f=440:d=2", "-c:v", "libx264", "-c:a", "aac", "-encryption_scheme", "cenc-aes-ctr"]
                + ["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
                + ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"] + arguments + [file(name).path])
        XCTAssertEqual(outcome.status, 0, outcome.errors)
    }

    func testEachCommandReportsThatTheMovieIsProtected() throws {
        try makeMovie("a.mp4")
        for arguments in [
            ["play", "a.mp4"], ["sheet", "a.mp4", "a.png"], ["edit", "a.mp4", "b.mp4"],
            ["edit", "a.mp4", "b.mp4", "--speed", "2"], ["edit", "a.mp4", "b.mp4", "--constant-fps", "10"],
            ["repair", "a.mp4", "--output", "b.mp4"], ["record", "b.mov", "--backend", "file:a.mp4"],
        ] {
            let outcome = try run(Self.tool, arguments)
            XCTAssertEqual(outcome.status, 1, "\(arguments)")
            XCTAssertTrue(
                outcome.errors.contains("is protected: it is encrypted (enc"), "\(arguments): \(outcome.errors)")
            XCTAssertTrue(outcome.errors.contains("a.mp4") || outcome.errors.contains("track 1"), outcome.errors)
            XCTAssertFalse(FileManager.default.fileExists(atPath: file("b.mp4").path), "\(arguments)")
        }
        XCTAssertTrue(try obscura("inspect", "a.mp4").text.contains("encv 64x48"))
    }

    func testRepairKeepsAFileWithATrackThatCannotBeCopied() throws {
        try makeMovie("a.mp4", "-movflags", "faststart")
        // The last samples are missing.
        let data = try Data(contentsOf: file("a.mp4")).dropLast(1000)
        try data.write(to: file("a.mp4"))
        try assertFails(1, "repair", "a.mp4", containing: ["track 1 ('encv') cannot be copied", "is protected"])
        XCTAssertEqual(try Data(contentsOf: file("a.mp4")), data)
    }
}
