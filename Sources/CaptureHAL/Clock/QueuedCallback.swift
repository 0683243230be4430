/// A callback that is delivered again and again, without a closure for each time.
///
/// Whoever hands it to a clock does so only while no earlier delivery of it is under way.
public protocol QueuedCallback: AnyObject, Sendable {
    /// Makes the callback; runs on the queue that was given with it.
    func make()
    /// The callback has returned, and the virtual time that it declared has passed; runs on any thread.
    func finish()
}

/// A callback that is delivered once.
final class SingleCallback: QueuedCallback {
    private let callback: @Sendable () -> Void
    private let finished: @Sendable () -> Void

    init(_ callback: @escaping @Sendable () -> Void, finished: @escaping @Sendable () -> Void) {
        self.callback = callback
        self.finished = finished
    }

    func make() { callback() }
    func finish() { finished() }
}
