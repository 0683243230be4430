import CaptureHAL
import Dispatch
import MediaTypes

/// The rule by which a data output hands items to a client that may be slow: one at a time, late ones dropped or kept.
///
/// Invariant: `waiting` is empty where `isBusy` is false.
struct DeliveryState<Item: Sendable>: Sendable {
    private var isBusy = false
    private var waiting: [Item] = []

    /// What becomes of an item that has come.
    enum Decision {
        case deliver(Item)
        case wait
        case drop(Item)
    }

    mutating func decide(_ item: Item, discardsLate: Bool) -> Decision {
        if !isBusy {
            isBusy = true
            return .deliver(item)
        }
        if discardsLate { return .drop(item) }
        waiting.append(item)
        return .wait
    }

    /// The client has finished with an item; gives the next one to deliver.
    mutating func finish() -> Item? {
        if waiting.isEmpty {
            isBusy = false
            return nil
        }
        return waiting.removeFirst()
    }
}

/// Hands items to their clients' queues by the rule of `DeliveryState`.
///
/// - Important: Thread-safe.
final class DeliveryQueue: Sendable {
    /// A callback and the queue that its receiver gave.
    private struct Item: Sendable {
        let queue: DispatchQueue
        let deliver: @Sendable () -> Void
    }

    private let state = Lock(DeliveryState<Item>())
    private let clock: any CaptureClock

    init(clock: any CaptureClock) { self.clock = clock }

    /// Takes an item.
    ///
    /// - Parameter deliver: Runs on `queue` once, unless the item is dropped.
    /// - Returns: Whether the item is dropped.
    func submit(on queue: DispatchQueue, discardsLate: Bool, deliver: @escaping @Sendable () -> Void) -> Bool {
        let item = Item(queue: queue, deliver: deliver)
        switch state.withLock({ $0.decide(item, discardsLate: discardsLate) }) {
        case .deliver(let item):
            hand(item)
            return false
        case .wait: return false
        case .drop: return true
        }
    }

    private func hand(_ item: Item) {
        clock.deliver(on: item.queue, item.deliver) {
            if let next = self.state.withLock({ $0.finish() }) { self.hand(next) }
        }
    }
}
