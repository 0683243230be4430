public import CaptureHAL
import MediaTypes
import PixelKernels

/// A camera or microphone of the simulated host.
public final class SimDevice: HardwareDevice {
    private struct State {
        var isConnected = true
        var condition: DeviceCondition
        weak var openDevice: (any SimOpenDevice)?
        var isOpen = false
        /// The state of the camera, or of each constituent of a virtual camera, with its settings. It persists after
        /// the client closes the device. Empty before the device is opened for the first time.
        var cameraStates: [Lock<CameraState>] = []
    }

    public let descriptor: DeviceDescriptor
    public let formats: [StreamFormat]
    let world: SimEnvironment
    let faults: FaultList
    private let profile: DeviceProfile.Device
    private let state: Lock<State>
    /// The settings of a virtual camera. They persist after the client closes the device.
    private let virtualCameraState: Lock<VirtualCameraState>
    /// The settings of a microphone. They persist after the client closes the device.
    private let microphoneState = Lock(SimMicrophone.State())
    private let conditionObservers = Observers<DeviceCondition>()

    init(
        _ profile: DeviceProfile.Device, of machine: DeviceProfile, world: SimEnvironment, faults: FaultList,
        condition: DeviceCondition
    ) {
        self.profile = profile
        self.world = world
        self.faults = faults
        let uniqueID = SimHost.uniqueID(of: profile, in: machine)
        let transport = machine.transport
        // The devices of a USB peripheral, such as a webcam and its microphone, share a housing.
        let housing = transport == .usb ? machine.name : nil
        switch profile {
        case .camera(let camera):
            descriptor = DeviceDescriptor(
                uniqueID: uniqueID, modelID: camera.model, localizedName: camera.name,
                manufacturer: machine.manufacturer, kind: camera.kind, position: camera.position,
                media: camera.depth == nil ? [.video] : [.video, .depth],
                lens: camera.lens,
                color: ColorResponse(red: camera.sensor.redResponse, blue: camera.sensor.blueResponse),
                mountingAngle: camera.mountingAngle, detectsFaces: camera.detectsFaces,
                movieCodec: machine.movieCodec, encodesHEVCPhotos: profile.isBuiltInCamera,
                stills: profile.isBuiltInCamera
                    ? .phone(
                        deliversRAW: camera.deliversRAW, hasDepth: camera.depth != nil,
                        hasFlash: camera.flashLuxSeconds > 0)
                    : camera.kind == .continuityCamera ? StillCapabilities() : nil,
                transport: transport, housing: housing)
            formats = camera.formats.map { .video($0) }
        case .virtualCamera(let camera):
            let widest = camera.constituents[0]
            descriptor = DeviceDescriptor(
                uniqueID: uniqueID, modelID: camera.model, localizedName: camera.name,
                manufacturer: machine.manufacturer, kind: camera.kind, position: widest.position,
                media: camera.depth == nil ? [.video] : [.video, .depth],
                lens: widest.lens,
                color: ColorResponse(red: widest.sensor.redResponse, blue: widest.sensor.blueResponse),
                mountingAngle: widest.mountingAngle, detectsFaces: camera.constituents.allSatisfy(\.detectsFaces),
                movieCodec: machine.movieCodec, encodesHEVCPhotos: profile.isBuiltInCamera,
                stills: profile.isBuiltInCamera
                    ? .phone(
                        deliversRAW: false, hasDepth: camera.depth != nil,
                        hasFlash: camera.constituents.contains { $0.flashLuxSeconds > 0 }) : nil,
                transport: transport, housing: housing,
                constituentIDs: camera.constituents.map { "\(machine.name).\($0.id)" },
                switchOverZoomFactors: camera.switchOverZoomFactors)
            formats = camera.formats.map { .video($0) }
        case .microphone(let microphone):
            descriptor = DeviceDescriptor(
                uniqueID: uniqueID, modelID: microphone.model, localizedName: microphone.name,
                manufacturer: machine.manufacturer, kind: .microphone, position: microphone.position, media: [.audio],
                transport: transport, housing: housing)
            formats = microphone.formats.map { .audio($0) }
        }
        state = Lock(State(condition: condition))
        if case .virtualCamera(let camera) = profile {
            virtualCameraState = Lock(VirtualCameraState(camera))
        } else {
            virtualCameraState = Lock(VirtualCameraState(nil))
        }
    }

