import CaptureHAL
import Foundation
import KeyValueObserving
import MediaAssets
import MediaTypes

/// What a device needs of its system; not the system itself, which owns the devices.
struct DeviceSurroundings: Sendable {
    let clock: any CaptureClock
    let authorization: Authorization
    let misuse: MisuseHandler
    let mediaClock: CMClock
    let notificationCenter: NotificationCenter
    let siblings = DeviceSiblings()
    let orientation: OrientationSensor
}

/// The devices of a system as capture objects: one `AVCaptureDevice` for each device that a host has, in host order.
final class DeviceRegistry: Sendable {
    private struct State {
        var devices: [(hardware: any HardwareDevice, device: AVCaptureDevice)] = []
        var observations: [Observation] = []
        /// Which session may use each device.
        var claims = DeviceClaims<WeakReference<AVCaptureSession>>()
        /// The cameras that the user chose, the last one first.
        var preferredIDs: [String] = []
        /// What the observers of the cameras of choice were told last; nil until there is one.
        var toldChoice: Choice?
    }

    private struct Choice {
        let user: AVCaptureDevice?
        let system: AVCaptureDevice?
    }

    private let state = Lock(State())
    private let changes = Observers<Void>()
    /// The observers of the cameras of choice.
    let observedProperties = ObservedProperties()
    private let hosts: [any HardwareHost]
    private let notificationCenter: NotificationCenter
    private let surroundings: DeviceSurroundings

    /// The registry of the system in which the caller lives.
    static var current: DeviceRegistry { of(.current) }

    static func of(_ system: CaptureSystem) -> DeviceRegistry {
        let registry = system.component(DeviceRegistry.self) { DeviceRegistry(system) }
        registry.startObserving()
        return registry
    }

    private init(_ system: CaptureSystem) {
        hosts = system.hosts
        notificationCenter = system.notificationCenter
        surroundings = DeviceSurroundings(
            clock: system.clock, authorization: system.authorization, misuse: system.misuse,
            mediaClock: system.mediaClock, notificationCenter: system.notificationCenter,
            orientation: system.orientation)
        surroundings.siblings.set(self)
    }

    /// The devices that are connected now.
    var devices: [AVCaptureDevice] { devices(among: hosts.flatMap(\.devices)) }

