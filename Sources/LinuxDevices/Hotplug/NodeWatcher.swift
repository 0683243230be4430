/// A change of a device file or of a folder of device files, with its path.
enum NodeChange: Sendable, Hashable {
    /// It was created, or its permissions changed.
    case appeared(String)
    case vanished(String)
    /// Changes were lost: any device file can have been created or removed.
    case lost
    /// The watcher has ended because of an error; no further change is reported.
    case ended(KernelError)
}

/// A watcher of device files, which is active until it is stopped or released.
///
/// - Important: Thread-safe. Changes are reported in order on the watcher's thread.
protocol NodeWatcher: AnyObject, Sendable {
    /// The source of the reports, for messages.
    var source: String { get }
    /// Stops watching. No change is reported after it has returned, unless it is called from the handler.
    func stop()
}
