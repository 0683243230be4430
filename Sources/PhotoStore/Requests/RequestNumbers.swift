import MediaTypes

/// Assigns identifiers to requests, starting at 1, and records which of the requests in progress were cancelled.
final class RequestNumbers: Sendable {
    private struct State {
        var last: Int32 = 0
        /// The requests in progress, and whether they were cancelled.
        var isCancelled: [Int32: Bool] = [:]
    }

    private let state = Lock(State())

    func begin() -> Int32 {
        state.withLock { state in
            // After 2^31 - 1 requests the numbers restart at 1, because 0 is invalid.
            state.last = state.last == .max ? 1 : state.last + 1
            state.isCancelled[state.last] = false
            return state.last
        }
    }

    func cancel(_ number: Int32) {
        state.withLock { state in
            if state.isCancelled[number] != nil { state.isCancelled[number] = true }
        }
    }

    func isCancelled(_ number: Int32) -> Bool {
        state.withLock { $0.isCancelled[number] ?? false }
    }

    func end(_ number: Int32) {
        state.withLock { _ = $0.isCancelled.removeValue(forKey: number) }
    }
}
