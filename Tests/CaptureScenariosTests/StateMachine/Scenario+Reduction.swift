@testable import CaptureScenarios

extension Scenario {
    /// Returns the shortest scenario found that still fails, without irrelevant steps, outputs and permissions.
    ///
    /// - Parameter fails: Whether a scenario fails. Called up to some hundred times.
    func reduced(_ fails: (Scenario) throws -> Bool) rethrows -> Scenario {
        var best = self
        var size = max(1, timeline.count / 2)
        while true {
            var start = 0
            var isReduced = false
            while start < best.timeline.count {
                var candidate = best
                candidate.timeline.removeSubrange(start..<min(start + size, best.timeline.count))
                if try fails(candidate) {
                    best = candidate
                    isReduced = true
                } else {
                    start += size
                }
            }
            if size == 1, !isReduced { break }
            size = max(1, size / 2)
        }
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
}
