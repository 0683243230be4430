public import CaptureHAL
import MediaTypes
import StrictYAML

/// The simulated machine: devices made from profiles before a scene, and the script that pulls their plugs.
///
/// Everything that its devices deliver follows from the profiles, the scene, the seed and the clock's times.
/// - Important: Thread-safe.
public final class SimHost: HardwareHost {
    private struct Slot {
        let machine: DeviceProfile
        let profile: DeviceProfile.Device
        let faults: FaultList
        /// Nil while it is disconnected.
        var device: SimDevice?
        var condition = DeviceCondition()
    }

    private let slots: Lock<[Slot]>
    private let observers = Observers<DeviceChange>()
    private let world: SimWorld

    public let name = "sim"

    /// - Parameters:
    ///   - profiles: The machine's parts; devices are listed in their order.
    ///   - scene: What stands before all cameras.
    ///   - light: What lights it; nil for the scene's own light.
    ///   - shake: How the cameras are held; nil for what the scene says, which is a tripod if it says nothing.
    ///   - seed: Another seed gives other noise and another street.
    ///   - clock: The clock of the system in which the devices live.
    /// - Throws: `ProfileError` where two devices would have the same `uniqueID`, or a sound cannot be read.
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

    /// A host with one of the built-in profiles, by default the phone.
    public convenience init(
        profile: String = "phone", scene: SimScene = .street, light: SceneLight? = nil, shake: HandShake? = nil,
        seed: UInt64 = 1, clock: any CaptureClock
    ) throws(ProfileError) {
        try self.init(
            profiles: [DeviceProfile.load(profile)], scene: scene, light: light, shake: shake, seed: seed, clock: clock)
    }

    /// What is before the cameras.
    public var scene: SimScene { world.scene }
    public var light: SceneLight { world.light }
    public var seed: UInt64 { world.seed }

    public var devices: [any HardwareDevice] { slots.withLock { $0.compactMap(\.device) } }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> Observation {
        observers.add(handler)
    }

    // MARK: The script

    /// Pulls a device's plug: its streams fail with `.disconnected`, observers hear of it on the clock.
    ///
    /// - Throws: `.invalidState` where no device of this ID is connected.
    public func disconnect(uniqueID: String) throws(DeviceError) {
        let device = try change(uniqueID) { slot throws(DeviceError) in
            guard let device = slot.device else {
                throw DeviceError(.invalidState, device: uniqueID, "the device is disconnected already")
            }
            slot.device = nil
            return device
        }
        device.disconnect()
        announce(.disconnected(device))
    }

    /// Plugs a device in again: a new instance with the same `uniqueID`.
    ///
    /// - Throws: `.invalidState` where there is no device of this ID, or it is connected.
    public func reconnect(uniqueID: String) throws(DeviceError) {
        let world = world
        let device = try change(uniqueID) { slot throws(DeviceError) in
            guard slot.device == nil else {
                throw DeviceError(.invalidState, device: uniqueID, "the device is connected already")
            }
            let device = SimDevice(
                slot.profile, of: slot.machine, world: world, faults: slot.faults,
                condition: slot.condition)
            slot.device = device
            return device
        }
        announce(.connected(device))
    }

    /// Lets another application take a device, or give it back.
    ///
    /// While it has it, opening is refused as `.busy`; a client that holds the device loses its stream by `.busy`.
    /// - Throws: `.invalidState` where there is no device of this ID.
    public func setInUse(_ isInUse: Bool, uniqueID: String) throws(DeviceError) {
        try setCondition(uniqueID) { $0.isInUseByAnotherApplication = isInUse }
    }

    /// Closes or opens a device's shutter: while it is closed the device is suspended.
    ///
    /// - Throws: `.invalidState` where there is no device of this ID.
    public func setSuspended(_ isSuspended: Bool, uniqueID: String) throws(DeviceError) {
        try setCondition(uniqueID) { $0.isSuspended = isSuspended }
    }

    /// Puts a device under pressure, as heat does.
    ///
    /// - Throws: `.invalidState` where there is no device of this ID.
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

    /// Lets something go wrong on a device.
    ///
    /// - Throws: `.invalidState` where there is no device of this ID.
    public func schedule(_ fault: SimFault, uniqueID: String, at trigger: SimFault.Trigger) throws(DeviceError) {
        let faults = try change(uniqueID) { slot throws(DeviceError) in slot.faults }
        add(fault, to: faults, trigger)
    }

    /// Lets the faults of a device's profile go their way.
    private func addFaults(of slot: Slot) {
        let id = Self.uniqueID(of: slot.profile, in: slot.machine)
        slot.faults.onDeviceFault { [weak self] in self?.strike($0, uniqueID: id) }
        for scheduled in slot.profile.faults {
            var trigger = scheduled.trigger
            if case .time(let time) = trigger { trigger = .time(world.clock.now + time) }
            add(scheduled.fault, to: slot.faults, trigger)
        }
    }

    private func add(_ fault: SimFault, to faults: FaultList, _ trigger: SimFault.Trigger) {
        // What befalls the device as a whole happens at its time, whether or not it streams.
        guard fault.target == .device, case .time(let time) = trigger else { return faults.add(fault, trigger) }
        world.clock.schedule(at: time) { [weak faults] in faults?.strikeDevice(fault) }
    }

    private func strike(_ fault: SimFault, uniqueID: String) {
        do throws(DeviceError) {
            switch fault {
            case .disconnect: try disconnect(uniqueID: uniqueID)
            case .pressure(let level):
                let factors: SystemPressure.Factors = level == .nominal ? [] : .cameraTemperature
                try setPressure(SystemPressure(level, factors: factors), uniqueID: uniqueID)
            default: break
            }
        } catch {
            // A device that has gone already cannot go again, nor heat up.
        }
    }

    private static func clips(of sounds: [MicrophoneProfile.Sound]) throws(ProfileError) -> [String: SoundClip] {
        var clips: [String: SoundClip] = [:]
        for sound in sounds {
            guard case .file(let path, _) = sound.kind, clips[path] == nil else { continue }
            clips[path] = try SoundClip(path: path)
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
