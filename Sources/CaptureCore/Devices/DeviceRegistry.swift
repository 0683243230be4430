import AssetTypes
package import CaptureHAL
import Foundation
import KeyValueObserving
import MediaTypes

/// The services of a system that its devices use. Devices do not retain the system itself, because it owns them.
package struct DeviceEnvironment: Sendable {
    package let system: SystemReference
    let clock: any CaptureClock
    let authorization: Authorization
    package let misuse: MisuseHandler
    let mediaClock: CMClock
    let notifications: NotificationPoster
    let deviceList = ConnectedDevices()
    package let orientation: OrientationSensor
    /// The cameras that the machine can run together.
    let multiCamera: MultiCameraCapacity
}

/// The capture devices of a system: one `AVCaptureDevice` for each device of a host, in host order.
final class DeviceRegistry: Sendable {
    private struct State {
        var devices: [(hardware: any HardwareDevice, device: AVCaptureDevice)] = []
        var observations: [ObserverToken] = []
        /// The claims of sessions to devices: the session with the claim may use the device.
        var claims = DeviceClaims<WeakReference<AVCaptureSession>>()
        /// The cameras that the user selected, the last selection first.
        var preferredIDs: [String] = []
        /// The preferred cameras of the last notification; nil until there is an observer.
        var lastPreferredCameras: PreferredCameras?
    }

    private struct PreferredCameras {
        /// The value of `userPreferredCamera`.
        let user: AVCaptureDevice?
        /// The value of `systemPreferredCamera`.
        let system: AVCaptureDevice?
    }

    private let state = Lock(State())
    private let changes = Observers<Void>()
    /// Notifies observers of the preferred cameras.
    let observedProperties: ObservedProperties
    private let hosts: [any HardwareHost]
    private let environment: DeviceEnvironment

    /// The registry of the caller's system.
    static var current: DeviceRegistry { of(.current) }

    /// Returns the registry of a system.
    static func of(_ system: CaptureSystem) -> DeviceRegistry {
        let registry = system.component(DeviceRegistry.self) { DeviceRegistry(system) }
        registry.startObserving()
        return registry
    }

    private init(_ system: CaptureSystem) {
        hosts = system.hosts
        observedProperties = ObservedProperties(system.reference, system.misuse)
        environment = DeviceEnvironment(
            system: system.reference, clock: system.clock, authorization: system.authorization, misuse: system.misuse,
            mediaClock: system.mediaClock, notifications: system.notifications,
            orientation: system.orientation, multiCamera: system.machine.multiCamera)
        environment.deviceList.set(self)
    }

    /// The connected devices.
    var devices: [AVCaptureDevice] { devices(among: hosts.flatMap(\.devices)) }

