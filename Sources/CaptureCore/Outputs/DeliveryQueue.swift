import CaptureHAL
import Dispatch
import MediaTypes

/// Decides when the items of an output are delivered to its client: one at a time. Late items are dropped or queued.
///
/// An item is late if the client is still processing an earlier item.
/// Invariant: `waiting` is empty unless `isBusy`.
struct DeliveryState<Item> {
    /// The decision on one item.
    enum Decision: Equatable { case deliver, queue, drop }

    /// Whether the client is processing an item.
    private(set) var isBusy = false
    /// The late items, in the order of their arrival.
    private var waiting: [Item] = []

    /// The maximum number of waiting items: more than a minute of audio. Frames are limited by the buffers of the camera.
    static var maximumWaitingCount: Int { 4096 }

    /// Decides on a new item; `finish` must follow each delivered item.
    ///
    /// - Parameter limit: The maximum number of waiting items, with this one.
    mutating func submit(
        _ item: @autoclosure () -> Item, discardsLate: Bool, limit: Int = maximumWaitingCount
    ) -> Decision {
        guard isBusy else {
            isBusy = true
            return .deliver
        }
        if discardsLate || waiting.count >= limit { return .drop }
        waiting.append(item())
        return .queue
    }

    /// Ends the client's work on an item and returns the next item to deliver.
    mutating func finish() -> Item? {
        guard waiting.isEmpty else { return waiting.removeFirst() }
        isBusy = false
        return nil
    }
}

/// Delivers the items of an output to the client's queue, as `DeliveryState` decides.
///
/// - Important: Thread-safe.
final class DeliveryQueue: Sendable {
    private struct Item: Sendable {
        let queue: DispatchQueue
        let callback: @Sendable () -> Void
    }

    private let state = Lock(DeliveryState<Item>())
    private let system: SystemReference

    init(_ system: SystemReference) { self.system = system }

    /// Runs `callback` once on the client's queue, unless the item is late and late items are discarded.
    ///
    /// - Parameter limit: The maximum number of items that wait for the client, with this one.
    /// - Returns: False if the item is dropped.
    func submit(
        on queue: DispatchQueue, discardsLate: Bool, limit: Int = DeliveryState<Void>.maximumWaitingCount,
        _ callback: @escaping @Sendable () -> Void
    ) -> Bool {
        let decision = state.withLock {
            $0.submit(Item(queue: queue, callback: callback), discardsLate: discardsLate, limit: limit)
        }
        switch decision {
        case .deliver:
            deliver(on: queue, callback)
            return true
        case .queue: return true
        case .drop: return false
        }
    }

    private func deliver(on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void) {
        system.deliver(on: queue, callback) { [self] in
            if let next = state.withLock({ $0.finish() }) { deliver(on: next.queue, next.callback) }
        }
    }
}
