import CaptureHAL
import Dispatch

/// Who receives what a data output delivers, and on which queue.
final class DataOutputClient<Delegate>: @unchecked Sendable {
    // SAFETY: constant; the delegate is only called on `queue`, the one that was given with it.
    let queue: DispatchQueue?
    private let load: () -> Delegate?

    /// The delegate, nil once it was released.
    var delegate: Delegate? { load() }

    /// - Parameter load: Gives the delegate, which it must not keep: a cast from a class that is no protocol's would cost
    ///   more than all else on the way of a frame.
    init(queue: DispatchQueue?, _ load: @escaping () -> Delegate?) {
        self.queue = queue
        self.load = load
    }
}

extension MisuseHandler {
    /// Whether a delegate comes with the queue that it is to be called on; else it is misuse.
    ///
    /// - Parameter method: As `AVCaptureVideoDataOutput setSampleBufferDelegate:queue:`.
    func checkQueue(_ queue: DispatchQueue?, of delegate: AnyObject?, _ method: String) -> Bool {
        if delegate == nil || queue != nil { return true }
        report(.invalidArgument, "-[\(method)] NULL queue passed")
        return false
    }
}
