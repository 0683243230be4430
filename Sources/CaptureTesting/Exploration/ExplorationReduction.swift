#if Everything || Scenarios
import CaptureHAL
import CaptureScenarios
import MediaTypes

/// Reduces a scenario that violates an invariant to the shortest one found that violates it in the same way.
final class ExplorationReduction {
    private let violation: Violation
    private let play: (Scenario) throws -> ExplorationRun.Outcome
    /// The number of scenarios that were played.
    private(set) var runCount = 0

    /// Whether the pauses between the steps are reduced and measured. A leak rarely depends on them, and a run with a leak
    /// takes more than a second of real time.
    var isTimeRelevant: Bool { violation.invariant != StandardInvariants.noLeaks.name }

    /// - Parameter play: Plays a scenario.
    init(_ violation: Violation, play: @escaping (Scenario) throws -> ExplorationRun.Outcome) {
        (self.violation, self.play) = (violation, play)
    }

    /// Returns a shorter scenario: fewer steps and permissions, the order of submission, and round times.
    func reduced(_ scenario: Scenario) throws -> Scenario {
        var best = scenario
        // Times are reduced first: with pauses between the steps, fewer steps depend on each other.
        for pause in [500, 100] where try fails(best.with(pause: pause)) {
            best = best.with(pause: pause)
            break
        }
        try tryCandidate(&best) { $0.seed = ExplorationRun.submissionSeed }
        best = try best.reduced { try fails($0) }
        for resource in best.devices.answers.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            try tryCandidate(&best) { $0.devices.answers[resource] = nil }
        }
        try tryCandidate(&best) { $0.seed = ExplorationRun.submissionSeed }
        best = try best.reduced { try fails($0) }
        guard isTimeRelevant else { return best }
        for index in best.timeline.indices {
            let current = best.milliseconds(before: index)
            let round = [500, 1000, 100, 2000, 0, 200, 50, 10].filter { $0 != current }
            if index == 0 || [500, 1000, 100].contains(current) { continue }
            for pause in round {
                let candidate = best.with(pause: pause, before: index)
                if try fails(candidate) {
                    best = candidate
                    break
                }
            }
        }
        if let first = best.timeline.first, first.time.nanoseconds > 100_000_000 {
            let candidate = best.with(pause: 100, before: 0)
            if try fails(candidate) { best = candidate }
        }
        return best
    }

    /// The range of the pause before a step in which the scenario fails, in milliseconds.
    struct PauseRange {
        /// The shortest pause that was found to fail; nil if an empty pause fails.
        var least: Int?
        /// The longest pause that was found to fail; nil if a pause of 10 s fails.
        var greatest: Int?
    }

    /// Measures the pauses before the steps after the first one, with which the scenario still fails.
    func pauseRanges(_ scenario: Scenario) throws -> [PauseRange] {
        try scenario.timeline.indices.dropFirst().map { index in
            func fails(_ pause: Int) throws -> Bool { try self.fails(scenario.with(pause: pause, before: index)) }
            let current = scenario.milliseconds(before: index)
            var range = PauseRange()
            if current > 0, !(try fails(0)) {
                range.least = try bisect(failing: current, passing: 0, fails)
            }
            if current < 10_000, !(try fails(10_000)) {
                range.greatest = try bisect(failing: current, passing: 10_000, fails)
            }
            return range
        }
    }

    /// Returns a value between two, such that it fails and a value at most 10 % or 10 ms beyond it passes.
    private func bisect(failing: Int, passing: Int, _ fails: (Int) throws -> Bool) rethrows -> Int {
        var (failing, passing) = (failing, passing)
        while abs(passing - failing) > max(10, failing / 10) {
            let middle = (failing + passing) / 2
            if try fails(middle) { failing = middle } else { passing = middle }
        }
        return failing
    }

    private func tryCandidate(_ best: inout Scenario, _ change: (inout Scenario) -> Void) throws {
        var candidate = best
        change(&candidate)
        if candidate != best, try fails(candidate) { best = candidate }
    }

    private func fails(_ scenario: Scenario) throws -> Bool {
        runCount += 1
        return try play(scenario).violation?.key == violation.key
    }
}

extension Scenario {
    /// Returns the pause before a step in milliseconds, rounded up.
    fileprivate func milliseconds(before index: Int) -> Int {
        let previous = index > 0 ? timeline[index - 1].time.nanoseconds : 0
        return Int((timeline[index].time.nanoseconds - previous + 999_999) / 1_000_000)
    }

    /// Returns the scenario with a pause in milliseconds before each step.
    fileprivate func with(pause: Int) -> Scenario {
        var result = self
        for index in timeline.indices {
            result.timeline[index].time = CMTime(value: Int64(pause * index + 100), timescale: 1000)
        }
        return result
    }

    /// Returns the scenario with a pause in milliseconds before a step. Later steps keep their pauses.
    fileprivate func with(pause: Int, before index: Int) -> Scenario {
        var result = self
        let previous = index > 0 ? timeline[index - 1].time.nanoseconds : 0
        let change = previous + Int64(pause) * 1_000_000 - timeline[index].time.nanoseconds
        for later in timeline.indices[index...] {
            let time = timeline[later].time.nanoseconds + change
            result.timeline[later].time = CMTime(value: time / 1000, timescale: 1_000_000)
        }
        return result
    }
}
#endif
