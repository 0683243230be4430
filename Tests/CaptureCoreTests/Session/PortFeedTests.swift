import CaptureHAL
import MediaTypes
import XCTest

@testable import CaptureCore

/// Tests that changes by the client apply from the next frame on, although routes are cached.
final class PortFeedTests: XCTestCase {
    /// A running session with a video data output.
    private struct RunningSession {
        let fixture: CaptureFixture
        let frames = RecordingFrames()
        let output: AVCaptureVideoDataOutput
        let session: AVCaptureSession

        init() throws {
            fixture = try CaptureFixture()
            output = fixture.inSystem { AVCaptureVideoDataOutput() }
            output.setSampleBufferDelegate(frames, queue: frames.queue)
            session = try fixture.makeSession([output])
            session.startRunning()
            fixture.advance(milliseconds: 100)
        }

        /// Returns the frames of the 100 ms after a change.
        func frames(after change: () throws -> Void) rethrows -> [RecordingFrames.Frame] {
            frames.clear()
            try change()
            fixture.advance(milliseconds: 100)
            return frames.frames
        }
    }

    func testADisabledConnectionPassesNothingUntilItIsEnabled() throws {
        let running = try RunningSession()
        let connection = try XCTUnwrap(running.output.connections.first)
        XCTAssertEqual(running.frames { connection.isEnabled = false }.count, 0)
        XCTAssertEqual(running.frames { connection.isEnabled = true }.count, 3)
    }

    func testADisabledPortDeliversNothingUntilItIsEnabled() throws {
        let running = try RunningSession()
        let port = running.session.inputs[0].ports[0]
        XCTAssertEqual(running.frames { port.isEnabled = false }.count, 0)
        XCTAssertEqual(running.frames { port.isEnabled = true }.count, 3)
    }

    func testANewPixelFormatAppliesFromTheNextFrame() throws {
        let running = try RunningSession()
        let native = try XCTUnwrap(running.frames {}.first).pixelFormat
        let bgra = running.frames {
            running.output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        }
        XCTAssertEqual(bgra.map(\.pixelFormat), Array(repeating: kCVPixelFormatType_32BGRA, count: 3))
        XCTAssertEqual(
            running.frames { running.output.videoSettings = [:] }.map(\.pixelFormat), [native, native, native])
    }

    func testARotationAppliesFromTheNextFrame() throws {
        let running = try RunningSession()
        let connection = try XCTUnwrap(running.output.connections.first)
        XCTAssertEqual(running.frames { connection.videoRotationAngle = 90 }.map(\.width), [240, 240, 240])
        XCTAssertEqual(running.frames { connection.videoRotationAngle = 0 }.map(\.width), [320, 320, 320])
    }

    func testANewDelegateReceivesTheNextFrame() throws {
        let running = try RunningSession()
        let other = RecordingFrames()
        let first = running.frames { running.output.setSampleBufferDelegate(other, queue: other.queue) }
        XCTAssertEqual(first.count, 0)
        XCTAssertEqual(other.frames.count, 3)
        XCTAssertEqual(running.frames { running.output.setSampleBufferDelegate(nil, queue: nil) }.count, 0)
        XCTAssertEqual(other.frames.count, 3)
    }

    func testWithoutAuthorizationTheNextFrameIsBlack() throws {
        let running = try RunningSession()
        let black = running.frames { running.fixture.system.authorization.set(.denied, for: .video) }
        XCTAssertEqual(black.map(\.counter), [nil, nil, nil])
        let authorized = running.frames { running.fixture.system.authorization.set(.authorized, for: .video) }
        XCTAssertFalse(authorized.contains { $0.counter == nil })
    }

    func testASecondOutputReceivesTheNextFrame() throws {
        let running = try RunningSession()
        let other = RecordingFrames()
        let second = running.fixture.inSystem { AVCaptureVideoDataOutput() }
        second.setSampleBufferDelegate(other, queue: other.queue)
        XCTAssertEqual(running.frames { running.session.addOutput(second) }.count, 3)
        XCTAssertEqual(other.frames.count, 3)
        XCTAssertEqual(running.frames { running.session.removeOutput(running.output) }.count, 0)
        XCTAssertEqual(other.frames.count, 6)
    }
}
