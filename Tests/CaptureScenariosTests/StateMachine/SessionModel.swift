import CaptureHAL
import SimDevices

@testable import CaptureScenarios

/// A simple model of a session and its devices, which predicts their state after each step of a scenario.
///
/// Invariant: `draft` is nil if and only if `depth` is 0. `streaming` is empty if `isRunning` is false.
struct SessionModel {
    typealias Output = Scenario.Session.Output

    enum Medium: String { case video, audio }

    struct Device {
        let medium: Medium
        var isConnected = true
        /// The number of reconnections. A reconnected device does not replace the device of an input.
        var instance = 0
        var isInUse = false
        var pressure = SystemPressure.Level.nominal
    }

    struct Input: Equatable {
        let number: Int
        let device: String
        let instance: Int
    }

    struct Connection: Equatable {
        let number: Int
        let output: Output
        let medium: Medium
        let inputNumber: Int
        var isEnabled = true
    }

    struct Configuration: Equatable {
        var inputs: [Input] = []
        var outputs: [Output] = []
        var connections: [Connection] = []
        var preset: String
    }

    private(set) var devices: [String: Device]
    private var authorization: [ProtectedResource: AuthorizationState]
    private(set) var committed: Configuration
    private(set) var draft: Configuration?
    /// The number of open calls of `beginConfiguration()`.
    private(set) var depth = 0
    private(set) var isStarted = false
    private(set) var isRunning = false
    /// The reason of the session's interruption; nil if the session is not interrupted.
    private(set) var interruption: InterruptionReason?
    /// The reasons for interruptions that the system reports, oldest first, also while the session is not started.
    private var interruptions: [InterruptionReason] = []
    /// The numbers of the inputs with streaming devices.
    private(set) var streaming: Set<Int> = []
    /// The notifications that are expected so far: `start`, `stop`, `error`, `interrupted`, `ended`.
    private(set) var notifications: [String] = []
    private var nextNumber = 0

    /// Creates the model of the initial session of a scenario.
    init(_ scenario: Scenario, devices: [String: Medium]) {
        self.devices = devices.mapValues { Device(medium: $0) }
        authorization = scenario.devices.authorization
        committed = Configuration(preset: scenario.session.preset)
        begin()
        if let camera = scenario.session.camera { addInput(camera) }
        if scenario.session.hasMicrophone { addInput("two.microphone") }
        for output in scenario.session.outputs { addOutput(output) }
        commit()
    }

    /// The configuration that the session's properties return.
    var current: Configuration { draft ?? committed }

    func isAvailable(_ input: Input) -> Bool {
        devices[input.device].map { $0.isConnected && $0.instance == input.instance } ?? false
    }

    // MARK: Steps

    mutating func perform(_ action: Scenario.Action) {
        switch action {
        case .start:
            guard depth == 0 else { return }
            isStarted = true
            updateRunning()
        case .stop:
            guard depth == 0 else { return }
            isStarted = false
            updateRunning()
        case .interrupt(let reason):
            if !interruptions.contains(reason) { interruptions.append(reason) }
            updateRunning()
        case .endInterruption(let reason, _):
            interruptions.removeAll { $0 == reason }
            updateRunning()
        case .disconnect(let id): disconnect(id)
        case .reconnect(let id):
            guard devices[id]?.isConnected == false else { return }
            devices[id]?.isConnected = true
            devices[id]?.instance += 1
        case .switchCamera(let id):
            guard devices[id]?.isConnected ?? false else { return }
            begin()
            for input in current.inputs where devices[input.device]?.medium == .video { remove(input) }
            addInput(id)
            commit()
        case .setAuthorization(let resource, let state): authorization[resource] = state
        case .fault(.pressure(let level), let id):
            devices[id]?.pressure = level
            if devices[id]?.isConnected ?? false { updateRunning() }
        case .change(let change): perform(change)
        default: break
        }
    }

    private mutating func perform(_ change: Scenario.Change) {
        switch change {
        case .beginConfiguration: begin()
        case .commitConfiguration: commit()
        case .addInput(let id):
            begin()
            addInput(id)
            commit()
        case .removeInput(let id):
            guard let input = current.inputs.first(where: { $0.device == id }) else { return }
            begin()
            remove(input)
            commit()
        case .addOutput(let output):
            begin()
            addOutput(output)
            commit()
        case .removeOutput(let output):
            guard current.outputs.contains(output) else { return }
            begin()
            draft?.outputs.removeAll { $0 == output }
            draft?.connections.removeAll { $0.output == output }
            commit()
        case .setPreset(let preset):
            begin()
            draft?.preset = preset
            commit()
        case .setEnabled(let output, let isEnabled):
            // In an open configuration, the change is applied at the commit.
            if depth > 0 { draft?.setEnabled(output, isEnabled) } else { committed.setEnabled(output, isEnabled) }
        case .setInUse(let id, let isInUse):
            devices[id]?.isInUse = isInUse
            if devices[id]?.isConnected ?? false { updateRunning() }
        case .setSuspended: break
        case .resetMediaServices:
            guard isRunning else { return }
            isStarted = false
            notifications.append("error")
            stop()
        }
    }

