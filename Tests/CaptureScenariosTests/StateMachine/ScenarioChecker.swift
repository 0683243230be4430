import CaptureHAL
import Foundation
import MediaTypes

@testable import CaptureCore
@testable import CaptureScenarios
@testable import KeyValueObserving

/// Plays a scenario, compares the session with the model, and checks its invariants.
final class ScenarioChecker: ScenarioObserver {
    private struct EventList {
        var events: [String] = []
        var wasAccepted = false
    }

    private struct State {
        var problems: [String] = []
        var notifications: [String] = []
        var isRunning: [Bool] = []
        var lastTimes: [ObjectIdentifier: CMTime] = [:]
        var lastTimesOfOutputs: [Scenario.Session.Output: CMTime] = [:]
        var counts: [ObjectIdentifier: Int] = [:]
        var recordings: [String: EventList] = [:]
        var photos: [String: EventList] = [:]
        /// The connections seen so far. Retained, so that their object identifiers stay unique.
        var connections: [AVCaptureConnection] = []
    }

    private let state = Lock(State(), order: .client)
    private let current = Lock<(session: AVCaptureSession, system: CaptureSystem, kind: Kind)?>(nil)

    /// Returns the kind of an output.
    private struct Kind: @unchecked Sendable {
        // SAFETY: only called while the scenario is played, by one thread at a time.
        let of: (AVCaptureOutput?) -> Scenario.Session.Output?
    }

    /// Plays a scenario and returns the problems in the order in which they were found.
    ///
    /// - Parameter tamper: Modifies the model, to test that a difference is found.
    static func problems(
        in scenario: Scenario, profiles: URL, tamper: (inout SessionModel) -> Void = { _ in }
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-scenario-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Files that cannot be removed are left to the system's cleaning of temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        let checker = ScenarioChecker()
        try checker.play(scenario, folder: folder, profiles: profiles, tamper)
        return checker.state.withLock { $0.problems }
    }

    private func play(
        _ scenario: Scenario, folder: URL, profiles: URL, _ tamper: (inout SessionModel) -> Void
    ) throws {
        let player = try ScenarioPlayer(scenario, folder: folder, profiles: profiles)
        player.observer = self
        var model = SessionModel(scenario, devices: RandomScenarioGenerator.devices)
        tamper(&model)
        var observation: NSKeyValueObservation?
        var lines = 0
        var interval: (since: CMTime, counts: [ObjectIdentifier: Int]) = (.zero, [:])
        _ = try player.play { scenarioSession, system, moment in
            let session = scenarioSession.session
            switch moment {
            case .ready:
                let kind = Kind(of: scenarioSession.kind)
                self.current.withLock { $0 = (session, system, kind) }
                observation = session.observe(\.isRunning) { [weak self] session, _ in
                    self?.state.withLock { $0.isRunning.append(session.isRunning) }
                }
                compare(model, session, "at the beginning")
            case .before(let step):
                checkFlow(model, session, since: interval.since, interval.counts, system.clock.now, "\(step.action)")
            case .after(let step):
                note(step.action, Array(player.log.lines.dropFirst(lines)), isConfiguring: model.depth > 0)
                model.perform(step.action)
                compare(model, session, "after \(step.action) at \(step.time.seconds) s")
            case .closed:
                finish(session, system)
                observation?.invalidate()
                self.current.withLock { $0 = nil }
            }
            lines = player.log.lines.count
            interval = (system.clock.now, state.withLock { $0.counts })
        }
    }

    private func problem(_ text: String) { state.withLock { $0.problems.append(text) } }

    // MARK: After each step

    private func compare(_ model: SessionModel, _ session: AVCaptureSession, _ when: String) {
        func check<Value: Equatable>(_ what: String, _ actual: Value, _ expected: Value) {
            if actual != expected { problem("\(what): \(actual), not \(expected), \(when)") }
        }
        check("isRunning", session.isRunning, model.isRunning)
        check("isInterrupted", session.isInterrupted, model.interruption != nil)
        check("preset", session.sessionPreset.rawValue, model.current.preset)
        check("inputs", session.inputs.map(\.name), model.current.inputs.map(\.device))
        let kind = current.withLock { $0?.kind }
        check("outputs", session.outputs.map { kind?.of($0) }, model.current.outputs)
        check(
            "connections",
            session.connections.map { connection in
                let device = connection.inputPorts.first?.ownerIfAlive?.name ?? "none"
                let medium = connection.inputPorts.first?.mediaType == .video ? "video" : "audio"
                return "\(device) \(medium) \(kind?.of(connection.output)?.rawValue ?? "none") \(connection.isEnabled)"
            },
            model.current.connections.map { connection in
                let input = model.current.inputs.first { $0.number == connection.input }
                return "\(input?.device ?? "none") \(connection.medium) \(connection.output.rawValue) "
                    + "\(connection.isEnabled)"
            })
        for connection in session.connections {
            let ports = session.inputs.flatMap(\.ports)
            check("ports of a connection", connection.inputPorts.allSatisfy(ports.contains), true)
        }
        let (notifications, values) = state.withLock { ($0.notifications, $0.isRunning) }
        check("notifications", notifications, model.notifications)
        let changes = model.notifications.filter { $0 == "start" || $0 == "stop" }.map { $0 == "start" }
        check("observed isRunning", values, changes)
    }

