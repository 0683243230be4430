import CaptureHAL
import Dispatch
import MediaTypes

/// Delivers the items of a data output to its synchronizer if there is one, else to its delegate, one at a time.
///
/// Each video, audio, depth and metadata output has one instance.
/// - Important: Thread-safe.
final class DataOutputDelivery<Delegate>: Sendable {
    let subscribers = SampleSubscribers()
    private let target = Lock(CallbackTarget<Delegate>(queue: nil) { nil })
    private let queue: DeliveryQueue
    private let system: CaptureSystem

    init(_ system: CaptureSystem) {
        self.system = system
        queue = DeliveryQueue(system.reference)
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

    /// Delivers an item to the synchronizer if there is one, else to the delegate.
    ///
    /// - Parameters:
    ///   - item: The item as it is passed to a synchronizer.
    ///   - receiver: The value of `receiver` when the item arrived.
    ///   - discardsLate: Whether the item is dropped if the delegate is busy; otherwise it waits.
    ///   - call: Calls the delegate of `receiver`; runs on its queue.
    /// - Returns: False if the item is dropped because the delegate is busy.
    func deliver(
        _ item: @autoclosure () -> SampleSynchronizer.Item, from output: AVCaptureOutput,
        to receiver: CallbackTarget<Delegate>, discardsLate: Bool, _ call: @escaping @Sendable () -> Void
    ) -> Bool {
        if let synchronizer = subscribers.synchronizer {
            synchronizer.receive(item(), from: output)
            return true
        }
        return callDelegate(of: receiver, discardsLate: discardsLate, call)
    }

    /// Calls a delegate on its queue, after it has returned from earlier calls.
    ///
    /// - Returns: False if the call is dropped because the delegate is busy.
    func callDelegate(
        of receiver: CallbackTarget<Delegate>, discardsLate: Bool, _ call: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let queue = receiver.queue else { return true }
        return self.queue.submit(on: queue, discardsLate: discardsLate, call)
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
        if let synchronizer = subscribers.synchronizer { return synchronizer.receive(item(), from: output) }
        guard let queue = receiver.queue else { return }
        system.deliver(on: queue, call)
    }
}
