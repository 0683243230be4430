public import CaptureHAL
import MediaTypes
import ThreeA

/// An opened simulated camera.
///
/// - Important: Thread-safe.
public final class SimCamera: OpenDevice, SimOpenDevice {
    let device: SimDevice
    let profile: CameraProfile
    let state: Lock<CameraState>
    /// The tracked faces; the constituents of a virtual camera share them.
    let faces: Lock<SimFaceTracker>
    /// The lens with the widest view among the constituents of the same virtual camera, or the camera's own lens.
    private let widestLens: LensDescriptor
    private let observers = Observers<(DeviceControl, ControlValue)>()
    private let streams: DeviceStreams<SimStream>

    /// Creates an opened camera.
    ///
    /// - Parameters:
    ///   - state: The settings, which persist after the camera is closed.
    ///   - faces: The tracked faces; the constituents of a virtual camera share them.
    ///   - widestLens: The lens with the widest view among a virtual camera's constituents; nil for a single camera.
    init(
        device: SimDevice, profile: CameraProfile, state: Lock<CameraState>, faces: Lock<SimFaceTracker>,
        widestLens: LensDescriptor? = nil
    ) {
        self.device = device
        self.profile = profile
        self.state = state
        streams = DeviceStreams(device: device.descriptor.uniqueID)
        self.faces = faces
        self.widestLens = widestLens ?? profile.lens
    }

    deinit { close() }

    var deviceID: String { device.descriptor.uniqueID }

    /// The frame interval of the stream in seconds; 1/30 if there is no stream.
    var frameSeconds: Double { streams.current.first?.configuration.frameDuration.seconds ?? 1.0 / 30 }

    public var controls: [DeviceControl: ControlRange] {
        device.faults.thermalState.limitedRanges(state.withLock { $0.ranges })
    }

