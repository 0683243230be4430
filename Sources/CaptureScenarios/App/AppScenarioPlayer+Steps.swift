import CaptureHAL
package import CaptureSimulation
import Foundation
package import MediaTypes
import SimDevices

/// Playing steps that are chosen while the app runs.
extension AppScenarioPlayer {
    /// Creates the initial assets, and schedules the faults of the scenario. Called once, before the first step.
    package func prepare() throws {
        try environment.prepare(file.scenario, filesIn: file.url.deletingLastPathComponent())
        environment.clock.settle()
    }

    /// Advances to the time of a step, performs it, and runs the work that is then ready.
    ///
    /// - Parameters:
    ///   - index: The position of the step in the timeline.
    ///   - canPerform: Returns whether the app can perform the step now; called at the time of the step.
    ///   - perform: Starts the action of the app; see `play(perform:)`. Not called for a step of the environment.
    /// - Returns: Whether the step was performed.
    package func perform(
        _ step: Scenario.Step, index: Int, canPerform: () -> Bool,
        perform: (Scenario.Step, _ didReturn: @escaping @Sendable (_ error: String?) -> Void) -> Void
    ) throws -> Bool {
        // Changes of the scene and the light are scheduled before their time.
        var single = file.scenario
        single.timeline = [step]
        single.devices.faults = []
        let base = file.url.deletingLastPathComponent()
        try environment.schedule(single, filesIn: base)
        if case .setLight = step.action {
            let scene = try SimScene.named(ScenarioPlayer.path(single.devices.scene, in: base))
            environment.host.setScene(scene, light: single.light(of: scene), at: step.time)
        }
        environment.clock.advance(to: step.time)
        guard canPerform() else { return false }
        log.note("> \(step.logText)")
        if environment.system.run({ environment.performInEnvironment(step.action) }) != nil {
            start(step, index: index, perform: perform)
        }
        environment.clock.settle()
        return true
    }

    /// The events since a line of the log, and the line after them.
    package func entries(from line: Int) -> (entries: [LogEntry], end: Int) {
        let lines = log.lines
        return (LogEntry.parse(Array(lines[line...])), lines.count)
    }

    /// The lines of the log.
    package var lines: [String] { log.lines }

    /// The names of the app's actions that have not returned, in the order of their steps.
    package var runningActionNames: [String] {
        runningActions.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value.appAction.name)
    }

    /// Returns the report of the run so far, for the results page.
    ///
    /// - Parameters:
    ///   - problem: The failure of the app; nil if there is none.
    ///   - work: The work that ran.
    ///   - duration: The real duration in seconds.
    package func report(problem: String?, work: [WorkPeriod], duration: Double) throws -> ScenarioReport {
        // The log of an app is not compared, and the invariants are checked by the caller.
        var scenario = file.scenario
        scenario.expectations = []
        scenario.end = environment.clock.now
        let file = ScenarioFile(url: file.url, scenario: scenario, combination: nil)
        var result = file.result(
            of: log.lines, folder: folder, deviceIDs: [], library: try libraryContents(), pictures: pictures)
        result.work = work
        var report = ScenarioReport(
            file.url.lastPathComponent, file, result, try HTMLReport.File.media(in: folder), duration: duration)
        report.problems = problem.map { [$0] }
        return report
    }

    /// The contents of the photo library.
    package func libraryContents() throws -> LibraryContents { try environment.library.contents() }
}

extension Scenario.Step {
    /// Creates a step of a scenario without a file.
    package init(at time: CMTime, _ action: Scenario.Action) {
        self.init(time: time, action: action, camera: nil, line: 0)
    }
}
