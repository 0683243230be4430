import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import RecordedDevices

final class TraceMinimizerTests: XCTestCase {
    private func capture(_ client: TraceClient, for time: Duration) throws {
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
        let microphone = try XCTUnwrap(client.open(SimHost.microphone))
        let audioStream = try XCTUnwrap(client.stream(microphone, SimHost.microphone))
        client.start(stream, "video")
        client.start(audioStream, "audio")
        client.clock.advance(by: time)
        camera.close()
        microphone.close()
    }

    private func record(_ folder: URL) throws -> [String] {
        let clock = SimClock()
        let recorder = try TraceRecorder(SimHost(scene: .chart, clock: clock), to: folder, clock: clock)
        let client = TraceClient(recorder, clock)
        try capture(client, for: .seconds(1))
        try recorder.finish()
        return client.loggedLines
    }

    private func play(_ folder: URL, for time: Duration) throws -> [String] {
        let clock = SimClock()
        let trace = try Trace(folder: folder)
        XCTAssertEqual(trace.warnings, [])
        let client = TraceClient(TraceHost(trace, clock: clock), clock)
        try capture(client, for: time)
        return client.loggedLines
    }

    func testTheFirstFramesPlayAsInTheCompleteTrace() throws {
        let folder = try traceFolder()
        let log = try record(folder)
        let minimized = folder.deletingLastPathComponent().appendingPathComponent("small", isDirectory: true)
        try TraceMinimizer(Trace(folder: folder), keeping: .frames(5)).write(to: minimized)
        let played = try play(minimized, for: .milliseconds(300))
        let frames = { (log: [String]) in log.filter { $0.contains("video frame") } }
        assertSame(Array(frames(log).prefix(5)), frames(played), "frames")
        XCTAssertTrue(played.contains { $0.contains("audio sound") })
        let sizes = try [folder, minimized].map {
            try Data(contentsOf: $0.appendingPathComponent(TraceFolder.media)).count
        }
        XCTAssertLessThan(sizes[1] * 4, sizes[0])
    }

    func testAPartFromTheMiddleStartsImmediatelyAndCountsFromZero() throws {
        let folder = try traceFolder()
        let log = try record(folder)
        let minimized = folder.deletingLastPathComponent().appendingPathComponent("small", isDirectory: true)
        let part = TraceMinimizer.Part.times(from: CMTime(value: 1, timescale: 2), to: CMTime(value: 7, timescale: 10))
        try TraceMinimizer(Trace(folder: folder), keeping: part).write(to: minimized)
        let played = try play(minimized, for: .seconds(1))
        // Only the content of each frame, because times and numbers differ.
        func contents(_ log: [String]) -> [String] {
            log.filter { $0.contains("video frame") }.map { line in
                line.firstRange(of: "<CVPixelBuffer").map { String(line[$0.lowerBound...]) } ?? ""
            }
        }
        let times = log.filter { $0.contains("video frame") }.map { line in Int(line.prefix { $0 != " " }) ?? 0 }
        let inside = zip(times, contents(log)).filter { (500_000_000..<700_000_000).contains($0.0) }.map(\.1)
        XCTAssertEqual(inside.count, 6)
        XCTAssertEqual(contents(played), inside)
        XCTAssertTrue(played.contains { $0.contains("video frame 0 at") })
        XCTAssertTrue(played.contains { $0.contains("audio sound 0 ") })
        XCTAssertTrue(played.contains { $0.contains("video ended at 200000000/1000000000") }, played.last ?? "")
    }

    func testAPartWithoutFramesIsRejected() throws {
        let folder = try traceFolder()
        _ = try record(folder)
        let trace = try Trace(folder: folder)
        let minimized = folder.deletingLastPathComponent().appendingPathComponent("small", isDirectory: true)
        XCTAssertThrowsError(
            try TraceMinimizer(trace, keeping: .times(from: CMTime(value: 5, timescale: 1), to: .positiveInfinity)))
        XCTAssertThrowsError(try TraceMinimizer(trace, keeping: .frames(0)))
        XCTAssertThrowsError(
            try TraceMinimizer(
                trace, keeping: .times(from: CMTime(value: 1, timescale: 1000), to: CMTime(value: 2, timescale: 1000))
            )
            .write(to: minimized)
        ) { error in
            XCTAssertTrue("\(error)".contains("contains no frame and no audio"), "\(error)")
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: minimized.path))
    }
}
