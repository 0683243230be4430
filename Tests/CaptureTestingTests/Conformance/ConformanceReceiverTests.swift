import CaptureHAL
import MediaTypes
import XCTest

@testable import CaptureTesting

final class ConformanceReceiverTests: XCTestCase {
    private let sound = AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16)

    private func chunk(frameCount: Int = 10, byteCount: Int = 20) -> StreamEvent {
        .audio(
            AudioChunk(
                data: CMBlockBuffer(length: byteCount), format: sound, frameCount: frameCount,
                presentationTime: .zero, samplePosition: 0))
    }

    func testAnEventInsideAnotherIsAProblem() {
        let itself = Lock<ConformanceReceiver?>(nil)
        let second = chunk()
        let receiver = ConformanceReceiver(.audio(sound), SimClock()) { count in
            if count == 1 { itself.withLock { $0 }?.receive(second) }
        }
        itself.withLock { $0 = receiver }
        receiver.receive(chunk())
        itself.withLock { $0 = nil }
        XCTAssertEqual(receiver.problems, ["an event came while another was under way"])
        XCTAssertEqual(receiver.payloadCount, 2)
    }

    func testWhatComesAfterTheEndOrAfterAStopIsAProblem() {
        let receiver = ConformanceReceiver(.audio(sound), SimClock())
        receiver.receive(.ended(time: .zero))
        receiver.receive(chunk())
        XCTAssertEqual(receiver.problems, ["an event came after the stream was over: sound at 0"])
        let stopped = ConformanceReceiver(.audio(sound), SimClock())
        stopped.receive(chunk())
        stopped.close()
        stopped.receive(chunk())
        XCTAssertEqual(stopped.problems, ["an event came after the stream was stopped: sound at 0"])
    }

    func testAPayloadThatIsNotAsDeclaredIsAProblem() throws {
        let receiver = ConformanceReceiver(.audio(sound), SimClock())
        receiver.receive(chunk(byteCount: 18))
        receiver.receive(chunk(frameCount: 0, byteCount: 0))
        XCTAssertEqual(
            receiver.problems, ["a chunk of 10 frames has 18 bytes, not 20", "a chunk of sound has no frames"])
    }

    func testAHeldFrameThatIsPaintedOverIsFound() throws {
        let size = CMVideoDimensions(width: 16, height: 8)
        let format = StreamFormat.video(
            VideoStreamFormat(
                dimensions: size, encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
                frameDurations: [FrameDurationRange(CMTime(value: 1, timescale: 30))]))
        let pool = CVPixelBufferPool(
            width: 16, height: 8, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, maximumBufferCount: 2)
        let pixels = try XCTUnwrap(pool.makeBuffer())
        let receiver = ConformanceReceiver(format, SimClock(), holding: 1)
        receiver.receive(
            .video(
                VideoFrame(
                    payload: .pixels(pixels), presentationTime: .zero, duration: CMTime(value: 1, timescale: 30),
                    sequenceNumber: 0)))
        XCTAssertEqual(receiver.problems, [])
        XCTAssertEqual(receiver.changedHeldFrames, [])
        // The last byte of the last plane.
        pixels.withPlane(1) { plane in
            let last = plane.baseAddress + (plane.height - 1) * plane.bytesPerRow + 15
            last.storeBytes(of: last.load(as: UInt8.self) &+ 1, as: UInt8.self)
        }
        XCTAssertEqual(receiver.changedHeldFrames, [0])
        receiver.release()
        XCTAssertEqual(receiver.heldCount, 0)
    }
}
