package import CaptureCore
package import CaptureHAL
package import Foundation
import MediaMeasurements
package import MediaStorage
import MediaTypes
package import SimDevices

/// Plays a scenario with an app, which runs in a simulated capture system and replaces the built-in session.
///
/// The player performs the steps that change the environment. The app performs the other steps, such as those of the
/// session, its outputs and its camera. The log contains the events of all sessions, outputs and devices of the system.
package final class AppScenarioPlayer {
    let file: ScenarioFile
    let environment: ScenarioEnvironment
    let folder: URL
    let log: EventLog
    let logger: AppEventLogger
    let pictures: EventPictures
    private var notificationTokens: [any NSObjectProtocol]
    private let delegateCallToken: ObserverToken
    /// The steps with an action that has not returned, by their index in the timeline.
    let runningActions = Lock<[Int: Scenario.Step]>([:])

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - folder: An existing folder for the files that the app writes.
    ///   - logsPixels: Whether the log contains the checksums of frames and sound.
    ///   - showsEvents: Whether the result contains pictures of the events and the cameras.
    package init(
        _ file: ScenarioFile, system: CaptureSystem, host: SimHost, clock: SimClock, storage: SimStorage, folder: URL,
        logsPixels: Bool = true, showsEvents: Bool = true
    ) {
        (self.file, self.folder) = (file, folder)
        let pictures = EventPictures()
        let log = EventLog(clock: clock, pictures: showsEvents ? pictures : nil)
        if showsEvents { pictures.observe(host, clock: clock) }
        let logger = AppEventLogger(
            log: log, folder: folder, readsMarkers: host.drawsMarkers, logsPixels: logsPixels)
        (self.log, self.logger, self.pictures) = (log, logger, pictures)
        environment = ScenarioEnvironment(
            system: system, host: host, clock: clock, storage: storage, log: log,
            library: ScenarioLibraries.library(of: system, log: log))
        notificationTokens = log.observe(system.notificationCenter)
        delegateCallToken = DelegateCalls.of(system).observe { logger.note($0) }
    }

    deinit { for token in notificationTokens { environment.system.notificationCenter.removeObserver(token) } }

    /// Plays the scenario to its end and checks its expectations.
    ///
    /// The log is not compared with the golden log, because that contains the events of the built-in session.
    ///
    /// - Parameter perform: Starts an action of the app. Must call `didReturn` when the action has returned, with a
    ///   description of its error or with nil. Called on the thread that calls `play`.
    /// - Throws: Errors in preparing the devices and the library, and in reading the files of the app and the library.
    package func play(
        perform: (Scenario.Step, _ didReturn: @escaping @Sendable (_ error: String?) -> Void) -> Void
    ) throws -> ScenarioResult {
        let scenario = file.scenario
        try environment.prepare(scenario, filesIn: file.url.deletingLastPathComponent())
        let deviceIDs = environment.host.devices.map(\.descriptor.uniqueID)
        environment.clock.settle()
        environment.play(scenario) {
            environment.clock.advance(to: max($0, environment.clock.now))
        } perform: { _, step, index in
            start(step, index: index, perform: perform)
        }
        _ = try log.noteFiles(in: folder, of: environment.system)
        let contents = try environment.library.contents()
        log.noteContents(contents)
        return file.result(
            of: log.lines, folder: folder, deviceIDs: deviceIDs, library: contents, pictures: pictures)
    }

    /// Starts an action of the app, and logs its error when it returns.
    func start(
        _ step: Scenario.Step, index: Int,
        perform: (Scenario.Step, _ didReturn: @escaping @Sendable (_ error: String?) -> Void) -> Void
    ) {
        logger.willPerform(step, index: index)
        runningActions.withLock { $0[index] = step }
        perform(step) { [log, logger, runningActions] error in
            _ = runningActions.withLock { $0.removeValue(forKey: index) }
            logger.didReturn(stepIndex: index, failed: error != nil)
            if let error { log.note("\(LogEntry.appFailure) \(step.appAction.name): \(error)") }
        }
    }

    /// A function that sets the name of a session in the log.
    package var nameSession: @Sendable (_ name: String, _ session: AVCaptureSession) -> Void {
        { [log] name, session in log.setName(name, of: session) }
    }

    /// A function that logs misuse by the app.
    package var noteMisuse: @Sendable (Misuse) -> Void {
        { [log] misuse in log.note("\(LogEntry.misuse) \(misuse.exception.rawValue) \(misuse.message)") }
    }

    /// A function that logs faults of the app that raise no exception on Apple's systems.
    package var noteWarning: @Sendable (String) -> Void {
        { [log] message in log.note("\(LogEntry.warning) \(message)") }
    }

    /// Returns whether the scenario expects all logged misuse.
    package func expectsMisuse(in result: ScenarioResult) -> Bool {
        unexpectedEntries(LogEntry.misuse, in: result).isEmpty
    }

    // MARK: Failures other than unmet expectations

    /// Returns the reasons why a scenario cannot test an app; empty if it can.
    package static func problems(of file: ScenarioFile) -> [String] {
        let path = file.url.relativePath
        let expectations = file.scenario.expectations
        if expectations.isEmpty {
            return ["\(path): the scenario expects nothing, so that every app meets it; add an entry to \"expect\""]
        }
        return expectations.filter { $0.kind == .goldenLog }.map {
            "\($0.file):\($0.line): the log of an app is not compared with a golden log; "
                + "expect events, states or files instead"
        }
    }

    /// Describes the actions that had not returned when the scenario ended.
    package func unfinishedActions() -> [String] {
        let unfinished = runningActions.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
        let end = number(file.scenario.end.seconds)
        return unfinished.map { step in
            let (name, start) = (step.appAction.name, number(step.time.seconds))
            return "\(file.url.relativePath):\(step.line): the app's action \"\(name)\" began at \(start) s and has "
                + "not returned at the end, \(end) s; let the scenario end later, or start longer work in a separate "
                + "task"
        }
    }

    /// Returns the logged events with a name that the scenario does not expect.
    ///
    /// Each event of an `events` expectation matches one logged event. A `count` expectation matches all events with
    /// its text.
    private func unexpectedEntries(_ name: String, in result: ScenarioResult) -> [LogEntry] {
        var entries = LogEntry.parse(result.log).filter { $0.matches(name) }
        for expectation in file.scenario.expectations {
            switch expectation.kind {
            case .events(let events):
                for event in events where EventName.starts(event.text, with: name) {
                    let index = entries.firstIndex {
                        $0.matches(event.text) && event.window.contains($0.time) && expectation.window.contains($0.time)
                    }
                    if let index { entries.remove(at: index) }
                }
            case .count(let text, _) where EventName.starts(text, with: name):
                entries.removeAll { $0.matches(text) && expectation.window.contains($0.time) }
            default: break
            }
        }
        return entries
    }

    /// Describes the errors of actions that the scenario does not expect.
    package func unexpectedErrors(in result: ScenarioResult) -> [String] {
        unexpectedEntries(LogEntry.appFailure, in: result).map { entry in
            "\(file.url.relativePath): an action of the app ended with an error that the scenario does not expect: "
                + "\(entry); if it is right, add \"- events: [\(entry.text.prefix { $0 != ":" })]\" to the expectations"
        }
    }
}

extension Scenario.Step {
    /// The name of the app's action, and its values by key. The value of a custom action has the key `value`.
    package var appAction: (name: String, values: [String: String]) {
        let name = action.fields.name
        let texts = Dictionary(values.map { ($0.key, $0.log) }) { first, _ in first }
        guard case .app(let appAction, let value) = action else { return (name, texts) }
        return (appAction, value.map { ["value": $0] } ?? [:])
    }

    /// Whether the app performs the step; false for a step of its environment.
    package var isPerformedByApp: Bool {
        ActionDeclaration.all.contains {
            $0.name == action.fields.name && ActionDeclaration.Group.performedByApp.contains($0.group)
        }
    }
}
