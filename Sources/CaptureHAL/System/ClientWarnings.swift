import MediaTypes

/// Reports faults of the client that raise no exception on Apple's systems, such as a delegate that was released.
///
/// Each warning is written to standard error and passed to the observers once in a system.
/// - Important: Thread-safe.
package final class ClientWarnings: Sendable {
    private let reported = Lock<Set<String>>([], order: .primitive)
    private let observers = Observers<String>()
    private let log: @Sendable (String) -> Void

    /// - Parameter log: Writes a warning to standard error.
    init(log: @escaping @Sendable (String) -> Void) { self.log = log }

    /// Reports a warning, unless the same one was reported before.
    ///
    /// - Parameter message: One sentence: the fault and what the client must change.
    package func report(_ message: String) {
        guard reported.withLock({ $0.insert(message).inserted }) else { return }
        log("warning: \(message)")
        observers.notify(message)
    }

    /// Passes each later warning to a handler, on the thread that reports it, until the token is cancelled or released.
    package func observe(_ handler: @escaping @Sendable (String) -> Void) -> ObserverToken { observers.add(handler) }
}
