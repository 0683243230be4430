import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class RecordingBacklogTests: XCTestCase {
    /// A real clock whose worker does its work when the test runs it, as a slow encoder does.
    private final class SlowClock: CaptureClock {
        final class Worker: ClockWorker {
            private let pending = Lock<[@Sendable () -> Void]>([])

            func submit(_ work: @escaping @Sendable () -> Void) { pending.withLock { $0.append(work) } }

            func run(_ count: Int) {
                let works = pending.withLock { pending in
                    defer { pending.removeFirst(min(count, pending.count)) }
                    return pending.prefix(count)
                }
                for work in works { work() }
            }
        }

        let worker = Worker()
        private let base = HostClock()

        /// Constant, so that the time of the work does not depend on the machine.
        var now: CMTime { .zero }
        var isVirtual: Bool { false }
        func date(at time: CMTime) -> Date { base.date(at: time) }
        func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
            base.schedule(at: deadline, action)
        }
        func deliver(
            on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void,
            finished: @escaping @Sendable () -> Void
        ) {
            base.deliver(on: queue, callback, finished: finished)
        }
        func spend(_ cost: Duration) { base.spend(cost) }
        func makeWorker(label: String) -> any ClockWorker { worker }
    }

    private func frame(byteCount: Int) -> CapturedMedia {
        let data = [UInt8](repeating: 0, count: byteCount)
        return data.withUnsafeBytes { bytes in
            .video(
                CapturedFrame(
                    VideoFrame(
                        payload: .compressed(CMBlockBuffer(copying: bytes), codec: kCMVideoCodecType_JPEG),
                        presentationTime: .zero, duration: CMTime(value: 1, timescale: 30), sequenceNumber: 0),
                    FrameConverter()))
        }
    }

    func testFramesThatExceedTheLimitsAreLate() {
        var backlog = RecordingBacklog()
        let frames = (0..<RecordingBacklog.maximumFrameCount).map { _ in frame(byteCount: 1000) }
        for frame in frames { XCTAssertTrue(backlog.add(frame)) }
        XCTAssertFalse(backlog.add(frame(byteCount: 1000)))
        backlog.remove(frames[0], after: .zero)
        XCTAssertTrue(backlog.add(frames[0]))
        for frame in frames { backlog.remove(frame, after: .zero) }
        XCTAssertEqual(backlog.frameCount, 0)
        XCTAssertEqual(backlog.byteCount, 0)
        // A frame that is larger than the limit can be recorded alone.
        let large = frame(byteCount: RecordingBacklog.maximumByteCount + 1)
        XCTAssertTrue(backlog.add(large))
        XCTAssertFalse(backlog.add(frame(byteCount: 1000)))
    }

    func testASlowEncoderGetsFewerWaitingFrames() {
        func limit(_ milliseconds: Int64) -> Int {
            var backlog = RecordingBacklog()
            let frame = frame(byteCount: 1000)
            XCTAssertTrue(backlog.add(frame))
            backlog.remove(frame, after: CMTime(value: milliseconds, timescale: 1000))
            return (0..<100).count { _ in backlog.add(frame) }
        }
        XCTAssertEqual(limit(1), RecordingBacklog.maximumFrameCount)
        XCTAssertEqual(limit(100), 5)
        XCTAssertEqual(limit(1000), 2, "one is encoded while the next one waits")
    }

    func testAnOutputKeepsFewFramesForASlowEncoder() {
        let clock = SlowClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        let output = system.run { AVCaptureMovieFileOutput() }
        let processed = Lock(0)
        let frame = frame(byteCount: 100_000)
        func submit() -> Bool { output.submit(frame) { processed.withLock { $0 += 1 } } }
        XCTAssertEqual((0..<300).count { _ in submit() }, RecordingBacklog.maximumFrameCount)
        clock.worker.run(2)
        XCTAssertEqual((0..<300).count { _ in submit() }, 2)
        clock.worker.run(100)
        XCTAssertEqual(processed.withLock { $0 }, RecordingBacklog.maximumFrameCount + 2)
    }
}
