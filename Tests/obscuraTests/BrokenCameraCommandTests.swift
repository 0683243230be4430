import Foundation
import XCTest

/// Cameras that fail, reject settings or deliver nothing: `record` and `photo` report it and fail.
final class BrokenCameraCommandTests: ObscuraTestCase {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Writes the profile of a webcam with faults.
    private func write(_ faults: String, _ name: String = "broken.yaml") throws {
        let profile = Self.root.appendingPathComponent("SimDevices/Profiles/webcam.yaml")
        let text = try String(contentsOf: profile, encoding: .utf8)
        let faulty = text.replacingOccurrences(
            of: "  - microphone:", with: "      faults: [\(faults)]\n  - microphone:")
        XCTAssertNotEqual(text, faulty)
        try Data(faulty.utf8).write(to: file(name))
    }

    private func record(_ more: String...) throws -> Outcome {
        try run(
            Self.tool,
            ["record", "--profile", "broken.yaml", "--size", "320x240", "--fps", "30", "--duration", "1s"] + more)
    }

    // MARK: photo

    func testAPhotoOfADisconnectedOrHotCameraFailsWithTheReason() throws {
        try assertFails(
            1, "photo", "p.jpg", "--backend", "trace:" + Self.root.appendingPathComponent("Fixtures/Traces/vivid").path,
            containing: ["the device stopped delivering"])
        try write("{at: 0.2 s, do: pressure, level: shutdown}")
        for after in ["0s", "1s"] {
            let outcome = try obscura("photo", "\(after).jpg", "--profile", "broken.yaml", "--after", after)
            // Without a delay, the photo is taken before the camera is too hot.
            XCTAssertEqual(outcome.status, after == "0s" ? 0 : 1, outcome.errors)
        }
        try assertFails(
            1, "photo", "p.jpg", "--profile", "broken.yaml", "--after", "1s",
            containing: ["USB Webcam is too hot and has shut down: let it cool and try again"])
        for time in ["0.3", "1"] {
            try write("{at: \(time) s, do: disconnect}")
            try assertFails(
                1, "photo", "p.jpg", "--profile", "broken.yaml", "--after", "1s",
                containing: ["has been disconnected"])
        }
        try write("{at: 0.3 s, do: stall}")
        try assertFails(
            1, "photo", "p.jpg", "--profile", "broken.yaml", "--after", "1s",
            containing: ["no frame arrived from USB Webcam within 30 s"])
    }

