public import CaptureHAL
import MediaTypes

/// An opened simulated camera with several constituents.
///
/// The zoom factor, the distance of the subject and the light determine which constituent delivers frames; see
/// `ConstituentSelector`. The zoom factor of each constituent follows, so that the field of view changes continuously.
/// Every other control is applied to all constituents that have it.
/// - Important: Thread-safe.
public final class SimVirtualCamera: OpenDevice, SimOpenDevice {
    let device: SimDevice
    private let profile: VirtualCameraProfile
    private let cameras: [SimCamera]
    private let state: Lock<VirtualCameraState>
    private let streams: DeviceStreams<SimStream>
    private let observers = Observers<(DeviceControl, ControlValue)>()
    /// The observations of the constituents' controls.
    private let observationTokens = Lock<[ObserverToken]>([])

    /// Creates an opened camera.
    ///
    /// - Parameter state: The settings, which persist after the camera is closed.
    init(device: SimDevice, profile: VirtualCameraProfile, state: Lock<VirtualCameraState>, cameras: [SimCamera]) {
        self.device = device
        self.profile = profile
        self.state = state
        streams = DeviceStreams(device: device.descriptor.uniqueID)
        self.cameras = cameras
        let tokens = cameras.enumerated().map { index, camera in
            camera.observeControls { [weak self] control, value in
                guard let self, index == self.activeIndex, control != .zoomFactor else { return }
                self.observers.notify((control, value))
            }
        }
        observationTokens.withLock { $0 = tokens }
    }

    deinit { close() }

    private var deviceID: String { device.descriptor.uniqueID }

    /// Index of the constituent that delivers frames.
    var activeIndex: Int { state.withLock { $0.selector.active } }
    var zoomFactor: Double { state.withLock { $0.zoomFactor } }

    public var controls: [DeviceControl: ControlRange] {
        Self.controls(of: cameras.map(\.controls), maximumZoom: profile.maximumZoom)
    }

    /// Returns the controls of a camera with constituents.
    ///
    /// - Parameters:
    ///   - constituents: The controls of each constituent.
    ///   - maximumZoom: The maximum zoom factor of the virtual camera.
    static func controls(
        of constituents: [[DeviceControl: ControlRange]], maximumZoom: Double
    ) -> [DeviceControl: ControlRange] {
        var ranges: [DeviceControl: ControlRange] = [:]
        for controls in constituents { ranges.merge(controls) { first, second in first.intersection(second) } }
        ranges[.zoomFactor] = .number(1...maximumZoom, step: 0, default: 1)
        ranges[.constituent] = .options(Set((-1..<constituents.count).map { Int64($0) }), default: -1)
        ranges[.activeConstituent] = .options(Set((0..<constituents.count).map { Int64($0) }), default: 0)
        ranges[.constituentSwitching] = .options(Set(-1...7), default: -1)
        let supported = ConstituentSelector.supportedFallbacks(hasFocus: constituents.map { $0[.lensPosition] != nil })
        let masks = supported.reduce([Int64(0)]) { masks, index in masks + masks.map { $0 | 1 << Int64(index) } }
        ranges[.fallbackConstituents] = .options(Set(masks), default: masks.max() ?? 0)
        return ranges
    }