    // MARK: Configuration

    private mutating func begin() {
        if depth == 0 { draft = committed }
        depth += 1
    }

    private mutating func commit() {
        guard depth > 0 else { return }
        depth -= 1
        guard depth == 0, let new = draft else { return }
        let previous = committed
        committed = new
        draft = nil
        updateRunning(undoing: previous)
    }

    private mutating func addInput(_ id: String) {
        guard let device = devices[id], device.isConnected else { return }
        let resource = device.medium == .video ? ProtectedResource.video : .audio
        switch authorization[resource] ?? .authorized {
        case .denied, .restricted: return
        case .notDetermined: authorization[resource] = .authorized
        case .authorized, .limited: break
        }
        guard !current.inputs.contains(where: { devices[$0.device]?.medium == device.medium }) else { return }
        nextNumber += 1
        draft?.inputs.append(Input(number: nextNumber, device: id, instance: device.instance))
        for output in current.outputs { connect(output) }
    }

    private mutating func remove(_ input: Input) {
        draft?.inputs.removeAll { $0 == input }
        draft?.connections.removeAll { $0.inputNumber == input.number }
    }

    private mutating func addOutput(_ output: Output) {
        guard !current.outputs.contains(output) else { return }
        draft?.outputs.append(output)
        connect(output)
    }

    private mutating func connect(_ output: Output) {
        for medium in output.media
        where !current.connections.contains(where: { $0.output == output && $0.medium == medium }) {
            guard let input = current.inputs.first(where: { devices[$0.device]?.medium == medium }) else { continue }
            nextNumber += 1
            draft?.connections.append(
                Connection(number: nextNumber, output: output, medium: medium, inputNumber: input.number))
        }
    }

    // MARK: Running

    private mutating func disconnect(_ id: String) {
        guard devices[id]?.isConnected ?? false else { return }
        let affected = committed.inputs.filter { $0.device == id && isAvailable($0) }.map(\.number)
        devices[id]?.isConnected = false
        guard !streaming.isDisjoint(with: affected) else { return updateRunning() }
        streaming.subtract(affected)
        notifications.append("error")
        guard streaming.isEmpty else { return }
        isStarted = false
        stop()
    }

    private mutating func updateRunning(undoing previous: Configuration? = nil) {
        // An interruption of a started session starts with the first reason and ends with the last.
        let reason = isStarted || interruption != nil ? interruptionReason : nil
        if (reason == nil) != (interruption == nil) {
            notifications.append(reason.map { "interrupted \($0.rawValue)" } ?? "ended")
        }
        interruption = reason
        guard isStarted, reason == nil else { return stop() }
        if !startStreams() {
            notifications.append("error")
            if isRunning, let previous {
                committed = previous
                if startStreams() { return }
                notifications.append("error")
            }
            isStarted = false
            stop()
        } else if !isRunning {
            isRunning = true
            notifications.append("start")
        }
    }

    private mutating func startStreams() -> Bool {
        let used = committed.inputs.filter(hasConnection)
        let available = used.filter(isAvailable)
        guard used.isEmpty || !available.isEmpty else { return false }
        streaming = Set(available.map(\.number))
        return true
    }

    private func hasConnection(_ input: Input) -> Bool {
        committed.connections.contains { $0.inputNumber == input.number }
    }

    private mutating func stop() {
        streaming = []
        guard isRunning else { return }
        isRunning = false
        notifications.append("stop")
    }

    private var interruptionReason: InterruptionReason? {
        let media = Set(committed.inputs.compactMap { devices[$0.device]?.medium })
        let systemReason = interruptions.first { media.contains($0 == .audioInUseByAnotherClient ? .audio : .video) }
        if let systemReason { return systemReason }
        for input in committed.inputs where isAvailable(input) && hasConnection(input) {
            guard let device = devices[input.device] else { continue }
            if device.isInUse {
                return device.medium == .video ? .videoInUseByAnotherClient : .audioInUseByAnotherClient
            }
            if device.medium == .video, device.pressure == .shutdown { return .notAvailableDueToSystemPressure }
        }
        return nil
    }
}

extension SessionModel.Configuration {
    fileprivate mutating func setEnabled(_ output: SessionModel.Output, _ isEnabled: Bool) {
        for index in connections.indices where connections[index].output == output {
            connections[index].isEnabled = isEnabled
        }
    }
}

extension Scenario.Session.Output {
    /// The media of the output, in the order in which it is connected.
    var media: [SessionModel.Medium] {
        switch self {
        case .video, .metadata, .depth: [.video]
        case .audio: [.audio]
        case .movie, .photo: [.video, .audio]
        }
    }
}
