import MediaTypes

/// The registered handlers for events of one kind.
///
/// - Important: Thread-safe. Handlers run on the notifying thread, in the order in which they were added, outside
///   any lock.
package final class Observers<Event: Sendable>: Sendable {
    private struct State {
        var handlers: [UInt64: @Sendable (Event) -> Void] = [:]
        var next: UInt64 = 0
    }

    private let state = Lock(State(), order: .primitive)

    /// Creates an empty list of handlers.
    package init() {}

    /// Adds a handler that stays registered until the token is cancelled or released.
    package func add(_ handler: @escaping @Sendable (Event) -> Void) -> ObserverToken {
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.handlers[state.next] = handler
            return state.next
        }
        return ObserverToken { [weak self] in
            self?.state.withLock { _ = $0.handlers.removeValue(forKey: number) }
        }
    }

    /// Calls all handlers with an event.
    package func notify(_ event: Event) {
        let handlers = state.withLock { $0.handlers.sorted { $0.key < $1.key }.map(\.value) }
        for handler in handlers { handler(event) }
    }
}