    /// Returns the connected devices for a media type without enumerating others.
    func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
        guard let medium = DeviceMedia.allCases.first(where: { AVMediaType($0) == mediaType }) else { return [] }
        return devices(among: hosts.flatMap { $0.devices(with: medium) })
    }

    /// The devices that have been enumerated so far.
    var enumeratedDevices: [AVCaptureDevice] { state.withLock { $0.devices.map(\.device) } }

    /// Calls `handler` after each change of `devices`, before the notification is posted, until the token is cancelled
    /// or released.
    func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ObserverToken {
        changes.add { handler() }
    }

    /// Enumerates the cameras and starts observing the hosts, at the first call.
    private func startObserving() {
        let isFirst = state.withLock { state in
            guard state.observations.isEmpty else { return false }
            // A placeholder, so that other threads do not start observing, too.
            state.observations = [ObserverToken {}]
            return true
        }
        guard isFirst else { return }
        // Enumerate the cameras now, so that disconnections are posted for all of them.
        _ = devices(for: .video)
        let observations = hosts.map { host in
            host.observeDevices { [weak self] change in self?.apply(change) }
        }
        state.withLock { $0.observations += observations }
    }

    /// Returns the capture devices of hardware devices, creating missing ones.
    ///
    /// A disconnected device is kept until its host reports the disconnection, since the notification refers to it.
    private func devices(among hardware: [any HardwareDevice]) -> [AVCaptureDevice] {
        // A device without formats cannot be opened, for example because of missing permissions.
        hardware.filter { !$0.formats.isEmpty }.map(device(of:)).filter(\.isConnected)
    }

    /// Returns the capture device of a hardware device, creating it if necessary.
    private func device(of hardware: any HardwareDevice) -> AVCaptureDevice {
        if let existing = device(for: hardware) { return existing }
        // Created outside the lock, since it queries the hardware. If two threads create a device, the first is kept.
        let new = AVCaptureDevice(hardware, in: environment)
        return state.withLock { state in
            if let existing = state.devices.first(where: { $0.hardware === hardware }) { return existing.device }
            state.devices.append((hardware, new))
            return new
        }
    }

    private func apply(_ change: DeviceChange) {
        switch change {
        case .connected(let hardware):
            _ = devices(among: [hardware])
            guard let device = device(for: hardware) else { return }
            CaptureLog.write(.device, .info, environment.clock, "connected: \(device)")
            changes.notify(())
            notifyPreferredCameraChange()
            environment.notifications.post(.deviceWasConnected) { device }
        case .disconnected(let hardware):
            _ = devices(among: [hardware])
            guard let device = device(for: hardware) else { return }
            state.withLock { state in state.devices.removeAll { $0.hardware === hardware } }
            CaptureLog.write(.device, .info, environment.clock, "disconnected: \(device)")
            device.hardwareWasDisconnected()
            changes.notify(())
            notifyPreferredCameraChange()
            environment.notifications.post(.deviceWasDisconnected) { device }
        }
    }

    // MARK: Arbitration between sessions

    /// Claims devices for a session: all of them, or none if another session keeps its claim to one of them.
    ///
    /// - Parameter preempting: Whether other sessions lose their claims to these devices.
    /// - Returns: The preempted sessions.
    func claim(_ devices: [AVCaptureDevice], for session: AVCaptureSession, preempting: Bool) -> [AVCaptureSession] {
        let ids = devices.map { ObjectIdentifier($0) }
        let reference = WeakReference(session)
        let preempted = state.withLock {
            $0.claims.claim(ids, for: reference, id: ObjectIdentifier(session), preempting: preempting)
        }
        return preempted.compactMap(\.object)
    }

    /// Releases a session's claims, except those to some devices.
    ///
    /// - Returns: The devices that became free.
    func releaseClaims(of session: ObjectIdentifier, except devices: [AVCaptureDevice] = []) -> [ObjectIdentifier] {
        let kept = Set(devices.map { ObjectIdentifier($0) })
        return state.withLock { $0.claims.release(of: session, except: kept) }
    }

    /// Whether another session has claimed the device.
    func isClaimed(_ device: AVCaptureDevice, byOtherThan session: AVCaptureSession) -> Bool {
        let (device, session) = (ObjectIdentifier(device), ObjectIdentifier(session))
        return state.withLock { $0.claims.isClaimed(device, byOtherThan: session) }
    }

    // MARK: Preferred cameras

    /// The connected camera that the user selected last, else the default camera.
    var userPreferredCamera: AVCaptureDevice? {
        observedProperties.access()
        let connected = cameras
        return selectedCamera(among: connected) ?? defaultCamera(among: connected)
    }

    /// The user's selection unless it is suspended, else the default camera.
    var systemPreferredCamera: AVCaptureDevice? {
        observedProperties.access()
        let connected = cameras
        if let selected = selectedCamera(among: connected), !selected.isSuspended { return selected }
        return defaultCamera(among: connected)
    }

    private var cameras: [AVCaptureDevice] { devices(for: .video) }

    /// Returns the camera that the user selected last; nil if none of the selected cameras is connected.
    private func selectedCamera(among connected: [AVCaptureDevice]) -> AVCaptureDevice? {
        state.withLock { $0.preferredIDs }.lazy
            .compactMap { id in connected.first { $0.uniqueID == id } }.first
    }

    /// Returns the default camera, or another camera if the default camera is suspended.
    private func defaultCamera(among connected: [AVCaptureDevice]) -> AVCaptureDevice? {
        let camera = AVCaptureDevice.defaultDevice(among: connected, for: .video)
        return [camera].compactMap { $0 }.first { !$0.isSuspended } ?? connected.first { !$0.isSuspended } ?? camera
            ?? connected.first
    }

    /// Starts notifying observers of changes of the preferred cameras.
    func observePreferredCamera() {
        let cameras = PreferredCameras(user: userPreferredCamera, system: systemPreferredCamera)
        state.withLock { state in
            if state.lastPreferredCameras == nil { state.lastPreferredCameras = cameras }
        }
    }

    /// Notifies observers if a preferred camera has changed since the last notification.
    func notifyPreferredCameraChange() {
        guard state.withLock({ $0.lastPreferredCameras != nil }) else { return }
        let cameras = PreferredCameras(user: userPreferredCamera, system: systemPreferredCamera)
        let changed = state.withLock { state -> Set<String> in
            defer { state.lastPreferredCameras = cameras }
            var changed: Set<String> = []
            if state.lastPreferredCameras?.user !== cameras.user { changed.insert("userPreferredCamera") }
            if state.lastPreferredCameras?.system !== cameras.system { changed.insert("systemPreferredCamera") }
            return changed
        }
        if !changed.isEmpty { observedProperties.changed(changed) }
    }

    /// Stores the user's selection.
    func setUserPreferredCamera(_ device: AVCaptureDevice) {
        state.withLock { state in
            state.preferredIDs.removeAll { $0 == device.uniqueID }
            state.preferredIDs.insert(device.uniqueID, at: 0)
            // Limits the memory for cameras that are never connected again.
            state.preferredIDs = Array(state.preferredIDs.prefix(8))
        }
        notifyPreferredCameraChange()
    }

    /// Returns the existing capture device of a hardware device; nil if there is none.
    private func device(for hardware: any HardwareDevice) -> AVCaptureDevice? {
        state.withLock { $0.devices.first { $0.hardware === hardware }?.device }
    }
}
