import MediaTypes

extension Scenario {
    /// Returns the shortest scenario found that still fails, without irrelevant steps, faults, outputs and permissions
    /// (A. Zeller, R. Hildebrandt: "Simplifying and isolating failure-inducing input", IEEE Trans. Software Eng. 28
    /// (2002)).
    ///
    /// - Parameter fails: Whether a scenario fails. Called up to some hundred times.
    package func reduced(_ fails: (Scenario) throws -> Bool) rethrows -> Scenario {
        var best = self
        try Self.reduce(\.timeline, of: &best, fails)
        try Self.reduce(\.devices.faults, of: &best, fails)
        for output in best.session.outputs where best.session.outputs.count > 1 {
            var candidate = best
            candidate.session.outputs.removeAll { $0 == output }
            if try fails(candidate) { best = candidate }
        }
        for resource in best.devices.authorization.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            var candidate = best
            candidate.devices.authorization[resource] = nil
            if try fails(candidate) { best = candidate }
        }
        var candidate = best
        candidate.session.hasMicrophone = false
        if try candidate.session != best.session && fails(candidate) { best = candidate }
        return best
    }

    /// Removes elements of a list without which the scenario still fails: first halves, then smaller parts.
    private static func reduce<Element>(
        _ list: WritableKeyPath<Scenario, [Element]>, of best: inout Scenario, _ fails: (Scenario) throws -> Bool
    ) rethrows {
        var size = max(1, best[keyPath: list].count / 2)
        while true {
            var start = 0
            var isReduced = false
            while start < best[keyPath: list].count {
                var candidate = best
                let end = min(start + size, best[keyPath: list].count)
                candidate[keyPath: list].removeSubrange(start..<end)
                if try fails(candidate) {
                    best = candidate
                    isReduced = true
                } else {
                    start += size
                }
            }
            if size == 1, !isReduced { return }
            size = max(1, size / 2)
        }
    }

    /// Returns the scenario with the earliest end found with which it still fails.
    func withEarlierEnd(_ fails: (Scenario) throws -> Bool) rethrows -> Scenario {
        var best = self
        let first = timeline.last?.time.seconds ?? 0
        // At the last step, or halfway from there to the end, and so on.
        var fraction = 0.0
        while fraction < 0.9 {
            var candidate = self
            let milliseconds = ((first + (end.seconds - first) * fraction) * 1000).rounded(.up)
            candidate.end = CMTime(value: Int64(milliseconds), timescale: 1000)
            if candidate.end > .zero, candidate.end < best.end, try fails(candidate) {
                best = candidate
                break
            }
            fraction = (1 + fraction) / 2
        }
        return best
    }
}
