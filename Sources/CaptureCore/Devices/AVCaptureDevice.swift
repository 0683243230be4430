package import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaAssets
import MediaTypes

/// A camera or microphone that a host has found.
///
/// There is one instance for each connection of a device: plugged in again, a device is a new instance with the same
/// `uniqueID`. Settings need `lockForConfiguration()`.
/// - Important: Thread-safe.
public final class AVCaptureDevice: NSObject, KeyValueObserving, Sendable {
    struct State {
        var isConnected: Bool
        /// How often the lock is held.
        var lockCount = 0
        var activeFormat: Format
        /// What the client set; nil follows the format's default.
        var minFrameDuration: CMTime?
        var maxFrameDuration: CMTime?
        /// What the client chose, be it none; nil follows the format's default.
        var depthFormat: Format??
        var depthFrameDuration: CMTime?
        /// Points of interest that wait for their modes to be set.
        var focusPoint: ControlValue?
        var exposurePoint: ControlValue?
        /// Those that were brought into force and not put back since.
        var movedPoints: Set<DeviceControl> = []
        /// Whether the client limits the automatic exposure.
        var hasExposureLimit = false
        var faces = FaceDriving()
        var switching = Switching()
        /// The zoom on its way.
        var zoomRamp: ZoomRamp?
        /// The sessions that have an input of the device; told of what concerns them.
        var sessions: [(id: ObjectIdentifier, session: WeakReference<AVCaptureSession>)] = []
        var flashMode = FlashMode.off
        /// What lights the torch by the scene; nil where the client does it.
        var automaticTorch: AutomaticTorch?
        /// Whether the device decides on its range of brightness.
        var adjustsHDR = true
    }

    package let hardware: any HardwareDevice
    let surroundings: DeviceSurroundings
    let state: Lock<State>
    let waits: SettingWaits
    public let observedProperties = ObservedProperties()
    /// Where handlers of settings and observers of what the hardware changes run.
    let changeQueue = DispatchQueue(label: "AVCaptureDevice changes")
    /// The opened device and how many users it has; nil exactly where there are none. The lock is held while the device
    /// opens and closes, so that one thread at a time does that; its streams have stopped before the last user goes.
    private let opened = Lock<Opened?>(nil, order: .deviceOpening)

    private let conditionObservation = Lock<Observation?>(nil)
    /// Looks at the pictures while a client wants to hear of great changes.
    let subjectArea = SubjectAreaMonitor()
    /// Looks at the light of the scene while someone wants to know of it.
    let sceneLight = SceneLightMonitor()

    private struct Opened {
        let device: any OpenDevice
        let observation: Observation
        var userCount: Int
    }

    /// What the device delivers, in its order of preference.
    public let formats: [Format]

    init(_ hardware: any HardwareDevice, in surroundings: DeviceSurroundings) {
        precondition(!hardware.formats.isEmpty, "\(hardware.descriptor.uniqueID) has no formats")
        self.hardware = hardware
        self.surroundings = surroundings
        waits = SettingWaits(clock: surroundings.clock, queue: changeQueue)
        formats = hardware.formats.map(Format.init)
        state = Lock(State(isConnected: hardware.isConnected, activeFormat: formats[0]))
        super.init()
        for format in formats { format.join(self) }
        let observation = hardware.observeCondition { [weak self] _ in self?.conditionChanged() }
        conditionObservation.withLock { $0 = observation }
    }

