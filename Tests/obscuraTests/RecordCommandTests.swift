import Foundation
import MediaTypes
import SimDevices
import XCTest

/// `obscura record`: exact frame and sample counts, reproducible bytes, and complete movies after an interrupt.
final class RecordCommandTests: ObscuraTestCase {
    func testAMovieHasExactlyTheRequestedFramesAndAudio() throws {
        for name in ["a.mov", "a.mp4"] {
            let report = try obscura(
                "record", name, "--duration", "2s", "--size", "640x480", "--fps", "30", "--json"
            ).object()
            XCTAssertEqual(report["file"] as? String, name)
            XCTAssertEqual(report["duration"] as? Double, 2)
            XCTAssertEqual(report["videoFrames"] as? Int, 60)
            XCTAssertEqual(report["droppedFrames"] as? Int, 0)
            XCTAssertEqual(report["audioSamples"] as? Int, 96000)
            XCTAssertEqual(report["width"] as? Int, 640)
            XCTAssertEqual(report["height"] as? Int, 480)
            XCTAssertEqual(report["fps"] as? Double, 30)
            XCTAssertEqual(report["codec"] as? String, "h264")
            try assertDecodes(file(name))
            XCTAssertEqual(try probe(file(name), "v", "stream=codec_name,nb_frames"), ["h264,60"])
            XCTAssertEqual(try probe(file(name), "v", "stream=duration"), ["2.000000"])
            XCTAssertEqual(try probe(file(name), "a", "stream=codec_name,duration"), ["aac,2.000000"])
            XCTAssertEqual(
                try probe(file(name), "v", "frame=best_effort_timestamp_time").compactMap(Double.init).map {
                    ($0 * 30).rounded(toPlaces: 3)
                }, (0..<60).map(Double.init))
        }
    }

    func testTheFramesOfTheCameraAreInTheMovieInOrder() throws {
        let outcome = try obscura(
            "record", "a.mov", "--duration", "1s", "--size", "640x480", "--fps", "30", "--marker")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let raw = try tool(
            "ffmpeg", "-v", "error", "-i", "a.mov", "-map", "v", "-fps_mode", "passthrough", "-pix_fmt", "gray", "-f",
            "rawvideo", "-")
        XCTAssertEqual(raw.errors, "")
        let size = 640 * 480
        XCTAssertEqual(raw.output.count, 30 * size)
        let luma = [UInt8](raw.output)
        let markers = (0..<luma.count / size).map { index in
            FrameMarker.read(width: 640, height: 480) { x, y in Int(luma[index * size + y * 640 + x]) }
        }
        XCTAssertEqual(markers.map { $0?.counter }, (0..<30).map { UInt32($0) })
        let firstNanoseconds = try XCTUnwrap(markers.first??.nanoseconds)
        for (index, marker) in markers.enumerated() {
            // The marker contains the capture time in whole nanoseconds, so multiples of 1/30 s are rounded.
            XCTAssertEqual(Double((marker?.nanoseconds ?? 0) - firstNanoseconds), Double(index) * 1e9 / 30, accuracy: 2)
        }
    }

    func testAudioIsInSyncWithVideo() throws {
        let outcome = try obscura(
            "record", "a.mov", "--duration", "2s", "--size", "640x480", "--fps", "30", "--sound", "tone")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let raw = try tool("ffmpeg", "-v", "error", "-i", "a.mov", "-map", "a", "-f", "f32le", "-")
        let samples = raw.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        XCTAssertGreaterThanOrEqual(samples.count, 96000)
        XCTAssertLessThan(samples.count, 96000 + 1024)
        // The first frame has clock time 0. The phase of the tone encodes the time of the audio.
        let measurement = try XCTUnwrap(
            ToneProbe().measure(
                Array(samples[4800..<91200]), sampleRate: 48000, startTime: CMTime(value: 1, timescale: 10)))
        XCTAssertEqual(measurement.offsetNanoseconds, 0, accuracy: 100_000)
        // The level of the tone in the profile, in dBFS.
        XCTAssertEqual(measurement.level, -18, accuracy: 1)
    }

