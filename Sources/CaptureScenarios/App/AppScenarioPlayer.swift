package import CaptureCore
package import CaptureHAL
package import Foundation
package import MediaStorage
import MediaTypes
package import SimDevices

/// Plays a scenario with an app in the place of the built-in session, in a system that contains the app's code.
///
/// The steps of the environment are performed as with the built-in session. Those of the session, its outputs and its
/// camera are passed to the app. The log contains the events of all sessions, outputs and devices of the system.
package final class AppScenarioPlayer {
    private let file: ScenarioFile
    private let environment: ScenarioEnvironment
    private let folder: URL
    private let log: EventLog
    private let logger: AppEventLogger
    private let pictures: EventPictures
    private var observers: [any NSObjectProtocol]
    private let calls: ObserverToken
    /// The actions of the app that have not returned, by the number of their step.
    private let runningActions = Lock<[Int: Scenario.Step]>([:])

    /// Creates a player.
    ///
    /// - Parameter folder: The folder for files of the scenario; it exists.
    package init(
        _ file: ScenarioFile, system: CaptureSystem, host: SimHost, clock: SimClock, storage: SimStorage, folder: URL
    ) {
        (self.file, self.folder) = (file, folder)
        let pictures = EventPictures()
        let log = EventLog(clock: clock, pictures: pictures)
        let logger = AppEventLogger(log: log, folder: folder, readsMarkers: host.drawsMarkers)
        (self.log, self.logger, self.pictures) = (log, logger, pictures)
        environment = ScenarioEnvironment(
            system: system, host: host, clock: clock, storage: storage, log: log,
            library: system.run { ScenarioLibrary(system, log: log) })
        observers = log.observe(system.notificationCenter)
        calls = DelegateCalls.of(system).observe { logger.note($0) }
    }

    deinit { for observer in observers { environment.system.notificationCenter.removeObserver(observer) } }

    /// Plays the scenario to its end and holds its expectations against what happened. A golden log is not compared,
    /// since it is that of the built-in session.
    ///
    /// - Parameter perform: Performs an action of the app, or starts to, and calls the function when the action has
    ///   returned: with the description of its error, or nil. Called on the calling thread.
    package func play(
        perform: (Scenario.Step, _ didReturn: @escaping @Sendable (_ error: String?) -> Void) -> Void
    ) throws -> ScenarioResult {
        let scenario = file.scenario
        try environment.schedule(scenario, files: file.url.deletingLastPathComponent())
        if let contents = scenario.devices.library {
            try environment.system.run {
                try environment.library.fill(
                    contents, storage: environment.storage, files: file.url.deletingLastPathComponent())
            }
        }
        let deviceIDs = environment.host.devices.map(\.descriptor.uniqueID)
        environment.clock.settle()
        for (number, step) in scenario.timeline.enumerated() {
            environment.clock.advance(to: step.time)
            log.note("> \(step.logText)")
            let isOfEnvironment = environment.system.run { environment.perform(step.action) }
            if !isOfEnvironment {
                logger.willPerform(step, number: number)
                runningActions.withLock { $0[number] = step }
                perform(step) { [log, logger, runningActions] error in
                    _ = runningActions.withLock { $0.removeValue(forKey: number) }
                    logger.didReturn(number: number, failed: error != nil)
                    if let error { log.note("\(LogEntry.appFailure) \(step.appAction.name): \(error)") }
                }
            }
            environment.clock.settle()
        }
        environment.clock.advance(to: scenario.end)
        _ = try log.noteFiles(in: folder, of: environment.system)
        let contents = try environment.library.contents()
        environment.library.noteContents(contents)
        return file.result(
            of: log.lines, folder: folder, deviceIDs: deviceIDs, library: contents, pictures: pictures)
    }

    /// Gives a session of the app a name in the log.
    package var nameSession: @Sendable (_ name: String, _ session: AVCaptureSession) -> Void {
        { [log] name, session in log.setName(name, of: session) }
    }

    /// Logs a misuse of the app.
    package var noteMisuse: @Sendable (Misuse) -> Void {
        { [log] misuse in log.note("\(LogEntry.misuse) \(misuse.exception.rawValue) \(misuse.message)") }
    }

    /// Whether the scenario expects all misuse of the app.
    package func expectsMisuse(in result: ScenarioResult) -> Bool { unexpected(LogEntry.misuse, in: result).isEmpty }

    // MARK: What is wrong besides unmet expectations

    /// Why a scenario cannot show whether an app works; empty if it can.
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

    /// Describes the actions that have not returned.
    package func unfinishedActions() -> [String] {
        let unfinished = runningActions.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
        let end = number(file.scenario.end.seconds)
        return unfinished.map { step in
            let (name, start) = (step.appAction.name, number(step.time.seconds))
            return "\(file.url.relativePath):\(step.line): the app's action \"\(name)\" began at \(start) s and has "
                + "not returned at the end, \(end) s; let the scenario end later, or start work that goes on in a task "
                + "of its own"
        }
    }

    /// Returns the events with a name that no expectation names. Each event of an expectation stands for one of them.
    private func unexpected(_ name: String, in result: ScenarioResult) -> [LogEntry] {
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
        unexpected(LogEntry.appFailure, in: result).map { entry in
            "\(file.url.relativePath): an action of the app ended with an error that the scenario does not expect: "
                + "\(entry); if it is right, add \"- events: [\(entry.text.prefix { $0 != ":" })]\" to the expectations"
        }
    }
}

extension Scenario.Step {
    /// The action for an app: its name, and its values by key.
    package var appAction: (name: String, values: [String: String]) {
        let name = action.fields.name
        let texts = Dictionary(values.map { ($0.key, $0.log) }) { first, _ in first }
        guard case .app(let own, let value) = action else { return (name, texts) }
        return (own, value.map { ["value": $0] } ?? [:])
    }

    /// Whether the step is one of the app, and not of its environment.
    package var isOfApp: Bool {
        ActionDeclaration.all.contains {
            $0.name == action.fields.name && ActionDeclaration.Group.ofApp.contains($0.group)
        }
    }
}
