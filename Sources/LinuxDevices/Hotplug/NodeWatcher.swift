/// A change among the device files.
enum NodeChange: Sendable, Hashable {
    /// A device file came, or its rights changed, so that looking at it anew is worth while.
    case appeared(String)
    case vanished(String)
}

/// Tells when device files come and go, until it is released.
///
/// - Important: Thread-safe. Changes are told on a thread of the watcher's own, in order.
protocol NodeWatcher: AnyObject, Sendable {
    /// What it listens to, for a person.
    var source: String { get }
    /// Ends watching; once it has returned no change is told, save from inside the handler.
    func stop()
}
