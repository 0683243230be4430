import CaptureCore
package import CaptureHAL
package import Foundation
package import MediaStorage
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
    private var observers: [any NSObjectProtocol]
    private let calls: ObserverToken

    /// Creates a player.
    ///
    /// - Parameter folder: The folder for files of the scenario; it exists.
    package init(
        _ file: ScenarioFile, system: CaptureSystem, host: SimHost, clock: SimClock, storage: SimStorage, folder: URL
    ) {
        (self.file, self.folder) = (file, folder)
        let log = EventLog(clock: clock)
        let logger = AppEventLogger(log: log, folder: folder, readsMarkers: host.drawsMarkers)
        (self.log, self.logger) = (log, logger)
        environment = ScenarioEnvironment(system: system, host: host, clock: clock, storage: storage, log: log)
        observers = log.observe(system.notificationCenter)
        calls = DelegateCalls.of(system).observe { logger.note($0) }
    }

    deinit { for observer in observers { environment.system.notificationCenter.removeObserver(observer) } }

    /// Adds an event of the app to the log.
    package func note(_ event: String) { log.note(event) }

    /// Plays the scenario to its end and holds its expectations against what happened. A golden log is not compared,
    /// since it is that of the built-in session.
    ///
    /// - Parameter perform: Performs a step of the app, or starts to. Called on the calling thread.
    package func play(perform: (Scenario.Step) -> Void) throws -> ScenarioResult {
        let scenario = file.scenario
        try environment.schedule(scenario.devices.faults)
        let deviceIDs = environment.host.devices.map(\.descriptor.uniqueID)
        environment.clock.settle()
        for step in scenario.timeline {
            environment.clock.advance(to: step.time)
            log.note("> \(step.action)")
            let isOfEnvironment = environment.system.run { environment.perform(step.action) }
            if !isOfEnvironment {
                logger.willPerform(step.action)
                perform(step)
            }
            environment.clock.settle()
        }
        environment.clock.advance(to: scenario.end)
        _ = try log.noteFiles(in: folder, of: environment.system)
        return file.result(of: log.lines, folder: folder, deviceIDs: deviceIDs)
    }
}

extension Scenario.Step {
    /// The action for an app: its name, and its values by key.
    package var appAction: (name: String, values: [String: String]) {
        let (name, values) = action.fields
        let texts = Dictionary(values.map { ($0.key, $0.log) }) { first, _ in first }
        guard case .app(let own, let value) = action else { return (name, texts) }
        return (own, value.map { ["value": $0] } ?? [:])
    }

    /// Whether the step is one of the app, and not of its environment.
    package var isOfApp: Bool {
        ActionDeclaration.all.contains {
            $0.name == action.fields.name && [.session, .outputs, .camera, .app].contains($0.group)
        }
    }
}

extension Scenario {
    /// Whether an expectation is about events with these first words.
    package func expects(eventsThatBeginWith words: String) -> Bool {
        expectations.contains { expectation in
            switch expectation.kind {
            case .events(let events): events.contains { EventName.starts($0.text, with: words) }
            case .count(let text, _): EventName.starts(text, with: words)
            default: false
            }
        }
    }
}
