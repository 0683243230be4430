import CWorld
import CaptureHAL
import Foundation
import MediaTypes

/// A timer of the main run loop. Each time that it fires, an item is submitted to the main queue.
struct ScheduledTimer: @unchecked Sendable {
    // SAFETY: the timer is used on the main thread, and on the thread that adds it.
    let timer: Timer
    /// The Core Foundation timer.
    let key: UnsafeMutableRawPointer
    let world: SimulatedWorld
    /// The time of the next firing, in nanoseconds.
    var due: Int64
    /// Fires the timer at `due`; nil while it fires.
    var clockTimer: ClockTimer?

    /// The date of the next firing.
    var fireDate: Date { world.clock.date(at: CMTime(nanoseconds: due)) }

    /// Converts a date to a time of a world's clock, in nanoseconds.
    ///
    /// It is rounded to microseconds, because a `Date` is less precise than nanoseconds, and limited to 10⁹ seconds.
    static func due(_ date: Date, in world: SimulatedWorld) -> Int64 {
        let seconds = date.timeIntervalSince(world.clock.date(at: .zero))
        return Int64((max(-1e9, min(seconds, 1e9)) * 1e6).rounded()) * 1_000
    }
}

/// The main run loop of simulated worlds.
extension Scheduler {
    /// A call of world code that runs a run loop. Used only while the monitor is locked.
    final class RunLoopCall: Sendable {
        // SAFETY: accessed only while the monitor is locked.
        nonisolated(unsafe) var isStopped = false
    }

    /// Schedules a timer of the main run loop.
    ///
    /// - Parameter key: The Core Foundation timer. A timer that is added for several modes is scheduled once.
    func schedule(_ timer: Timer, key: UnsafeMutableRawPointer, in world: SimulatedWorld) {
        guard self.timer(key) == nil else { return }
        let due = ScheduledTimer.due(timer.fireDate, in: world)
        schedule(ScheduledTimer(timer: timer, key: key, world: world, due: due))
    }

    /// The scheduled timer of a Core Foundation timer, if there is one.
    func timer(_ key: UnsafeMutableRawPointer) -> ScheduledTimer? { monitor.read { $0.timers[key] } }

    /// Moves the next firing of a timer. Returns false if the timer is not scheduled.
    func setFireDate(_ date: Date, ofTimer key: UnsafeMutableRawPointer) -> Bool {
        guard var timer = removeTimer(key) else { return false }
        timer.due = ScheduledTimer.due(date, in: timer.world)
        schedule(timer)
        return true
    }

    /// Removes a timer that is invalidated, and returns it.
    @discardableResult
    func removeTimer(_ key: UnsafeMutableRawPointer) -> ScheduledTimer? {
        let timer = monitor.update { $0.timers.removeValue(forKey: key) }
        timer?.clockTimer?.cancel()
        return timer
    }

    private func schedule(_ timer: ScheduledTimer) {
        let world = timer.world
        let due = CMTime(nanoseconds: max(timer.due, world.clock.now.nanoseconds))
        let clockTimer = world.clock.schedule(at: due) { [self] in
            let item = WorkItem(
                world: world, queue: cworld_main_queue(), action: .call { [self] in fireTimer(timer.key) })
            item.isRunLoopCallout = true
            submit(item)
        }
        monitor.update { state in
            state.timers[timer.key] = timer
            state.timers[timer.key]?.clockTimer = clockTimer
        }
    }

    /// Fires a timer, unless it was invalidated or moved to a later time after its firing was submitted.
    private func fireTimer(_ key: UnsafeMutableRawPointer) {
        let fired = monitor.update { state -> ScheduledTimer? in
            guard let timer = state.timers[key], timer.due <= timer.world.clock.now.nanoseconds else { return nil }
            state.timers[key]?.clockTimer = nil
            return timer
        }
        guard let fired else { return }
        fired.clockTimer?.cancel()
        // A timer that does not repeat invalidates itself.
        fired.timer.fire()
        // The block of the timer can invalidate the timer or move its next firing.
        guard var next = timer(key), next.clockTimer == nil else { return }
        // A timer that fires late skips the firings that it has missed.
        let interval = max(1, Int64((min(next.timer.timeInterval, 1e9) * 1e9).rounded()))
        let missed = max(0, next.world.clock.now.nanoseconds - next.due) / interval
        next.due = next.due.addingWithLimits((missed + 1) * interval)
        schedule(next)
    }

    /// Runs the world while world code runs its run loop.
    ///
    /// - Parameters:
    ///   - seconds: The virtual time to run for, in seconds, limited to 10⁹.
    ///   - returnsAfterSource: Whether to return after a block of the main queue has run.
    /// - Returns: A `CFRunLoopRunResult`.
    func runLoop(in world: SimulatedWorld, for seconds: Double, _ returnsAfterSource: Bool) -> Int32 {
        let (stopped, timedOut, handledSource): (Int32, Int32, Int32) = (2, 3, 4)
        let call = RunLoopCall()
        let end = world.clock.now.nanoseconds + Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())
        // As in Core Foundation, the run loop runs the main queue, unless a block of that queue has called it.
        let callout = currentItem.flatMap { $0.isRunLoopCallout ? $0 : nil }
        let count = monitor.update { state in
            world.runLoopCalls.append(call)
            if let callout { state.work.setAdvancing(true, callout) }
            return world.mainBlockCount
        }
        let hasRun = wait(
            in: world, for: "the end of a run loop", until: end, runsMainQueue: callout != nil
        ) { call.isStopped || returnsAfterSource && world.mainBlockCount > count }
        let isStopped = monitor.update { state in
            world.runLoopCalls.removeAll { $0 === call }
            if let callout { state.work.setAdvancing(false, callout) }
            return call.isStopped
        }
        return isStopped ? stopped : hasRun == true ? handledSource : timedOut
    }

    /// Stops the innermost call of world code that runs a run loop. Returns false if there is none.
    func stopRunLoop() -> Bool {
        guard let world = currentWorld else { return false }
        return monitor.update { _ in
            world.runLoopCalls.last?.isStopped = true
            return !world.runLoopCalls.isEmpty
        }
    }
}