    public var isConnected: Bool { state.withLock { $0.isConnected } }
    public var isInUseByAnotherApplication: Bool { condition.isInUseByAnotherApplication }
    public var condition: DeviceCondition { state.withLock { $0.condition } }

    public func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> ObserverToken {
        conditionObservers.add(handler)
    }

    public func open() throws(DeviceError) -> any OpenDevice {
        let id = descriptor.uniqueID
        try checkConnected()
        guard !faults.consumeOpenRefusal(atNanoseconds: world.clock.now.nanoseconds) else {
            throw DeviceError(.busy, device: id, "the device is busy because of a scheduled fault")
        }
        let refusal = state.withLock { state -> String? in
            if state.condition.isInUseByAnotherApplication { return "the device is in use by another application" }
            if state.isOpen { return "the device is open already; close it first" }
            state.isOpen = true
            return nil
        }
        if let refusal { throw DeviceError(.busy, device: id, refusal) }
        switch profile {
        case .camera(let profile):
            let camera = SimCamera(
                device: self, profile: profile, state: cameraStates(of: [profile])[0], faces: Lock(SimFaceTracker()))
            state.withLock { $0.openDevice = camera }
            return camera
        case .virtualCamera(let profile):
            // Constituents are ordered from the widest to the narrowest view.
            let widestLens = profile.constituents.first?.lens
            let faces = Lock(SimFaceTracker())
            let cameras = zip(profile.constituents, cameraStates(of: profile.constituents)).map { profile, state in
                SimCamera(device: self, profile: profile, state: state, faces: faces, widestLens: widestLens)
            }
            let camera = SimVirtualCamera(
                device: self, profile: profile, state: virtualCameraState, cameras: cameras)
            state.withLock { $0.openDevice = camera }
            return camera
        case .microphone(let profile):
            let microphone = SimMicrophone(device: self, profile: profile, state: microphoneState)
            state.withLock { $0.openDevice = microphone }
            return microphone
        }
    }

    /// Requests a still beside a stream of the device.
    ///
    /// - Parameter stream: The device's video stream; nil if there is none.
    /// - Throws: `.unsupportedFormat` if the device cannot capture it, or `.invalidState` if the stream is not running.
    func captureStill(_ request: StillRequest, with stream: SimStream?) throws(DeviceError) {
        if let stream, case .video(let format) = stream.configuration.format {
            try checkStill(request, format)
            if stream.addStill(request) { return }
        }
        throw DeviceError(
            .invalidState, device: descriptor.uniqueID, "stills need a running stream; start it first")
    }

    /// Throws `.unsupportedFormat` if the device cannot capture a still beside a stream.
    private func checkStill(_ request: StillRequest, _ format: VideoStreamFormat) throws(DeviceError) {
        func reject(_ reason: String) -> DeviceError {
            DeviceError(.unsupportedFormat, device: descriptor.uniqueID, reason)
        }
        guard let stills = descriptor.stills else {
            throw reject("the camera captures no stills beside its stream; use its frames")
        }
        guard format.photoDimensions.contains(where: { $0.pixelSize == request.size }) else {
            throw reject("the format has no stills of \(request.size.width)x\(request.size.height)")
        }
        guard (1...stills.maximumExposureCount).contains(request.exposures.count) else {
            throw reject("a still has 1 to \(stills.maximumExposureCount) exposures")
        }
        guard (1...stills.maximumMergedFrameCount).contains(request.mergedFrameCount) else {
            throw reject("a still merges 1 to \(stills.maximumMergedFrameCount) frames")
        }
        guard !request.deliversRAW || stills.deliversRAW else { throw reject("the camera delivers no RAW samples") }
        guard request.mattes.isSubset(of: stills.mattes) else { throw reject("the camera delivers no such matte") }
        guard !request.reducesRedEye || stills.reducesRedEye else { throw reject("the camera does not correct eyes") }
    }

