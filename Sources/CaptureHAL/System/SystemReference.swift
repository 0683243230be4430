package import Dispatch
import MediaTypes
import Synchronization

/// A weak reference to a capture system, which identifies it and runs callbacks in it.
///
/// Objects that a system owns have this reference, because they must not retain the system. Two objects belong to the
/// same system if their references are identical.
/// - Important: Thread-safe.
package final class SystemReference: Sendable {
    private let system = Lock(WeakReference<CaptureSystem>(nil))
    private let customName: String?
    private let defaultName: String
    private let clock: any CaptureClock
    private let isProcessSystem = Atomic(false)
    /// The objects of the system that a client must be able to release.
    package let lifetimes = ObjectLifetimes()

    /// Creates a reference without a system; see `set(_:)`.
    ///
    /// - Parameters:
    ///   - name: The name of the system; nil for the default name.
    ///   - clock: The clock of the system, which delivers callbacks.
    package init(name: String?, defaultName: String = "capture system", clock: any CaptureClock) {
        customName = name
        self.defaultName = defaultName
        self.clock = clock
    }

    /// The name of the system in messages.
    package var name: String {
        customName ?? (isOfProcess ? "the process's own devices" : defaultName)
    }

    /// Whether the system is the process's own, which is the default current system. This is set before the system is
    /// used.
    var isOfProcess: Bool { isProcessSystem.load(ordering: .relaxed) }

    func set(_ system: CaptureSystem) {
        let reference = WeakReference(system)
        self.system.withLock { $0 = reference }
    }

    func markAsProcessSystem() { isProcessSystem.store(true, ordering: .relaxed) }

    /// Runs client code with the system as the current one.
    package func run(_ body: () -> Void) {
        let innermost = CaptureSystem.innermostRun
        // Outside `run`, the process's own system is the current one anyway.
        guard innermost != nil || !isOfProcess,
            let system = system.withLock({ $0.object }), innermost !== system
        else { return body() }
        system.run(body)
    }

    /// Delivers a callback on the client's queue with the system's clock; it runs with the system as the current one.
    package func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void,
        finished: @escaping @Sendable () -> Void = {}
    ) {
        // This avoids additional work for each frame of the process's own devices.
        guard !isOfProcess else {
            return clock.deliver(on: queue, callback, finished: finished)
        }
        clock.deliver(on: queue, { [self] in run(callback) }, finished: finished)
    }

    /// Returns the error message for connecting an object to an object of this system; nil if both belong to this
    /// system.
    ///
    /// - Parameters:
    ///   - object: The description of the object to connect, which begins the message, such as "the input".
    ///   - owner: The system of the object.
    ///   - receiver: The description of the object of this system, such as "the session".
    package func rejectionReason(joining object: String, of owner: SystemReference, to receiver: String) -> String? {
        guard owner !== self else { return nil }
        let name = owner.name == name ? "another \(owner.name)" : owner.name
        return "\(object) belongs to \(name), but \(receiver) belongs to \(self.name)"
    }
}