    func testTheSameSeedResultsInTheSameBytesAndAnotherSeedInDifferentOnes() throws {
        for (name, seed) in [("a.mov", "7"), ("b.mov", "7"), ("c.mov", "8")] {
            let outcome = try obscura("record", name, "--duration", "500ms", "--size", "640x480", "--seed", seed)
            XCTAssertEqual(outcome.status, 0, outcome.errors)
        }
        XCTAssertEqual(try Data(contentsOf: file("a.mov")), try Data(contentsOf: file("b.mov")))
        XCTAssertNotEqual(try Data(contentsOf: file("a.mov")), try Data(contentsOf: file("c.mov")))
    }

    func testEachCodecIsWritten() throws {
        for (codec, name) in [("hevc", "hevc"), ("jpeg", "mjpeg"), ("h264", "h264")] {
            let movie = "\(codec).mov"
            let report = try obscura(
                "record", movie, "--duration", "500ms", "--size", "640x480", "--codec", codec, "--no-audio", "--json"
            ).object()
            XCTAssertEqual(report["codec"] as? String, codec)
            XCTAssertEqual(report["audioSamples"] as? Int, 0)
            XCTAssertEqual(try probe(file(movie), "v", "stream=codec_name"), [name])
            XCTAssertEqual(try probe(file(movie), "a", "stream=codec_name"), [])
            try assertDecodes(file(movie))
        }
    }

    func testAPresetChoosesTheSize() throws {
        let report = try obscura("record", "a.mov", "--duration", "200ms", "--preset", "640x480", "--json").object()
        XCTAssertEqual(report["width"] as? Int, 640)
        XCTAssertEqual(report["height"] as? Int, 480)
    }

