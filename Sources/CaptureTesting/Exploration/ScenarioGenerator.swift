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
    /// The state of the app before the last step.
    private(set) var lastState = ""

    init(number: Int, _ options: ExplorationOptions) {
        self.number = number
        self.options = options
        // The seed of SplitMix64 of the next scenario must not be the next state of this one.
        var seeds = SplitMix64(seed: options.seed &+ UInt64(number) &* 0x2545_f491_4f6c_dd1d)
        random = SplitMix64(seed: seeds.next())
        remaining = 1 + random.index(below: max(1, options.stepCount))
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
    mutating func next(_ run: ExplorationRun, _ coverage: inout ExplorationCoverage) -> Scenario.Step? {
        guard remaining > 0 else { return nil }
        let isFirst = run.timeline.isEmpty
        remaining -= 1
        let time = isFirst ? CMTime(value: 100_000, timescale: 1_000_000) : advance(run)
        if isFirst { run.advance(to: time) }
        let state = run.appState
        lastState = state
        let appActions = run.possibleActions
        let events = isFirst ? [] : run.environment.events(options.events)
        coverage.addPossible(appActions + events.map(\.name), in: state)
        let isAppStep = events.isEmpty || !appActions.isEmpty && random.index(below: 2) == 0
        if isAppStep {
            guard let name = choose(appActions, { $0 }, state, coverage) else { return nil }
            return Scenario.Step(at: time, action(name))
        }
        guard let event = choose(events, \.name, state, coverage) else { return nil }
        return Scenario.Step(at: time, event.action)
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
        case 0...2: time += Int64(random.pick([0, 1, 5, 20])) * millisecond
        case 3...4: time = run.advanceToNextEvent(by: 500 * millisecond) + Int64(random.pick([0, 1, 10])) * millisecond
        case 5: time = max(now, run.nextCallback - millisecond / 10)
        case 6...8: time += Int64(20 + random.index(below: 480)) * millisecond
        default: time += Int64(500 + random.index(below: 2500)) * millisecond
        }
        // Scenario files contain microseconds.
        let result = CMTime(value: (time + 999) / 1000, timescale: 1_000_000)
        run.advance(to: result)
        return result
    }

    /// Chooses an element, with a preference for events that have not occurred in a state.
    private mutating func choose<Element>(
        _ elements: [Element], _ name: (Element) -> String, _ state: String, _ coverage: ExplorationCoverage
    ) -> Element? {
        guard !elements.isEmpty else { return nil }
        let weights = elements.map { element in
            switch coverage.count(state, name(element)) {
            case 0: 12
            case 1: 6
            case 2...3: 3
            default: 2
            }
        }
        var number = random.index(below: weights.reduce(0, +))
        for (element, weight) in zip(elements, weights) {
            if number < weight { return element }
            number -= weight
        }
        return elements.last
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
