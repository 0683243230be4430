public import CaptureHAL
import MediaTypes
import StrictYAML

/// A simulated machine: devices created from profiles in front of a scene.
///
/// Everything that its devices deliver is determined by the profiles, the scene, the seed and the clock's times.
/// - Important: Thread-safe.
public final class SimHost: HardwareHost {
    private struct Slot {
        let machine: DeviceProfile
        let profile: DeviceProfile.Device
        let faults: FaultList
        /// Nil while the device is disconnected.
        var device: SimDevice?
        var condition = DeviceCondition()
    }

    private let slots: Lock<[Slot]>
    private let observers = Observers<DeviceChange>()
    private let world: SimWorld

    public let name = "sim"

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - profiles: The connected machines. Devices are listed in this order.
    ///   - scene: The scene in front of all cameras.
    ///   - light: The scene's light; nil for the scene's default.
    ///   - shake: The hand shake of the cameras; nil for the scene's default, which is usually none.
    ///   - seed: Seed of noise and of the random parts of scenes.
    ///   - clock: The clock of the system that the devices belong to.
    /// - Throws: `ProfileError` if two devices have the same `uniqueID`, or an audio file cannot be read.
    public init(
        profiles: [DeviceProfile], scene: SimScene = .street, light: SceneLight? = nil, shake: HandShake? = nil,
        seed: UInt64 = 1, clock: any CaptureClock
    ) throws(ProfileError) {
        let sounds = profiles.flatMap(\.devices).flatMap(\.sounds)
        world = SimWorld(
            clock: clock, scene: scene, light: light, shake: shake, seed: seed, clips: try Self.clips(of: sounds),
            flash: sounds.lazy.compactMap(\.flash).first)
        var slots: [Slot] = []
        var known: Set<String> = []
        for machine in profiles {
            for device in machine.devices {
                let id = Self.uniqueID(of: device, in: machine)
                guard known.insert(id).inserted else {
                    throw ProfileError(
                        file: machine.name,
                        message: "two devices have the unique ID \"\(id)\"; give the profiles different names")
                }
                var slot = Slot(machine: machine, profile: device, faults: FaultList(seed: world.seed(of: id)))
                slot.device = SimDevice(
                    device, of: machine, world: world, faults: slot.faults, condition: slot.condition)
                slots.append(slot)
            }
        }
        self.slots = Lock(slots)
        for slot in slots { addFaults(of: slot) }
    }

    /// Creates a host with a built-in profile, by default the phone.
    public convenience init(
        profile: String = "phone", scene: SimScene = .street, light: SceneLight? = nil, shake: HandShake? = nil,
        seed: UInt64 = 1, clock: any CaptureClock
    ) throws(ProfileError) {
        try self.init(
            profiles: [DeviceProfile.load(profile)], scene: scene, light: light, shake: shake, seed: seed, clock: clock)
    }

    /// The scene in front of the cameras.
    public var scene: SimScene { world.scene }
    /// The scene's light.
    public var light: SceneLight { world.light }
    /// The seed of noise and of the random parts of scenes.
    public var seed: UInt64 { world.seed }