    func testWithNullFramesAndAudioAreCountedAndNoFileIsWritten() throws {
        let report = try obscura(
            "record", "--null", "--duration", "2s", "--size", "640x480", "--fps", "30", "--json"
        ).object()
        XCTAssertTrue(report["file"] is NSNull)
        XCTAssertEqual(report["videoFrames"] as? Int, 60)
        XCTAssertEqual(report["droppedFrames"] as? Int, 0)
        XCTAssertEqual(report["audioSamples"] as? Int, 96000)
        XCTAssertEqual(report["fps"] as? Double, 30)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), [])
    }

    func testApplesPresetNamesAreAccepted() throws {
        for name in ["vga640x480", "AVCaptureSessionPreset640x480"] {
            let report = try obscura("record", "--null", "--duration", "200ms", "--preset", name, "--json").object()
            XCTAssertEqual(report["width"] as? Int, 640)
        }
    }

    func testAnNTSCFrameRateIsReportedAsGiven() throws {
        let arguments = ["--duration", "1s", "--size", "640x480", "--fps", "29.97", "--json"]
        for target in ["a.mov", "--null"] {
            let report = try run(Self.tool, ["record", target] + arguments).object()
            XCTAssertEqual(report["fps"] as? Double, 29.97, target)
            XCTAssertEqual(report["videoFrames"] as? Int, 30, target)
        }
    }

    func testASingleImageIsRecordedForTheGivenDurationOrTenSecondsByDefault() throws {
        XCTAssertEqual(try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        let oneSecond = try obscura(
            "record", "a.mov", "--backend", "file:p.jpg", "--duration", "1s", "--json"
        ).object()
        XCTAssertEqual(oneSecond["videoFrames"] as? Int, 30)
        XCTAssertEqual(oneSecond["duration"] as? Double, 1)
        let byDefault = try obscura("record", "--null", "--backend", "file:p.jpg", "--json").object()
        XCTAssertEqual(byDefault["videoFrames"] as? Int, 300)
        XCTAssertEqual(byDefault["duration"] as? Double, 10)
    }

    func testTheEnvironmentSelectsTheBackendIfTheCommandDoesNot() throws {
        let path = Self.media("street-3s.avi").path
        let report = try run(
            process(Self.tool, ["record", "--null", "--json"], environment: ["OBSCURA_BACKEND": "file:\(path)"])
        ).object()
        XCTAssertEqual(report["videoFrames"] as? Int, 30)
        XCTAssertEqual(report["width"] as? Int, 768)
    }

    func testAFailedRecordingStillPrintsJSON() throws {
        // The shell ignores SIGXFSZ and sets the file size limit, so that a write fails as on a full disk.
        let outcome = try run(
            URL(fileURLWithPath: "/bin/bash"),
            [
                "-c", "trap '' XFSZ; ulimit -f 300; exec \"$@\"", "bash", Self.tool.path, "record", "a.mov",
                "--duration", "20s", "--size", "1280x720", "--fragment-interval", "1s", "--json",
            ])
        XCTAssertEqual(outcome.status, 1, outcome.errors)
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let error = try XCTUnwrap(object["error"] as? String)
        XCTAssertEqual(outcome.errors, "Error: \(error)\n")
        XCTAssertEqual(object["file"] as? String, "a.mov")
    }

    func testAMediaFileIsRecordedToItsEnd() throws {
        let street = try obscura(
            "record", "street.mov", "--backend", "file:\(Self.media("street-3s.avi").path)", "--json"
        ).object()
        XCTAssertEqual(street["videoFrames"] as? Int, 30)
        XCTAssertEqual(street["duration"] as? Double, 3)
        XCTAssertEqual(street["width"] as? Int, 768)
        try assertDecodes(file("street.mov"))
        XCTAssertEqual(
            try probe(file("street.mov"), "v", "frame=best_effort_timestamp_time"),
            try probe(Self.media("street-3s.avi"), "v", "frame=best_effort_timestamp_time"))
        XCTAssertGreaterThan(try psnr("street.mov", Self.media("street-3s.avi")), 38)
    }

    func testInRealTimeAMediaFileIsRecordedFromItsFirstFrameToItsLast() throws {
        let report = try obscura(
            "record", "street.mov", "--backend", "file:\(Self.media("street-3s.avi").path)", "--realtime", "--json"
        ).object()
        XCTAssertEqual(report["videoFrames"] as? Int, 30)
        XCTAssertEqual(report["duration"] as? Double, 3)
        XCTAssertEqual(report["droppedFrames"] as? Int, 0)
    }

    func testAFileWithVariableFrameRateKeepsItsTimesAndAudio() throws {
        let report = try obscura(
            "record", "handheld.mp4", "--backend", "file:\(Self.media("handheld-3s.mp4").path)", "--json"
        ).object()
        let movie = file("handheld.mp4")
        try assertDecodes(movie)
        XCTAssertGreaterThan(try XCTUnwrap(report["audioSamples"] as? Int), 44100 * 5 / 2)
        XCTAssertEqual(try probe(movie, "a", "stream=codec_name,sample_rate"), ["aac,44100"])
        let times = try probe(movie, "v", "frame=best_effort_timestamp_time")
        XCTAssertEqual(times.count, report["videoFrames"] as? Int)
        // The file has a damaged first slice, so errors of ffprobe are ignored.
        let source = try tool(
            "ffprobe", "-v", "quiet", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time",
            "-of",
            "csv=p=0", Self.media("handheld-3s.mp4").path)
        let expected = source.text.split(separator: "\n").map { $0.split(separator: ",")[0] }.compactMap { Double($0) }
        XCTAssertEqual(times.count, expected.count)
        // The last two times of the file are decode times and not in order.
        for (time, expected) in zip(times.compactMap(Double.init), expected).dropLast(2) {
            XCTAssertEqual(time, expected, accuracy: 0.0001)
        }
        XCTAssertGreaterThan(try psnr("handheld.mp4", Self.media("handheld-3s.mp4")), 38)
    }

    func testCountingTheFramesOfAMediaFileInRealTimeEndsWithTheFile() throws {
        let source = try obscura("record", "a.mov", "--duration", "300ms", "--size", "640x480", "--no-audio")
        XCTAssertEqual(source.status, 0, source.errors)
        let report = try obscura("record", "--null", "--backend", "file:a.mov", "--realtime", "--json").object()
        XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 0.3, accuracy: 0.001)
    }

    func testInRealTimeARecordingTakesItsDuration() throws {
        let clock = ContinuousClock()
        var report: [String: Any] = [:]
        let elapsed = try clock.measure {
            report = try obscura("record", "a.mov", "--duration", "1s", "--size", "640x480", "--realtime", "--json")
                .object()
        }
        XCTAssertGreaterThanOrEqual(elapsed, .seconds(1))
        XCTAssertEqual(try XCTUnwrap(report["duration"] as? Double), 1, accuracy: 0.05)
        try assertDecodes(file("a.mov"))
    }

    func testCtrlCLeavesACompleteMovie() throws {
        for mode in [["--realtime"], []] {
            let name = mode.isEmpty ? "virtual.mov" : "real.mov"
            let (status, shown) = try interrupt(["record", name, "--size", "640x480"] + mode)
            XCTAssertEqual(status, 0, shown)
            try assertDecodes(file(name))
            let length = try XCTUnwrap(try probe(file(name), "v", "stream=duration").first.flatMap(Double.init))
            XCTAssertGreaterThan(length, 0.5)
            XCTAssertLessThan(length, 100)
            // A finished recording is a plain movie without fragments.
            let boxes = try topLevelBoxes(file(name))
            XCTAssertTrue(boxes.contains("moov") && boxes.contains("mdat") && !boxes.contains("moof"), "\(boxes)")
        }
    }

    func testClosingTheTerminalLeavesACompleteMovie() throws {
        let (status, shown) = try interrupt(["record", "a.mov", "--size", "640x480"]) { process, terminal in
            terminal.hangUp()
            kill(process.processIdentifier, SIGHUP)
        }
        XCTAssertEqual(status, 0, shown)
        try assertDecodes(file("a.mov"))
    }

    func testCtrlCEndsCountingWithoutAFile() throws {
        let (status, shown) = try interrupt(["record", "--null", "--size", "640x480"])
        XCTAssertEqual(status, 0, shown)
    }

    /// Returns the types of the top-level boxes (ISO/IEC 14496-12, 4.2).
    private func topLevelBoxes(_ movie: URL) throws -> [String] {
        let data = [UInt8](try Data(contentsOf: movie))
        var names: [String] = []
        var offset = 0
        while offset + 8 <= data.count {
            func number(_ bytes: Range<Int>) -> Int { data[bytes].reduce(0) { $0 << 8 | Int($1) } }
            names.append(String(decoding: data[offset + 4..<offset + 8], as: UTF8.self))
            var size = number(offset..<offset + 4)
            if size == 1, offset + 16 <= data.count { size = number(offset + 8..<offset + 16) }
            guard size >= 8 else { break }
            offset += size
        }
        XCTAssertEqual(offset, data.count, "the boxes \(names) do not fill the file")
        return names
    }

    /// Starts a recording of 100 s in a terminal, performs `action` when the progress bar shows 1 %, and waits until
    /// the program exits.
    ///
    /// - Returns: The exit status, and the text that the terminal showed until the action.
    private func interrupt(
        _ arguments: [String], by action: (Process, Terminal) -> Void = { process, _ in process.interrupt() }
    ) throws -> (status: Int32, shown: String) {
        let terminal = try Terminal()
        let process = process(Self.tool, arguments + ["--duration", "100s"])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.programSide
        try process.run()
        let shown = terminal.read(until: "] 1 %")
        XCTAssertTrue(shown.contains("#") || shown.contains("."), "no bar: \(shown)")
        action(process, terminal)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationReason, .exit)
        return (process.terminationStatus, shown)
    }

    func testThereIsNoProgressBarOnAPipe() throws {
        let outcome = try obscura("record", "a.mov", "--duration", "200ms", "--size", "640x480")
        XCTAssertEqual(outcome.status, 0)
        XCTAssertEqual(outcome.errors, "")
        XCTAssertEqual(
            outcome.text, "a.mov: 0.200 s, 6 frames 640x480, 9600 audio samples, 0 frames dropped\n")
    }

    func testTheExecutableRunsFromAnotherFolder() throws {
        let copy = file("elsewhere")
        try FileManager.default.copyItem(at: Self.tool, to: copy)
        let outcome = try run(
            copy, ["record", "a.mov", "--duration", "200ms", "--profile", "webcam", "--size", "640x480"])
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        try assertDecodes(file("a.mov"))
    }

    /// Returns the lowest PSNR of all frames, in dB.
    private func psnr(_ movie: String, _ source: URL) throws -> Double {
        let graph = "[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]psnr=shortest=1"
        let outcome = try tool(
            "ffmpeg", "-nostdin", "-hide_banner", "-i", movie, "-i", source.path, "-fps_mode", "passthrough", "-lavfi",
            graph, "-f", "null", "-")
        let minimum = outcome.errors.split(separator: " ").last { $0.hasPrefix("min:") }
        return try XCTUnwrap(minimum.flatMap { Double($0.dropFirst(4)) }, outcome.errors)
    }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> Double {
        let scale = pow(10, Double(places))
        return (self * scale).rounded() / scale
    }
}
