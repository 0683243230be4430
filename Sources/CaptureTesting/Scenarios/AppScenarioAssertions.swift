// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

#if Everything || Scenarios
import CaptureHAL
import CaptureScenarios
import CaptureSimulation
import Foundation
import MediaTypes
import SimDevices
public import Testing
import XCTest

/// Asserts that an app meets the expectations of a scenario.
///
/// The scenario is played in a simulated system with the app's code. The app performs the actions of the session, its
/// outputs and its camera. The scenario performs all other actions, which change the environment. The log contains the
/// events of all sessions, outputs and devices that the app uses. It is not compared with a golden log, which contains
/// the events of the scenario's own session.
///
/// Each unmet expectation, each unexpected error of an action, each action that has not returned at the end, and each
/// action that the app does not have is a failure. A scenario without expectations is also a failure. If there are no
/// failures, each object that the app has not released at the end is a failure, as for `XCTAssertNoLeaks`.
///
/// - Parameters:
///   - path: The scenario file. Each combination of its matrix is played with a separate app.
///   - checksLeaks: Whether the app must release all its objects. False if the test retains objects of the app.
///   - file: The file of a failure.
///   - line: The line of a failure.
///   - app: Creates the app and sets its actions, in the simulated system.
/// - Important: Must be called on the main thread, which runs the synchronous tests of XCTest.
public func XCTAssertScenario(
    _ path: String, checksLeaks: Bool = true, file: StaticString = #filePath, line: UInt = #line,
    app: @MainActor (ScenarioApp) throws -> Void
) {
    guard Thread.isMainThread else {
        return XCTFail(
            "\(path): a scenario with an app is played on the main thread; the test must not be asynchronous",
            file: file, line: line)
    }
    for failure in AppScenarioRun.failures(path, checksLeaks: checksLeaks, app: app) {
        XCTFail(failure, file: file, line: line)
    }
}

/// Expects that an app meets the expectations of a scenario, in a test of Swift Testing. This is the
/// counterpart of `XCTAssertScenario(_:app:)`.
///
/// - Parameters:
///   - path: The scenario file.
///   - checksLeaks: Whether the app must release all its objects. False if the test retains objects of the app.
///   - sourceLocation: The location of a failure.
///   - app: Creates the app and sets its actions, in the simulated system.
/// - Important: The test must have the trait `.simulated()`, so that no other test has a simulated system at the same
///   time. It must not run on the main actor, because the actions of the app run there while the test waits.
public func expectScenario(
    _ path: String, checksLeaks: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
    app: @MainActor (ScenarioApp) throws -> Void
) {
    guard !MainQueue.isCurrent else {
        Issue.record(
            """
            \(path): the app's actions run on the main actor, which this test occupies while it plays the scenario; \
            remove @MainActor from the test
            """, sourceLocation: sourceLocation)
        return
    }
    for failure in AppScenarioRun.failures(path, checksLeaks: checksLeaks, app: app) {
        Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
}

/// The main queue, which runs the main actor's jobs. Tests of XCTest run it on the main thread. Tests of Swift Testing
/// run it on any thread, because their main thread waits in `dispatchMain()`.
enum MainQueue {
    private static let key: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Whether the caller runs on the queue.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) != nil }

    /// Runs code on the main actor, and waits for it.
    static func run<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
        if isCurrent { return try MainActor.assumeIsolated(body) }
        return try DispatchQueue.main.sync { try MainActor.assumeIsolated(body) }
    }
}

/// A run of a scenario with an app.
enum AppScenarioRun {
    /// Plays the scenarios of a file and returns descriptions of the failures.
    ///
    /// - Important: Must be called on the main thread, or outside of the main queue.
    static func failures(
        _ path: String, checksLeaks: Bool, app build: @MainActor (ScenarioApp) throws -> Void
    ) -> [String] {
        do {
            return try ScenarioFile.load(path: path).flatMap { file in
                try failures(file, checksLeaks: checksLeaks, build).map {
                    (file.combination.map { "[\($0)] " } ?? "") + $0
                }
            }
        } catch {
            return ["\(error)"]
        }
    }

    /// Plays a scenario, checks that the app is released, and writes the reports.
    private static func failures(
        _ file: ScenarioFile, checksLeaks: Bool, _ build: @MainActor (ScenarioApp) throws -> Void
    ) throws -> [String] {
        let problems = AppScenarioPlayer.problems(of: file)
        guard problems.isEmpty else { return problems }
        let check = LeakCheck()
        var outcome: Outcome
        do {
            let simulated = try makeSystem(for: file)
            defer { simulated.close() }
            outcome = try play(file, in: simulated, build)
            // The app is released. Let the work that it has cancelled end.
            simulated.advance(by: LeakCheck.releaseTime)
        } catch {
            check.cancel()
            throw error
        }
        let leaks = check.leaks()
        if checksLeaks, outcome.failures.isEmpty {
            outcome.failures = leaks.map { "\(file.url.relativePath): after the scenario, \($0)" }
            outcome.report?.problems = leaks.isEmpty ? nil : outcome.failures
        }
        guard let report = outcome.report else { return outcome.failures }
        // A failed test keeps the files of its systems.
        if let folder = outcome.record.closedFolder { try write(report, to: folder.appendingPathComponent("scenario")) }
        if let reports = TestReport.namedFolder?.appendingPathComponent("scenarios", isDirectory: true) {
            let test = RunningTests.shared.current.map { TestReport(test: $0.name).folder.lastPathComponent + "." }
            try FileManager.default.createDirectory(at: reports, withIntermediateDirectories: true)
            try write(report, to: reports.appendingPathComponent((test ?? "") + file.fileName))
        }
        return outcome.failures
    }

