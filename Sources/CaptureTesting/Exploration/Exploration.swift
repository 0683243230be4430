#if Everything || Scenarios
import CaptureHAL
import CaptureScenarios
import CaptureSimulation
import Foundation
import MediaTypes

/// The result of an exploration of an app with generated scenarios.
public struct ExplorationResult: Sendable {
    /// The scenarios that were generated and played.
    public internal(set) var scenarioCount = 0
    /// The pairs of a state of the app and an event that occurred.
    public internal(set) var coverage = ExplorationCoverage()
    /// The description of the first violation, with the shortest scenario found; nil if all invariants held.
    public internal(set) var failure: String?
    /// The violation as one sentence; nil if all invariants held.
    public internal(set) var sentence: String?
    /// The name of the violated invariant; nil if all held.
    public internal(set) var invariant: String?
    /// The shortest scenario found, as a scenario file; nil if all invariants held.
    public internal(set) var scenario: String?
    /// The number of steps of the shortest scenario found.
    public internal(set) var stepCount = 0
}

/// Explores an app with generated scenarios.
struct Exploration {
    private let options: ExplorationOptions
    private let build: @MainActor (ScenarioApp) throws -> Void

    init(_ options: ExplorationOptions, app build: @escaping @MainActor (ScenarioApp) throws -> Void) {
        (self.options, self.build) = (options, build)
    }

    /// Plays the scenarios that were found before, then generated ones, until one violates an invariant.
    func run() throws -> ExplorationResult {
        var result = ExplorationResult()
        for url in savedScenarios() {
            let scenario = try Scenario(yaml: String(contentsOf: url, encoding: .utf8), file: url.path)
            let outcome = try play(scenario)
            guard let violation = outcome.violation else { continue }
            let (explained, page) = try explained(scenario, violation)
            let found = FoundScenario(scenario: scenario, violation: explained, pauses: nil)
            try write(page, beside: url)
            set(found, "found in an earlier run, in \(url.path)", &result)
            return result
        }
        for number in 0..<options.scenarioCount {
            var generator = ScenarioGenerator(number: number, options)
            let base = generator.base(try emptyScenario())
            var coverage = result.coverage
            let outcome = try ExplorationRun.play(base, options, app: build) { generator.next($0, &coverage) }
            result.coverage = coverage
            result.scenarioCount += 1
            guard let violation = outcome.violation else { continue }
            try report(outcome.scenario, violation, number, &result)
            return result
        }
        return result
    }

    /// Plays one scenario file, and returns the result.
    func run(scenario yaml: String) throws -> ExplorationResult {
        let scenario = try Scenario(yaml: yaml, file: "scenario")
        var result = ExplorationResult()
        result.scenarioCount = 1
        guard let violation = try play(scenario).violation else { return result }
        let (explained, page) = try explained(scenario, violation)
        try write(page, beside: folder.appendingPathComponent(fileName))
        set(FoundScenario(scenario: scenario, violation: explained, pauses: nil), "", &result)
        return result
    }

    private func play(_ scenario: Scenario) throws -> ExplorationRun.Outcome {
        try ExplorationRun.play(scenario, options, app: build)
    }

    /// Plays a scenario again, and returns the violation with the line of the app, and the report of the run, if the
    /// scenario is deterministic.
    private func explained(_ scenario: Scenario, _ violation: Violation) throws -> (Violation, ScenarioReport?) {
        let repeated = try ExplorationRun.play(scenario, options, reports: true, app: build)
        guard let explained = repeated.violation, explained.key == violation.key else { return (violation, nil) }
        return (explained, repeated.report)
    }

    /// Writes the page of a run beside a scenario file, as `NAME.html`.
    private func write(_ report: ScenarioReport?, beside url: URL) throws {
        guard let report else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(HTMLReport([report]).html.utf8).write(to: Self.page(beside: url))
    }

    private static func page(beside url: URL) -> URL {
        url.deletingPathExtension().appendingPathExtension("html")
    }

    /// Reduces a scenario, saves it, and describes it.
    private func report(
        _ scenario: Scenario, _ violation: Violation, _ number: Int, _ result: inout ExplorationResult
    ) throws {
        let reduction = ExplorationReduction(violation) { try play($0) }
        var reduced = try reduction.reduced(scenario)
        let last = reduced.timeline.last?.time ?? .zero
        reduced.end = last + CMTime(value: 10, timescale: 1)
        reduced.name = violation.invariant
        let pauses = reduction.isTimeRelevant ? try reduction.pauseRanges(reduced) : nil
        let (explained, page) = try explained(reduced, violation)
        let found = FoundScenario(scenario: reduced, violation: explained, pauses: pauses)
        let url = folder.appendingPathComponent(fileName)
        guard !reduced.timeline.isEmpty else {
            return set(found, "found without any step", &result)
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("# \(found.sentence.split(separator: "\n").joined(separator: " "))\n\(found.yaml)".utf8).write(to: url)
        try write(page, beside: url)
        set(
            found,
            "found by scenario \(number + 1) of seed \(options.seed), reduced in \(reduction.runCount) runs, and saved in "
                + "\(url.path), which the next run plays first; the page of the run is "
                + "\(Self.page(beside: url).lastPathComponent) beside it", &result)
    }

    private func set(_ found: FoundScenario, _ origin: String, _ result: inout ExplorationResult) {
        result.invariant = found.violation.invariant
        result.sentence = found.sentence
        result.scenario = found.yaml
        result.stepCount = found.scenario.timeline.count
        result.failure =
            "\(found.sentence)\n" + (origin.isEmpty ? "" : "(\(origin))\n")
            + "\nThe scenario:\n\(found.yaml)\nA test to copy:\n\(found.swiftTest)\n"
    }

    private func emptyScenario() throws -> Scenario {
        var scenario = try Scenario(
            yaml: """
                scenario: 1
                name: Generated
                devices: {profile: \(options.profile), scene: \(options.scene)}
                timeline:
                  - {at: 0 s, do: start}
                end: 60 s
                """, file: "generated")
        // A scenario file has at least one step.
        scenario.timeline = []
        return scenario
    }

    // MARK: Saved scenarios

    /// The folder of found scenarios.
    private var folder: URL {
        options.folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? TestReport(test: "explorations").folder
    }

    /// The name of the running test as the name of a file.
    private var fileName: String {
        let name = RunningTests.shared.runningTest ?? "exploration"
        return TestReport(test: name).folder.lastPathComponent + ".yaml"
    }

    private func savedScenarios() -> [URL] {
        let url = folder.appendingPathComponent(fileName)
        return FileManager.default.fileExists(atPath: url.path) ? [url] : []
    }
}
#endif
