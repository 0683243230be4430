#if Everything || Scenarios
import CaptureHAL
import CaptureScenarios
import CaptureSimulation
import Foundation
import MediaTypes
import SimDevices

/// A scenario that is played with an app while its invariants are checked.
final class ExplorationRun {
    /// What a scenario results in.
    struct Outcome {
        /// The scenario with the steps that were performed.
        var scenario: Scenario
        /// The first invariant that did not hold; nil if all did.
        var violation: Violation?
        /// The report for a page of the run; nil unless it was requested.
        var report: ScenarioReport?
    }

    /// The seed of a scenario that runs in the order of submission. Other seeds also determine the order of work.
    static let submissionSeed: UInt64 = 1

    private let simulated: SimulatedSystem
    private let options: ExplorationOptions
    private let player: AppScenarioPlayer
    private let app: ScenarioApp
    private let folder: URL
    /// The waits of the main thread that have exceeded the limit.
    private let longWaits = Lock<[String]>([])
    private(set) var environment: EnvironmentState
    /// The steps that were performed.
    private(set) var timeline: [Scenario.Step] = []
    private var violation: Violation?
    /// The times in nanoseconds since which invariants of the app are false, by name.
    private var falseSince: [String: Int64] = [:]
    private var logState = LogState()
    private var readCount = 0
    /// Whether the messages of misuse contain the line of the app, and the outcome has a report. Both take time.
    private let reports: Bool

    /// Plays a scenario in a new system, and checks that the app is released.
    ///
    /// - Parameters:
    ///   - choose: Returns the next step, or nil at the end; nil plays the timeline of the scenario.
    ///   - reports: Whether the description of a violation contains the line of the app, and the outcome has a report.
    static func play(
        _ scenario: Scenario, _ options: ExplorationOptions, reports: Bool = false,
        app build: @MainActor (ScenarioApp) throws -> Void, choose: ((ExplorationRun) -> Scenario.Step?)? = nil
    ) throws -> Outcome {
        let file = ScenarioFile(url: URL(fileURLWithPath: "exploration.yaml"), scenario: scenario, combination: nil)
        let check = options.invariants.contains(.noLeaks) ? LeakCheck() : nil
        var outcome: Outcome
        let record: SystemRecord
        do {
            let interleaving: SimulatedSystem.Interleaving =
                scenario.seed == submissionSeed
                ? .submissionOrder : .priorities(seed: scenario.seed, depth: 3, steps: 1000)
            let simulated = try AppScenarioRun.makeSystem(for: file, interleaving: interleaving)
            record = simulated.record
            defer { simulated.close() }
            outcome = try ExplorationRun(file, simulated, options, reports, build).play(choose)
            // The app is released. Let the work that it has cancelled end.
            if outcome.violation == nil { simulated.advance(by: LeakCheck.releaseTime) }
            _ = simulated.dequeueMisuses()
        } catch {
            check?.cancel()
            throw error
        }
        if outcome.violation == nil, let leak = check?.leaks().first {
            outcome.violation = Violation(.noLeaks, leak, kind: leak.split(separator: ";").first.map(String.init) ?? "")
        }
        check?.cancel()
        RunningTests.shared.forget(record)
        return outcome
    }

