import MediaTypes

/// Numbers requests from 1 and remembers which of those under way were called off.
final class RequestNumbers: Sendable {
    private struct State {
        var last: Int32 = 0
        /// Those under way, and whether they were cancelled.
        var open: [Int32: Bool] = [:]
    }

    private let state = Lock(State())

    func begin() -> Int32 {
        state.withLock { state in
            // After two billion requests the numbers begin anew; 0 is never given.
            state.last = state.last == .max ? 1 : state.last + 1
            state.open[state.last] = false
            return state.last
        }
    }

    func cancel(_ number: Int32) {
        state.withLock { state in
            if state.open[number] != nil { state.open[number] = true }
        }
    }

    func isCancelled(_ number: Int32) -> Bool {
        state.withLock { $0.open[number] ?? false }
    }

    func end(_ number: Int32) {
        state.withLock { _ = $0.open.removeValue(forKey: number) }
    }
}
