import CWorld
import CaptureHAL
import Foundation
import MediaTypes

/// Installs the handlers that the interposed functions (see `CWorld`) call for code of simulated worlds.
///
/// Only the first call has an effect. It ends the process if calls of one of the functions are not interposed.
func installInterposition() { _ = isInstalled }

private let isInstalled: Bool = {
    var handlers = cworld_handlers(
        submit: { queue, work, isBarrier, group in
            guard let world = scheduler.worldOfSubmission(to: queue) else { return false }
            if let group { cworld_group_enter(group) }
            scheduler.submit(scheduler.item(work, in: world, on: queue, isBarrier: isBarrier, group: group))
            return true
        },
        submit_after: { when, queue, work in
            guard let world = scheduler.worldOfSubmission(to: queue) else { return false }
            let item = scheduler.item(work, in: world, on: queue)
            guard let due = DispatchDeadline(when, in: world).due else { return true }
            if due <= world.clock.now.nanoseconds {
                scheduler.submit(item)
            } else {
                scheduler.submit(item, at: due)
            }
            return true
        },
        sync: { queue, work, isBarrier in
            guard scheduler.isWorldThread, let world = scheduler.worldOfSubmission(to: queue) else { return false }
            return scheduler.sync(on: queue, work, isBarrier: isBarrier, in: world)
        },
        group_notify: { group, queue, work in
            guard let world = scheduler.worldOfSubmission(to: queue) else { return false }
            scheduler.notify(scheduler.item(work, in: world, on: queue), of: group)
            return true
        },
        group_left: { group in
            scheduler.monitor.update { scheduler.submitNotifications(of: group, &$0) }
        },
        wait: { kind, object, timeout, result in
            guard scheduler.isWorldThread, let world = scheduler.currentWorld else { return false }
            return scheduler.wait(for: kind, object, until: timeout, in: world, result: result)
        },
        source_created: { source, kind, queue in
            guard scheduler.isWorldThread, let world = scheduler.currentWorld else { return }
            scheduler.addSource(source, kind, queue: queue ?? cworld_default_queue(), to: world)
        },
        source_set_timer: { source, start, interval in
            guard let source = scheduler.source(source) else { return false }
            source.setTimer(start: start, interval: interval)
            return true
        },
        source_set_handler: { source, work, kind in
            guard let source = scheduler.source(source) else { return false }
            source.setHandler(work, kind)
            return true
        },
        source_merge: { source, value in
            guard let source = scheduler.source(source) else { return false }
            source.merge(UInt(value))
            return true
        },
        source_data: { source, value in
            guard let source = scheduler.source(source) else { return false }
            value.pointee = source.data
            return true
        },
        changed: { object, change in
            if let source = scheduler.source(object) {
                source.change(change)
            } else {
                scheduler.changeQueue(object, change)
            }
        },
        queue_targeted: { queue, target in
            if let source = scheduler.source(queue) { return source.setQueue(target) }
            let (queue, target) = (RetainedObject(queue), RetainedObject(target))
            scheduler.monitor.update { $0.work.setTarget(of: queue, to: target) }
        },
        add_timer: { loop, timer in
            guard cworld_is_main_loop(loop), let world = scheduler.currentWorld, let info = cworld_timer_info(timer)
            else {
                return false
            }
            scheduler.schedule(Unmanaged<Timer>.fromOpaque(info).takeUnretainedValue(), key: timer, in: world)
            return true
        },
        timer_set_fire_date: { timer, date in
            scheduler.setFireDate(Date(timeIntervalSinceReferenceDate: date), ofTimer: timer)
        },
        timer_fire_date: { timer, date in
            guard let timer = scheduler.timer(timer) else { return false }
            date.pointee = timer.fireDate.timeIntervalSinceReferenceDate
            return true
        },
        timer_invalidated: { scheduler.removeTimer($0) },
        perform: { block in
            let queue = cworld_main_queue()
            guard let world = scheduler.worldOfSubmission(to: queue) else { return false }
            let work = cworld_work(block: block, function: nil, context: nil)
            let item = scheduler.item(work, in: world, on: queue)
            item.isRunLoopCallout = true
            scheduler.submit(item)
            return true
        },
        sleep: { nanoseconds in
            guard let world = scheduler.currentWorld else { return false }
            // At least 1 ns, because Foundation repeats the call until the clock has reached the end of the sleep, and
            // its remainder can be less than 1 ns.
            let end = world.clock.now.nanoseconds.addingWithLimits(max(nanoseconds, 1))
            return scheduler.wait(in: world, for: "the end of a sleep", until: end) { false } != nil
        },
        condition_wait: { condition, mutex, end, isWall, result in
            guard let world = scheduler.currentWorld else { return false }
            let due = end == .max ? nil : end.addingWithLimits(isWall ? -world.epoch : -SimulatedWorld.uptimeAtZero)
            let mutex = mutex.assumingMemoryBound(to: pthread_mutex_t.self)
            result.pointee = scheduler.wait(forCondition: condition, releasing: mutex, until: due, in: world)
            return true
        },
        condition_signalled: { scheduler.signalCondition($0, isBroadcast: $1) },
        join: { thread, result, error in
            guard let world = scheduler.currentWorld else { return false }
            // A different error is that of the call.
            let hasEnded = scheduler.wait(in: world, for: "the end of a thread", until: nil, isExternal: true) {
                error.pointee = cworld_try_join(thread, result)
                return error.pointee != EBUSY
            }
            return hasEnded == true
        },
        run_loop: { seconds, returnsAfterSource, result in
            guard let world = scheduler.currentWorld else { return false }
            result.pointee = scheduler.runLoop(in: world, for: seconds, returnsAfterSource)
            return true
        },
        run_loop_stop: { scheduler.stopRunLoop() },
        set_test_waiting: { scheduler.setTestWaiting($0) },
        test_will_continue: { scheduler.testWillContinue() },
        now: { isWall in
            guard let world = scheduler.currentItem?.world ?? scheduler.currentWorld else { return 0 }
            return world.clock.now.nanoseconds + (isWall ? world.epoch : SimulatedWorld.uptimeAtZero)
        },
        job: { scheduler.submitJob($0, isTest: $1) },
        main_job: { scheduler.submitMainJob($0) },
        body_job_ended: { scheduler.bodyJobEnded() })
    if let name = cworld_install(&handlers).map({ String(cString: $0) }) {
        fatalError(
            """
            simulated worlds do not work in this program: its calls of \(name) do not reach CaptureSimulation. Link the \
            dynamic Swift libraries (no -static-stdlib), and the toolchain's own libdispatch.
            """)
    }
    return true
}()

