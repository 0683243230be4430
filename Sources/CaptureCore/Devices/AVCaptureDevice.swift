public import AssetTypes
package import CaptureHAL
public import Foundation
public import KeyValueObserving
import MediaTypes

/// A camera or microphone that a host provides.
///
/// A device that is connected again is a new instance with the same `uniqueID`. Changing settings requires
/// `lockForConfiguration()`.
/// - Important: Thread-safe.
public final class AVCaptureDevice: NSObject, KeyValueObserving, Sendable {
    struct State {
        var isConnected: Bool
        /// The nesting depth of the configuration lock.
        var lockCount = 0
        var activeFormat: Format
        /// The client's settings; nil means the format's default.
        var minFrameDuration: CMTime?
        var maxFrameDuration: CMTime?
        /// The client's selection: `.some(nil)` for none; nil means the format's default.
        var depthFormat: Format??
        /// The client's setting; nil means the depth format's default.
        var depthFrameDuration: CMTime?
        /// The points of interest that wait until the focus or exposure mode is set.
        var focusPoint: ControlValue?
        var exposurePoint: ControlValue?
        /// The points of interest that were applied and have not been reset since.
        var appliedPoints: Set<DeviceControl> = []
        /// Whether the client has set a limit for automatic exposure.
        var hasExposureLimit = false
        /// The last reported system pressure.
        var pressure: SystemPressure
        var faces = FaceDrivenSettings()
        var switching = Switching()
        /// The settings of a movie output while it records; nil otherwise.
        var recordingSwitching: Switching?
        /// The zoom ramp that is running; nil if there is none.
        var zoomRamp: ZoomRamp?
        /// The sessions that have an input of the device.
        var sessions: [(id: ObjectIdentifier, session: WeakReference<AVCaptureSession>)] = []
        var flashMode = FlashMode.off
        /// The state of the automatic torch; nil if the client controls the torch.
        var automaticTorch: AutomaticTorch?
        /// Whether the device enables and disables high dynamic range automatically.
        var adjustsHDR = true
        /// Whether the session selects the enabled exposure signals.
        var enablesExposureSignals = true
    }

    /// The device of the hardware layer.
    package let hardware: any HardwareDevice
    package let environment: DeviceEnvironment
    let state: Lock<State>
    let settingCompletions: SettingCompletions
    public let observedProperties: ObservedProperties
    /// The queue of completion handlers and of the observers of changes made by the hardware.
    let changeQueue = DispatchQueue(label: "AVCaptureDevice changes")
    /// The open device and its reference count; nil while the device is closed. The lock is held while the device opens
    /// and closes, so that these operations never overlap. All streams stop before the last reference is released.
    private let opened = Lock<Opened?>(nil, order: .deviceOpening)

    private let conditionObservation = Lock<ObserverToken?>(nil)
    /// Detects scene changes if the client requests it.
    let subjectArea = SubjectAreaMonitor()
    /// Whether the torch is in automatic mode.
    let automaticTorchFlag = AutomaticTorchFlag()

    private struct Opened {
        let device: any OpenDevice
        let observation: ObserverToken
        var referenceCount: Int
    }

    /// The supported formats, in the device's order of preference.
    public let formats: [Format]

    init(_ hardware: any HardwareDevice, in environment: DeviceEnvironment) {
        precondition(!hardware.formats.isEmpty, "\(hardware.descriptor.uniqueID) has no formats")
        self.hardware = hardware
        self.environment = environment
        observedProperties = ObservedProperties(environment.system, environment.misuse)
        settingCompletions = SettingCompletions(environment, queue: changeQueue)
        formats = hardware.formats.map(Format.init)
        state = Lock(
            State(
                isConnected: hardware.isConnected, activeFormat: formats[0], pressure: hardware.condition.pressure))
        super.init()
        for format in formats { format.setDevice(self) }
        let observation = hardware.observeCondition { [weak self] _ in self?.conditionChanged() }
        conditionObservation.withLock { $0 = observation }
    }

