import MediaTypes

/// A thread-safe list of the events that callbacks report, in order.
package final class Events<Event>: Sendable {
    private let events = Lock<[Event]>([], order: .client)

    package init() {}

    package var all: [Event] { events.withLock { $0 } }
    package var count: Int { all.count }
    package var last: Event? { all.last }

    package func add(_ event: Event) { events.withLock { $0.append(event) } }
    package func removeAll() { events.withLock { $0 = [] } }
}
