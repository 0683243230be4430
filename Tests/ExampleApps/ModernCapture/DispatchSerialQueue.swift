public import Dispatch

/// A serial queue that runs the work of an actor.
typealias DispatchSerialQueue = DispatchQueue

// swift-format-ignore: AvoidRetroactiveConformances
extension DispatchQueue: @retroactive Executor, @retroactive SerialExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(self)) }
}