    func testAHotCameraEndsARecording() throws {
        try write("{at: 0.5 s, do: pressure, level: shutdown}")
        let outcome = try record("a.mov")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.errors.contains("USB Webcam is too hot"), outcome.errors)
        XCTAssertTrue(outcome.errors.contains("a.mov is playable up to there"), outcome.errors)
        try assertDecodes(file("a.mov"))
        let counted = try record("--null")
        XCTAssertEqual(counted.status, 1)
        XCTAssertTrue(counted.errors.contains("USB Webcam is too hot"), counted.errors)
    }

    // MARK: No frames

    func testARecordingWithoutFramesFailsAfterATimeout() throws {
        for fault in ["{at: 0 s, do: stall}", "{rate: 1, do: drop-frames}", "{rate: 1, do: resize-frames}"] {
            try write(fault)
            for more in [[], ["--no-audio"]] {
                try assertFails(
                    1, ["record", "a.mov", "--profile", "broken.yaml", "--size", "320x240", "--duration", "1s"] + more,
                    containing: ["no frame arrived from USB Webcam within 30 s"])
            }
        }
        let outcome = try record("a.mov")
        XCTAssertTrue(outcome.errors.contains("were dropped"), outcome.errors)
    }

    func testACameraThatStopsDeliveringEndsARecordingAsAFailure() throws {
        try write("{at: 0.5 s, do: stall}")
        for (name, more) in [("a.mov", []), ("b.mov", ["--no-audio"])] {
            let outcome = try run(
                Self.tool,
                [
                    "record", name, "--profile", "broken.yaml", "--size", "320x240", "--fps", "30", "--duration", "1s",
                    "--json",
                ]
                    + more)
            XCTAssertEqual(outcome.status, 1, outcome.text)
            XCTAssertTrue(outcome.errors.contains("USB Webcam stopped delivering after 0.4"), outcome.errors)
            XCTAssertTrue(outcome.errors.contains("\(name) is playable up to there"), outcome.errors)
            let report = try XCTUnwrap(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
            XCTAssertTrue((report["error"] as? String)?.contains("stopped delivering") == true, outcome.text)
            XCTAssertEqual(report["videoFrames"] as? Int, 15)
            try assertDecodes(file(name))
        }
        for more in [[], ["--no-audio"]] {
            let outcome = try run(
                Self.tool, ["record", "--null", "--profile", "broken.yaml", "--duration", "1s", "--json"] + more)
            XCTAssertEqual(outcome.status, 1, outcome.text)
            XCTAssertTrue(outcome.text.contains("stopped delivering"), outcome.text)
        }
        // Dropped frames, or a stall that ends before the recording does, are not a stall at the end.
        for fault in ["{at: 0.3 s, do: stall, for: 0.4 s}", "{at: 0.5 s, do: drop-frames, count: 100}"] {
            try write(fault)
            let outcome = try record("\(UUID().uuidString).mov")
            XCTAssertEqual(outcome.status, 0, outcome.errors)
        }
    }

    func testDelayedFramesAreInTheMovie() throws {
        try write("{rate: 1, do: delay-frames, by: 1 s}")
        let outcome = try record("a.mov", "--json")
        let report = try outcome.object()
        XCTAssertEqual(report["videoFrames"] as? Int, 30)
        XCTAssertEqual(report["duration"] as? Double, 1)
        XCTAssertEqual(report["droppedFrames"] as? Int, 0)
        XCTAssertEqual(try probe(file("a.mov"), "v", "stream=nb_frames"), ["30"])
    }

    // MARK: Rejected settings

    func testASettingThatTheCameraDoesNotAcceptIsReported() throws {
        for (fault, state) in [
            ("do: fail-control, control: zoom-factor", "its zoom is 1"),
            ("do: alter-control, control: zoom-factor, value: 3", "its zoom is 3"),
        ] {
            try write("{at: 0 s, \(fault), count: 5}")
            try assertFails(
                1, "photo", "p.jpg", "--profile", "broken.yaml", "--zoom", "2",
                containing: ["USB Webcam did not accept --zoom 2: \(state)"])
            try assertFails(
                1, "record", "a.mov", "--profile", "broken.yaml", "--duration", "1s", "--zoom", "2",
                containing: ["USB Webcam did not accept --zoom 2: \(state)"])
        }
        try write("{at: 0 s, do: fail-control, control: exposure-point, count: 5}")
        try assertFails(
            1, "photo", "p.jpg", "--profile", "broken.yaml", "--expose", "0.2,0.3",
            containing: ["USB Webcam did not accept --expose 0.2,0.3: it exposes for 0.5,0.5"])
    }

    func testFlashIsRejectedForMovies() throws {
        try assertFails(64, "record", "a.mov", "--flash", containing: ["--flash is for photos only", "--torch 1"])
    }

    // MARK: Profiles from pipes

    func testAProfileIsReadFromAPipe() throws {
        try write("")
        let listing = try obscura("devices", "--profile", "broken.yaml")
        XCTAssertEqual(listing.status, 0, listing.errors)
        let command = "'\(Self.tool.path)' devices --profile"
        for source in ["\(command) <(cat broken.yaml)", "cat broken.yaml | \(command) /dev/stdin"] {
            let outcome = try tool("bash", "-c", source)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            XCTAssertEqual(outcome.text, listing.text)
        }
        let fifo = try tool(
            "bash", "-c", "mkfifo pipe; cat broken.yaml > pipe & \(command) ./pipe; status=$?; rm pipe; exit $status")
        XCTAssertEqual(fifo.text, listing.text, fifo.errors)
        try assertFails(1, "devices", "--profile", "/dev/null", containing: ["/dev/null", "the file is empty"])
        try assertFails(1, "devices", "--profile", "/dev/zero", containing: ["/dev/zero", "more than"])
        try Data().write(to: file("mine"))
        try assertFails(64, "devices", "--profile", "mine", containing: ["there is no profile \"mine\"", "./mine"])
    }
}