    public var devices: [any HardwareDevice] { slots.withLock { $0.compactMap(\.device) } }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        observers.add(handler)
    }

    // MARK: Simulated events

    /// Disconnects a device. Its streams fail with `.disconnected`, and observers are notified on the clock.
    ///
    /// - Throws: `.invalidState` if no device with this ID is connected.
    public func disconnect(uniqueID: String) throws(DeviceError) {
        let device = try change(uniqueID) { slot throws(DeviceError) in
            guard let device = slot.device else {
                throw DeviceError(.invalidState, device: uniqueID, "the device is already disconnected")
            }
            slot.device = nil
            return device
        }
        device.disconnect()
        announce(.disconnected(device))
    }

    /// Reconnects a device as a new instance with the same `uniqueID`.
    ///
    /// - Throws: `.invalidState` if there is no device with this ID, or it is connected.
    public func reconnect(uniqueID: String) throws(DeviceError) {
        let world = world
        let device = try change(uniqueID) { slot throws(DeviceError) in
            guard slot.device == nil else {
                throw DeviceError(.invalidState, device: uniqueID, "the device is already connected")
            }
            let device = SimDevice(
                slot.profile, of: slot.machine, world: world, faults: slot.faults,
                condition: slot.condition)
            slot.device = device
            return device
        }
        announce(.connected(device))
    }

    /// Simulates the use of a device by another application, or its end.
    ///
    /// While the device is in use, opening it fails with `.busy`. A client's stream fails with `.busy` when the use
    /// begins.
    /// - Throws: `.invalidState` if there is no device with this ID.
    public func setInUse(_ isInUse: Bool, uniqueID: String) throws(DeviceError) {
        try setCondition(uniqueID) { $0.isInUseByAnotherApplication = isInUse }
    }

    /// Closes or opens a camera's shutter. The device is suspended while it is closed.
    ///
    /// - Throws: `.invalidState` if there is no device with this ID.
    public func setSuspended(_ isSuspended: Bool, uniqueID: String) throws(DeviceError) {
        try setCondition(uniqueID) { $0.isSuspended = isSuspended }
    }

    /// Sets the system pressure of a device.
    ///
    /// - Throws: `.invalidState` if there is no device with this ID.
    public func setPressure(_ pressure: SystemPressure, uniqueID: String) throws(DeviceError) {
        try setCondition(uniqueID) { $0.pressure = pressure }
    }

    private func setCondition(_ uniqueID: String, _ body: (inout DeviceCondition) -> Void) throws(DeviceError) {
        let (device, condition) = try change(uniqueID) { slot throws(DeviceError) in
            body(&slot.condition)
            return (slot.device, slot.condition)
        }
        device?.setCondition(condition)
    }

    /// Schedules a fault of a device.
    ///
    /// - Throws: `.invalidState` if there is no device with this ID.
    public func schedule(_ fault: SimFault, uniqueID: String, at trigger: SimFault.Trigger) throws(DeviceError) {
        let faults = try change(uniqueID) { slot throws(DeviceError) in slot.faults }
        add(fault, to: faults, trigger)
    }

    /// Schedules the faults of a device's profile.
    private func addFaults(of slot: Slot) {
        let id = Self.uniqueID(of: slot.profile, in: slot.machine)
        slot.faults.onDeviceFault { [weak self] in self?.execute($0, uniqueID: id) }
        for scheduled in slot.profile.faults {
            var trigger = scheduled.trigger
            if case .time(let time) = trigger { trigger = .time(world.clock.now + time) }
            add(scheduled.fault, to: slot.faults, trigger)
        }
    }

    private func add(_ fault: SimFault, to faults: FaultList, _ trigger: SimFault.Trigger) {
        // Faults of the device as a whole occur at their time, streaming or not.
        guard fault.target == .device, case .time(let time) = trigger else { return faults.add(fault, trigger) }
        world.clock.schedule(at: time) { [weak faults] in faults?.applyToDevice(fault) }
    }

    private func execute(_ fault: SimFault, uniqueID: String) {
        do throws(DeviceError) {
            switch fault {
            case .disconnect: try disconnect(uniqueID: uniqueID)
            case .pressure(let level):
                let factors: SystemPressure.Factors = level == .nominal ? [] : .cameraTemperature
                try setPressure(SystemPressure(level, factors: factors), uniqueID: uniqueID)
            default: break
            }
        } catch {
            // The device has already been disconnected; the fault has no effect.
        }
    }

    private static func clips(of sounds: [MicrophoneProfile.Sound]) throws(ProfileError) -> [String: AudioClip] {
        var clips: [String: AudioClip] = [:]
        for sound in sounds {
            guard case .file(let path, _) = sound.kind, clips[path] == nil else { continue }
            clips[path] = try AudioClip(path: path)
        }
        return clips
    }

    static func uniqueID(of device: DeviceProfile.Device, in machine: DeviceProfile) -> String {
        "\(machine.name).\(device.id)"
    }

    private func change<Result>(
        _ uniqueID: String, _ body: (inout Slot) throws(DeviceError) -> Result
    ) throws(DeviceError) -> Result {
        try slots.withLock { slots throws(DeviceError) in
            guard let index = slots.firstIndex(where: { Self.uniqueID(of: $0.profile, in: $0.machine) == uniqueID })
            else {
                let known = slots.map { Self.uniqueID(of: $0.profile, in: $0.machine) }
                throw DeviceError(
                    .invalidState, device: uniqueID,
                    "the simulated host has no such device; \(suggestion(for: uniqueID, among: known))")
            }
            return try body(&slots[index])
        }
    }

    private func announce(_ change: DeviceChange) {
        let observers = observers
        world.clock.schedule(at: world.clock.now) { observers.notify(change) }
    }
}
