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

/// Hands items to a client's queue by the rule of `DeliveryState`.
///
/// - Important: Thread-safe.
final class DeliveryQueue<Item: Sendable>: Sendable {
    private let state = Lock(DeliveryState<Item>())
    private let clock: any CaptureClock

    init(clock: any CaptureClock) { self.clock = clock }

    /// Takes an item.
    ///
    /// - Parameters:
    ///   - deliver: Runs on `queue` once for an item that is delivered.
    /// - Returns: The item where it is to be dropped.
    func submit(
        _ item: Item, on queue: DispatchQueue, discardsLate: Bool, deliver: @escaping @Sendable (Item) -> Void
    ) -> Item? {
        switch state.withLock({ $0.decide(item, discardsLate: discardsLate) }) {
        case .deliver(let item):
            hand(item, on: queue, deliver)
            return nil
        case .wait: return nil
        case .drop(let item): return item
        }
    }

    private func hand(_ item: Item, on queue: DispatchQueue, _ deliver: @escaping @Sendable (Item) -> Void) {
        clock.deliver(on: queue) {
            deliver(item)
        } finished: {
            if let next = self.state.withLock({ $0.finish() }) { self.hand(next, on: queue, deliver) }
        }
    }
}
