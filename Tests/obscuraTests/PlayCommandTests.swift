import Foundation
import XCTest

/// `obscura play`.
final class PlayCommandTests: ObscuraTestCase {
    func testTheFramesOfARateAreWritten() throws {
        try FileManager.default.createDirectory(at: file("f"), withIntermediateDirectories: true)
        let movie = "m.mov"
        let recording = try obscura("record", movie, "--duration", "1s", "--size", "640x480", "--fps", "30")
        XCTAssertEqual(recording.status, 0, recording.errors)
        let report = try obscura("play", movie, "--rate", "2", "--frames", "f", "--json").object()
        let times = try XCTUnwrap(report["frames"] as? [Double])
        XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 1, accuracy: 0.1)
        XCTAssertEqual(times, times.sorted())
        XCTAssertEqual(times.count, 30)
        XCTAssertEqual((report["files"] as? [String])?.count, times.count)
        XCTAssertEqual(try probe(file("f/frame-00001.png"), "v", "stream=width,height"), ["640,480"])
        let reversed = try obscura("play", movie, "--rate", "-2", "--json").object()
        let back = try XCTUnwrap(reversed["frames"] as? [Double])
        XCTAssertEqual(back, back.sorted(by: >))
        XCTAssertEqual(try XCTUnwrap(back.last), 0, accuracy: 0.05)
        let fails = try obscura("play", "nope.mov")
        XCTAssertEqual(fails.status, 1)
        XCTAssertTrue(fails.errors.contains("nope.mov"), fails.errors)
        XCTAssertEqual(try obscura("play", movie, "--rate", "0").status, 64)
        let again = try obscura("play", movie, "--frames", "f")
        XCTAssertEqual(again.status, 1)
        XCTAssertTrue(again.errors.contains("frame-00001.png exists already"), again.errors)
    }
}
