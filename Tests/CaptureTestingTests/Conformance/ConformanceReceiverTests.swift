import CaptureHAL
import MediaTypes
import XCTest

@testable import CaptureTesting

final class ConformanceReceiverTests: XCTestCase {
    private let audio = AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16)

    private func chunk(frameCount: Int = 10, byteCount: Int = 20) -> StreamEvent {
        .audio(
            AudioChunk(
                data: CMBlockBuffer(length: byteCount), format: audio, frameCount: frameCount,
                presentationTime: .zero, samplePosition: 0))
    }

    func testAnEventInsideAnotherIsAProblem() {
        let reference = Lock<ConformanceReceiver?>(nil)
        let second = chunk()
        let receiver = ConformanceReceiver(.audio(audio), SimClock()) { count in
            if count == 1 { reference.withLock { $0 }?.receive(second) }
        }
        reference.withLock { $0 = receiver }
        receiver.receive(chunk())
        reference.withLock { $0 = nil }
        XCTAssertEqual(receiver.problems, ["an event arrived during another event"])
        XCTAssertEqual(receiver.payloadCount, 2)
    }

    func testAnEventAfterTheEndOrAStopIsAProblem() {
        let receiver = ConformanceReceiver(.audio(audio), SimClock())
        receiver.receive(.ended(time: .zero))
        receiver.receive(chunk())
        XCTAssertEqual(receiver.problems, ["an event arrived after the last event: audio at 0"])
        let stopped = ConformanceReceiver(.audio(audio), SimClock())
        stopped.receive(chunk())
        stopped.close()
        stopped.receive(chunk())
        XCTAssertEqual(stopped.problems, ["an event arrived after the stream was stopped: audio at 0"])
    }

    func testAPayloadThatDiffersFromTheFormatIsAProblem() throws {
        let receiver = ConformanceReceiver(.audio(audio), SimClock())
        receiver.receive(chunk(byteCount: 18))
        receiver.receive(chunk(frameCount: 0, byteCount: 0))
        XCTAssertEqual(
            receiver.problems, ["a chunk of 10 frames has 18 bytes, not 20", "an audio chunk has no frames"])
    }

    func testAnOverwrittenRetainedFrameIsFound() throws {
        let size = CMVideoDimensions(width: 16, height: 8)
        let format = StreamFormat.video(
            VideoStreamFormat(
                dimensions: size, encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
                frameDurations: [FrameDurationRange(CMTime(value: 1, timescale: 30))]))
        let pool = CVPixelBufferPool(
            width: 16, height: 8, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, maximumBufferCount: 2)
        let pixels = try XCTUnwrap(pool.makeBuffer())
        let receiver = ConformanceReceiver(format, SimClock(), retaining: 1)
        receiver.receive(
            .video(
                VideoFrame(
                    payload: .pixels(pixels), presentationTime: .zero, duration: CMTime(value: 1, timescale: 30),
                    sequenceNumber: 0)))
        XCTAssertEqual(receiver.problems, [])
        XCTAssertEqual(receiver.changedRetainedFrames, [])
        // The last byte of the last plane.
        pixels.withPlane(1) { plane in
            let last = plane.baseAddress + (plane.height - 1) * plane.bytesPerRow + 15
            last.storeBytes(of: last.load(as: UInt8.self) &+ 1, as: UInt8.self)
        }
        XCTAssertEqual(receiver.changedRetainedFrames, [0])
        receiver.release()
        XCTAssertEqual(receiver.retainedCount, 0)
    }
}
