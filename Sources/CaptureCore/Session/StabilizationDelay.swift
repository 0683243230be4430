import CaptureHAL
import MediaTypes
import Synchronization

/// Delays the media of connections with look-ahead stabilization.
///
/// The media of each connection keep their order: if the delay of a connection becomes shorter, its waiting media are
/// delivered before newer media.
/// - Important: Thread-safe. Delayed media are delivered on the clock, one at a time; `flush()` delivers on the calling
///   thread.
final class StabilizationDelay: Sendable {
    private struct Item {
        let number: UInt64
        let due: CMTime
        let deliver: @Sendable () -> Void
    }

    /// Invariant: the items of a connection are in the order of their numbers; no list is empty.
    private struct State {
        var waiting: [ObjectIdentifier: [Item]] = [:]
        var nextNumber: UInt64 = 0
    }

    private let clock: any CaptureClock
    private let state = Lock(State())
    private let hasWaiting = Atomic(false)
    /// Blocks `cancel()` until a delivery on another thread has ended.
    private let deliveryGate: DeliveryGate

    init(clock: any CaptureClock) {
        self.clock = clock
        deliveryGate = DeliveryGate(clock: clock)
    }

    /// Whether media of any connection wait.
    var isWaiting: Bool { hasWaiting.load(ordering: .acquiring) }

    /// Delivers media to a connection after a delay, immediately if it is zero.
    ///
    /// - Parameter delay: Nil to deliver directly after the waiting media of the connection.
    func schedule(
        for connection: AVCaptureConnection, after delay: CMTime?, _ body: @escaping @Sendable () -> Void
    ) {
        let id = ObjectIdentifier(connection)
        let now = clock.now
        let item = update { state -> Item? in
            let last = state.waiting[id]?.last
            let due = delay.map { now + $0 } ?? last?.due ?? now
            guard due > now || last != nil else { return nil }
            let item = Item(number: state.nextNumber, due: due, deliver: body)
            state.nextNumber += 1
            state.waiting[id, default: []].append(item)
            return item
        }
        guard let item else { return body() }
        clock.schedule(at: item.due) { [weak self] in self?.deliverWaiting(id, through: item.number) }
    }

    /// Delivers all waiting media immediately; called when their source has ended.
    func flush() {
        let waiting = update { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
        for item in waiting.values.joined().sorted(by: { $0.number < $1.number }) { item.deliver() }
    }

    /// Discards all waiting media. In real time, this waits for a delivery on another thread.
    func cancel() {
        // The items are returned, so that they are deallocated outside the lock.
        _ = update { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
        deliveryGate.wait()
    }

    /// Delivers the waiting media up to a number, each in a separate action of the clock: an output that receives
    /// several frames at the same time would drop some of them as late.
    private func deliverWaiting(_ id: ObjectIdentifier, through number: UInt64) {
        deliveryGate.begin()
        let item = takeFirst(id, through: number)
        item?.deliver()
        deliveryGate.end()
        guard let item else { return }
        if item.number < number {
            clock.schedule(at: clock.now) { [weak self] in self?.deliverWaiting(id, through: number) }
        }
    }

    private func takeFirst(_ id: ObjectIdentifier, through number: UInt64) -> Item? {
        update { state in
            guard var items = state.waiting[id], let first = items.first, first.number <= number else { return nil }
            items.removeFirst()
            state.waiting[id] = items.isEmpty ? nil : items
            return first
        }
    }

    private func update<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer { hasWaiting.store(!state.waiting.isEmpty, ordering: .releasing) }
            return body(&state)
        }
    }
}
