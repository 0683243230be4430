#if Everything || Scenarios
import CaptureHAL
import CaptureScenarios
import MediaTypes

/// Chooses the steps of a scenario while the app runs.
struct ScenarioGenerator {
    /// The number of the scenario, from 0.
    private let number: Int
    private let options: ExplorationOptions
    private var random: SplitMix64
    /// The number of steps that remain.
    private var remaining: Int
    private var fileCount = 0
    /// The state of the app before the last step, and the name of the step.
    private var last: (state: String, event: String)?

    init(number: Int, _ options: ExplorationOptions) {
        self.number = number
        self.options = options
        // The seed of SplitMix64 of the next scenario must not be the next state of this one.
        var seeds = SplitMix64(seed: options.seed &+ UInt64(number) &* 0x2545_f491_4f6c_dd1d)
        random = SplitMix64(seed: seeds.next())
        // Long scenarios reach more states.
        let count = max(1, options.stepCount)
        remaining = 1 + max(random.index(below: count), random.index(below: count))
    }

    /// Returns the scenario without steps: its seed, which also determines the order of work, and the permissions.
    mutating func base(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        // The first of each two scenarios runs in the order of submission.
        let hasOrder = options.events.contains(.orders) && number % 2 == 1
        scenario.seed = hasOrder ? 2 + UInt64(random.index(below: 1_000_000_000)) : ExplorationRun.submissionSeed
        guard options.events.contains(.prompts) else { return scenario }
        for resource in [ProtectedResource.video, .audio, .photoLibraryAdditions] where random.index(below: 3) == 0 {
            scenario.devices.authorization[resource] = .notDetermined
            let delay = random.pick([0, 200, 1000, 3000])
            let state: AuthorizationState = random.index(below: 4) == 0 ? .denied : .authorized
            scenario.devices.answers[resource] = PromptAnswer(state, after: .milliseconds(delay))
        }
        return scenario
    }

    /// Chooses the next step, and advances to a time shortly before it; nil at the end of the scenario.
    ///
    /// The app acts more often than the environment only if its actions are preferred: the choice between both depends on
    /// the most preferred action and event, and not on their numbers.
    mutating func next(_ run: ExplorationRun, _ coverage: inout ExplorationCoverage) -> Scenario.Step? {
        guard remaining > 0 else { return nil }
        let isFirst = run.timeline.isEmpty
        remaining -= 1
        let time = isFirst ? CMTime(value: 100_000, timescale: 1_000_000) : advance(run)
        if isFirst { run.advance(to: time) }
        let state = run.state
        if let last { coverage.addSuccessor(state, of: last.state, after: last.event) }
        let actions = run.possibleActions.map { Candidate(name: $0, action: nil, coverage.preference(state, $0)) }
        let events = (isFirst ? [] : run.possibleEvents).map { event in
            Candidate(
                name: event.name, action: event.action, event.weight * coverage.preference(state, event.name))
        }
        coverage.addPossible((actions + events).map(\.name), in: state)
        let preference = actions.map(\.weight).max() ?? 0
        let eventPreference = (events.map(\.weight).max() ?? 0) / 4
        guard preference + eventPreference > 0 else { return nil }
        let isOfApp = random.index(below: preference + eventPreference) < preference
        guard let chosen = choose(isOfApp ? actions : events) else { return nil }
        coverage.add(state, chosen.name)
        last = (state, chosen.name)
        return Scenario.Step(at: time, chosen.action ?? action(chosen.name))
    }

    /// Advances to the time of the next step, and returns the time.
    ///
    /// The times are near the events of the app: shortly after the previous step, inside the work that it started;
    /// shortly after the next event; just before the next callback; or after a pause, as of a person.
    private mutating func advance(_ run: ExplorationRun) -> CMTime {
        let millisecond: Int64 = 1_000_000
        let now = run.now
        var time = now
        switch random.index(below: 10) {
        case 0...1: time += Int64(random.pick([0, 1, 5, 20])) * millisecond
        case 2...3: time = run.advanceToNextEvent(by: 500 * millisecond) + Int64(random.pick([0, 1, 10])) * millisecond
        case 4: time = max(now, run.nextCallback - millisecond / 10)
        case 5...7: time += Int64(20 + random.index(below: 480)) * millisecond
        default: time += Int64(500 + random.index(below: 2500)) * millisecond
        }
        // Scenario files contain microseconds.
        let result = CMTime(value: (time + 999) / 1000, timescale: 1_000_000)
        run.advance(to: result)
        return result
    }

    /// An action of the app, or an event, that is possible now.
    private struct Candidate {
        let name: String
        /// The event; nil for an action of the app.
        let action: Scenario.Action?
        let weight: Int

        init(name: String, action: Scenario.Action?, _ weight: Int) {
            (self.name, self.action, self.weight) = (name, action, weight)
        }
    }

    /// Chooses a candidate with a probability in proportion to its weight.
    private mutating func choose(_ candidates: [Candidate]) -> Candidate? {
        guard !candidates.isEmpty else { return nil }
        var number = random.index(below: candidates.reduce(0) { $0 + $1.weight })
        for candidate in candidates {
            if number < candidate.weight { return candidate }
            number -= candidate.weight
        }
        return candidates.last
    }

    /// Returns the action of a scenario for an action of the app. Those of recordings and photos have a file.
    private mutating func action(_ name: String) -> Scenario.Action {
        switch name {
        case "start": return .start
        case "stop": return .stop
        case "record":
            fileCount += 1
            return .record(to: "movie-\(fileCount).mov", fragmentInterval: nil, maximumDuration: nil)
        case "stop-recording": return .stopRecording
        case "pause-recording": return .pauseRecording
        case "resume-recording": return .resumeRecording
        case "photo":
            fileCount += 1
            return .photo(to: "photo-\(fileCount).jpg")
        default: return .app(action: name, value: nil)
        }
    }
}
#endif