    /// The failures and the report of a scenario.
    private struct Outcome {
        var failures: [String]
        /// Nil if the scenario was not played.
        var report: ScenarioReport?
        let record: SystemRecord
    }

    /// Plays a scenario, and releases the app.
    private static func play(
        _ file: ScenarioFile, in simulated: SimulatedSystem, _ build: @MainActor (ScenarioApp) throws -> Void
    ) throws -> Outcome {
        let realTime = HostClock()
        let start = realTime.now
        let folder = simulated.folder.appendingPathComponent("files", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let player = AppScenarioPlayer(
            file, system: simulated.system, host: simulated.host, clock: simulated.clock, storage: simulated.storage,
            folder: folder)
        let misuse = simulated.record.observeMisuse(player.noteMisuse)
        defer { misuse.cancel() }
        let warnings = simulated.system.warnings.observe(player.noteWarning)
        defer { warnings.cancel() }
        let nameSession = player.nameSession
        let app = MainQueue.run { ScenarioApp(nameSession: nameSession) }
        try simulated.run { try MainQueue.run { try build(app) } }
        let missing = MainQueue.run { missingActions(of: app, in: file) }
        guard missing.isEmpty else { return Outcome(failures: missing, record: simulated.record) }
        var result = try player.play { step, didReturn in
            guard MainQueue.run({ app.canPerform(step) }) else { return didReturn(ScenarioApp.notPossible) }
            guard let action = MainQueue.run({ app.action(for: step) }) else { return }
            let values = ScenarioApp.Step(step, folder: folder)
            simulated.run {
                _ = Task { @MainActor in
                    do {
                        try await action(values)
                        didReturn(nil)
                    } catch {
                        didReturn(describe(error))
                    }
                }
            }
        }
        result.work = simulated.workPeriods
        // Misuse that the scenario does not expect fails the test at the line of the app.
        if player.expectsMisuse(in: result) { _ = simulated.dequeueMisuses() }
        let problems = player.unexpectedErrors(in: result) + player.unfinishedActions()
        var report = ScenarioReport(
            file.url.relativePath + (file.combination.map { "[\($0)]" } ?? ""), file, result,
            try HTMLReport.File.media(in: folder), duration: (realTime.now - start).seconds)
        report.problems = problems.isEmpty ? nil : problems
        return Outcome(
            failures: result.verdicts.filter { !$0.isMet }.map { $0.lines.joined(separator: "\n") } + problems,
            report: report, record: simulated.record)
    }

    /// Writes the results of a run as an event log, an HTML page and JUnit XML.
    ///
    /// - Parameter base: The location without the extension.
    private static func write(_ report: ScenarioReport, to base: URL) throws {
        let log = (report.evidence?.log ?? []).map { $0 + "\n" }.joined()
        let files = ["log": log, "html": HTMLReport([report]).html, "xml": JUnitReport([report]).xml]
        // A name can contain dots and brackets.
        for (suffix, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(base.path).\(suffix)")) }
    }

    /// Creates the system that the scenario describes.
    static func makeSystem(
        for file: ScenarioFile, interleaving: SimulatedSystem.Interleaving = .submissionOrder
    ) throws -> SimulatedSystem {
        let devices = file.scenario.devices
        let folder = file.url.deletingLastPathComponent()
        let scene = try SimScene.named(ScenarioPlayer.path(devices.scene, in: folder))
        return try SimulatedSystem(
            profile: ScenarioPlayer.path(devices.profile, in: folder), scene: scene,
            light: file.scenario.light(of: scene), shake: devices.shake, hasMarker: devices.hasMarker,
            sound: devices.sound, seed: file.scenario.seed, orientation: devices.orientation,
            authorization: devices.authorization, answers: devices.answers, freeByteCount: devices.freeByteCount,
            interleaving: interleaving)
    }

    /// Describes the steps for which the app has no action.
    @MainActor
    private static func missingActions(of app: ScenarioApp, in file: ScenarioFile) -> [String] {
        file.scenario.timeline.filter { $0.isPerformedByApp && app.action(for: $0) == nil }.map { step in
            let name = step.appAction.name
            return "\(file.url.relativePath):\(step.line): the app has no action \"\(name)\"; "
                + "add app.on(\"\(name)\") { … } (it has \(app.names.joined(separator: ", ")))"
        }
    }
}
#endif
