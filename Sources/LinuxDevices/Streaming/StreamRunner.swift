import CaptureHAL
import Glibc
import MediaTypes

/// Starts and stops a stream that captures on its own thread, in any order of calls.
///
/// A run is stopped only after it has started. The next run starts only after the hardware of the previous one has
/// stopped.
/// - Important: Thread-safe; `start` and `stop` may also be called from inside an event.
final class StreamRunner: Sendable {
    let lifeCycle: StreamLifeCycle
    private let driver: any StreamDriver
    private let clock: any CaptureClock
    private let threadName: String
    /// The run with hardware that has not been stopped, or with a last event that has not been delivered; nil if there is
    /// none.
    /// Invariant: if the life cycle has a current run, it belongs to this one.
    private let current = Lock<StreamRun?>(nil)

    init(_ driver: any StreamDriver, clock: any CaptureClock, threadName: String) {
        self.driver = driver
        self.clock = clock
        self.threadName = threadName
        lifeCycle = StreamLifeCycle(device: driver.device, clock: clock)
    }

    /// Starts a run. See `DeviceStream.start`.
    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        if let previous = current.withLock({ $0 }), previous.isStopped {
            // The previous run failed or ended, or another thread is stopping it. Inside its last event, `join` returns
            // immediately. Elsewhere it waits for the end of that event.
            previous.starting.wait()
            previous.join()
            finish(previous)
        }
        let run = try current.withLock { current throws(DeviceError) in
            guard current == nil else {
                throw DeviceError(.invalidState, device: driver.device, "the stream is already running; stop it first")
            }
            let run = try StreamRun(lifeCycle, receiver)
            current = run
            return run
        }
        defer { run.starting.leave() }
        do throws(KernelError) {
            driver.wake.reset()
            try driver.start()
            armWatchdog(run)
            let thread = try KernelThread(name: threadName) { [self] in capture(run) }
            run.state.withLock { $0.thread = thread }
        } catch {
            run.end()
            finish(run)
            CaptureLog.write(
                driver.logCategory, .error, clock, "\(driver.device): could not be started: \(error.logText)")
            throw DeviceError(error, device: driver.device, "the stream could not be started")
        }
    }

    /// Stops the current run. See `DeviceStream.stop`.
    func stop() {
        lifeCycle.stop()
        // Another thread may have started the next run.
        guard let run = current.withLock({ $0 }), run.isStopped else { return }
        // In the first event, the start may still be in progress on another thread. That thread does not wait for this
        // one.
        run.starting.wait()
        driver.wake.signal()
        run.join()
        finish(run)
    }

    /// Stops the stream permanently and releases the hardware.
    func close() {
        // Another thread may start the stream again after the stop.
        repeat { stop() } while !current.withLock { $0 == nil && lifeCycle.retire() }
        driver.close()
    }

    // MARK: Private

    /// Captures until the run is over, then delivers the last event.
    ///
    /// Called on the stream's thread.
    private func capture(_ run: StreamRun) {
        let last: StreamEvent?
        do throws(KernelError) {
            last = try driver.capture(run)
        } catch {
            let failure = DeviceError(error, device: driver.device, "the device stopped delivering")
            CaptureLog.write(driver.logCategory, .error, clock, "\(failure), errno \(error.number)")
            last = .failed(failure, time: clock.now)
        }
        stopHardware(run)
        if let last { run.deliver(last) }
        finish(run)
    }

    /// Stops the hardware of a run if it is not stopped yet, and returns when it is stopped.
    private func stopHardware(_ run: StreamRun) {
        let (isFirst, watchdog) = run.state.withLock { state in
            defer {
                state.isOver = true
                state.watchdog = nil
            }
            return (!state.isOver, state.watchdog)
        }
        watchdog?.cancel()
        // The first caller must not wait. It is the run's thread, or another thread after the run's thread has ended.
        guard isFirst else { return run.streaming.wait() }
        driver.stop()
        run.streaming.leave()
    }

    /// Stops the hardware of a run and prepares the stream for the next run.
    private func finish(_ run: StreamRun) {
        stopHardware(run)
        // The run is released outside the lock.
        _ = current.withLock { current -> StreamRun? in
            guard current === run else { return nil }
            defer { current = nil }
            return current
        }
    }

    /// Checks after the timeout whether the hardware has delivered anything since this call.
    private func armWatchdog(_ run: StreamRun) {
        let initialActivity = run.activity
        let timer = clock.schedule(at: clock.now + driver.timeout) { [weak self, weak run] in
            guard let self, let run, !run.isStopped else { return }
            let maySuspendDelivery = driver.maySuspendDelivery
            let isStalled = run.activity == initialActivity && !maySuspendDelivery
            run.setStalled(isStalled)
            if isStalled { driver.wake.signal() } else { armWatchdog(run) }
        }
        let isOver = run.state.withLock { state in
            if !state.isOver { state.watchdog = timer }
            return state.isOver
        }
        if isOver { timer.cancel() }
    }
}
