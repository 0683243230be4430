package import CaptureHAL
import MediaTypes

/// What a test needs of a simulated system, also after the system is closed.
///
/// Misuse is unclaimed until a test reads or expects it.
package final class SystemRecord: Sendable {
    /// Misuse that no test has read or expected.
    package struct Unclaimed: Sendable {
        package let misuse: Misuse
        /// The result of `TestReporter.currentCallSite()`; nil without a reporter.
        package let callSite: (any Sendable)?
    }

    private struct State {
        var misuses: [Misuse] = []
        var unclaimed: [Unclaimed] = []
        var expectations = 0
        var reportsAtOnce = false
    }

    private let state = Lock(State(), order: .primitive)

    /// Adds misuse.
    func add(_ misuse: Misuse) {
        let reporter = TestReporting.reporter
        let unclaimed = Unclaimed(misuse: misuse, callSite: reporter?.currentCallSite())
        let isReported = state.withLock { state in
            state.misuses.append(misuse)
            state.unclaimed.append(unclaimed)
            return state.reportsAtOnce && state.expectations == 0
        }
        if isReported { reporter?.didRecordMisuse(self) }
    }

    /// Returns all misuse and claims it.
    func read() -> [Misuse] {
        state.withLock { state in
            state.unclaimed = []
            return state.misuses
        }
    }

    /// Removes and returns all misuse and claims it.
    func dequeue() -> [Misuse] {
        state.withLock { state in
            defer { state.misuses = [] }
            state.unclaimed = []
            return state.misuses
        }
    }

    /// Removes and returns the misuse that is not claimed. It stays in the list that `read` returns.
    package func dequeueUnclaimed() -> [Unclaimed] {
        state.withLock { state in
            defer { state.unclaimed = [] }
            return state.unclaimed
        }
    }

    /// From now on, reports new misuse at once, because no code is left that could claim it later.
    package func reportAtOnce() { state.withLock { $0.reportsAtOnce = true } }

    /// Begins code that is expected to be misuse, and that claims it afterwards.
    package func beginExpectation() { state.withLock { $0.expectations += 1 } }

    /// Ends what `beginExpectation` began.
    package func endExpectation() { state.withLock { $0.expectations -= 1 } }
}
