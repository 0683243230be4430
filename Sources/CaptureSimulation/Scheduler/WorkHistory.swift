import CWorld
import MediaTypes

/// Work that ran in a simulated world: a block, a job of a Swift task, a timer or a callback.
package struct WorkPeriod: Sendable, Hashable, Codable {
    /// The label of the queue, `main thread`, or `Swift tasks` for jobs outside of the main actor.
    package var queue: String
    /// The kind of the work, such as `block`.
    package var name: String
    /// The virtual time at which the work began, in microseconds.
    package var start: Int64
    /// The virtual time at which it ended, in microseconds; the present time if it has not ended.
    package var end: Int64
    /// What the work waits for; nil if it has ended.
    package var wait: String?
}

/// The last work of a world that has ended. Used only while the scheduler's monitor is locked.
struct WorkHistory {
    /// The number of periods that are kept.
    private static let capacity = 30_000
    private(set) var periods: [WorkPeriod] = []

    /// Adds an item that has begun.
    mutating func add(_ item: WorkItem) {
        guard !item.isEvent, let period = period(item) else { return }
        if periods.count >= 2 * Self.capacity { periods.removeFirst(Self.capacity) }
        periods.append(period)
    }

    /// Returns the period of an item from its begin to the present; nil if it has not begun.
    func period(_ item: WorkItem) -> WorkPeriod? {
        guard let start = item.startTime else { return nil }
        let now = item.world.clock.now.nanoseconds
        return WorkPeriod(
            queue: item.laneName, name: item.kind, start: start / 1000, end: now / 1000,
            wait: item.phase == .waiting ? item.wait?.description : nil)
    }
}

extension WorkItem {
    /// The name of the item's queue or thread in a list of queues.
    fileprivate var laneName: String {
        if queue.pointer == cworld_main_queue() { return "main thread" }
        let label = cworld_queue_label(queue.pointer).map { String(cString: $0) } ?? ""
        if cworld_queue_is_global(queue.pointer) {
            if case .job = action { return "Swift tasks" }
            return "global queue"
        }
        return label.isEmpty ? "queue without a label" : label
    }

    /// What the item is, for reports.
    fileprivate var kind: String {
        switch action {
        case .work(let retained): retained.work.block == nil ? "function" : "block"
        case .call: "event"
        case .job: "Swift task"
        case .sync: "synchronous block"
        }
    }
}
