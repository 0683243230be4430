import Dispatch
import Foundation
import MediaTypes

/// Performs work on several threads, none of them the main thread, and returns when all of it is done.
///
/// Call it on the main thread. It runs the main queue until then, since simulated systems post notifications there.
package func performConcurrently(iterations: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let isDone = Lock(false)
    Thread.detachNewThread {
        DispatchQueue.concurrentPerform(iterations: iterations, execute: work)
        DispatchQueue.main.async { isDone.withLock { $0 = true } }
    }
    while !isDone.withLock({ $0 }) {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
    }
}
