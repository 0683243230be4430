import CaptureHAL
import MediaTypes

/// The faults that are still to strike one device; they outlive its streams and instances.
final class FaultList: Sendable {
    private let entries = Lock<[(fault: SimFault, trigger: SimFault.Trigger)]>([])

    func add(_ fault: SimFault, _ trigger: SimFault.Trigger) {
        entries.withLock { $0.append((fault, trigger)) }
    }

    /// The faults of streams that a frame brings, in the order in which they were scheduled.
    func takeDue(index: UInt64, time: Int64) -> [SimFault] {
        entries.withLock { entries in
            guard !entries.isEmpty else { return [] }
            var due: [SimFault] = []
            entries.removeAll { entry in
                if case .refuseOpen = entry.fault { return false }
                let isDue =
                    switch entry.trigger {
                    case .time(let moment): moment.nanoseconds <= time
                    case .frame(let number): number <= index
                    }
                if isDue { due.append(entry.fault) }
                return isDue
            }
            return due
        }
    }

    /// Whether opening is to be refused now; counts the refusal.
    func takeRefusal(time: Int64) -> Bool {
        entries.withLock { entries in
            for index in entries.indices {
                guard case .refuseOpen(let count) = entries[index].fault else { continue }
                if case .time(let moment) = entries[index].trigger, moment.nanoseconds > time { continue }
                if count > 1 { entries[index].fault = .refuseOpen(count: count - 1) } else { entries.remove(at: index) }
                return true
            }
            return false
        }
    }
}