    public var uniqueID: String { hardware.descriptor.uniqueID }
    public var modelID: String { hardware.descriptor.modelID }
    public var localizedName: String { hardware.descriptor.localizedName }
    public var manufacturer: String { hardware.descriptor.manufacturer }
    public var deviceType: DeviceType { DeviceType(hardware.descriptor.kind) }
    public var position: Position { Position(hardware.descriptor.position) }
    /// Whether the device is connected; stays false after a disconnection.
    public var isConnected: Bool {
        observedProperties.access()
        return state.withLock { $0.isConnected } && hardware.isConnected
    }
    /// Whether another process uses the device; can be observed.
    public var isInUseByAnotherApplication: Bool {
        observedProperties.access()
        return hardware.isInUseByAnotherApplication
    }
    /// Whether the device itself blocks capture, for example with a closed shutter; can be observed.
    public var isSuspended: Bool {
        observedProperties.access()
        return hardware.condition.isSuspended
    }
    /// The f-number of the lens; 0 if unknown. Automatic exposure changes that of a variable aperture; can be observed.
    public var lensAperture: Float {
        observedProperties.access()
        let fixed = Float(hardware.descriptor.lens?.aperture ?? 0)
        return hasVariableAperture ? number(.lensAperture).map { Float($0) } ?? fixed : fixed
    }
    /// The focal length, in millimeters, that gives the same field of view on 35 mm film; 0 for virtual and external
    /// cameras, or if unknown.
    public var nominalFocalLengthIn35mmFilm: Float {
        guard !isVirtualDevice, deviceType != .external else { return 0 }
        return Float(hardware.descriptor.lens?.equivalentFocalLengthMillimeters ?? 0)
    }
    /// Whether the device is a phone used as a camera.
    public var isContinuityCamera: Bool { deviceType == .continuityCamera }

    public func hasMediaType(_ mediaType: AVMediaType) -> Bool {
        hardware.descriptor.media.contains { AVMediaType($0) == mediaType }
    }

    /// Locks the device's settings for changes; calls nest.
    ///
    /// - Throws: `AVError.deviceNotConnected` if the device is disconnected, or the error if it cannot be opened.
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

    /// Unlocks the device's settings.
    public func unlockForConfiguration() {
        let wasLocked = state.withLock { state in
            guard state.lockCount > 0 else { return false }
            state.lockCount -= 1
            return true
        }
        if wasLocked { release() }
    }

    /// Reports misuse if the configuration lock is not held.
    ///
    /// - Returns: Whether the lock is held.
    func checkLock(for method: String) -> Bool {
        if state.withLock({ $0.lockCount > 0 }) { return true }
        environment.misuse.report(
            .generic,
            "-[AVCaptureDevice \(method)] May not be called without first successfully gaining exclusive ownership "
                + "of the device using -lockForConfiguration:")
        return false
    }

    /// Opens the device, or increments its reference count if it is open.
    func acquire() throws(DeviceError) -> any OpenDevice {
        try opened.withLock { opened throws(DeviceError) in
            if let current = opened {
                opened?.referenceCount += 1
                return current.device
            }
            let device: any OpenDevice
            do throws(DeviceError) {
                device = try hardware.open()
            } catch {
                CaptureLog.write(.device, .error, environment.clock, "\(self) could not be opened: \(error.message)")
                throw error
            }
            CaptureLog.write(.device, .info, environment.clock, "opened: \(self)")
            let observation = device.observeControls { [weak self] control, _ in self?.hardwareChanged(control) }
            opened = Opened(device: device, observation: observation, referenceCount: 1)
            return device
        }
    }

    /// Decrements the reference count of the device and closes it at 0.
    func release() {
        opened.withLock { opened in
            guard let current = opened else { return }
            guard current.referenceCount == 1 else {
                opened?.referenceCount -= 1
                return
            }
            opened = nil
            current.observation.cancel()
            current.device.close()
            CaptureLog.write(.device, .info, environment.clock, "closed: \(self)")
        }
    }

    /// Handles the disconnection of the hardware.
    func hardwareWasDisconnected() {
        state.withLock { $0.isConnected = false }
        observedProperties.changed(["isConnected"])
        for session in sessions { session.deviceWasDisconnected() }
    }

    /// The sessions that have an input of the device.
    ///
    /// The references are resolved outside the lock, since a session may be deallocated here.
    var sessions: [AVCaptureSession] { state.withLock { $0.sessions }.compactMap(\.session.object) }

    /// Adds a session with an input of the device.
    func addSession(_ session: AVCaptureSession) {
        removeSession(session)
        let entry = (ObjectIdentifier(session), WeakReference(session))
        state.withLock { $0.sessions.append(entry) }
    }

    /// Removes a session.
    func removeSession(_ session: AVCaptureSession) {
        let id = ObjectIdentifier(session)
        state.withLock { $0.sessions.removeAll { $0.id == id } }
    }

    private func conditionChanged() {
        observedProperties.changed([
            "isInUseByAnotherApplication", "isSuspended", "systemPressureState", "isTorchAvailable", "isFlashAvailable",
        ])
        environment.deviceList.preferredCameraMayHaveChanged()
        let sessions = sessions
        let pressure = hardware.condition.pressure
        let hasNewPressure = state.withLock { state in
            defer { state.pressure = pressure }
            return state.pressure != pressure
        }
        if hasNewPressure, let session = sessions.first {
            DelegateCalls.of(session.system).report(.didChangeSystemPressure(uniqueID, pressure))
        }
        for session in sessions { session.reconcile() }
    }

    public override var description: String { "<AVCaptureDevice: \(localizedName) [\(uniqueID)]>" }
}
