import MediaTypes
import XCTest

@testable import CaptureHAL

final class StreamReceiverTests: XCTestCase {
    /// A stream that delivers two frames, one inside an event and one by itself, and ends.
    private final class FakeStream: DeviceStream {
        let configuration = StreamConfiguration(
            format: .audio(AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16)),
            frameDuration: CMTime(value: 1, timescale: 50))

        func start(_ receiver: any StreamReceiver) throws(DeviceError) {
            func frame(_ number: UInt64) -> VideoFrame {
                VideoFrame(
                    payload: .compressed(CMBlockBuffer(copying: [1]), codec: kCMVideoCodecType_JPEG),
                    presentationTime: CMTime(value: Int64(number), timescale: 30),
                    duration: CMTime(value: 1, timescale: 30), sequenceNumber: number)
            }
            receiver.receive(.video(frame(0)))
            receiver.receive(frame(1))
            receiver.receive(.ended(time: CMTime(value: 2, timescale: 30)))
        }

        func stop() {}
        func setFrameDuration(_ duration: CMTime) throws(DeviceError) {}
    }

    /// Notes by which way something came.
    private final class RecordingReceiver: StreamReceiver {
        let log = Lock<[String]>([])

        func receive(_ frame: VideoFrame) { log.withLock { $0.append("frame \(frame.sequenceNumber)") } }

        func receive(_ event: StreamEvent) {
            if case .video(let frame) = event { return receive(frame) }
            log.withLock { $0.append("event") }
        }
    }

    func testAClosureGetsFramesThatComeByThemselvesAsEvents() throws {
        let log = Lock<[String]>([])
        try FakeStream().start { event in
            log.withLock { log in
                switch event {
                case .video(let frame): log.append("frame \(frame.sequenceNumber)")
                case .ended: log.append("ended")
                default: log.append("other")
                }
            }
        }
        XCTAssertEqual(log.withLock { $0 }, ["frame 0", "frame 1", "ended"])
    }

    func testAReceiverGetsEachOnce() throws {
        let receiver = RecordingReceiver()
        try FakeStream().start(receiver)
        XCTAssertEqual(receiver.log.withLock { $0 }, ["frame 0", "frame 1", "event"])
    }
}