    private init(
        _ file: ScenarioFile, _ simulated: SimulatedSystem, _ options: ExplorationOptions, _ reports: Bool,
        _ build: @MainActor (ScenarioApp) throws -> Void
    ) throws {
        (self.simulated, self.options, self.reports) = (simulated, options, reports)
        if !reports { simulated.stopRecordingWork() }
        folder = simulated.folder.appendingPathComponent("files", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        player = AppScenarioPlayer(
            file, system: simulated.system, host: simulated.host, clock: simulated.clock, storage: simulated.storage,
            folder: folder, logsPixels: false, showsEvents: reports)
        environment = EnvironmentState(simulated.host)
        let nameSession = player.nameSession
        app = MainQueue.run { ScenarioApp(nameSession: nameSession) }
        simulated.limitMainThreadWaits(to: options.mainThreadLimit) { [longWaits] wait in
            longWaits.withLock { $0.append(wait) }
        }
        scenario = file.scenario
        let app = app
        try simulated.run { try MainQueue.run { try build(app) } }
    }

    private let scenario: Scenario

    private func play(_ choose: ((ExplorationRun) -> Scenario.Step?)?) throws -> Outcome {
        let misuse = simulated.record.observeMisuse(player.noteMisuse)
        defer { misuse.cancel() }
        let warnings = simulated.system.warnings.observe(player.noteWarning)
        defer { warnings.cancel() }
        let start = HostClock.shared.now
        try player.prepare()
        var planned = scenario.timeline[...]
        while violation == nil {
            guard let step = choose.map({ $0(self) }) ?? planned.popFirst() else { break }
            check()
            guard violation == nil else { break }
            if try perform(step) { timeline.append(step) }
        }
        let steps = timeline
        try finish()
        var result = scenario
        result.timeline = steps
        let report =
            reports
            ? try player.report(
                problem: violation.map { "\($0.invariant): \($0.detail)" }, work: simulated.workPeriods,
                duration: (HostClock.shared.now - start).seconds) : nil
        return Outcome(scenario: result, violation: violation, report: report)
    }

    // MARK: Steps

    /// Performs a step, and checks the invariants.
    ///
    /// - Returns: Whether the step was possible.
    private func perform(_ step: Scenario.Step) throws -> Bool {
        let isOfApp = step.isPerformedByApp
        let isPerformed = try player.perform(step, index: timeline.count) { [app] in
            !isOfApp || MainQueue.run { app.canPerform(step) && app.action(for: step) != nil }
        } perform: { [simulated, app, folder] step, didReturn in
            let values = ScenarioApp.Step(step, folder: folder)
            simulated.run {
                _ = Task { @MainActor in
                    do {
                        try await app.action(for: step)?(values)
                        didReturn(nil)
                    } catch {
                        didReturn(describe(error))
                    }
                }
            }
        }
        if isPerformed { environment.apply(step.action) }
        check()
        return isPerformed
    }

    /// Makes the environment normal, waits until the app can be used, and checks the invariants of the whole scenario.
    private func finish() throws {
        for action in environment.restoration(simulated.system.authorization) where violation == nil {
            // A person needs some time.
            advance(to: CMTime(value: now / 1000 + 100_000, timescale: 1_000_000))
            _ = try perform(Scenario.Step(at: simulated.clock.now, action))
        }
        guard violation == nil else { return }
        let app = app
        let isUsable = { MainQueue.run { app.isUsable?() ?? true } }
        let end = now + options.recoveryLimit.nanoseconds
        while violation == nil, now < end, !isUsable() { advanceAndCheck() }
        if violation == nil, options.invariants.contains(.recovers), !isUsable() {
            violation = Violation(
                .recovers,
                "the app cannot be used \(seconds(options.recoveryLimit)) after the environment is normal again")
        }
        // Actions of the app can wait for the answers to several prompts.
        let limit = now + 2 * options.recoveryLimit.nanoseconds
        while violation == nil, now < limit, !player.runningActionNames.isEmpty { advanceAndCheck() }
        let waits = simulated.endlessWaits
        // A camera can stall for a second, and a photo then needs the next frame.
        for _ in 0..<20 where violation == nil { advanceAndCheck() }
        guard violation == nil else { return }
        checkWaits(waits)
        if violation == nil {
            violation = try LogInvariants(options.invariants, folder: folder).violation(
                LogEntry.parse(player.lines), player.libraryContents())
        }
    }

    private func advanceAndCheck() {
        advance(to: CMTime(value: now / 1000 + 100_000, timescale: 1_000_000))
        check()
    }

    // MARK: Invariants

    /// Checks the invariants that can be violated at any time.
    private func check() {
        guard violation == nil else { return }
        if options.invariants.contains(.noMisuse), let first = simulated.record.unclaimed.first {
            let failure = reports ? TestRun.failures(simulated.record).first?.message : nil
            violation = Violation(
                .noMisuse, failure ?? "\(first)", kind: "\(first.exception.rawValue) \(first.message)")
        } else if options.invariants.contains(.noWarnings), let warning = simulated.record.warnings.first {
            violation = Violation(.noWarnings, warning, kind: warning)
        } else if options.invariants.contains(.mainThreadResponds), let wait = longWaits.withLock({ $0.first }) {
            violation = Violation(
                .mainThreadResponds,
                "the main thread waits for \(wait) longer than \(seconds(options.mainThreadLimit))", kind: wait)
        } else {
            checkInvariantsOfApp()
        }
    }

    private func checkInvariantsOfApp() {
        let app = app
        let failed = MainQueue.run { app.invariants.filter { !$0.isTrue() }.map { ($0.name, $0.tolerance) } }
        falseSince = falseSince.filter { name, _ in failed.contains { $0.0 == name } }
        for (name, tolerance) in failed {
            let start = falseSince[name] ?? now
            falseSince[name] = start
            guard now - start >= tolerance.nanoseconds, violation == nil else { continue }
            violation = Violation(name, "it does not hold at \(number(Double(now) / 1e9)) s")
        }
    }

    /// Checks that nothing waits at the end.
    ///
    /// - Parameter earlier: The waits one second before.
    private func checkWaits(_ earlier: [String]) {
        guard options.invariants.contains(.noEndlessWaits) else { return }
        if let name = player.runningActionNames.first {
            violation = Violation(.noEndlessWaits, "the app's action \"\(name)\" has not returned", kind: name)
        } else if let wait = simulated.endlessWaits.first(where: earlier.contains) {
            violation = Violation(.noEndlessWaits, wait, kind: wait)
        }
    }

    // MARK: The state for the generator

    /// The time in nanoseconds.
    var now: Int64 { simulated.clock.now.nanoseconds }

    /// The time of the next callback or timer in nanoseconds; now if there is none within 0.5 s.
    var nextCallback: Int64 {
        let now = now
        let next = simulated.clock.nextActionTime?.nanoseconds ?? now
        return next - now < 500_000_000 ? next : now
    }

    func advance(to time: CMTime) {
        if time > simulated.clock.now { simulated.clock.advance(to: time) }
    }

    /// Advances until the log contains another event, other than a frame or sound, and returns the time.
    func advanceToNextEvent(by duration: Int64) -> Int64 {
        let end = now + duration
        let start = player.lines.count
        while let next = simulated.clock.nextActionTime?.nanoseconds, next <= end {
            advance(to: CMTime(nanoseconds: max(next, now + 1)))
            if player.entries(from: start).entries.contains(where: { !$0.isSample }) { return now }
        }
        return now
    }

    /// The events of the environment that are possible now.
    var possibleEvents: [EnvironmentState.Event] {
        environment.events(options.events, simulated.system.authorization)
    }

    /// The names of the app's actions that a person can perform now.
    var possibleActions: [String] {
        let app = app
        return MainQueue.run { app.possibleNames }
    }

    /// The state of the app, whether it has work that is due later, and the conditions of its environment that are not
    /// normal.
    var state: String {
        let conditions = "\(environment)"
        return appState + (simulated.hasDelayedWork ? ", with delayed work" : "")
            + (conditions.isEmpty ? "" : " (\(conditions))")
    }

    /// The state of the app: its own description, or the state of its session and its possible actions.
    private var appState: String {
        let (entries, end) = player.entries(from: readCount)
        readCount = end
        for entry in entries { logState.update(entry.text) }
        let app = app
        let running = player.runningActionNames.first.map { ", during \($0)" } ?? ""
        if let own = MainQueue.run({ app.describeState?() }) { return own + running }
        return "\(logState)\(running); can " + possibleActions.joined(separator: ", ")
    }

    private func seconds(_ duration: Duration) -> String { "\(number(Double(duration.nanoseconds) / 1e9)) s" }
}

/// The state of an app's session and recordings, from its events.
private struct LogState: CustomStringConvertible {
    private var session = "stopped"
    private var recordingCount = 0
    private var photoCount = 0

    mutating func update(_ event: String) {
        let states = [
            ("session did start running", "running"), ("session did stop running", "stopped"),
            ("session was interrupted", "interrupted"), ("session interruption ended", "running"),
            ("session runtime error", "failed"),
        ]
        if let state = states.first(where: { event.hasPrefix($0.0) }) { session = state.1 }
        if event.hasPrefix("recording did start") { recordingCount += 1 }
        if event.hasPrefix("recording did finish") { recordingCount -= 1 }
        if event.hasPrefix("photo will begin") { photoCount += 1 }
        if event.hasPrefix("photo did finish") { photoCount -= 1 }
    }

    var description: String {
        session + (recordingCount > 0 ? ", recording" : "") + (photoCount > 0 ? ", photo in progress" : "")
    }
}

/// Formats a number with at most three decimals.
func number(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    guard thousandths % 1000 != 0 else { return "\(thousandths / 1000)" }
    let digits = String(format: "%.3f", value)
    return String(digits.reversed().drop { $0 == "0" }.reversed())
}
#endif
