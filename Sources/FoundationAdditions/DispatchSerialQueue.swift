public import Dispatch

/// A serial queue, which can be the executor of an actor: `queue.asUnownedSerialExecutor()`.
///
/// - Note: Unlike Apple, it is the same type as `DispatchQueue`, because that class cannot be subclassed on Linux. A
///   concurrent queue runs the jobs of an actor as barriers. A global queue ignores barriers and must not be an
///   executor.
public typealias DispatchSerialQueue = DispatchQueue

// The conformance of Apple's `DispatchSerialQueue`, which Linux's Dispatch lacks.
// swift-format-ignore: AvoidRetroactiveConformances
extension DispatchQueue: @retroactive SerialExecutor {
    /// Runs a job of an actor on the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // On a serial queue the flag has no effect.
        async(flags: .barrier) { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Stops the program if the calling code does not run on this queue; on a concurrent queue, also if it does not run
    /// as a barrier.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueueAsBarrier(self)) }
}