    public var uniqueID: String { hardware.descriptor.uniqueID }
    public var modelID: String { hardware.descriptor.modelID }
    public var localizedName: String { hardware.descriptor.localizedName }
    public var manufacturer: String { hardware.descriptor.manufacturer }
    public var deviceType: DeviceType { DeviceType(hardware.descriptor.kind) }
    public var position: Position { Position(hardware.descriptor.position) }
    /// False once the device has gone; never true again.
    public var isConnected: Bool {
        observedProperties.access()
        return state.withLock { $0.isConnected } && hardware.isConnected
    }
    /// Whether a client outside this process holds the device; can be observed.
    public var isInUseByAnotherApplication: Bool {
        observedProperties.access()
        return hardware.isInUseByAnotherApplication
    }
    /// Whether the device itself lets nothing be captured, as behind a closed shutter; can be observed.
    public var isSuspended: Bool {
        observedProperties.access()
        return hardware.condition.isSuspended
    }
    /// The f-number of the lens; 0 where unknown.
    public var lensAperture: Float { Float(hardware.descriptor.lens?.aperture ?? 0) }
    /// The focal length, in millimetres, that gives the same field of view on 35 mm film; 0 for virtual and external
    /// cameras, and where unknown.
    public var nominalFocalLengthIn35mmFilm: Float {
        guard !isVirtualDevice, deviceType != .external else { return 0 }
        return Float(hardware.descriptor.lens?.equivalentFocalLengthMillimetres ?? 0)
    }
    /// Whether the device is a phone that serves as a camera.
    public var isContinuityCamera: Bool { deviceType == .continuityCamera }

    public func hasMediaType(_ mediaType: AVMediaType) -> Bool {
        hardware.descriptor.media.contains { AVMediaType($0) == mediaType }
    }

    /// Takes the settings for the caller; calls nest.
    ///
    /// - Throws: `AVError.deviceNotConnected` where the device has gone, or what opening it gave.
    public func lockForConfiguration() throws {
        guard isConnected else {
            throw AVError(
                .deviceNotConnected, "\(localizedName) is not connected", cause: nil, [AVErrorDeviceKey: self])
        }
        do throws(DeviceError) {
            _ = try acquire()
        } catch {
            throw AVError(error, device: self)
        }
        state.withLock { $0.lockCount += 1 }
    }

    /// Gives the settings back.
    public func unlockForConfiguration() {
        let wasLocked = state.withLock { state in
            guard state.lockCount > 0 else { return false }
            state.lockCount -= 1
            return true
        }
        if wasLocked { release() }
    }

    /// Whether the caller may change settings; reports the misuse where not.
    func isLocked(for method: String) -> Bool {
        if state.withLock({ $0.lockCount > 0 }) { return true }
        surroundings.misuse.report(
            .generic,
            "-[AVCaptureDevice \(method)] May not be called without first successfully gaining exclusive ownership "
                + "of the device using -lockForConfiguration:")
        return false
    }

    /// Opens the device for one more user.
    func acquire() throws(DeviceError) -> any OpenDevice {
        try opened.withLock { opened throws(DeviceError) in
            if let present = opened {
                opened?.userCount += 1
                return present.device
            }
            let device = try hardware.open()
            let observation = device.observeControls { [weak self] control, _ in self?.hardwareChanged(control) }
            opened = Opened(device: device, observation: observation, userCount: 1)
            return device
        }
    }

    /// Closes the device when its last user has gone.
    func release() {
        opened.withLock { opened in
            guard let present = opened else { return }
            guard present.userCount == 1 else {
                opened?.userCount -= 1
                return
            }
            opened = nil
            present.observation.cancel()
            present.device.close()
        }
    }

    func hardwareWasDisconnected() {
        state.withLock { $0.isConnected = false }
        observedProperties.changed(["isConnected"])
        for session in sessions { session.deviceIsGone() }
    }

    /// The sessions that have an input of the device.
    ///
    /// They are looked up outside the lock: the last reference to one may go here.
    var sessions: [AVCaptureSession] { state.withLock { $0.sessions }.compactMap(\.session.object) }

    func join(_ session: AVCaptureSession) {
        leave(session)
        let entry = (ObjectIdentifier(session), WeakReference(session))
        state.withLock { $0.sessions.append(entry) }
    }

    func leave(_ session: AVCaptureSession) {
        let id = ObjectIdentifier(session)
        state.withLock { $0.sessions.removeAll { $0.id == id } }
    }

    private func conditionChanged() {
        observedProperties.changed([
            "isInUseByAnotherApplication", "isSuspended", "systemPressureState", "isTorchAvailable", "isFlashAvailable",
        ])
        surroundings.siblings.choiceMayHaveChanged()
        for session in sessions { session.reconcile() }
    }

    public override var description: String { "<AVCaptureDevice: \(localizedName) [\(uniqueID)]>" }
}