    public func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try check()
        if control == .zoomFactor { return .number(zoomFactor) }
        if let value = state.withLock({ $0.selector.value(of: control) }) { return value }
        let active = cameras[activeIndex]
        guard let camera = active.controls[control] == nil ? firstCamera(with: control) : active else {
            throw unsupported(control)
        }
        return try camera.value(of: control)
    }

    public func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try check()
        guard let range = controls[control], !control.isReadOnly else { throw unsupported(control) }
        guard range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: deviceID, "\(control) cannot be \(value.text); it accepts \(range.text)")
        }
        let applied = try device.faults.appliedValue(
            of: control, requested: value, device: deviceID, atNanoseconds: device.world.clock.now.nanoseconds)
        if control == .zoomFactor, case .number(let factor) = applied {
            for (index, camera) in cameras.enumerated() where camera.controls[.zoomFactor] != nil {
                camera.apply(.zoomFactor, .number(profile.zoom(of: index, at: factor)), notifiesControl: false)
            }
            state.withLock { state in
                state.zoomFactor = factor
                state.selector.zoomDidChange(preferred: profile.index(at: factor))
            }
            if applied != value { observers.notify((control, applied)) }
            return
        }
        if state.withLock({ $0.selector.value(of: control) }) != nil {
            state.withLock { $0.selector.set(control, to: applied) }
            if applied != value { observers.notify((control, applied)) }
            return
        }
        if control == .focusMode { state.withLock { $0.selector.note(.focusModeChanged) } }
        if control == .exposureMode { state.withLock { $0.selector.note(.exposureModeChanged) } }
        for camera in cameras where camera.controls[control] != nil {
            camera.apply(control, applied, notifiesControl: applied != value)
        }
    }

    /// Notifies the observers of the active constituent, and of the settings that it has instead of the previous one.
    func notifyOfActiveConstituent() {
        for control in [DeviceControl.activeConstituent, .lensPosition, .exposureDuration, .iso] {
            // A control that the constituent does not have cannot be read.
            if let value = try? value(of: control) { observers.notify((control, value)) }
        }
    }

    /// Selects the constituent for the next frame.
    ///
    /// - Parameter isFirst: Whether there is no previous frame.
    /// - Returns: Whether another constituent delivers from now on.
    func select(_ measurement: ConstituentSelector.Measurement, at nanoseconds: Int64, isFirst: Bool) -> Bool {
        state.withLock { state in
            let before = state.selector.active
            if isFirst {
                state.selector.start(measurement)
            } else {
                state.selector.update(measurement, at: nanoseconds)
            }
            return state.selector.active != before
        }
    }

    /// Whether a constituent can replace another one.
    var supportsFallbacks: Bool { state.withLock { $0.selector.supportsFallbacks } }

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
        let depth = try cameras[0].depthSensor(configuration, format, profile.depth)
        var constituentStreams: [SimStream] = []
        for camera in cameras {
            guard let constituentFormat = camera.profile.format(like: format) else { continue }
            var constituentConfiguration = configuration
            constituentConfiguration.format = .video(constituentFormat)
            constituentConfiguration.depth = nil
            if let stream = try camera.makeStream(constituentConfiguration) as? SimStream {
                constituentStreams.append(stream)
            }
        }
        return try streams.replace(.video) {
            SimStream(
                configuration: configuration, deviceID: deviceID, clock: device.world.clock,
                generator: VirtualCameraFrameGenerator(self, constituentStreams, depth, at: format.depthZoomFactors),
                faults: device.faults, history: device.world.history,
                startLatency: profile.constituents.map(\.startLatencyNanoseconds).max() ?? 0,
                deliveryLatency: profile.constituents.map(\.deliveryLatencyNanoseconds).max() ?? 0,
                check: { [self] () throws(DeviceError) in try check() },
                accepts: { format.supports(frameDuration: $0) })
        }
    }

    public func captureStill(_ request: StillRequest) throws(DeviceError) {
        try check()
        try device.captureStill(request, with: streams.current.first)
    }

    public func close() {
        streams.close()
        observationTokens.withLock { $0 = [] }
        for camera in cameras { camera.close() }
    }

    func fail(_ error: DeviceError) {
        for stream in streams.current { stream.fail(error) }
    }

    func thermalStateChanged() {
        for camera in cameras { camera.thermalStateChanged() }
    }

    private func firstCamera(with control: DeviceControl) -> SimCamera? {
        cameras.first { $0.controls[control] != nil }
    }

    private func check() throws(DeviceError) {
        try device.checkConnected()
        try streams.checkOpen()
    }

    private func unsupported(_ control: DeviceControl) -> DeviceError {
        DeviceError(.unsupportedControl, device: deviceID, "the camera has no control \(control)")
    }
}

extension ControlRange {
    /// Returns the intersection of two ranges, or this range if the intersection is empty or a set of options without
    /// the default.
    fileprivate func intersection(_ other: ControlRange) -> ControlRange {
        switch (self, other) {
        case (.number(let a, let step, let defaultValue), .number(let b, _, _)) where a.overlaps(b):
            let common = a.clamped(to: b)
            return .number(
                common, step: step, default: min(max(defaultValue, common.lowerBound), common.upperBound))
        case (.options(let a, let defaultValue), .options(let b, _)):
            let common = a.intersection(b)
            return common.contains(defaultValue) ? .options(common, default: defaultValue) : self
        default: return self
        }
    }
}