private let scheduler = Scheduler.shared

extension Scheduler {
    /// Returns an item for work that the calling thread submits.
    func item(
        _ work: cworld_work, in world: SimulatedWorld, on queue: UnsafeMutableRawPointer, isBarrier: Bool = false,
        group: UnsafeMutableRawPointer? = nil
    ) -> WorkItem {
        let item = WorkItem(
            world: world, queue: queue, action: .work(RetainedWork(work)), isBarrier: isBarrier, group: group)
        item.isExternal = !isWorldThread && CaptureSystem.innermostRun == nil
        return item
    }

    /// Submits a Swift job of world code for the global executor; returns false for other jobs.
    ///
    /// - Parameter isTest: Whether a test framework submits the job. Its task is then an asynchronous test.
    func submitJob(_ job: UnsafeMutableRawPointer, isTest: Bool) -> Bool {
        guard let world = world(ofJob: job) else { return false }
        if isTest {
            let task = RetainedTask(job)
            let previous = monitor.update { state in
                defer { state.bodyTask = task }
                return state.bodyTask
            }
            withExtendedLifetime(previous) {}
        }
        submit(WorkItem(world: world, queue: cworld_global_queue(job), action: .job(job)))
        return true
    }

    /// Submits a Swift job of world code for the main executor; returns false for other jobs.
    func submitMainJob(_ work: cworld_work) -> Bool {
        guard let job = work.context, let world = world(ofJob: job) else { return false }
        submit(WorkItem(world: world, queue: cworld_main_queue(), action: .work(RetainedWork(work))))
        return true
    }

    /// The world of a Swift job that the calling thread submits; nil if its task belongs to no world.
    private func world(ofJob job: UnsafeMutableRawPointer) -> SimulatedWorld? {
        if isWorldThread || CaptureSystem.innermostRun != nil {
            guard let world = currentWorld else { return nil }
            monitor.update { _ in _ = world.tasks.insert(job) }
            return world
        }
        // A thread outside the world resumes a task of the world.
        return monitor.read { state in state.worlds.last { $0.tasks.contains(job) } }
    }

    // MARK: Sources

    /// Registers a new dispatch source of world code.
    func addSource(
        _ pointer: UnsafeMutableRawPointer, _ kind: cworld_source_kind, queue: UnsafeMutableRawPointer,
        to world: SimulatedWorld
    ) {
        let source = SimulatedSource(world: world, pointer: pointer, kind: kind, queue: queue)
        // The handler of the real source retains the simulated source as long as the real source exists.
        let handler: @convention(block) () -> Void = { withExtendedLifetime(source) {} }
        withExtendedLifetime(handler) {
            cworld_source_set_event_handler(pointer, unsafeBitCast(handler, to: UnsafeRawPointer.self))
        }
        monitor.update { $0.sources[pointer] = WeakReference(source) }
    }

    func source(_ pointer: UnsafeMutableRawPointer) -> SimulatedSource? {
        monitor.read { $0.sources[pointer]?.object }
    }

    /// Records that a queue was created inactive, or is activated, suspended or resumed.
    func changeQueue(_ queue: UnsafeMutableRawPointer, _ change: cworld_change) {
        monitor.update { state in
            switch change {
            case CWORLD_INACTIVE: state.work.addInactive(queue)
            case CWORLD_ACTIVATE: state.work.activate(queue)
            case CWORLD_SUSPEND: state.work.suspend(queue)
            case CWORLD_RESUME: state.work.resume(queue)
            default: break
            }
        }
    }
}
