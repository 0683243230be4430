import CaptureHAL
import Dispatch
import MediaTypes
import Synchronization

/// The rule by which a data output hands items to a client that may be slow: one at a time, late ones dropped or kept.
///
/// A client that is quick costs two exchanges of one number an item, and no lock.
/// Invariant: the pace is `crowded` exactly while items wait, and changes from and to that only under their lock.
/// - Important: Thread-safe.
struct DeliveryOrder<Item: Sendable>: ~Copyable, Sendable {
    private static var free: UInt8 { 0 }
    /// The client has an item.
    private static var busy: UInt8 { 1 }
    /// Others wait until it has finished.
    private static var crowded: UInt8 { 2 }

    private let pace = Atomic<UInt8>(0)
    private let waiting = Lock<[Item]>([])

    /// Whether an item that has come is to be delivered now, and `finish` to be called after it.
    func begin() -> Bool { change(from: Self.free, to: Self.busy) }

    /// Keeps an item until those before it have been delivered.
    ///
    /// - Returns: The item, where the client has become free meanwhile and it is to be delivered now.
    func wait(_ item: Item) -> Item? {
        waiting.withLock { waiting in
            while pace.load(ordering: .acquiring) != Self.crowded, !change(from: Self.busy, to: Self.crowded) {
                if begin() { return item }
            }
            waiting.append(item)
            return nil
        }
    }

    /// The client has finished with an item; gives the next one to deliver.
    func finish() -> Item? {
        if change(from: Self.busy, to: Self.free) { return nil }
        return waiting.withLock { waiting in
            let next = waiting.removeFirst()
            if waiting.isEmpty { pace.store(Self.busy, ordering: .releasing) }
            return next
        }
    }

    private func change(from old: UInt8, to new: UInt8) -> Bool {
        pace.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }
}

/// Something that is delivered to a client, once: it is moved all the way, so that nothing counts its references.
enum Delivery: ~Copyable, Sendable {
    case call(on: DispatchQueue, @Sendable () -> Void)
    /// A frame for the delegate of a video data output: without a closure, as it comes often.
    case frame(CMSampleBuffer, to: VideoDataReceiver)

    /// The queue that the client gave.
    var queue: DispatchQueue {
        switch self {
        case .call(let queue, _): queue
        case .frame(_, let receiver): receiver.queue
        }
    }

    /// Calls the client; on `queue`.
    consuming func make() {
        switch consume self {
        case .call(_, let call): call()
        case .frame(let sample, let receiver): receiver.receive(sample)
        }
    }
}

/// Hands deliveries to their clients' queues by the rule of `DeliveryOrder`.
///
/// - Important: Thread-safe.
final class DeliveryQueue: QueuedCallback, @unchecked Sendable {
    // SAFETY: `present` belongs to whoever was told to deliver it, one at a time, and passes from the thread that hands it
    // over to the one that makes the callback; all else is constant or thread-safe.
    private let order = DeliveryOrder<WaitingDelivery>()
    private let clock: any CaptureClock
    /// What is on its way to its queue; behind a plain pointer, so that no access is checked at run time.
    private let present: UnsafeMutablePointer<Delivery?>

    init(clock: any CaptureClock) {
        self.clock = clock
        present = .allocate(capacity: 1)
        present.initialize(to: nil)
    }

    deinit {
        present.deinitialize(count: 1)
        present.deallocate()
    }

    /// Takes a delivery; it is made once, unless it is dropped.
    ///
    /// - Returns: Whether it is dropped.
    func submit(_ delivery: consuming Delivery, discardsLate: Bool) -> Bool {
        guard order.begin() else { return submitLate(consume delivery, discardsLate: discardsLate) }
        hand(consume delivery)
        return false
    }

    /// Apart, so that the way of those who are in time is short.
    @inline(never)
    private func submitLate(_ delivery: consuming Delivery, discardsLate: Bool) -> Bool {
        if discardsLate { return true }
        if let now = order.wait(WaitingDelivery(delivery))?.take() { hand(now) }
        return false
    }

    func make() {
        let delivery = present.move()
        present.initialize(to: nil)
        switch consume delivery {
        case .some(let delivery): delivery.make()
        case .none: break
        }
    }

    func finish() {
        if let next = order.finish()?.take() { hand(next) }
    }

    /// Only while nothing is present.
    private func hand(_ delivery: consuming Delivery) {
        let queue = delivery.queue
        present.initialize(to: delivery)
        clock.deliver(on: queue, self)
    }
}

/// A delivery that waits for its client.
private final class WaitingDelivery: @unchecked Sendable {
    // SAFETY: `delivery` is taken by the one who is told to deliver it.
    private var delivery: Delivery?

    init(_ delivery: consuming Delivery) { self.delivery = consume delivery }

    /// Hands the delivery out, once.
    func take() -> Delivery? { delivery.take() }
}
