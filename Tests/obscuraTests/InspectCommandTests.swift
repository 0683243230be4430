import Foundation
import XCTest

/// `obscura inspect`, as text and as JSON.
final class InspectCommandTests: ObscuraTestCase {
    func testTheTextDescribesTheMovie() throws {
        let recorded = try obscura("record", "a.mov", "--duration", "1s", "--size", "640x480", "--fps", "30")
        XCTAssertEqual(recorded.status, 0, recorded.errors)
        let outcome = try obscura("inspect", "a.mov", "--frames")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        for text in [
            "a.mov: QuickTime, 1.000 s", "one plain movie", "vide avc1 640x480, 30.000 fps", "48000 Hz", "30 samples",
            "no problems found",
        ] {
            XCTAssertTrue(outcome.text.contains(text), "no \"\(text)\" in \(outcome.text)")
        }
        // The line of the second frame.
        XCTAssertTrue(outcome.text.contains("    0.033333 s   0.033333 s"), outcome.text)
    }

    func testJSONDescribesTheMovie() throws {
        _ = try obscura("record", "a.mov", "--duration", "1s", "--size", "640x480", "--fps", "30", "--json").object()
        let report = try obscura("inspect", "a.mov", "--json", "--frames").object()
        XCTAssertEqual(report["duration"] as? Double, 1)
        XCTAssertEqual((report["problems"] as? [Any])?.count, 0)
        let tracks = try XCTUnwrap(report["tracks"] as? [[String: Any]])
        let video = try XCTUnwrap(tracks.first { $0["kind"] as? String == "vide" })
        XCTAssertEqual(video["samples"] as? Int, 30)
        XCTAssertEqual(video["width"] as? Int, 640)
        let frames = try XCTUnwrap(video["frames"] as? [[String: Any]])
        let times = frames.compactMap { $0["time"] as? Double }
        XCTAssertEqual(times.count, 30)
        for (index, time) in times.enumerated() { XCTAssertEqual(time, Double(index) / 30, accuracy: 1e-6) }
    }

    func testADamagedMovieIsReportedWithItsProblems() throws {
        _ = try obscura("record", "a.mov", "--duration", "1s", "--size", "640x480", "--json").object()
        let data = try Data(contentsOf: file("a.mov"))
        try data.prefix(data.count - 200).write(to: file("cut.mov"))
        let outcome = try obscura("inspect", "cut.mov")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.text.contains("the file ends within its last box, moov"), outcome.text)
    }

    func testAFileThatIsNotAMovieIsRejected() throws {
        try Data("a text".utf8).write(to: file("a.mov"))
        try assertFails(1, "inspect", "a.mov", containing: ["a.mov", "not a QuickTime or MPEG-4 file"])
        try assertFails(1, "inspect", "missing.mov", containing: ["missing.mov", "no such file"])
    }
}
