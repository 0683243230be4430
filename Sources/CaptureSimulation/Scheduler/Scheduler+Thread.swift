import CWorld
import CaptureHAL
import Foundation
import MediaTypes

/// The scheduler's own thread, which runs items while the test is suspended.
extension Scheduler {
    /// Starts the scheduler's threads, if they were not started before: this one, and the watchdog.
    func startThreads() {
        let isStarted = areThreadsStarted.withLock { isStarted in
            defer { isStarted = true }
            return isStarted
        }
        guard !isStarted else { return }
        startThread("obscura.world") { self.runThread() }
        startThread("obscura.watch") { self.runWatchdog() }
    }

    private func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            // Leak checks identify the thread by its name in the kernel. `Thread.name` does not set that name if the
            // thread begins to run before `start()` has stored its handle.
            cworld_name_current_thread(name)
            body()
        }
        thread.stackSize = 8 << 20
        // It is no thread of the client.
        cworld_current_thread().pointee.bypass += 1
        thread.start()
        cworld_current_thread().pointee.bypass -= 1
    }

    /// Runs items while the test is suspended; advances time when none is ready.
    private func runThread() {
        cworld_current_thread().pointee.bypass = 1
        while true {
            monitor.wait { state in
                guard state.mayThreadRun, let world = state.worlds.last else { return false }
                if state.suspension == nil {
                    state.suspension = TestWait("work or an expectation", in: world, endsWith: .work)
                }
                state.isThreadBusy = true
                return true
            }
            let didRun = runNextItem() || runNextEvent()
            monitor.update { $0.isThreadBusy = false }
            if !didRun { waitForReadyWork() }
        }
    }

    /// Runs the next event of all worlds' clocks.
    private func runNextEvent() -> Bool {
        let next = monitor.read(\.worlds).compactMap { world in
            world.clock.nextActionTime.map {
                (world: world, duration: max(0, $0.nanoseconds - world.clock.now.nanoseconds))
            }
        }.min { $0.world.timePassed + $0.duration < $1.world.timePassed + $1.duration }
        guard let (world, duration) = next else { return false }
        world.timePassed += duration
        return world.clock.runNextAction(by: CMTime(nanoseconds: .max))
    }

    /// Waits until work is ready or the test continues.
    private func waitForReadyWork() {
        let isPending = { (state: inout State) in
            !state.mayThreadRun || state.work.canChoose(in: state.worlds)
        }
        // Threads outside of worlds can end a wait without notifying the scheduler, so poll.
        let pollNanoseconds: Int64 = 10_000_000
        while !monitor.wait(until: isPending, deadline: cworld_real_time() + pollNanoseconds) {}
    }

    /// Called when the test on the main thread begins or ends waiting. The scheduler's own thread runs items only while
    /// the test waits.
    func setTestWaiting(_ isWaiting: Bool) {
        monitor.update { state in
            state.isMainThreadBusy = !isWaiting
            // XCTest waits for an asynchronous test in steps.
            if state.bodyTask == nil { state.suspension = nil }
            state.isTestWaking = false
        }
        if !isWaiting { waitForThread() }
    }

    /// Waits until the scheduler's own thread is idle. On the main thread, runs the item that the scheduler's own
    /// thread waits for.
    func waitForThread() {
        let isMain = cworld_is_main_thread_of_code()
        while true {
            monitor.wait { !$0.isThreadBusy || (isMain && $0.mainItem != nil) }
            guard isMain, monitor.read({ $0.mainItem != nil }) else { return }
            let thread = cworld_current_thread()
            let bypass = thread.pointee.bypass
            runMainItem()
            thread.pointee.bypass = bypass
        }
    }

    /// Stops the scheduler's own thread until the test waits again.
    func testWillContinue() {
        monitor.update { $0.isTestWaking = true }
    }

    /// Called when the job that created a world has returned.
    func bodyJobEnded() {
        monitor.update { $0.isBodyJobRunning = false }
    }
}