    public func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try check()
        let value = state.withLock { $0.ranges[control] == nil ? nil : $0.value(of: control) }
        guard let value else { throw unsupported(control) }
        return value
    }

    public func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try check()
        guard let range = controls[control] else { throw unsupported(control) }
        guard !control.isReadOnly else {
            throw DeviceError(.unsupportedControl, device: deviceID, "\(control) is read-only")
        }
        guard range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: deviceID, "\(control) cannot be \(value.text); it accepts \(range.text)")
        }
        let applied = try device.faults.appliedValue(
            of: control, requested: value, device: deviceID, atNanoseconds: device.world.clock.now.nanoseconds)
        apply(control, applied, notifiesControl: applied != value)
    }

    /// Applies a value within the control's range, bypassing faults.
    ///
    /// - Parameter notifiesControl: Whether to notify observers of the control itself, in addition to dependent
    ///   controls.
    func apply(_ control: DeviceControl, _ value: ControlValue, notifiesControl: Bool) {
        let changed = state.withLock { state in
            let controls = state.set(control, to: value) + (notifiesControl ? [control] : [])
            return controls.compactMap { control in state.value(of: control).map { (control, $0) } }
        }
        for change in changed { observers.notify(change) }
    }

    public func observeControls(
        _ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void
    ) -> ObserverToken {
        observers.add { handler($0.0, $0.1) }
    }

    public func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try check()
        guard case .video(let format) = configuration.format, profile.formats.contains(format) else {
            throw DeviceError(.unsupportedFormat, device: deviceID, "the camera has no such format; see its formats")
        }
        guard configuration.bufferCount > 0 else {
            throw DeviceError(.unsupportedFormat, device: deviceID, "a stream needs at least one buffer")
        }
        guard format.supports(frameDuration: configuration.frameDuration) else {
            throw DeviceError(
                .unsupportedFormat, device: deviceID,
                "the format does not support a frame duration of \(configuration.frameDuration.seconds) s")
        }
        let depth = try depthSensor(configuration, format, profile.depth)
        let view = view(of: format.size)
        let world = device.world
        state.withLock { state in
            state.hdr.isSupportedByFormat = format.isHDRSupported
            if !format.colorSpaces.contains(state.colorSpace) { state.colorSpace = .bt709 }
        }
        let renderer = makeRenderer(view, NativeFrameEncoder.renderedFormat(for: format.encoding))
        let generator = try CameraFrameGenerator(
            camera: self, renderer: renderer, format: format, bufferCount: configuration.bufferCount, depth: depth)
        return try streams.replace(.video) {
            SimStream(
                configuration: configuration, deviceID: deviceID, clock: world.clock, generator: generator,
                faults: device.faults, history: world.history,
                startLatency: profile.startLatencyNanoseconds, deliveryLatency: profile.deliveryLatencyNanoseconds,
                check: { [self] () throws(DeviceError) in try check() },
                accepts: { format.supports(frameDuration: $0) })
        }
    }

    public func captureStill(_ request: StillRequest) throws(DeviceError) {
        try check()
        try device.captureStill(request, with: streams.current.first)
    }

    /// Returns the view of the lens in an image of a size.
    func view(of size: PixelSize) -> SceneView {
        SceneView(
            width: Int(size.width), height: Int(size.height),
            tangentOfHalfView: Optics.tangentOfHalfView(of: profile.lens),
            widestTangent: Optics.tangentOfHalfView(of: widestLens))
    }

    /// Creates a renderer of the world's scene.
    ///
    /// - Parameter format: The pixel format of the buffers.
    func makeRenderer(_ view: SceneView, _ format: OSType?) -> FrameRenderer {
        let world = device.world
        let shake = world.shake.map {
            CameraShake(
                $0, seed: world.seed(of: "hand"), view: view, readoutSeconds: profile.sensor.readoutSeconds)
        }
        return FrameRenderer(
            profile: profile, view: view, rotation: device.rotation, light: world.light, flash: world.flash,
            shake: shake, seed: world.seed(of: deviceID), format: format,
            laterScene: { time in
                let shown = world.currentScene(at: time)
                guard shown.number > 0 else { return nil }
                return FrameRenderer.LaterScene(number: shown.number, light: shown.light) { upright in
                    Self.painted(shown.scene, shown.steps, upright, world)
                }
            },
            paint: { upright in Self.painted(world.scene, [], upright, world) })
    }

    /// Returns a scene painted for a view, with the changes of its objects.
    private static func painted(
        _ scene: SimScene, _ steps: [SceneObjectMotion.Step], _ view: SceneView, _ world: SimEnvironment
    ) -> any PaintedScene {
        let changed = Set(steps.map(\.change.name))
        let objects = scene.objects.filter { changed.contains($0.name) || !$0.isVisible }
        let painted = SceneCache.scene(
            scene, view, movable: Set(objects.map(\.name)), seed: world.seed, startNanoseconds: world.startNanoseconds)
        return objects.isEmpty ? painted : MovedScene(painted, in: view, objects, steps)
    }

    public func close() {
        if streams.close() { device.markAsClosed() }
    }

    /// Runs one step of the automatic loops.
    ///
    /// - Parameters:
    ///   - snapshot: The state with which the metered frame was rendered.
    ///   - statistics: The statistics of that frame.
    ///   - faces: The regions of the faces in it, the largest first.
    ///   - frameSeconds: The frame interval of the stream, in seconds.
    ///   - isImmediate: Whether to converge without damping, as before the first frame.
    /// - Returns: The changed controls and their new values. The caller notifies the observers.
    func adjust(
        after snapshot: CameraState, _ statistics: FrameStatistics, faces: [MeteringRegion], frameSeconds: Double,
        isImmediate: Bool = false
    ) -> [(DeviceControl, ControlValue)] {
        state.withLock { state in
            let controls = state.adjust(
                after: snapshot, statistics, faces: faces, frameSeconds: frameSeconds, isImmediate: isImmediate)
            return controls.compactMap { control in state.value(of: control).map { (control, $0) } }
        }
    }

    /// Notifies the observers of the changed value of a control.
    func notifyObservers(_ change: (DeviceControl, ControlValue)) { observers.notify(change) }

    func fail(_ error: DeviceError) {
        for stream in streams.current { stream.fail(error) }
    }

    func thermalStateChanged() {
        let limit = device.faults.thermalState.torchLimit
        let isDimmed = state.withLock { state in
            guard case .number(let level)? = state.value(of: .torchLevel), level > limit else { return false }
            _ = state.set(.torchLevel, to: .number(limit))
            return true
        }
        if isDimmed { observers.notify((.torchLevel, .number(limit))) }
    }

    /// Throws `.disconnected` or `.invalidState` if the camera cannot be used.
    private func check() throws(DeviceError) {
        try device.checkConnected()
        try streams.checkOpen()
    }

    private func unsupported(_ control: DeviceControl) -> DeviceError {
        DeviceError(.unsupportedControl, device: deviceID, "the camera has no control \(control)")
    }
}
