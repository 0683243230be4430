import CaptureHAL
import Dispatch
import MediaTypes

/// The clients of a data output: a synchronizer or a delegate, which receives each item, and async sequences.
///
/// Each video, audio, depth and metadata output has one instance.
/// - Important: Thread-safe.
final class DataOutputClients<Delegate>: Sendable {
    let subscribers = SampleSubscribers()
    private let target = Lock(CallbackTarget<Delegate>(queue: nil) { nil })
    private let deliveries: DeliveryQueue
    private let system: CaptureSystem

    init(_ system: CaptureSystem) {
        self.system = system
        deliveries = DeliveryQueue(system.reference)
    }

    /// The delegate; nil if none is set, or after its release.
    var delegate: Delegate? { target.withLock { $0 }.delegate }
    /// The queue on which the delegate is called.
    var callbackQueue: DispatchQueue? { target.withLock { $0.queue } }
    /// The delegate with its queue, which are nil if there are only subscribers; nil if there is nothing to deliver to.
    var receiver: CallbackTarget<Delegate>? {
        let target = target.withLock { $0 }
        return target.queue != nil || !subscribers.isEmpty ? target : nil
    }

    /// Sets the delegate and its queue; a delegate without a queue is misuse.
    ///
    /// - Parameters:
    ///   - method: The name of the public method, for the misuse report.
    ///   - load: Returns the delegate from a weak reference.
    func setDelegate(
        _ delegate: AnyObject?, queue: DispatchQueue?, _ method: String, load: @escaping () -> Delegate?
    ) {
        guard system.misuse.checkQueue(queue, of: delegate, method) else { return }
        system.reference.lifetimes.add(delegate, "the delegate")
        let new = CallbackTarget(queue: queue, load)
        target.withLock { $0 = new }
    }

    /// Passes an item to the synchronizer if there is one, else to the delegate.
    ///
    /// - Parameters:
    ///   - item: The item as it is passed to a synchronizer.
    ///   - receiver: The value of `receiver` when the item arrived.
    ///   - discardsLate: Whether the item is dropped if the delegate is busy; otherwise it waits.
    ///   - call: Calls the delegate of `receiver`; runs on its queue.
    /// - Returns: False if the item is dropped because the delegate is busy.
    func offer(
        _ item: @autoclosure () -> SampleSynchronizer.Item, from output: AVCaptureOutput,
        to receiver: CallbackTarget<Delegate>, discardsLate: Bool, _ call: @escaping @Sendable () -> Void
    ) -> Bool {
        if let synchronizer = subscribers.synchronizer {
            synchronizer.add(item(), from: output)
            return true
        }
        return offerToDelegate(of: receiver, discardsLate: discardsLate, call)
    }

    /// Calls a delegate on its queue, after it has returned from earlier calls.
    ///
    /// - Returns: False if the call is dropped because the delegate is busy.
    func offerToDelegate(
        of receiver: CallbackTarget<Delegate>, discardsLate: Bool, _ call: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let queue = receiver.queue else { return true }
        return deliveries.submit(on: queue, discardsLate: discardsLate, call)
    }

    /// Reports a dropped item immediately, even if the delegate is busy.
    ///
    /// - Parameters:
    ///   - item: The dropped item as it is passed to a synchronizer.
    ///   - receiver: The value of `receiver` when the item arrived.
    ///   - call: Calls the delegate of `receiver`; runs on its queue.
    func reportDrop(
        _ item: @autoclosure () -> SampleSynchronizer.Item, from output: AVCaptureOutput,
        to receiver: CallbackTarget<Delegate>, _ call: @escaping @Sendable () -> Void
    ) {
        if let synchronizer = subscribers.synchronizer { return synchronizer.add(item(), from: output) }
        guard let queue = receiver.queue else { return }
        system.deliver(on: queue, call)
    }
}
