import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaTypes

/// Carries media from inputs to outputs.
///
/// - Important: Thread-safe. `startRunning()` and `stopRunning()` return when the devices have done it; notifications
///   are posted on the thread on which the change happened.
open class AVCaptureSession: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `state`, `routes` and `runners`.
    struct State: Sendable {
        var configuration = SessionConfiguration()
        /// What the outermost commit will apply; nil exactly where no configuration is open.
        var draft: SessionConfiguration?
        var draftDepth = 0
        /// The formats of the cameras when the configuration was opened.
        var selectionsBefore: [DeviceSelection] = []
        /// Whether the client wants the session to run.
        var isStarted = false
        /// Whether media flow.
        var isRunning = false
        /// The reason that holds the session up, nil where none does.
        var interruption: CaptureHAL.InterruptionReason?

        var options = SessionOptions()

        var current: SessionConfiguration { draft ?? configuration }
    }

    /// A camera with its format and frame durations.
    struct DeviceSelection: Sendable {
        let device: AVCaptureDevice
        let selection: AVCaptureDevice.Selection

        /// What the camera has now.
        init(_ device: AVCaptureDevice) {
            self.device = device
            selection = device.selection
        }
    }

    let system: CaptureSystem
    let registry: DeviceRegistry
    public let observedProperties = ObservedProperties()
    let state = Lock(State())
    /// Where the media of each port go; read on the devices' threads.
    let routes = Lock<[(port: ObjectIdentifier, connections: [AVCaptureConnection])]>([])
    /// The inputs that stream. The lock is held while devices start and stop, so that one thread at a time does that;
    /// nothing on the way of the media takes it.
    let runners = Lock<[InputRunner]>([])
    /// How far the streams came that have ended.
    let ended = Lock(MediaTimes())
    /// What is still to be posted, in the order of the changes.
    let outbox = Lock(Outbox())
    private let observations = Lock<[Observation]>([])

    public override init() {
        system = .current
        // A client with a session may wait for devices to come without ever having looked for one.
        registry = DeviceRegistry.of(system)
        super.init()
        let new = [
            system.interruptions.observe { [weak self] _ in self?.reconcile() },
            system.interruptions.observeResets { [weak self] in self?.mediaServicesWereReset() },
        ]
        observations.withLock { $0 = new }
    }

    deinit {
        // A session that is let go of while running stops its devices, and what its outputs are doing ends.
        for runner in runners.withLock({ $0 }) { runner.stop() }
        let (wasRunning, configuration) = state.withLock { ($0.isRunning, $0.configuration) }
        if wasRunning { for output in configuration.outputs { output.sessionDidStop(.stopped) } }
        for device in configuration.deviceInputs.flatMap(devices(of:)) { device.leave(self) }
        tellWaiting(registry.giveUpClaims(of: ObjectIdentifier(self)))
    }

    public var inputs: [AVCaptureInput] { state.withLock { $0.current.inputs } }
    public var outputs: [AVCaptureOutput] { state.withLock { $0.current.outputs }.filter(\.isVisibleToClients) }
    public var connections: [AVCaptureConnection] { state.withLock { $0.current.connections } }
    /// Whether media flow; can be observed.
    public var isRunning: Bool {
        observedProperties.access()
        return state.withLock { $0.isRunning }
    }
    /// Whether something holds the session up; can be observed.
    public var isInterrupted: Bool {
        observedProperties.access()
        return state.withLock { $0.interruption != nil }
    }
    /// The clock of all timestamps that the outputs deliver.
    public var synchronizationClock: CMClock? { system.mediaClock }
    /// The former name of `synchronizationClock`.
    public var masterClock: CMClock? { system.mediaClock }

    /// Whether the session takes several cameras.
    var isMultiCam: Bool { false }

    /// How much of what the machine can do the configuration takes; above 1 it cannot start.
    ///
    /// As on Apple's systems 0 unless frames go to several outputs: to video data outputs, or to one and a movie. The
    /// measure is that of `AVCaptureMultiCamSession`.
    public var hardwareCost: Float {
        let configuration = state.withLock { $0.current }
        let deliveringCount = configuration.outputs.count(where: \.deliversEachFrame)
        let isCostly =
            deliveringCount > 1 || deliveringCount == 1 && configuration.outputs.contains(where: \.recordsEachFrame)
        guard isCostly else { return 0 }
        let cameras = configuration.deviceInputs.filter { $0.device.hasMediaType(.video) }
        return min(1, Float(cameras.reduce(0) { $0 + $1.greatestPixelRate } / Self.pixelRateBudget))
    }

    public func canSetSessionPreset(_ preset: Preset) -> Bool {
        guard preset != .inputPriority else { return true }
        return !isMultiCam && cameras(in: state.withLock { $0.current }).allSatisfy { preset.format(for: $0) != nil }
    }

    /// The qualities asked of the devices; `high` by default, `inputPriority` once a client sets a device's format.
    public var sessionPreset: Preset {
        get { state.withLock { $0.current.preset } }
        set {
            guard canSetSessionPreset(newValue) else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureSession setSessionPreset:] \(newValue.rawValue) is not supported; use canSetSessionPreset:"
                )
            }
            configure { $0.preset = newValue }
        }
    }

    /// Begins a set of changes that apply together; calls nest.
    public func beginConfiguration() {
        let selections = cameras(in: state.withLock { $0.configuration }).map(DeviceSelection.init)
        state.withLock { state in
            if state.draftDepth == 0 {
                state.draft = state.configuration
                state.selectionsBefore = selections
            }
            state.draftDepth += 1
        }
    }

    /// Applies the changes, at the outermost call.
    ///
    /// Where a device of a running session does not take them, all are undone and a runtime error is posted.
    public func commitConfiguration() {
        let previous = state.withLock { state -> Undo? in
            guard state.draftDepth > 0 else { return nil }
            state.draftDepth -= 1
            guard state.draftDepth == 0, let draft = state.draft else { return nil }
            defer {
                state.draft = nil
                state.selectionsBefore = []
            }
            // In the same breath, so that nothing set now is taken for older than what waited.
            let connections = Set(state.configuration.connections + draft.connections)
            let previous = Undo(
                configuration: state.configuration, selections: state.selectionsBefore,
                connectionSettings: connections.compactMap { $0.takePending() })
            state.configuration = draft
            return previous
        }
        if let previous { apply(undoing: previous) }
    }

    public func canAddInput(_ input: AVCaptureInput) -> Bool { reasonAgainst(adding: input) == nil }

    /// Adds an input and connects its ports to the outputs that take them.
    public func addInput(_ input: AVCaptureInput) { add(input, connecting: true, "addInput:") }

    public func addInputWithNoConnections(_ input: AVCaptureInput) {
        add(input, connecting: false, "addInputWithNoConnections:")
    }

    public func removeInput(_ input: AVCaptureInput) {
        guard inputs.contains(input) else { return }
        configure { $0.remove(input) }
        // One that never came into force is free at once; of the others the commit lets go.
        if let input = input as? AVCaptureDeviceInput, !has(input) { disown(input) }
    }

    /// Whether `addOutput` takes the output: one that belongs to no session, and no second one of a type, save
    /// `AVCaptureVideoDataOutput`, of which there may be several; an `AVCaptureMultiCamSession` takes several of each.
    public func canAddOutput(_ output: AVCaptureOutput) -> Bool { reasonAgainst(adding: output) == nil }

    /// Adds an output and connects it to the inputs' ports.
    public func addOutput(_ output: AVCaptureOutput) { add(output, connecting: true, "addOutput:") }

    public func addOutputWithNoConnections(_ output: AVCaptureOutput) {
        add(output, connecting: false, "addOutputWithNoConnections:")
    }

    public func removeOutput(_ output: AVCaptureOutput) {
        guard outputs.contains(output) else { return }
        configure { $0.remove(output) }
        if !has(output) { disown(output) }
    }

    public func canAddConnection(_ connection: AVCaptureConnection) -> Bool {
        reasonAgainst(adding: connection) == nil
    }

    /// Adds a connection between an input and an output of the session.
    public func addConnection(_ connection: AVCaptureConnection) {
        if let reason = reasonAgainst(adding: connection) {
            return system.misuse.report(.invalidArgument, "-[AVCaptureSession addConnection:] \(reason)")
        }
        configure { $0.connections.append(connection) }
    }

    public func removeConnection(_ connection: AVCaptureConnection) {
        guard connections.contains(connection) else { return }
        configure { $0.connections.removeAll { $0 === connection } }
    }

    /// Starts the flow of media and returns when it runs, failed or is interrupted.
    public func startRunning() {
        guard isNotConfiguring("startRunning") else { return }
        state.withLock { $0.isStarted = true }
        reconcile(takingDevices: true)
    }

    /// Stops the flow of media and returns when it has stopped.
    public func stopRunning() {
        guard isNotConfiguring("stopRunning") else { return }
        state.withLock { $0.isStarted = false }
        reconcile()
    }

    func cameras(in configuration: SessionConfiguration) -> [AVCaptureDevice] {
        configuration.deviceInputs.map(\.device).filter { $0.hasMediaType(.video) }
    }

    /// Changes the configuration: at once, or in the open draft.
    func configure(_ change: (inout SessionConfiguration) -> Void) {
        beginConfiguration()
        let outputs = state.withLock { state -> [AVCaptureOutput] in
            guard var draft = state.draft else { return [] }
            let old = draft
            change(&draft)
            state.draft = draft
            return draft.outputsConnectedUnlike(old)
        }
        commitConfiguration()
        for output in outputs { output.connectionsDidChange() }
    }

    private func isNotConfiguring(_ method: String) -> Bool {
        guard state.withLock({ $0.draftDepth > 0 }) else { return true }
        system.misuse.report(
            .generic,
            "-[AVCaptureSession \(method)] \(method) may not be called between calls to beginConfiguration and "
                + "commitConfiguration")
        return false
    }
}
