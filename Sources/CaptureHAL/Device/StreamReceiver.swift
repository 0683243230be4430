/// Receives the events of a stream, one at a time, in timestamp order.
public protocol StreamReceiver: AnyObject, Sendable {
    /// Handles an event. Called on the host's clock or the stream's own thread; it must not block for long.
    func receive(_ event: consuming StreamEvent)
}

extension DeviceStream {
    /// Starts delivery to a closure.
    public func start(_ receive: @escaping @Sendable (StreamEvent) -> Void) throws(DeviceError) {
        try start(ClosureReceiver(receive))
    }
}

/// A receiver that passes each event to a closure.
package final class ClosureReceiver: StreamReceiver {
    private let body: @Sendable (StreamEvent) -> Void

    /// Creates a receiver that calls `body` for each event.
    package init(_ body: @escaping @Sendable (StreamEvent) -> Void) { self.body = body }

    package func receive(_ event: StreamEvent) { body(event) }
}
