import CCaptureHAL
package import Dispatch

/// Runs one body on queues, as `DispatchQueue.sync` does, at a third of its cost where it is the same queue again.
///
/// Dispatch itself takes a function and a queue as C knows it; what Swift puts round both costs more than the call. A Swift
/// queue does not give its own away, but Dispatch tells it to what runs there.
/// - Important: Confined to one thread.
package final class QueueVisitor: @unchecked Sendable {
    // SAFETY: confined; while the body runs on a queue the thread waits for it.
    private let body: () -> Void
    private var queue: DispatchQueue?
    /// That queue as C knows it, once it has been visited; `queue` keeps it.
    private var known: UnsafeMutableRawPointer?

    package init(_ body: @escaping () -> Void) { self.body = body }

    /// Whether the next visit is to this queue.
    func isAimed(at queue: DispatchQueue) -> Bool { self.queue === queue }

    /// Takes a queue for the visits that follow.
    package func aim(at queue: DispatchQueue) {
        self.queue = queue
        known = nil
    }

    /// Runs the body on the queue, after all that is there, and returns when it has run.
    package func visit() {
        guard let known else {
            queue?.sync {
                self.known = ccapturehal_current_queue()
                body()
            }
            return
        }
        ccapturehal_sync(known, Unmanaged.passUnretained(self).toOpaque()) { context in
            if let context { Unmanaged<QueueVisitor>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.body() } }
        }
    }
}
