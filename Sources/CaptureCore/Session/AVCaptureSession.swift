import AssetTypes
package import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
public import MediaTypes

/// Routes media from inputs to outputs.
///
/// - Important: Thread-safe. `startRunning()` and `stopRunning()` return when the devices have started or stopped.
///   Notifications are posted on the main thread, in the order of the changes; property observers run on the thread
///   that makes the change.
open class AVCaptureSession: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `state` and `devices`.
    /// The state of a session: values that make decisions. The session acts on them after releasing the lock.
    struct State: Sendable {
        var transaction = SessionTransaction<SessionConfiguration, [DeviceSelection]>(
            committed: SessionConfiguration())
        var run = SessionRunState()
        var options = SessionOptions()
        var controls = SessionControls()
        var deferredStart = DeferredStart()
        var deferredStartTarget: DeferredStartTarget?
        /// The routes of the configuration with which the devices were started; read on the devices' threads.
        var routes = SessionRoutes<AVCaptureConnection>()
        var notices = PostingQueue<SessionNotice>()
        /// The observations of the capture system: interruptions, media service resets and Camera Control gestures.
        var observations: [ObserverToken] = []
        /// The configuration that observers were last notified of.
        var observed = ObservedConfiguration()

        /// The active configuration.
        var configuration: SessionConfiguration { transaction.committed }
        /// The configuration that clients read.
        var current: SessionConfiguration { transaction.current }

        /// Whether arriving media trigger deferred start: video, or any media if no video is connected.
        func triggersDeferredStart(_ media: AVMediaType) -> Bool {
            guard deferredStart.isTriggeredByMedia else { return false }
            return media == .video || !configuration.connections.contains { $0.mediaType == .video && $0.passesMedia }
        }
    }

    /// A camera with its format and frame durations.
    struct DeviceSelection: Sendable {
        let device: AVCaptureDevice
        let selection: AVCaptureDevice.Selection

        /// Creates a snapshot of a camera's current format and frame durations.
        init(_ device: AVCaptureDevice) {
            self.device = device
            selection = device.selection
        }
    }

    package let system: CaptureSystem
    let registry: DeviceRegistry
    public let observedProperties: ObservedProperties
    let state = Lock(State(), order: .session)
    /// The devices that stream. The lock is held while devices start and stop, so that one thread at a time changes
    /// them; the delivery of media does not acquire it.
    let devices = Lock(RunningDevices(), order: .sessionDevices)
    /// Held while a start or a stop takes virtual time.
    private let transition = DispatchSemaphore(value: 1)

    public override init() {
        system = .current
        // The registry observes the hosts: a client can wait for a device without any call that enumerates devices.
        registry = DeviceRegistry.of(system)
        observedProperties = ObservedProperties(system.reference, system.misuse)
        super.init()
        let new = [
            system.interruptions.observe { [weak self] _ in self?.reconcile() },
            system.interruptions.observeResets { [weak self] in self?.mediaServicesWereReset() },
            system.cameraControl?.addResponder { [weak self] gesture in self?.respond(to: gesture) ?? false },
        ].compactMap(\.self)
        state.withLock { $0.observations = new }
        system.reference.lifetimes.add(self, "the session")
    }

    deinit {
        // A running session that is released stops its devices, and its outputs end their work.
        for runner in devices.withLock({ $0.runners }) { runner.stop() }
        let (run, configuration) = state.withLock { ($0.run, $0.configuration) }
        if run.isRunning { for output in configuration.outputs { output.sessionDidStop(.stopped) } }
        for device in configuration.deviceInputs.flatMap(devices(of:)) { device.removeSession(self) }
        reconcileSessions(waitingFor: registry.releaseClaims(of: ObjectIdentifier(self)))
    }

    /// The inputs; can be observed.
    public var inputs: [AVCaptureInput] {
        observedProperties.access()
        return state.withLock { $0.current.inputs }
    }
    /// The outputs; can be observed.
    public var outputs: [AVCaptureOutput] {
        observedProperties.access()
        return state.withLock { $0.current.outputs }.filter(\.isVisibleToClients)
    }
    /// The connections; can be observed.
    public var connections: [AVCaptureConnection] {
        observedProperties.access()
        return state.withLock { $0.current.connections }
    }
    /// Whether the session delivers media; can be observed.
    public var isRunning: Bool {
        observedProperties.access()
        return state.withLock { $0.run.isRunning }
    }
    /// Whether the session is interrupted; can be observed.
    public var isInterrupted: Bool {
        observedProperties.access()
        return state.withLock { $0.run.interruption != nil }
    }
    /// The clock of all timestamps that the outputs deliver; it never changes.
    public var synchronizationClock: CMClock? {
        observedProperties.access()
        return system.mediaClock
    }
    /// The former name of `synchronizationClock`.
    public var masterClock: CMClock? { synchronizationClock }

    /// The share of the machine's sustained capacity that the configuration uses; 0 unless `isMultiCam` is true.
    var sustainedCost: Float { 0 }

    /// Whether the session accepts several cameras.
    var isMultiCam: Bool { false }

    /// The share of the machine's capacity that the configuration uses; the session cannot start above 1.
    ///
    /// As on Apple's systems, it is 0 unless several outputs receive frames: several video data outputs, or one and a
    /// movie file output. See `AVCaptureMultiCamSession.hardwareCost` for the unit. Can be observed.
    public var hardwareCost: Float {
        observedProperties.access()
        let configuration = state.withLock { $0.current }
        let deliveringCount = configuration.outputs.count(where: \.deliversEachFrame)
        let isCostly =
            deliveringCount > 1 || deliveringCount == 1 && configuration.outputs.contains(where: \.recordsEachFrame)
        guard isCostly else { return 0 }
        let cameras = configuration.deviceInputs.filter { $0.device.hasMediaType(.video) }
        let pixelRate = cameras.reduce(0) { $0 + $1.maximumPixelRate }
        return min(1, Self.cost(ofPixelRate: pixelRate, capacity: system.machine.multiCamera.peak))
    }

    public func canSetSessionPreset(_ preset: Preset) -> Bool {
        guard preset != .inputPriority else { return true }
        return !isMultiCam && cameras(in: state.withLock { $0.current }).allSatisfy { preset.format(for: $0) != nil }
    }

    /// The preset that selects the formats of the devices; `high` by default, `inputPriority` after a client sets a
    /// device's format. Can be observed.
    public var sessionPreset: Preset {
        get {
            observedProperties.access()
            return state.withLock { $0.current.preset }
        }
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

    public func canAddInput(_ input: AVCaptureInput) -> Bool { rejectionReason(for: input) == nil }

    /// Adds an input and connects its ports to the outputs that accept their media.
    public func addInput(_ input: AVCaptureInput) { add(input, connecting: true, "addInput:") }

    public func addInputWithNoConnections(_ input: AVCaptureInput) {
        add(input, connecting: false, "addInputWithNoConnections:")
    }

    public func removeInput(_ input: AVCaptureInput) {
        guard inputs.contains(input) else { return }
        configure { $0.remove(input) }
        // The commit detaches an active input; an inactive one is available immediately.
        if !has(input) { detach(input) }
    }

    /// Whether `addOutput` accepts the output: it must belong to no session, and be the only output of its type in
    /// this session, except for `AVCaptureVideoDataOutput`; an `AVCaptureMultiCamSession` accepts several of each type.
    public func canAddOutput(_ output: AVCaptureOutput) -> Bool { rejectionReason(for: output) == nil }

    /// Adds an output and connects it to the inputs' ports.
    public func addOutput(_ output: AVCaptureOutput) { add(output, connecting: true, "addOutput:") }

    public func addOutputWithNoConnections(_ output: AVCaptureOutput) {
        add(output, connecting: false, "addOutputWithNoConnections:")
    }

    public func removeOutput(_ output: AVCaptureOutput) {
        guard outputs.contains(output) else { return }
        configure { $0.remove(output) }
        if !has(output) { detach(output) }
    }

    public func canAddConnection(_ connection: AVCaptureConnection) -> Bool {
        rejectionReason(for: connection) == nil
    }

    /// Adds a connection between an input and an output of the session.
    public func addConnection(_ connection: AVCaptureConnection) {
        add(connection, "addConnection:")
    }

    public func removeConnection(_ connection: AVCaptureConnection) {
        guard connections.contains(connection) else { return }
        configure { $0.connections.removeAll { $0 === connection } }
    }

    /// The type. Unlike Apple's, it contains no address, so that messages are the same in each run.
    open override var description: String { "<\(type(of: self))>" }

    /// Starts the delivery of media and returns when the session runs, failed or is interrupted.
    ///
    /// In a simulated system, starting and stopping take virtual time.
    public func startRunning() {
        guard checkNotConfiguring("startRunning") else { return }
        CaptureLog.write(.session, .info, system.clock, "startRunning")
        waitForTransition(startDuration, ifNeeded: { !$0.isRunning })
        state.withLock { $0.run.start() }
        reconcile(preempting: true)
    }

    /// Stops the delivery of media and returns when it has stopped.
    public func stopRunning() {
        guard checkNotConfiguring("stopRunning") else { return }
        CaptureLog.write(.session, .info, system.clock, "stopRunning")
        waitForTransition(system.processingDurations.stopping, ifNeeded: { $0.isRunning })
        state.withLock { $0.run.stop() }
        reconcile()
    }

    /// The virtual time in which the session starts: that of the session itself, of its devices, and of the outputs
    /// without deferred start.
    private var startDuration: Duration {
        let durations = system.processingDurations
        guard durations.opening > .zero || durations.output > .zero else { return durations.starting }
        let configuration = state.withLock { $0.configuration }
        let outputs = configuration.outputs.map {
            DeferredStart.Output(id: ObjectIdentifier($0), isDeferred: $0.isStartDeferred)
        }
        let startedCount = outputs.count - DeferredStart.deferred(outputs).count
        return durations.starting + durations.opening * plans(configuration).count + durations.output * startedCount
    }

    /// Waits for the virtual time that a start or a stop takes, if it is needed. The starts and stops of several threads
    /// take effect one after another, in the order of the calls.
    private func waitForTransition(_ duration: Duration, ifNeeded isNeeded: (SessionRunState) -> Bool) {
        guard duration > .zero, system.canWait else { return }
        transition.wait()
        defer { transition.signal() }
        if state.withLock({ isNeeded($0.run) }) { system.wait(for: duration) }
    }

    /// Reports misuse if a configuration is open.
    ///
    /// - Returns: Whether no configuration is open.
    private func checkNotConfiguring(_ method: String) -> Bool {
        guard state.withLock({ $0.transaction.isOpen }) else { return true }
        system.misuse.report(
            .generic,
            "-[AVCaptureSession \(method)] \(method) may not be called between calls to beginConfiguration and "
                + "commitConfiguration")
        return false
    }

    /// Returns the cameras of a configuration.
    func cameras(in configuration: SessionConfiguration) -> [AVCaptureDevice] {
        configuration.deviceInputs.map(\.device).filter { $0.hasMediaType(.video) }
    }
}
