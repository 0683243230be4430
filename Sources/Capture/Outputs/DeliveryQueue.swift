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
        case deliver, wait, drop
    }

    /// - Parameter item: Is kept where it has to wait.
    mutating func decide(_ item: @autoclosure () -> Item, discardsLate: Bool) -> Decision {
        if !isBusy {
            isBusy = true
            return .deliver
        }
        if discardsLate { return .drop }
        waiting.append(item())
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

/// Something that is delivered to a client.
enum Delivery: Sendable {
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
    func make() {
        switch self {
        case .call(_, let call): call()
        case .frame(let sample, let receiver): receiver.receive(sample)
        }
    }
}

/// Hands deliveries to their clients' queues by the rule of `DeliveryState`.
///
/// - Important: Thread-safe.
final class DeliveryQueue: QueuedCallback, @unchecked Sendable {
    // SAFETY: `present` belongs to whoever was told to deliver it, one at a time, and passes from the thread that hands it
    // over to the one that makes the callback; all else is a lock or constant.
    private let state = Lock(DeliveryState<Delivery>())
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
    func submit(_ delivery: Delivery, discardsLate: Bool) -> Bool {
        switch state.withLock({ $0.decide(delivery, discardsLate: discardsLate) }) {
        case .deliver:
            hand(delivery)
            return false
        case .wait: return false
        case .drop: return true
        }
    }

    func make() {
        let delivery = present.move()
        present.initialize(to: nil)
        delivery?.make()
    }

    func finish() {
        if let next = state.withLock({ $0.finish() }) { hand(next) }
    }

    private func hand(_ delivery: Delivery) {
        present.pointee = delivery
        clock.deliver(on: delivery.queue, self)
    }
}