    /// The clockwise rotation from the upright scene to the sensor.
    ///
    /// While the machine lies face up or face down, its last orientation with a known rotation applies.
    var rotation: PixelRotation {
        // Without built-in cameras there is no orientation sensor, and no camera rotates.
        guard let orientation = world.orientation else { return .none }
        return PixelRotation(invertingLevelingAngle: SensorMounting(descriptor).angle(for: orientation.lastKnown))
    }

    /// Returns the states of the device's cameras, created on first use.
    private func cameraStates(of cameras: [CameraProfile]) -> [Lock<CameraState>] {
        state.withLock { state in
            if state.cameraStates.isEmpty {
                state.cameraStates = cameras.map {
                    Lock(CameraState(profile: $0, light: world.light, subjectDistance: world.scene.subjectDistance))
                }
            }
            return state.cameraStates
        }
    }

    /// Throws `.disconnected` if the device is disconnected.
    func checkConnected() throws(DeviceError) {
        guard isConnected else { throw Self.disconnectedError(descriptor.uniqueID) }
    }

    /// Records that the client has closed the device, so that it can be opened again.
    func markAsClosed() {
        state.withLock { state in
            state.isOpen = false
            state.openDevice = nil
        }
    }

    /// Disconnects the device and ends its stream with an error.
    func disconnect() {
        let openDevice = state.withLock { state in
            state.isConnected = false
            return state.openDevice
        }
        openDevice?.fail(Self.disconnectedError(descriptor.uniqueID))
    }

    /// Updates the condition. If another application has acquired the device, the client's stream fails.
    func setCondition(_ condition: DeviceCondition) {
        let (openDevice, hasChanged) = state.withLock { state in
            let hasChanged = state.condition != condition
            state.condition = condition
            return (state.openDevice, hasChanged)
        }
        // The system pressure determines the thermal state. The fault list holds that state because streams limit their
        // frame rate by it, and because it persists when the device reconnects.
        if hasChanged, faults.thermalState.level != condition.pressure.level {
            faults.thermalState.level = condition.pressure.level
            openDevice?.thermalStateChanged()
        }
        // The clock delivers this notification and the failure below in the order in which they are scheduled. A client
        // that closes the device in response to the notification receives no failure.
        if hasChanged {
            let observers = conditionObservers
            world.clock.schedule(at: world.clock.now) { observers.notify(condition) }
        }
        guard condition.isInUseByAnotherApplication else { return }
        openDevice?.fail(
            DeviceError(.busy, device: descriptor.uniqueID, "the device is now in use by another application"))
    }

    private static func disconnectedError(_ id: String) -> DeviceError {
        DeviceError(.disconnected, device: id, "the device has been disconnected")
    }
}

extension StillCapabilities {
    /// The capabilities of a phone's cameras. Brackets have at most three exposures, as on an iPhone, and cameras with
    /// depth deliver mattes.
    fileprivate static func phone(deliversRAW: Bool, hasDepth: Bool, hasFlash: Bool) -> StillCapabilities {
        StillCapabilities(
            maximumExposureCount: 3, maximumMergedFrameCount: 4, recentFrameCount: StillCamera.recentFrameCount,
            deliversRAW: deliversRAW, mattes: hasDepth ? Set(StillMatte.allCases) : [], reducesRedEye: hasFlash)
    }
}

extension CameraProfile {
    /// Whether the camera delivers the samples of its sensor: cameras with depth do not, and no virtual camera does, as
    /// on an iPhone.
    fileprivate var deliversRAW: Bool { depth == nil }
}
