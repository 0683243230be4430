import CWorld
package import CaptureHAL
package import Dispatch
import MediaTypes

/// The code that runs in the time of one clock: the connection between the clock and the scheduler.
///
/// While the world is open, the scheduler runs the work of the code and the callbacks of the clock, one at a time, as the
/// clock advances.
package final class SimulatedWorld: WorkScheduler, @unchecked Sendable {
    // SAFETY: the variables are accessed only while the scheduler's monitor is locked, with two exceptions. Other
    // threads may read `isOpen` without the monitor and get an older value. The scheduler's own thread uses
    // `timePassed` without the monitor while the test is suspended.

    /// The value of the monotonic clocks at time zero, in nanoseconds. It is not 0, because 0 means now in libdispatch.
    static let uptimeAtZero: Int64 = 1

    let clock: SimClock
    /// The date of time zero, in nanoseconds since 1970.
    let epoch: Int64
    /// The real time after which a wait of the test fails the test, in nanoseconds; nil if no wait is limited or reported.
    let realTimeLimit: Int64?
    private(set) weak var record: SystemRecord?
    /// Chooses one of the ready items.
    var order: WorkOrder
    /// The number of items that were submitted.
    var itemCount = 0
    /// The work that has ended; nil if it is not recorded.
    var history: WorkHistory?
    /// The limit of waits on the main thread; nil if they are not limited.
    var mainThreadLimit: MainThreadLimit?
    var isOpen = false
    /// The items that may run, in the order of their numbers.
    var readyItems = ItemList()
    /// The Swift tasks that have run in the world.
    var tasks: Set<UnsafeMutableRawPointer> = []
    /// The number of blocks of the main queue that have ended.
    var mainBlockCount = 0
    /// The calls of world code that run a run loop, innermost last.
    var runLoopCalls: [Scheduler.RunLoopCall] = []
    /// Whether work of a thread outside of the world was reported.
    var isExternalWorkReported = false
    /// The nanoseconds that have passed while the test was suspended, since the last world was opened. Opening a world
    /// sets it to 0; only the scheduler's own thread adds to it.
    var timePassed: Int64 = 0
    /// Represents the events of the clock, which run on no queue; nil while the world is closed.
    private(set) var eventItem: WorkItem?

    /// Creates a closed world.
    ///
    /// - Parameters:
    ///   - interleaving: The order of work that is ready at the same time.
    ///   - realTimeLimit: The real time after which a wait of the test fails the test, in nanoseconds; nil if the world
    ///     belongs to no test.
    ///   - record: Contains the events for reports.
    package init(
        clock: SimClock, interleaving: SimulatedSystem.Interleaving = .submissionOrder, realTimeLimit: Int64? = nil,
        record: SystemRecord? = nil
    ) {
        self.clock = clock
        self.realTimeLimit = realTimeLimit
        self.record = record
        epoch = Int64((clock.date(at: .zero).timeIntervalSince1970 * 1e9).rounded())
        order = WorkOrder(interleaving)
    }

    /// Records the work that runs from now on.
    package func recordWork() {
        Scheduler.shared.monitor.update { _ in history = WorkHistory() }
    }

    /// The recorded work in the order in which it ended, then the work that has not ended; empty if it is not recorded.
    package var workPeriods: [WorkPeriod] {
        Scheduler.shared.monitor.update { state in
            guard let history else { return [] }
            return history.periods
                + state.work.all.compactMap { item in
                    item.world === self && !item.isAdvancing ? history.period(item) : nil
                }
        }
    }

    /// Descriptions of the work that has not ended, as `SimulatedSystem.pendingWork`.
    package var pendingWork: [String] { Scheduler.shared.pendingWork(of: self) }

    /// The longest wait of the main thread in virtual time.
    struct MainThreadLimit {
        /// The limit in nanoseconds.
        let nanoseconds: Int64
        /// Receives a description of a wait that exceeds the limit, on the main thread.
        let report: @Sendable (String) -> Void
    }

    /// Opens the world. The code of the calling thread then runs in it.
    ///
    /// A program opens worlds on its main thread, and advances their clocks there. A world is opened once.
    package func open() {
        let eventItem = WorkItem(world: self, queue: cworld_default_queue(), action: .sync)
        eventItem.isEvent = true
        eventItem.isInline = true
        self.eventItem = eventItem
        clock.scheduler = self
        CaptureSystem.setWorldResolver { Scheduler.shared.currentWorld?.system }
        Scheduler.shared.open(self)
    }

    /// Closes the world. Its work that has not ended is discarded.
    package func close() { Scheduler.shared.close(self) }

    /// Releases objects that retain the world. Called while the scheduler's monitor is locked.
    func releaseClock() {
        eventItem = nil
        clock.scheduler = nil
    }

    /// The system of the world; nil if it was released.
    var system: CaptureSystem? { clock.owner }

    /// Reports a problem of the world's work, such as a deadlock.
    func report(_ message: String) {
        system?.misuse.report(.internalInconsistency, message)
    }

    package var canAdvance: Bool { Scheduler.shared.canAdvance }

    package func whileAdvancing(_ body: () -> Void) { Scheduler.shared.whileAdvancing(body) }

    package func deliver(on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void) {
        // The scheduler intercepts this call and receives the callback as work of the world.
        runEvent { queue.async(execute: callback) }
    }

    package func runReadyWork() { Scheduler.shared.runReadyWork() }

    package func runEvent(_ action: () -> Void) { Scheduler.shared.runEvent(of: self, action) }
}
