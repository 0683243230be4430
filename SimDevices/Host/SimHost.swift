public import CaptureHAL
public import MediaTypes
import StrictYAML

/// A host of simulated devices, created from profiles, in front of a scene.
///
/// The same profiles, scene, seed and times of the clock result in the same frames and audio.
/// - Important: Thread-safe.
public final class SimHost: HardwareHost {
    /// A device that is connected or disconnected, with the state that persists while it is disconnected.
    private struct Slot {
        /// The profile of the machine that the device belongs to.
        let machine: DeviceProfile
        /// The entry of the device in the machine's profile.
        let profile: DeviceProfile.Device
        let faults: FaultList
        /// Nil while the device is disconnected.
        var device: SimDevice?
        var condition = DeviceCondition()
        /// Conditions that the device has not received yet, the oldest first.
        var pendingConditions: [DeviceCondition] = []
        /// Whether a thread is passing pending conditions to the device.
        var isUpdatingDevice = false

        /// Removes the oldest pending condition; the caller passes it to the device, and then calls this method again.
        /// Returns nil if there is none.
        mutating func nextUpdate() -> (device: SimDevice?, condition: DeviceCondition)? {
            isUpdatingDevice = !pendingConditions.isEmpty
            return isUpdatingDevice ? (device, pendingConditions.removeFirst()) : nil
        }
    }

    private let slots: Lock<[Slot]>
    private let observers = Observers<DeviceChange>()
    private let world: SimEnvironment

    public let name = "sim"

    /// The last frames that the streams delivered; empty until `StreamHistory.start(log:)` is called.
    package var history: StreamHistory { world.history }

    /// The orientation sensor, which all machines share; nil if no machine has a built-in camera.
    ///
    /// The scene stays upright: rotating the machines rotates the frames of their built-in cameras.
    public var orientation: OrientationSensor? { world.orientation }

    /// The Camera Control, which all machines share; nil if no machine has a built-in camera.
    public let cameraControl: CameraControl?

    /// The durations of the first profile; nil without profiles.
    public let processingDurations: ProcessingDurations?

