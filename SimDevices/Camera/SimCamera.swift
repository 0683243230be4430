public import CaptureHAL
import MediaTypes
import ThreeA

/// A simulated camera in the hands of its client.
///
/// - Important: Thread-safe.
public final class SimCamera: OpenDevice, SimOpenDevice {
    let device: SimDevice
    let profile: CameraProfile
    let state: Lock<CameraState>
    /// The lens of the widest camera that looks together with this one.
    private let widestLens: LensDescriptor
    private let observers = Observers<(DeviceControl, ControlValue)>()
    private let stream = Lock(OpenStream(), order: .openDevice)

    /// - Parameter widestLens: Of a virtual camera's constituents; by default the camera looks alone.
    init(device: SimDevice, profile: CameraProfile, state: Lock<CameraState>, widestLens: LensDescriptor? = nil) {
        self.device = device
        self.profile = profile
        self.state = state
        self.widestLens = widestLens ?? profile.lens
    }

    deinit { close() }

    var deviceID: String { device.descriptor.uniqueID }

    /// The frame duration of the stream in seconds, for the metering before its first frame.
    var frameSeconds: Double { stream.withLock { $0.stream?.configuration.frameDuration.seconds } ?? 1.0 / 30 }

    public var controls: [DeviceControl: ControlRange] {
        device.faults.heat.limited(state.withLock { $0.ranges })
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
            throw DeviceError(.unsupportedControl, device: deviceID, "\(control) is changed by the camera alone")
        }
        guard range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: deviceID, "\(control) cannot be \(value); its range is \(range)")
        }
        let taken = try device.faults.answer(
            control, set: value, device: deviceID, time: device.world.clock.now.nanoseconds)
        take(control, taken, isNews: taken != value)
    }

    /// Takes on a value that the control has; faults do not touch it.
    ///
    /// - Parameter isNews: Whether observers are told of the control itself, too.
    func take(_ control: DeviceControl, _ value: ControlValue, isNews: Bool) {
        let changed = state.withLock { state in
            let others = state.set(control, to: value) + (isNews ? [control] : [])
            return others.compactMap { other in state.value(of: other).map { (other, $0) } }
        }
        for change in changed { observers.notify(change) }
    }

    public func observeControls(
        _ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void
    ) -> Observation {
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
                "frames \(configuration.frameDuration.seconds) s apart are not on offer in this format")
        }
        let depth = try depthSensor(configuration, format, profile.depth)
        let view = SceneView(
            width: Int(format.dimensions.width), height: Int(format.dimensions.height),
            tangentOfHalfView: Optics.tangentOfHalfView(of: profile.lens),
            widestTangent: Optics.tangentOfHalfView(of: widestLens))
        state.withLock { $0.formatKeepsHighlights = format.isHDRSupported }
        let world = device.world
        let shake = world.shake.map {
            CameraShake(
                $0, seed: world.seed(of: "hand"), view: view, readoutSeconds: profile.sensor.readoutSeconds)
        }
        let former = FrameFormer(
            profile: profile, view: view,
            scene: SceneStore.scene(
                world.scene, shake?.painted ?? view, seed: world.seed, startNanoseconds: world.startNanoseconds),
            light: world.light, flash: world.flash, shake: shake, seed: world.seed(of: deviceID),
            isFullRange: NativePicture.formed(for: format.encoding) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        let source = try CameraSource(
            camera: self, former: former, format: format, bufferCount: configuration.bufferCount, depth: depth)
        let stream = SimStream(
            configuration: configuration, deviceID: deviceID, clock: world.clock, source: source, faults: device.faults,
            startLatency: profile.startLatencyNanoseconds, deliveryLatency: profile.deliveryLatencyNanoseconds,
            check: { [self] () throws(DeviceError) in try check() },
            accepts: { format.supports(frameDuration: $0) })
        try self.stream.withLock { open throws(DeviceError) in try open.adopt(stream, of: "camera", deviceID) }
        return stream
    }

    public func close() {
        let open = stream.withLock { $0.close() }
        open.stream?.stop()
        if open.isFirst { device.giveBack() }
    }

    /// One step of the automatic loops.
    ///
    /// - Parameter isImmediate: Whether to go the whole way at once, as before the first frame.
    /// - Returns: What changed, to be told to the observers.
    func adjust(
        after snapshot: CameraState, _ statistics: FrameStatistics, frameSeconds: Double, isImmediate: Bool = false
    ) -> [(DeviceControl, ControlValue)] {
        state.withLock { state in
            let controls = state.adjust(
                after: snapshot, statistics, frameSeconds: frameSeconds, isImmediate: isImmediate)
            return controls.compactMap { control in state.value(of: control).map { (control, $0) } }
        }
    }

    func tell(_ change: (DeviceControl, ControlValue)) { observers.notify(change) }

    func fail(_ error: DeviceError) {
        stream.withLock { $0.stream }?.fail(error)
    }

    func heatChanged() {
        let limit = device.faults.heat.torchLimit
        let isDimmed = state.withLock { state in
            guard case .number(let level)? = state.value(of: .torchLevel), level > limit else { return false }
            _ = state.set(.torchLevel, to: .number(limit))
            return true
        }
        if isDimmed { observers.notify((.torchLevel, .number(limit))) }
    }

    private func check() throws(DeviceError) {
        try device.check()
        guard stream.withLock({ !$0.isClosed }) else {
            throw DeviceError(.invalidState, device: deviceID, "the camera is closed; open it again")
        }
    }

    private func unsupported(_ control: DeviceControl) -> DeviceError {
        DeviceError(.unsupportedControl, device: deviceID, "the camera has no control \(control)")
    }
}
