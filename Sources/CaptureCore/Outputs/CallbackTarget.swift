import CaptureHAL
import Dispatch

/// A delegate with the queue on which it is called; the delegate is not retained.
final class CallbackTarget<Delegate>: @unchecked Sendable {
    // SAFETY: immutable; the delegate is only called on `queue`, which the client set with it.
    let queue: DispatchQueue?
    private let load: () -> Delegate?

    /// The delegate; nil after its release.
    var delegate: Delegate? { load() }

    /// - Parameter load: Returns the delegate from a weak reference.
    init(queue: DispatchQueue?, _ load: @escaping () -> Delegate?) {
        self.queue = queue
        self.load = load
    }
}

extension MisuseHandler {
    /// Reports misuse if a delegate has no queue.
    ///
    /// - Parameter method: The method's name, such as `AVCaptureVideoDataOutput setSampleBufferDelegate:queue:`.
    /// - Returns: False after misuse.
    func checkQueue(_ queue: DispatchQueue?, of delegate: AnyObject?, _ method: String) -> Bool {
        if delegate == nil || queue != nil { return true }
        report(.invalidArgument, "-[\(method)] NULL queue passed")
        return false
    }
}
