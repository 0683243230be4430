import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

@testable import CaptureCore
@testable import CaptureScenarios
@testable import KeyValueObserving

/// Plays a scenario, compares the session with the model, and checks its invariants.
final class ScenarioChecker: Sendable {
    private let invariants = SessionInvariants()
    private let observedIsRunning = Lock<[Bool]>([], order: .client)

    /// Plays a scenario and returns the problems in the order in which they were found.
    ///
    /// - Parameter modifyModel: Modifies the model at the beginning, to test that a difference is found.
    static func problems(
        in scenario: Scenario, profiles: URL, modifyModel: (inout SessionModel) -> Void = { _ in }
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-scenario-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Files that cannot be removed stay until the system removes old temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        let checker = ScenarioChecker()
        try checker.play(scenario, folder: folder, profiles: profiles, modifyModel)
        return checker.invariants.problems
    }

    private func play(
        _ scenario: Scenario, folder: URL, profiles: URL, _ modifyModel: (inout SessionModel) -> Void
    ) throws {
        let player = try ScenarioPlayer(scenario, folder: folder, profiles: profiles)
        player.observer = invariants
        var model = SessionModel(scenario, devices: RandomScenarioGenerator.devices)
        modifyModel(&model)
        var observation: NSKeyValueObservation?
        var lineCount = 0
        var interval: (since: CMTime, counts: [ObjectIdentifier: Int]) = (.zero, [:])
        _ = try player.play { scenarioSession, system, moment in
            let session = scenarioSession.session
            switch moment {
            case .ready:
                invariants.begin(scenarioSession, system)
                observation = session.observe(\.isRunning) { [weak self] session, _ in
                    self?.observedIsRunning.withLock { $0.append(session.isRunning) }
                }
                compare(model, session, "at the beginning")
            case .before(let step):
                checkSampleDelivery(
                    model, session, since: interval.since, interval.counts, system.clock.now, "\(step.action)")
            case .returned: return
            case .after(let step):
                checkLog(step.action, Array(player.log.lines.dropFirst(lineCount)), isConfiguring: model.depth > 0)
                model.perform(step.action)
                compare(model, session, "after \(step.action) at \(step.time.seconds) s")
            case .closed:
                invariants.finish()
                observation?.invalidate()
            }
            lineCount = player.log.lines.count
            interval = (system.clock.now, invariants.counts)
        }
    }

    private func addProblem(_ text: String) { invariants.addProblem(text) }

    // MARK: After each step

    private func compare(_ model: SessionModel, _ session: AVCaptureSession, _ when: String) {
        func check<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) {
            if actual != expected { addProblem("\(what): \(actual), not \(expected), \(when)") }
        }
        check("isRunning", session.isRunning, model.isRunning)
        check("isInterrupted", session.isInterrupted, model.interruption != nil)
        check("preset", session.sessionPreset.rawValue, model.current.preset)
        check("inputs", session.inputs.map(\.name), model.current.inputs.map(\.device))
        check("outputs", session.outputs.map(invariants.kind), model.current.outputs)
        check(
            "connections",
            session.connections.map { connection in
                let device = connection.inputPorts.first?.ownerIfAlive?.name ?? "none"
                let medium = connection.inputPorts.first?.mediaType == .video ? "video" : "audio"
                return
                    "\(device) \(medium) \(invariants.kind(of: connection.output)?.rawValue ?? "none") \(connection.isEnabled)"
            },
            model.current.connections.map { connection in
                let input = model.current.inputs.first { $0.number == connection.inputNumber }
                return "\(input?.device ?? "none") \(connection.medium) \(connection.output.rawValue) "
                    + "\(connection.isEnabled)"
            })
        for connection in session.connections {
            let ports = session.inputs.flatMap(\.ports)
            check("ports of a connection", connection.inputPorts.allSatisfy(ports.contains), true)
        }
        check("notifications", invariants.notifications, model.notifications)
        let changes = model.notifications.filter { $0 == "start" || $0 == "stop" }.map { $0 == "start" }
        check("observed isRunning", observedIsRunning.withLock { $0 }, changes)
    }

    /// Checks that samples arrive while the session runs.
    private func checkSampleDelivery(
        _ model: SessionModel, _ session: AVCaptureSession, since start: CMTime, _ before: [ObjectIdentifier: Int],
        _ now: CMTime, _ next: String
    ) {
        guard model.isRunning, now - start >= CMTime(value: 100, timescale: 1000) else { return }
        let counts = invariants.counts
        let committed = session.state.withLock { $0.configuration.connections }
        for (connection, expected) in zip(committed, model.committed.connections)
        where expected.isEnabled && model.streaming.contains(expected.inputNumber)
            && (expected.output == .video || expected.output == .audio)
        {
            let id = ObjectIdentifier(connection)
            if counts[id, default: 0] == before[id, default: 0] {
                addProblem("no sample arrived at the \(expected.output) output from \(start.seconds) s until \(next)")
            }
        }
    }

    /// Passes the log lines of an action to `invariants`, and checks their misuse.
    private func checkLog(_ action: Scenario.Action, _ lines: [String], isConfiguring: Bool) {
        let misuses = lines.filter { $0.contains(" misuse ") }
        invariants.record(action, lines)
        switch action {
        case .start, .stop:
            if misuses.count != (isConfiguring ? 1 : 0) { addProblem("misuse of \(action): \(misuses)") }
        case .record, .photo: break
        default: if !misuses.isEmpty { addProblem("misuse of \(action): \(misuses)") }
        }
    }
}
