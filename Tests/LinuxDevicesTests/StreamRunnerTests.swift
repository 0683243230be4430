import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

final class StreamRunnerTests: XCTestCase {
    /// Hardware that delivers nothing and records the calls.
    private final class FakeDriver: StreamDriver {
        let device = "fake"
        let wake: KernelEvent
        let logCategory = CaptureLog.Category.device
        let timeout = CMTime(value: 3, timescale: 1)
        let maySuspendDelivery = true
        private let kernel: FakeKernel
        private let lines = Lock<[String]>([])
        /// The action that is called once while the hardware starts.
        let onBegin = Lock<(@Sendable () -> Void)?>(nil)
        /// The action that is called once while the hardware stops.
        let onEnd = Lock<(@Sendable () -> Void)?>(nil)

        init() throws {
            kernel = FakeKernel(clock: SimClock())
            wake = try KernelEvent(kernel)
        }

        var log: [String] { lines.withLock { $0 } }

        private func record(_ line: String, _ hook: Lock<(@Sendable () -> Void)?>? = nil) {
            lines.withLock { $0.append(line) }
            let action = hook?.withLock { hook in
                defer { hook = nil }
                return hook
            }
            action?()
        }

        func start() throws(KernelError) {
            record("begin", onBegin)
            record("begun")
        }

        func capture(_ run: StreamRun) throws(KernelError) -> StreamEvent? {
            while true {
                var polled = [PolledDescriptor(wake.descriptor, .readable)]
                try kernel.wait(&polled)
                wake.reset()
                if case .stopped = run.checkStatus() { return nil }
            }
        }

        func stop() {
            record("end", onEnd)
            record("ended")
        }

        func close() { record("close") }
    }

    /// Runs `body` on another thread, which may have to wait for the caller.
    ///
    /// - Returns: A semaphore that is signaled when `body` has returned.
    @discardableResult
    private static func onAnotherThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            isDone.signal()
        }
        return isDone
    }

    func testAStopDuringTheStartStopsTheStreamAfterTheStart() throws {
        let driver = try FakeDriver()
        let runner = StreamRunner(driver, clock: SimClock(), threadName: "test")
        let stopped = Lock<DispatchSemaphore?>(nil)
        driver.onBegin.withLock { hook in
            hook = {
                let isDone = Self.onAnotherThread { runner.stop() }
                // The stop must wait until this start returns. The timeout shows that it waits.
                if isDone.wait(timeout: .now() + .milliseconds(50)) == .success { isDone.signal() }
                stopped.withLock { $0 = isDone }
            }
        }
        try runner.start { _ in }
        stopped.withLock { $0 }?.wait()
        XCTAssertEqual(driver.log, ["begin", "begun", "end", "ended"])
        XCTAssertFalse(runner.lifeCycle.isRunning)
        try runner.start { _ in }
        XCTAssertTrue(runner.lifeCycle.isRunning)
        runner.close()
        XCTAssertEqual(driver.log.suffix(5), ["begin", "begun", "end", "ended", "close"])
        XCTAssertThrowsError(try runner.start { _ in }) {
            XCTAssertEqual(($0 as? DeviceError)?.code, .invalidState)
        }
    }

    func testAStreamRestartsOnlyAfterItsHardwareHasStopped() throws {
        let driver = try FakeDriver()
        let runner = StreamRunner(driver, clock: SimClock(), threadName: "test")
        let restarted = Lock<DispatchSemaphore?>(nil)
        try runner.start { _ in }
        driver.onEnd.withLock { hook in
            hook = {
                let isDone = Self.onAnotherThread {
                    runner.stop()
                    do { try runner.start { _ in } } catch { XCTFail("\(error)") }
                }
                if isDone.wait(timeout: .now() + .milliseconds(50)) == .success { isDone.signal() }
                restarted.withLock { $0 = isDone }
            }
        }
        runner.stop()
        restarted.withLock { $0 }?.wait()
        XCTAssertEqual(driver.log, ["begin", "begun", "end", "ended", "begin", "begun"])
        XCTAssertTrue(runner.lifeCycle.isRunning)
        runner.close()
    }

    func testManyThreadsLeaveTheHardwareStopped() throws {
        let driver = try FakeDriver()
        let runner = StreamRunner(driver, clock: SimClock(), threadName: "test")
        let threads = (0..<3).map { _ in
            Self.onAnotherThread {
                for iteration in 0..<200 {
                    // Most starts fail because the stream runs.
                    if iteration % 2 == 0 { _ = try? runner.start { _ in } } else { runner.stop() }
                }
            }
        }
        for thread in threads { thread.wait() }
        runner.close()
        let log = driver.log
        XCTAssertEqual(log.last, "close")
        let run = ["begin", "begun", "end", "ended"]
        for (index, line) in log.dropLast().enumerated() where line != run[index % 4] {
            return XCTFail("\(index): \(line) instead of \(run[index % 4])")
        }
    }
}

extension StreamRunner {
    fileprivate func start(_ receive: @escaping @Sendable (StreamEvent) -> Void) throws(DeviceError) {
        try start(ClosureReceiver(receive))
    }
}