    /// Checks that samples arrive while the session runs.
    private func checkFlow(
        _ model: SessionModel, _ session: AVCaptureSession, since start: CMTime, _ before: [ObjectIdentifier: Int],
        _ now: CMTime, _ next: String
    ) {
        guard model.isRunning, now - start >= CMTime(value: 100, timescale: 1000) else { return }
        let counts = state.withLock { $0.counts }
        let committed = session.state.withLock { $0.configuration.connections }
        for (connection, expected) in zip(committed, model.committed.connections)
        where expected.isEnabled && model.streaming.contains(expected.input)
            && (expected.output == .video || expected.output == .audio)
        {
            let id = ObjectIdentifier(connection)
            if counts[id, default: 0] == before[id, default: 0] {
                problem("no sample arrived at the \(expected.output) output from \(start.seconds) s until \(next)")
            }
        }
    }

    /// Checks the log lines of an action.
    private func note(_ action: Scenario.Action, _ lines: [String], isConfiguring: Bool) {
        let misuses = lines.filter { $0.contains(" misuse ") }
        let wasAccepted = misuses.isEmpty && !lines.contains { $0.contains(" there is no ") }
        switch action {
        case .start, .stop:
            if misuses.count != (isConfiguring ? 1 : 0) { problem("misuse of \(action): \(misuses)") }
        case .record(let name, _, _):
            state.withLock { $0.recordings[name, default: EventList()].wasAccepted = wasAccepted }
        case .photo(let name, _): state.withLock { $0.photos[name, default: EventList()].wasAccepted = wasAccepted }
        default: if !misuses.isEmpty { problem("misuse of \(action): \(misuses)") }
        }
    }

    // MARK: At the end

    private func finish(_ session: AVCaptureSession, _ system: CaptureSystem) {
        if session.isRunning { problem("the session runs after it was stopped") }
        let state = state.withLock { $0 }
        for (name, recording) in state.recordings.sorted(by: { $0.key < $1.key }) {
            let expected = recording.wasAccepted ? [["finish"], ["start", "finish"]] : [[]]
            if !expected.contains(recording.events) { problem("recording \(name): \(recording.events)") }
        }
        for (name, photo) in state.photos.sorted(by: { $0.key < $1.key }) {
            let complete = ["will begin", "will capture", "photo", "did finish"]
            let expected = photo.wasAccepted ? [complete, complete.filter { $0 != "will capture" }] : [[]]
            if !expected.contains(photo.events) { problem("photo \(name): \(photo.events)") }
        }
        for device in system.hosts.flatMap(\.devices) where !device.condition.isInUseByAnotherApplication {
            do throws(DeviceError) {
                try device.open().close()
            } catch {
                problem("the session left a device open: \(error)")
            }
        }
    }

    // MARK: ScenarioObserver

    func received(_ sample: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let (session, system, kind) = current.withLock({ $0 }) else { return }
        let time = sample.presentationTimeStamp
        let location = "at \(time.seconds) s from \(connection.inputPorts.first?.ownerIfAlive?.name ?? "nowhere")"
        if !session.isRunning { problem("a sample while the session does not run \(location)") }
        if !connection.carries { problem("a sample through a disabled connection \(location)") }
        if !session.state.withLock({ $0.configuration.connections.contains { $0 === connection } }) {
            problem("a sample through a connection that is not the session's \(location)")
        }
        if time > system.clock.now { problem("a sample from the future \(location)") }
        let resource: ProtectedResource = connection.inputPorts.first?.mediaType == .video ? .video : .audio
        if system.authorization.state(of: resource) != .authorized, !sample.isDark {
            problem("a sample that is not black or silent without authorization \(location)")
        }
        let id = ObjectIdentifier(connection)
        let output = kind.of(connection.output)
        let isBackwards = state.withLock { state -> Bool in
            if state.lastTimes[id] == nil { state.connections.append(connection) }
            state.counts[id, default: 0] += 1
            let isBackwards =
                state.lastTimes[id].map { time <= $0 } ?? false
                || output.flatMap { state.lastTimesOfOutputs[$0] }.map { time < $0 } ?? false
            state.lastTimes[id] = time
            if let output { state.lastTimesOfOutputs[output] = time }
            return isBackwards
        }
        if isBackwards { problem("the time is before that of an earlier sample \(location)") }
    }

    func recordingStarted(_ name: String) {
        state.withLock { $0.recordings[name, default: EventList()].events.append("start") }
    }

    func recordingFinished(_ name: String, error: (any Error)?) {
        state.withLock { $0.recordings[name, default: EventList()].events.append("finish") }
    }

    func receivedPhotoEvent(_ event: String, name: String) {
        state.withLock { $0.photos[name, default: EventList()].events.append(event) }
    }

    func received(_ notification: Notification) {
        let text: String
        switch notification.name {
        case .AVCaptureSessionDidStartRunning: text = "start"
        case .AVCaptureSessionDidStopRunning: text = "stop"
        case .AVCaptureSessionRuntimeError: text = "error"
        case .AVCaptureSessionInterruptionEnded: text = "ended"
        case .AVCaptureSessionWasInterrupted:
            let reason = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
            text = "interrupted \(reason.map(String.init) ?? "for no reason")"
        default: return
        }
        state.withLock { $0.notifications.append(text) }
    }
}

extension AVCaptureInput {
    /// The ID of the device.
    fileprivate var name: String { (self as? AVCaptureDeviceInput)?.device.uniqueID ?? "none" }
}

extension CMSampleBuffer {
    /// Whether a few pixels are black, or all audio samples are silent.
    fileprivate var isDark: Bool {
        if let pixels = imageBuffer {
            return pixels.withPlane(0) { plane in
                let bytes = UnsafeRawPointer(plane.baseAddress)
                return (0..<8).allSatisfy { bytes.load(fromByteOffset: $0 * 5, as: UInt8.self) <= 16 }
            }
        }
        guard let data = dataBuffer else { return true }
        return data.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }
    }
}
