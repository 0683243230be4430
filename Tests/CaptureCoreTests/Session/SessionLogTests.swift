import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import CaptureCore

/// The entries that a session and its outputs write to the log.
final class SessionLogTests: XCTestCase {
    /// Records a movie, takes a photo, interrupts the session and stops it.
    private func run(in capture: CaptureFixture) throws {
        let photo = capture.inSystem { AVCapturePhotoOutput() }
        let fixture = try MovieRecordingFixture(capture, otherOutputs: [photo])
        fixture.start()
        fixture.record()
        fixture.advance(milliseconds: 500)
        let photos = RecordingPhotos()
        photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
        fixture.advance(milliseconds: 200)
        fixture.stopRecording()
        capture.system.interruptions.begin(.videoInUseByAnotherClient)
        fixture.advance(milliseconds: 100)
        capture.system.interruptions.end(.videoInUseByAnotherClient)
        fixture.advance(milliseconds: 100)
        fixture.session.stopRunning()
    }

    func testASimulatedSessionWritesTheSameLinesInEachRun() throws {
        let runs = try (0..<2).map { _ in
            let capture = try CaptureFixture()
            return try CaptureLog.entries("all:debug") { try run(in: capture) }.map(\.description)
        }
        XCTAssertFalse(runs[0].isEmpty)
        XCTAssertEqual(runs[0], runs[1])
    }

    func testTheLogContainsTheDecisionsOfASession() throws {
        let capture = try CaptureFixture()
        let entries = try CaptureLog.entries("all:debug") { try run(in: capture) }
        func messages(_ category: CaptureLog.Category) -> [String] {
            entries.filter { $0.category == category }.map(\.message)
        }
        let session = messages(.session)
        XCTAssertTrue(session.contains { $0.hasPrefix("commit: preset AVCaptureSessionPresetLow") }, "\(session)")
        XCTAssertTrue(session.contains { $0.contains("selects <AVCaptureDeviceFormat: 'vide' 320x240") }, "\(session)")
        let order = ["startRunning", "started", "interrupted: ", "stopped", "interruption ended", "stopRunning"]
        var rest = session[...]
        for start in order {
            guard let index = rest.firstIndex(where: { $0.hasPrefix(start) }) else {
                return XCTFail("\(start) is missing or too early in \(session)")
            }
            rest = rest[(index + 1)...]
        }
        XCTAssertTrue(messages(.device).contains { $0.hasPrefix("opened: ") })
        XCTAssertTrue(messages(.photo).contains { $0.hasSuffix(" finished") }, "\(messages(.photo))")
        XCTAssertTrue(
            messages(.recording).contains { $0.hasPrefix("a.mov: finished: ") && $0.contains(" 0 dropped") },
            "\(messages(.recording))")
    }

    func testTheLogDoesNotChangeARecording() throws {
        let movies = try ["", "all:debug"].map { filter in
            let capture = try CaptureFixture()
            _ = try CaptureLog.entries(filter) { try run(in: capture) }
            return try Data(contentsOf: capture.url("a.mov"))
        }
        XCTAssertEqual(movies[0], movies[1])
    }

    func testFragmentsAndFailuresOfARecordingAreLogged() throws {
        let fixture = try MovieRecordingFixture()
        fixture.movie.movieFragmentInterval = CMTime(value: 1, timescale: 1)
        let entries = try CaptureLog.entries("recording:debug") {
            fixture.start()
            fixture.record()
            fixture.advance(milliseconds: 3500)
            fixture.stopRecording()
            fixture.record()
            fixture.advance(milliseconds: 100)
        }
        let fragments = entries.filter { $0.message.contains("fragment ") }
        XCTAssertEqual(
            fragments.map { $0.message.prefix(while: { $0 != "," }) },
            (1...3).map { "a.mov: fragment \($0) is complete" })
        XCTAssertEqual(Set(fragments.map(\.level)), [.debug])
        let last = try XCTUnwrap(entries.last)
        XCTAssertEqual(last.level, .error)
        XCTAssertTrue(last.message.hasPrefix("a.mov: ended: ") && last.message.contains("already exists"), "\(last)")
    }

    func testDroppedFramesOfAnOutputAreLoggedWithTheReason() throws {
        let capture = try CaptureFixture()
        let frames = RecordingFrames()
        let output = capture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try capture.makeSession(microphone: nil, preset: .low, [output])
        let entries = try CaptureLog.entries("output:debug") {
            session.startRunning()
            capture.advance(milliseconds: 100)
            output.consumeDrop(
                DroppedFrame(
                    reason: .outOfBuffers, presentationTime: CMTime(value: 1, timescale: 10), sequenceNumber: 9),
                from: try XCTUnwrap(output.connections.first))
            session.stopRunning()
        }
        XCTAssertEqual(entries.map(\.message), ["video data output: frame of 0.1 s dropped: outOfBuffers"])
    }
}
