import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import RecordedDevices

/// Traces of the kernel's own test drivers, recorded in the hardware lab.
final class TraceFixtureTests: XCTestCase {
    private static func fixture(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/Traces/\(name)", isDirectory: true)
    }

    /// Plays a trace, repeats the recorded client's calls, and records the result as a new trace.
    private func replay(_ name: String) throws -> (index: [String], media: Data) {
        let clock = SimClock()
        let folder = try traceFolder(name)
        let recorder = try TraceRecorder(
            TraceHost(path: Self.fixture(name).path, clock: clock), to: folder, clock: clock)
        try TraceRerun(Trace(folder: Self.fixture(name)), on: recorder, clock: clock).run()
        try recorder.finish()
        return (try Self.index(of: folder), try Data(contentsOf: folder.appendingPathComponent(TraceFolder.media)))
    }

    /// Returns the lines of a trace without the host's name, which differs in a replay, and without the times of
    /// devices, formats and controls, because reading them took some milliseconds on the real clock.
    private static func index(of folder: URL) throws -> [String] {
        let text = try String(contentsOf: folder.appendingPathComponent(TraceFolder.index), encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3 else { return String(line) }
            switch words[1] {
            case "host": return nil
            case "device", "format", "control": return words[1...].joined(separator: " ")
            default: return String(line)
            }
        }
    }

    private func assertReplaysTwice(_ name: String, file: StaticString = #filePath, line: UInt = #line) throws {
        let trace = try Trace(folder: Self.fixture(name))
        XCTAssertEqual(trace.warnings, [], file: file, line: line)
        let index = try Self.index(of: Self.fixture(name))
        let media = try Data(contentsOf: Self.fixture(name).appendingPathComponent(TraceFolder.media))
        for run in 1...2 {
            let replayed = try replay(name)
            assertSame(index, replayed.index, "the log of replay \(run)", file: file, line: line)
            XCTAssertTrue(media == replayed.media, "the bytes of replay \(run) differ", file: file, line: line)
        }
    }

    func testReplayingACameraTraceTwiceReproducesLogAndBytes() throws { try assertReplaysTwice("vivid") }
    func testReplayingAMicrophoneTraceTwiceReproducesLogAndBytes() throws { try assertReplaysTwice("loop") }

    func testTheCameraTraceShowsColorBarsAndEndsWithADisconnection() throws {
        let clock = SimClock()
        let host = try TraceHost(path: Self.fixture("vivid").path, clock: clock)
        let client = TraceClient(host, clock)
        let id = try XCTUnwrap(host.devices.first).descriptor.uniqueID
        let camera = try XCTUnwrap(client.open(id))
        let stream = try XCTUnwrap(
            client.stream(camera, id, width: 320, height: 180, duration: CMTime(value: 1, timescale: 15)))
        let lumas = Lock<[[Int]]>([])
        try stream.start { event in
            guard case .video(let frame) = event, case .pixels(let pixels) = frame.payload else {
                return client.log(TraceClient.describe(event))
            }
            // The lumas of the eight bars, below the text overlay.
            lumas.withLock { $0.append((0..<8).map { pixels.luma(320 * (2 * $0 + 1) / 16, 170) }) }
        }
        clock.advance(by: .seconds(10))
        let frames = lumas.withLock { $0 }
        XCTAssertGreaterThanOrEqual(frames.count, 18)
        for bars in frames { XCTAssertEqual(bars, bars.sorted(by: >), "white first, black last") }
        // The recorded client increased the brightness and reset it.
        let fifthBar = frames.map { $0[4] }
        XCTAssertGreaterThan(try XCTUnwrap(fifthBar.max()) - fifthBar[0], 30, "\(fifthBar)")
        XCTAssertTrue(
            client.loggedLines.contains { $0.contains("failed v4l2:platform:vivid") }, "\(client.loggedLines)")
        XCTAssertTrue(client.loggedLines.contains { $0.contains("disconnected \(id)") }, "\(client.loggedLines)")
        XCTAssertEqual(host.devices.count, 0)
    }

    func testTheMicrophoneTraceContainsThe1kHzTone() throws {
        let clock = SimClock()
        let host = try TraceHost(path: Self.fixture("loop").path, clock: clock)
        let client = TraceClient(host, clock)
        let id = try XCTUnwrap(host.devices.first).descriptor.uniqueID
        let microphone = try XCTUnwrap(client.open(id))
        let stream = try XCTUnwrap(client.stream(microphone, id))
        let samples = Lock<[Int16]>([])
        try stream.start { event in
            guard case .audio(let chunk) = event else { return }
            let left = chunk.data.withUnsafeBytes { bytes in
                Swift.stride(from: 0, to: bytes.count, by: 4).map {
                    bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self)
                }
            }
            samples.withLock { $0 += left }
        }
        clock.advance(by: .seconds(10))
        microphone.close()
        let recorded = samples.withLock { $0 }
        XCTAssertGreaterThanOrEqual(recorded.count, 60 * 960)
        let start = try XCTUnwrap(recorded.firstIndex { $0 != 0 })
        // Half a period of 1 kHz is 24 samples at 48 kHz.
        for index in stride(from: start, to: start + 9600, by: 100) {
            XCTAssertEqual(Int(recorded[index]), -Int(recorded[index + 24]), accuracy: 2)
        }
        XCTAssertTrue(recorded.dropFirst(start).contains { $0 == 16_000 })
    }
}

extension CVPixelBuffer {
    /// Returns the luma of a pixel in packed 4:2:2 with luma first.
    fileprivate func luma(_ x: Int, _ y: Int) -> Int {
        withPlane(0) { Int($0.baseAddress.load(fromByteOffset: y * $0.bytesPerRow + 2 * x, as: UInt8.self)) }
    }
}
