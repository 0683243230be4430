import CaptureHAL
import Glibc
import MediaTypes

/// Starts and stops a stream whose hardware is waited for by a thread, in any order of calls.
///
/// A run that begins is stopped only once it has begun, and another one begins only once its hardware has been stopped.
/// - Important: Thread-safe; `start` and `stop` may also be called from inside an event.
final class StreamRunner: Sendable {
    private enum Phase {
        case idle
        case running(StreamRun)
        /// The device is closed, or another stream took its place.
        case closed
    }

    private let driver: any StreamDriver
    private let clock: any CaptureClock
    private let threadName: String
    private let phase = Lock(Phase.idle)

    init(_ driver: any StreamDriver, clock: any CaptureClock, threadName: String) {
        self.driver = driver
        self.clock = clock
        self.threadName = threadName
    }

    /// Whether the hardware runs.
    var isRunning: Bool { current.map { !$0.state.withLock(\.isOver) } ?? false }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        if let previous = current, previous.state.withLock(\.isOver) {
            // It failed or ended. From inside its last event a new run may begin at once, else that event goes first.
            previous.starting.wait()
            previous.join()
            end(previous)
        }
        let run = StreamRun(receiver)
        try phase.withLock { phase throws(DeviceError) in
            switch phase {
            case .idle:
                run.accept()
                phase = .running(run)
            case .running:
                throw DeviceError(.invalidState, device: driver.device, "the stream runs already; stop it first")
            case .closed:
                throw DeviceError(
                    .invalidState, device: driver.device, "the stream's device was closed; make a new stream")
            }
        }
        defer { run.starting.leave() }
        do throws(KernelError) {
            driver.wake.reset()
            try driver.begin()
            armWatchdog(run)
            let thread = try KernelThread(name: threadName) { [self] in live(run) }
            run.state.withLock { $0.thread = thread }
        } catch {
            run.stop()
            end(run)
            throw DeviceError(error, device: driver.device, "the stream could not be started")
        }
    }

    func stop() {
        guard let run = current else { return }
        run.stop()
        // From inside its first event the start may still be at its end, which waits for nothing.
        run.starting.wait()
        driver.wake.signal()
        run.join()
        end(run)
    }

    func close() {
        var isClosed = false
        while !isClosed {
            stop()
            // Another thread may have started it again.
            isClosed = phase.withLock { phase in
                if case .running = phase { return false }
                phase = .closed
                return true
            }
        }
        driver.close()
    }

    // MARK: Private

    private var current: StreamRun? {
        phase.withLock { phase in
            if case .running(let run) = phase { run } else { nil }
        }
    }

    private func live(_ run: StreamRun) {
        let last: StreamEvent?
        do throws(KernelError) {
            last = try driver.pump(run)
        } catch {
            let failure = DeviceError(error, device: driver.device, "the device stopped delivering")
            last = .failed(failure, time: clock.now)
        }
        windDown(run)
        if let last { run.deliver(last) }
        end(run)
    }

    /// Stops the hardware, once for each run, and returns when it has been stopped.
    private func windDown(_ run: StreamRun) {
        let (isFirst, watchdog) = run.state.withLock { state in
            defer {
                state.isOver = true
                state.watchdog = nil
            }
            return (!state.isOver, state.watchdog)
        }
        watchdog?.cancel()
        // Who stops the hardware waits for no one else: the run's thread, or another one when that has ended.
        guard isFirst else { return run.streaming.wait() }
        driver.end()
        run.streaming.leave()
    }

    private func end(_ run: StreamRun) {
        windDown(run)
        phase.withLock { phase in
            if case .running(let current) = phase, current === run { phase = .idle }
        }
    }

    private func armWatchdog(_ run: StreamRun) {
        let seen = run.activity
        let timer = clock.schedule(at: clock.now + driver.patience) { [weak self, weak run] in
            guard let self, let run, !run.isStopped else { return }
            let isExcused = driver.isExcused
            let isStalled = run.activity == seen && !isExcused
            run.setStalled(isStalled)
            if isStalled { driver.wake.signal() } else { armWatchdog(run) }
        }
        let isLate = run.state.withLock { state in
            if !state.isOver { state.watchdog = timer }
            return state.isOver
        }
        if isLate { timer.cancel() }
    }
}
