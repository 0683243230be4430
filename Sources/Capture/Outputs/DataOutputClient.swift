import Dispatch

/// Who receives what a data output delivers, and on which queue.
struct DataOutputClient<Delegate>: @unchecked Sendable {
    // SAFETY: the delegate is only called on `queue`, the one that was given with it.
    private weak var object: AnyObject?
    let queue: DispatchQueue?

    /// The delegate, nil once it was released.
    var delegate: Delegate? { object as? Delegate }

    init(_ delegate: Delegate? = nil, queue: DispatchQueue? = nil) {
        object = delegate as AnyObject?
        self.queue = queue
    }
}