    /// The machine of the first profile; nil without profiles.
    public let machine: MachineDescriptor?

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - profiles: The profiles of the machines that the devices belong to. Devices are listed in this order.
    ///   - scene: The scene in front of all cameras.
    ///   - light: The scene's light; nil for the scene's default.
    ///   - shake: The hand shake of the cameras; nil for the scene's default.
    ///   - hasMarker: Whether the frames of all cameras contain the code that `FrameMarker` reads, in the top left
    ///     corner. If false, only those of cameras with `marker: true` in their profile do.
    ///   - sound: The sound that microphones capture, in addition to the sounds of their profiles.
    ///   - seed: Seed of noise and of the random parts of scenes.
    ///   - orientation: The initial orientation of machines with built-in cameras. While it is `.unknown`, frames show
    ///     the scene upright. Without built-in cameras it has no effect.
    ///   - clock: The clock of the system that the devices belong to.
    /// - Throws: `ProfileError` if two devices have the same `uniqueID`, or an audio file cannot be read.
    public init(
        profiles: [DeviceProfile], scene: SimScene = .street, light: SceneLight? = nil, shake: HandShake? = nil,
        hasMarker: Bool = false, sound: SimSound = .scene, seed: UInt64 = 1,
        orientation: DeviceOrientation = .portrait, clock: any CaptureClock
    ) throws(ProfileError) {
        let hasBuiltInCamera = profiles.flatMap(\.devices).contains { $0.isBuiltInCamera }
        cameraControl = hasBuiltInCamera ? CameraControl() : nil
        processingDurations = profiles.first?.processing
        machine = profiles.first?.machine
        let sounds = profiles.flatMap(\.devices).flatMap(\.sounds)
        // A scene has one lamp. It flashes with the first sound that has flashes.
        world = SimEnvironment(
            clock: clock, scene: scene, light: light, shake: shake, hasMarker: hasMarker, sound: sound,
            seed: seed, clips: try Self.clips(of: sounds), flash: sounds.lazy.compactMap(\.flash).first,
            orientation: hasBuiltInCamera ? OrientationSensor(orientation) : nil)
        var slots: [Slot] = []
        var uniqueIDs: Set<String> = []
        for machine in profiles {
            for device in machine.devices {
                let id = Self.uniqueID(of: device, in: machine)
                guard uniqueIDs.insert(id).inserted else {
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
        hasMarker: Bool = false, sound: SimSound = .scene, seed: UInt64 = 1,
        orientation: DeviceOrientation = .portrait, clock: any CaptureClock
    ) throws(ProfileError) {
        try self.init(
            profiles: [DeviceProfile.load(profile)], scene: scene, light: light, shake: shake, hasMarker: hasMarker,
            sound: sound, seed: seed, orientation: orientation, clock: clock)
    }

    /// The scene in front of the cameras at the start.
    public var scene: SimScene { world.scene }
    /// The light of the scene at the start.
    public var light: SceneLight { world.light }
    /// Whether the frames of at least one camera contain the code that `FrameMarker` reads.
    package var drawsMarkers: Bool {
        world.hasMarker
            || slots.withLock { slots in
                slots.contains { slot in
                    if case .camera(let camera) = slot.profile { camera.hasMarker } else { false }
                }
            }
    }
    /// The seed of noise and of the random parts of scenes.
    public var seed: UInt64 { world.seed }

    public var devices: [any HardwareDevice] { slots.withLock { $0.compactMap(\.device) } }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        observers.add(handler)
    }

    // MARK: Simulated events

    /// Replaces the scene in front of all cameras and its sound. The change takes effect at a time.
    ///
    /// - Parameters:
    ///   - scene: The new scene. Its movies play as if they had started when the host was created.
    ///   - light: Its light; nil for the scene's default.
    ///   - time: A time of the host's clock; nil for now.
    public func setScene(_ scene: SimScene, light: SceneLight? = nil, at time: CMTime? = nil) {
        world.setScene(scene, light: light ?? scene.light, atNanoseconds: (time ?? world.clock.now).nanoseconds)
    }

    /// Moves, shows or hides an object of the scene that is current at a time.
    ///
    /// If `setScene` is called later with an earlier time, the change does not apply to the new scene.
    ///
    /// - Parameters:
    ///   - change: The change. It replaces a movement of the object that has not ended.
    ///   - time: A time of the host's clock; nil for now.
    /// - Throws: `.invalidState` if that scene has no such object, or if the object stands on the floor and the change
    ///   moves it vertically.
    public func changeSceneObject(_ change: SceneObjectChange, at time: CMTime? = nil) throws(DeviceError) {
        switch world.changeObject(change, atNanoseconds: (time ?? world.clock.now).nanoseconds) {
        case .changed: return
        case .unknown(let names):
            throw DeviceError(
                .invalidState, device: name,
                "the scene has no object \"\(change.name)\"; "
                    + (names.isEmpty ? "it has none with a name" : suggestion(for: change.name, among: names)))
        case .standing:
            throw DeviceError(
                .invalidState, device: name, "\(change.name) stands on the floor and moves sideways only")
        }
    }

    /// Disconnects a device. Its stream fails with `.disconnected`. A callback of the clock notifies the host's
    /// observers.
    ///
    /// - Throws: `.invalidState` if no device with this ID is connected.
    public func disconnect(uniqueID: String) throws(DeviceError) {
        let device = try withSlot(uniqueID) { slot throws(DeviceError) in
            guard let device = slot.device else {
                throw DeviceError(.invalidState, device: uniqueID, "the device is already disconnected")
            }
            slot.device = nil
            return device
        }
        device.disconnect()
        notifyObservers(.disconnected(device))
    }

    /// Reconnects a device as a new instance with the same `uniqueID`.
    ///
    /// - Throws: `.invalidState` if there is no device with this ID, or it is connected.
    public func reconnect(uniqueID: String) throws(DeviceError) {
        let world = world
        let device = try withSlot(uniqueID) { slot throws(DeviceError) in
            guard slot.device == nil else {
                throw DeviceError(.invalidState, device: uniqueID, "the device is already connected")
            }
            let device = SimDevice(
                slot.profile, of: slot.machine, world: world, faults: slot.faults,
                condition: slot.condition)
            slot.device = device
            slot.pendingConditions = []
            return device
        }
        notifyObservers(.connected(device))
    }

    /// Simulates that another application starts or stops using a device.
    ///
    /// While the device is in use, opening it throws `.busy`. A stream that is running when the use starts fails with
    /// `.busy`.
    /// - Throws: `.invalidState` if there is no device with this ID.
    public func setInUse(_ isInUse: Bool, uniqueID: String) throws(DeviceError) {
        try setCondition(uniqueID) { $0.isInUseByAnotherApplication = isInUse }
    }

    /// Suspends or resumes a camera, like closing or opening its privacy shutter.
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

    /// Changes the condition of a device.
    ///
    /// The device receives conditions in the order of the changes, one at a time. If another thread, or a caller of
    /// this method on the same thread, is passing a condition to the device, it passes the new one too.
    private func setCondition(_ uniqueID: String, _ body: (inout DeviceCondition) -> Void) throws(DeviceError) {
        typealias Update = (device: SimDevice?, condition: DeviceCondition)
        var update = try withSlot(uniqueID) { slot throws(DeviceError) -> Update? in
            body(&slot.condition)
            slot.pendingConditions.append(slot.condition)
            return slot.isUpdatingDevice ? nil : slot.nextUpdate()
        }
        while let (device, condition) = update {
            device?.setCondition(condition)
            update = try withSlot(uniqueID) { slot throws(DeviceError) -> Update? in slot.nextUpdate() }
        }
    }

    /// Schedules a fault of a device.
    ///
    /// - Parameter trigger: The condition under which the fault occurs; times are those of the host's clock.
    /// - Throws: `.invalidState` if there is no device with this ID.
    public func schedule(_ fault: SimFault, uniqueID: String, at trigger: SimFault.Trigger) throws(DeviceError) {
        let faults = try withSlot(uniqueID) { slot throws(DeviceError) in slot.faults }
        add(fault, to: faults, trigger)
    }

    /// Schedules the faults of a device's profile.
    private func addFaults(of slot: Slot) {
        let id = Self.uniqueID(of: slot.profile, in: slot.machine)
        slot.faults.onDeviceFault { [weak self] in self?.applyDeviceFault($0, uniqueID: id) }
        for scheduled in slot.profile.faults {
            var trigger = scheduled.trigger
            if case .time(let time) = trigger { trigger = .time(world.clock.now + time) }
            add(scheduled.fault, to: slot.faults, trigger)
        }
    }

    private func add(_ fault: SimFault, to faults: FaultList, _ trigger: SimFault.Trigger) {
        // Faults of the device as a whole occur at their time even if no stream is running.
        guard fault.target == .device, case .time(let time) = trigger else { return faults.add(fault, trigger) }
        world.clock.schedule(at: time) { [weak faults] in faults?.applyToDevice(fault) }
    }

    /// Applies a fault that affects the device as a whole, not its frames.
    private func applyDeviceFault(_ fault: SimFault, uniqueID: String) {
        do throws(DeviceError) {
            switch fault {
            case .disconnect: try disconnect(uniqueID: uniqueID)
            case .pressure(let level):
                let factors: SystemPressure.Factors = level == .nominal ? [] : .cameraTemperature
                try setPressure(SystemPressure(level, factors: factors), uniqueID: uniqueID)
            default: break
            }
        } catch {
            // The device is already disconnected: the fault has no effect.
        }
    }

    /// Decodes the audio files of sounds; returns them by path.
    private static func clips(of sounds: [MicrophoneProfile.Sound]) throws(ProfileError) -> [String: AudioClip] {
        var clips: [String: AudioClip] = [:]
        for sound in sounds {
            guard case .file(let path, _) = sound.kind, clips[path] == nil else { continue }
            clips[path] = try AudioClip(path: path)
        }
        return clips
    }

    /// Returns the unique ID of a device: the names of its machine and its profile entry.
    static func uniqueID(of device: DeviceProfile.Device, in machine: DeviceProfile) -> String {
        "\(machine.name).\(device.id)"
    }

    /// Calls `body` with the slot of a device, under the lock.
    private func withSlot<Result>(
        _ uniqueID: String, _ body: (inout Slot) throws(DeviceError) -> Result
    ) throws(DeviceError) -> Result {
        try slots.withLock { slots throws(DeviceError) in
            guard let index = slots.firstIndex(where: { Self.uniqueID(of: $0.profile, in: $0.machine) == uniqueID })
            else {
                let uniqueIDs = slots.map { Self.uniqueID(of: $0.profile, in: $0.machine) }
                throw DeviceError(
                    .invalidState, device: uniqueID,
                    "the simulated host has no such device; \(suggestion(for: uniqueID, among: uniqueIDs))")
            }
            return try body(&slots[index])
        }
    }

    /// Notifies the observers, from a callback of the clock.
    private func notifyObservers(_ change: DeviceChange) {
        let observers = observers
        world.clock.schedule(at: world.clock.now) { observers.notify(change) }
    }
}