    /// The devices with a medium that are connected now; others are not looked for.
    func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
        guard let medium = DeviceMedia.allCases.first(where: { AVMediaType($0) == mediaType }) else { return [] }
        return devices(among: hosts.flatMap { $0.devices(with: medium) })
    }

    /// The devices that were looked for so far.
    var knownDevices: [AVCaptureDevice] { state.withLock { $0.devices.map(\.device) } }

    /// Calls `handler` after each change of `devices`, before it is posted.
    func observeChanges(_ handler: @escaping @Sendable () -> Void) -> Observation {
        changes.add { handler() }
    }

    private func startObserving() {
        let isFirst = state.withLock { state in
            guard state.observations.isEmpty else { return false }
            state.observations = [Observation {}]
            return true
        }
        guard isFirst else { return }
        // Who is told of a camera that goes has perhaps never looked for one.
        _ = devices(for: .video)
        let observations = hosts.map { host in
            host.observeDevices { [weak self] change in self?.apply(change) }
        }
        state.withLock { $0.observations += observations }
    }

    /// The capture devices of hardware; creates missing ones.
    ///
    /// A disconnected device stays listed until its host reports the disconnection, because the report names it.
    private func devices(among hardware: [any HardwareDevice]) -> [AVCaptureDevice] {
        // A device without formats cannot be opened, for instance for lack of permission: clients cannot use it.
        hardware.filter { !$0.formats.isEmpty }.map(device(of:)).filter(\.isConnected)
    }

    private func device(of hardware: any HardwareDevice) -> AVCaptureDevice {
        if let known = device(for: hardware) { return known }
        // Outside the lock: a new device asks its hardware. If two threads create one, the first stays.
        let new = AVCaptureDevice(hardware, in: surroundings)
        return state.withLock { state in
            if let known = state.devices.first(where: { $0.hardware === hardware }) { return known.device }
            state.devices.append((hardware, new))
            return new
        }
    }

    private func apply(_ change: DeviceChange) {
        switch change {
        case .connected(let hardware):
            _ = devices(among: [hardware])
            guard let device = device(for: hardware) else { return }
            changes.notify(())
            tellChoice()
            notificationCenter.post(name: .AVCaptureDeviceWasConnected, object: device)
        case .disconnected(let hardware):
            _ = devices(among: [hardware])
            guard let device = device(for: hardware) else { return }
            state.withLock { state in state.devices.removeAll { $0.hardware === hardware } }
            device.hardwareWasDisconnected()
            changes.notify(())
            tellChoice()
            notificationCenter.post(name: .AVCaptureDeviceWasDisconnected, object: device)
        }
    }

    // MARK: Arbitration between sessions

    /// Claims devices for a session: all of them, or none if another session has one and keeps it.
    ///
    /// - Parameter byForce: Whether other sessions lose their claims.
    /// - Returns: The sessions that lost a device.
    func claim(_ devices: [AVCaptureDevice], for session: AVCaptureSession, byForce: Bool) -> [AVCaptureSession] {
        let ids = devices.map { ObjectIdentifier($0) }
        let reference = WeakReference(session)
        let losers = state.withLock {
            $0.claims.claim(ids, for: reference, id: ObjectIdentifier(session), byForce: byForce)
        }
        return losers.compactMap(\.object)
    }

    /// Releases a session's claims, except those to some devices.
    ///
    /// - Returns: The devices that became free.
    func releaseClaims(of session: ObjectIdentifier, except devices: [AVCaptureDevice] = []) -> [ObjectIdentifier] {
        let kept = Set(devices.map { ObjectIdentifier($0) })
        return state.withLock { $0.claims.release(of: session, except: kept) }
    }

    /// Whether another session has the device.
    func isClaimed(_ device: AVCaptureDevice, byOtherThan session: AVCaptureSession) -> Bool {
        let (device, session) = (ObjectIdentifier(device), ObjectIdentifier(session))
        return state.withLock { $0.claims.isClaimed(device, byOtherThan: session) }
    }

    // MARK: The camera of choice

    /// The camera that the user chose last of those that are connected, else the default one.
    var userPreferredCamera: AVCaptureDevice? {
        observedProperties.access()
        let present = cameras
        return chosen(of: present) ?? best(of: present)
    }

    /// The user's choice unless it is suspended, else the default camera.
    var systemPreferredCamera: AVCaptureDevice? {
        observedProperties.access()
        let present = cameras
        if let chosen = chosen(of: present), !chosen.isSuspended { return chosen }
        return best(of: present)
    }

    private var cameras: [AVCaptureDevice] { devices(for: .video) }

    private func chosen(of present: [AVCaptureDevice]) -> AVCaptureDevice? {
        state.withLock { $0.preferredIDs }.lazy
            .compactMap { id in present.first { $0.uniqueID == id } }.first
    }

    /// The default camera, or where that is suspended one that is not.
    private func best(of present: [AVCaptureDevice]) -> AVCaptureDevice? {
        let standard = AVCaptureDevice.standard(of: present, for: .video)
        return [standard].compactMap { $0 }.first { !$0.isSuspended } ?? present.first { !$0.isSuspended } ?? standard
            ?? present.first
    }

    /// From now on the cameras of choice are kept in view.
    func watchChoice() {
        let choice = Choice(user: userPreferredCamera, system: systemPreferredCamera)
        state.withLock { state in
            if state.toldChoice == nil { state.toldChoice = choice }
        }
    }

    /// Tells the observers where a camera of choice is another one than they know.
    func tellChoice() {
        guard state.withLock({ $0.toldChoice != nil }) else { return }
        let choice = Choice(user: userPreferredCamera, system: systemPreferredCamera)
        let changed = state.withLock { state -> Set<String> in
            defer { state.toldChoice = choice }
            var changed: Set<String> = []
            if state.toldChoice?.user !== choice.user { changed.insert("userPreferredCamera") }
            if state.toldChoice?.system !== choice.system { changed.insert("systemPreferredCamera") }
            return changed
        }
        if !changed.isEmpty { observedProperties.changed(changed) }
    }

    func prefer(_ device: AVCaptureDevice) {
        state.withLock { state in
            state.preferredIDs.removeAll { $0 == device.uniqueID }
            state.preferredIDs.insert(device.uniqueID, at: 0)
            state.preferredIDs = Array(state.preferredIDs.prefix(8))
        }
        tellChoice()
    }

    private func device(for hardware: any HardwareDevice) -> AVCaptureDevice? {
        state.withLock { $0.devices.first { $0.hardware === hardware }?.device }
    }
}
