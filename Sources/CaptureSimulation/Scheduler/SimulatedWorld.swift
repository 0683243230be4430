import CWorld
import CaptureHAL
import Dispatch
import MediaTypes

/// The connection between a simulated system and the scheduler.
final class SimulatedWorld: WorkScheduler, @unchecked Sendable {
    // SAFETY: the variables are accessed only while the scheduler's monitor is locked, with two exceptions. Other
    // threads may read `isOpen` without the monitor and get an older value. The scheduler's own thread uses
    // `timePassed` without the monitor while the test is suspended.

    /// The value of the monotonic clocks at time zero, in nanoseconds. It is not 0, because 0 means now in libdispatch.
    static let uptimeAtZero: Int64 = 1

    let clock: SimClock
    /// The date of time zero, in nanoseconds since 1970.
    let epoch: Int64
    /// The real time after which a wait of the test fails the test, in nanoseconds.
    let realTimeLimit: Int64
    private(set) weak var record: SystemRecord?
    /// Chooses one of the ready items; nil to run them in the order of submission.
    var generator: SplitMix64?
    var isOpen = true
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
    /// Represents the events of the clock, which run on no queue; nil after the world was closed.
    private(set) var eventItem: WorkItem?

    init(
        clock: SimClock, interleaving: SimulatedSystem.Interleaving, realTimeLimit: Int64, record: SystemRecord
    ) {
        self.clock = clock
        self.realTimeLimit = realTimeLimit
        self.record = record
        epoch = Int64((clock.date(at: .zero).timeIntervalSince1970 * 1e9).rounded())
        if case .seeded(let seed) = interleaving { generator = SplitMix64(seed: seed) }
        let eventItem = WorkItem(world: self, queue: cworld_default_queue(), action: .sync)
        eventItem.isEvent = true
        eventItem.isInline = true
        self.eventItem = eventItem
    }

    /// Releases objects that retain the world. Called while the scheduler's monitor is locked.
    func close() {
        eventItem = nil
        clock.scheduler = nil
    }

    /// The system of the world; nil if it was released.
    var system: CaptureSystem? { clock.owner }

    /// Reports a problem of the world's work, such as a deadlock.
    func report(_ message: String) {
        system?.misuse.report(.internalInconsistency, message)
    }

    var canAdvance: Bool { Scheduler.shared.canAdvance }

    func whileAdvancing(_ body: () -> Void) { Scheduler.shared.whileAdvancing(body) }

    func deliver(on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void) {
        // The scheduler intercepts this call and receives the callback as work of the world.
        runEvent { queue.async(execute: callback) }
    }

    func runReadyWork() { Scheduler.shared.runReadyWork() }

    func runEvent(_ action: () -> Void) { Scheduler.shared.runEvent(of: self, action) }
}
