import Foundation
import XCTest

/// `obscura trace`: recording, showing, minimizing and playing traces.
final class TraceCommandTests: ObscuraTestCase {
    /// Records half a second of the simulated webcam and its microphone, and returns the summary.
    @discardableResult
    private func record(_ name: String, _ more: String...) throws -> [String: Any] {
        try run(
            Self.tool,
            [
                "trace", "record", name, "--profile", "webcam", "--size", "640x480", "--fps", "30", "--duration",
                "500ms",
                "--json",
            ] + more
        ).object()
    }

    private func streams(_ summary: [String: Any]) throws -> [[String: Any]] {
        try XCTUnwrap(summary["devices"] as? [[String: Any]]).flatMap {
            try XCTUnwrap($0["streams"] as? [[String: Any]])
        }
    }

    func testARecordedTraceHasASummary() throws {
        let summary = try record("t")
        XCTAssertEqual(summary["host"] as? String, "sim")
        XCTAssertEqual(try XCTUnwrap(summary["duration"] as? Double), 0.5, accuracy: 0.05)
        XCTAssertEqual(summary["warnings"] as? [String], [])
        XCTAssertEqual(summary["withoutBytes"] as? Int, 0)
        let streams = try streams(summary)
        XCTAssertEqual(streams.compactMap { $0["starts"] as? Int }, [1, 1])
        XCTAssertTrue((15...16).contains(streams.compactMap { $0["frames"] as? Int }.reduce(0, +)), "\(streams)")
        XCTAssertTrue(streams.contains { ($0["format"] as? String)?.hasPrefix("640x480") == true }, "\(streams)")
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: file("t").path).count, 2)
    }

    func testWithoutAudioOnlyTheCameraIsOpened() throws {
        let streams = try streams(record("t", "--no-audio"))
        XCTAssertEqual(streams.count, 1)
        XCTAssertEqual(streams[0]["chunks"] as? Int, 0)
    }

    func testATraceNeedsANameAndAnExistingParentFolder() throws {
        try record("t")
        for arguments in [
            ["trace", "minimize", "t", "x/y/z", "--frames", "3"], ["trace", "record", "x/y", "--duration", "1s"],
        ] {
            try assertFails(1, arguments, containing: ["there is no folder x"])
        }
        try Data(contentsOf: file("t/trace.txt")).write(to: file("trace.txt"))
        try Data(contentsOf: file("t/media.bin")).write(to: file("media.bin"))
        for arguments in [
            ["trace", "show", ""], ["trace", "minimize", "", "x", "--frames", "3"],
            ["trace", "minimize", "t", "", "--frames", "3"], ["trace", "record", ""],
        ] {
            try assertFails(64, arguments, containing: ["the name of the folder is empty"])
        }
    }

    func testShowListsTheEventsInOrder() throws {
        let summary = try record("t")
        let text = try obscura("trace", "show", "t")
        XCTAssertEqual(text.status, 0, text.errors)
        let lines = text.text.split(separator: "\n").map(String.init)
        XCTAssertTrue(lines[0].hasPrefix("t: host sim, 0.5"), lines[0])
        let times = lines.filter(\.isEvent).compactMap { line in
            line.split(separator: " ").first.flatMap { Double($0) }
        }
        XCTAssertEqual(times.count, summary["events"] as? Int)
        XCTAssertEqual(times, times.sorted())
        XCTAssertTrue(lines.contains { $0.contains(" open ") }, "no open event")

        let short = try obscura("trace", "show", "t", "--no-events")
        XCTAssertEqual(short.text.split(separator: "\n").map(String.init), lines.filter { !$0.isEvent })
        let listing = try obscura("trace", "show", "t", "--json").object()
        XCTAssertEqual((listing["events"] as? [String])?.count, times.count)
        XCTAssertEqual((listing["summary"] as? [String: Any])?["host"] as? String, "sim")
    }

    func testATraceIsPlayedInTheRecordedFormat() throws {
        // The default format of the webcam has a larger size and a higher frame rate.
        try record("t", "--no-audio")
        let movie = try obscura("record", "a.mov", "--backend", "trace:t", "--json").object()
        XCTAssertEqual(movie["width"] as? Int, 640)
        XCTAssertEqual(movie["fps"] as? Double, 30)
        XCTAssertGreaterThanOrEqual(try XCTUnwrap(movie["videoFrames"] as? Int), 15)
        let photo = try obscura("photo", "p.jpg", "--backend", "trace:t", "--after", "100ms", "--json").object()
        XCTAssertEqual(photo["width"] as? Int, 640)
        let available = "--size 640x480 --fps 30"
        try assertFails(
            1, "record", "b.mov", "--backend", "trace:t", "--size", "1280x720",
            containing: ["--size", "it contains \(available)"])
        try assertFails(1, "record", "b.mov", "--backend", "trace:t", "--fps", "15", containing: ["--fps", available])
        try assertFails(
            1, "record", "b.mov", "--backend", "trace:t", "--preset", "1280x720", containing: ["--preset", available])
        let named = try obscura("record", "--null", "--backend", "trace:t", "--preset", "640x480", "--json").object()
        XCTAssertEqual(named["width"] as? Int, 640)
    }

    func testAReplayProducesTheSameMovieAsTheDevices() throws {
        try record("t")
        let arguments = ["--size", "640x480", "--fps", "30", "--duration", "500ms"]
        var movies: [Data] = []
        for (name, source) in [
            ("sim.mov", ["--profile", "webcam"]), ("a.mov", ["--backend", "trace:t"]),
            ("b.mov", ["--backend", "trace:t"]),
        ] {
            let report = try run(Self.tool, ["record", name, "--json"] + source + arguments).object()
            XCTAssertEqual(report["videoFrames"] as? Int, 15, "\(report)")
            XCTAssertEqual(report["audioSamples"] as? Int, 24000, "\(report)")
            try assertDecodes(file(name))
            movies.append(try Data(contentsOf: file(name)))
        }
        XCTAssertTrue(movies[1] == movies[2], "two replays differ")
        XCTAssertTrue(movies[0] == movies[1], "the replay differs from what was recorded")
    }

    func testTracesOfRealDriversAreRecordedToMovies() throws {
        let traces = Self.media("x").deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Traces")
        // The capture times of the frames in the trace: …frame s0 number=0 at=396882510/1000000000 …
        let trace = try String(contentsOf: traces.appendingPathComponent("vivid/trace.txt"), encoding: .utf8)
        let captureTimes = trace.matches(of: #/ frame s0 .* at=(\d+)/(\d+) /#).compactMap { match in
            Double(match.1).flatMap { value in Double(match.2).map { value / $0 } }
        }
        let firstTime = try XCTUnwrap(captureTimes.first)
        var movies: [Data] = []
        for name in ["a.mov", "b.mov"] {
            // The trace ends with the disconnection of the camera. The movie is playable, and the command reports it.
            let outcome = try obscura(
                "record", name, "--backend", "trace:\(traces.appendingPathComponent("vivid").path)", "--size",
                "320x180",
                "--fps", "15", "--no-audio")
            XCTAssertEqual(outcome.status, 1, outcome.text)
            XCTAssertTrue(outcome.errors.contains("playable up to there"), outcome.errors)
            let frameTimes = try probe(file(name), "v", "frame=best_effort_timestamp_time").compactMap(Double.init)
            XCTAssertEqual(frameTimes.count, captureTimes.count)
            for (frameTime, time) in zip(frameTimes, captureTimes) {
                XCTAssertEqual(frameTime, time - firstTime, accuracy: 0.001)
            }
            movies.append(try Data(contentsOf: file(name)))
        }
        XCTAssertTrue(movies[0] == movies[1], "two replays differ")
        let report = try obscura(
            "record", "--null", "--backend", "trace:\(traces.appendingPathComponent("loop").path)", "--json"
        ).object()
        XCTAssertGreaterThanOrEqual(try XCTUnwrap(report["audioSamples"] as? Int), 60 * 960)
    }

    func testATraceIsReducedToFramesOrATimeRange() throws {
        try record("t")
        let part = try obscura("trace", "minimize", "t", "p", "--frames", "3", "--json").object()
        XCTAssertEqual(try streams(part).compactMap { $0["frames"] as? Int }.max(), 3)
        let report = try obscura(
            "record", "--null", "--backend", "trace:p", "--size", "640x480", "--fps", "30", "--json"
        )
        .object()
        XCTAssertEqual(report["videoFrames"] as? Int, 3)
        let middle = try obscura("trace", "minimize", "t", "m", "--from", "100ms", "--to", "300ms", "--json").object()
        XCTAssertEqual(try streams(middle).compactMap { $0["frames"] as? Int }.max(), 6)
    }

    func testBeyondTheLimitOnlyEventsAreStored() throws {
        let summary = try record("t", "--limit", "0")
        XCTAssertEqual(summary["mediaBytes"] as? Int, 0)
        XCTAssertGreaterThan(try XCTUnwrap(summary["withoutBytes"] as? Int), 15)
    }

    func testInvalidTraceArgumentsAreRejected() throws {
        try record("t")
        try assertFails(1, "trace", "record", "t", "--duration", "100ms", containing: ["t", "already"])
        try assertFails(1, "trace", "show", "nope", containing: ["nope"])
        try assertFails(1, "trace", "minimize", "t", "t", "--frames", "2", containing: ["already"])
        try assertFails(1, "record", "--null", "--backend", "trace:nope", containing: ["nope"])
        try assertFails(64, "trace", "minimize", "t", "p", containing: ["--frames", "--from"])
        try assertFails(64, "trace", "minimize", "t", "p", "--frames", "0", containing: ["1 or more"])
        try assertFails(
            64, "trace", "minimize", "t", "p", "--from", "2s", "--to", "1s", containing: ["--from", "--to"])
        try assertFails(64, "trace", "record", "u", "--fps", "0", containing: ["--fps", "'0'"])
        try assertFails(64, "trace", "record", "u", "--duration", "0s", containing: ["--duration"])
        try assertFails(64, "trace", "record", "u", "--limit=-1", containing: ["-1"])
    }

    func testADamagedTraceIsRejectedWithTheLineNumber() throws {
        try record("t")
        let folder = file("t")
        let traceFile = try XCTUnwrap(
            FileManager.default.contentsOfDirectory(atPath: folder.path)
                .map { folder.appendingPathComponent($0) }
                .first { try Data(contentsOf: $0).starts(with: Data("obscura".utf8)) }, "no trace file")
        var lines = try String(contentsOf: traceFile, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[4] = "this is no event"
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: traceFile)
        try assertFails(1, "trace", "show", "t", containing: ["\(traceFile.lastPathComponent):5:"])
    }
}

extension String {
    /// Whether the line is an event: it starts with a time.
    fileprivate var isEvent: Bool { !hasPrefix(" ") && split(separator: " ").first.flatMap { Double($0) } != nil }
}
