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
        /// Which session streams from a device; one at a time.
        var claims: [ObjectIdentifier: Claim] = [:]
        /// The cameras that the user chose, the last one first.
        var preferredIDs: [String] = []
        /// What the observers of the cameras of choice were told last; nil until there is one.
        var toldChoice: Choice?
    }

    private struct Choice {
        let user: AVCaptureDevice?
        let system: AVCaptureDevice?
    }

    private struct Claim {
        let id: ObjectIdentifier
        let session: WeakReference<AVCaptureSession>
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

    /// The capture devices of hardware; makes those that are not there yet.
    ///
    /// Those that have gone stay until their host has said so, because that news names them.
    private func devices(among hardware: [any HardwareDevice]) -> [AVCaptureDevice] {
        // What cannot be opened, as for want of rights, has no formats, and there is nothing that a client could do.
        let present = hardware.filter { !$0.formats.isEmpty }
        let devices = state.withLock { state in
            present.map { hardware in
                if let known = state.devices.first(where: { $0.hardware === hardware }) { return known.device }
                let device = AVCaptureDevice(hardware, in: surroundings)
                state.devices.append((hardware, device))
                return device
            }
        }
        return devices.filter(\.isConnected)
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

    // MARK: Which session has a device

    /// Takes devices for a session: all, or none where another session has one of them.
    ///
    /// - Parameter byForce: Takes them from other sessions, too.
    /// - Returns: The sessions that lost a device.
    func claim(_ devices: [AVCaptureDevice], for session: AVCaptureSession, byForce: Bool) -> [AVCaptureSession] {
        let ids = devices.map { ObjectIdentifier($0) }
        let claim = Claim(id: ObjectIdentifier(session), session: WeakReference(session))
        let losers = state.withLock { state in
            let others = ids.compactMap { state.claims[$0] }.filter { $0.id != claim.id }
            guard others.isEmpty || byForce else { return [Claim]() }
            for id in ids { state.claims[id] = claim }
            return others
        }
        var told: [AVCaptureSession] = []
        for loser in losers.compactMap(\.session.object) where !told.contains(loser) { told.append(loser) }
        return told
    }

    /// Gives up a session's claims, except those to some devices.
    ///
    /// - Returns: The devices that became free.
    func giveUpClaims(of session: ObjectIdentifier, except devices: [AVCaptureDevice] = []) -> [ObjectIdentifier] {
        let kept = Set(devices.map { ObjectIdentifier($0) })
        return state.withLock { state in
            let freed = state.claims.filter { $0.value.id == session && !kept.contains($0.key) }.map(\.key)
            for id in freed { state.claims[id] = nil }
            return freed
        }
    }

    /// Whether another session has the device.
    func isClaimed(_ device: AVCaptureDevice, byOtherThan session: AVCaptureSession) -> Bool {
        let id = ObjectIdentifier(device)
        return state.withLock { state in state.claims[id].map { $0.id != ObjectIdentifier(session) } ?? false }
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
