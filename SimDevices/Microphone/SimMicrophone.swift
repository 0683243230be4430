public import CaptureHAL
import MediaTypes

/// An opened simulated microphone.
///
/// - Important: Thread-safe.
public final class SimMicrophone: OpenDevice, SimOpenDevice {
    /// The values of the controls.
    struct State {
        /// The input gain, 0 … 1; nil for the default gain of the microphone.
        var gain: Double?
        var isMuted = false
    }

    let device: SimDevice
    let profile: MicrophoneProfile
    let state: Lock<State>
    private let streams: DeviceStreams<SimStream>
    private let observers = Observers<(DeviceControl, ControlValue)>()

    /// Creates an opened microphone.
    ///
    /// - Parameter state: The settings, which persist after the microphone is closed.
    init(device: SimDevice, profile: MicrophoneProfile, state: Lock<State>) {
        self.device = device
        self.profile = profile
        self.state = state
        streams = DeviceStreams(device: device.descriptor.uniqueID)
    }

    /// The amplitude factor of the current gain and mute settings.
    var amplification: Double {
        let state = state.withLock { $0 }
        return state.isMuted ? 0 : profile.amplitudeFactor(inputGain: state.gain ?? profile.defaultGain)
    }

    deinit { close() }

    var deviceID: String { device.descriptor.uniqueID }

    public var controls: [DeviceControl: ControlRange] { Self.ranges(defaultGain: profile.defaultGain) }

    /// Returns the controls of a microphone with their ranges.
    static func ranges(defaultGain: Double) -> [DeviceControl: ControlRange] {
        // A step of 0 is a continuous range.
        [.inputGain: .number(0...1, step: 0, default: defaultGain), .mute: .flag(default: false)]
    }

    public func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try check()
        switch control {
        case .inputGain: return .number(state.withLock { $0.gain } ?? profile.defaultGain)
        case .mute: return .flag(state.withLock { $0.isMuted })
        default: throw unsupported(control)
        }
    }

    public func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try check()
        guard let range = controls[control] else { throw unsupported(control) }
        guard range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: deviceID, "\(control) cannot be \(value.text); it accepts \(range.text)")
        }
        let applied = try device.faults.appliedValue(
            of: control, requested: value, device: deviceID, atNanoseconds: device.world.clock.now.nanoseconds)
        state.withLock { state in
            switch applied {
            case .number(let gain): state.gain = gain
            case .flag(let isMuted): state.isMuted = isMuted
            case .integer, .point: break
            }
        }
        if applied != value { observers.notify((control, applied)) }
    }

    public func observeControls(
        _ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void
    ) -> ObserverToken {
        // Only a fault changes a microphone's control to a value that the client did not set.
        observers.add { handler($0.0, $0.1) }
    }

    public func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try check()
        guard case .audio(let format) = configuration.format, profile.formats.contains(format) else {
            throw DeviceError(
                .unsupportedFormat, device: deviceID, "the microphone has no such format; see its formats")
        }
        let generator = AudioGenerator(microphone: self, format: format, seed: device.world.seed(of: deviceID))
        return try streams.replace(.audio) {
            SimStream(
                configuration: configuration, deviceID: deviceID, clock: device.world.clock, generator: generator,
                faults: device.faults, history: device.world.history,
                startLatency: profile.startLatencyNanoseconds, deliveryLatency: profile.deliveryLatencyNanoseconds,
                check: { [self] () throws(DeviceError) in try check() },
                // Each chunk duration is accepted; the generator limits it to 1 … 100 ms.
                accepts: { _ in true })
        }
    }

    public func close() {
        if streams.close() { device.markAsClosed() }
    }

    func fail(_ error: DeviceError) {
        for stream in streams.current { stream.fail(error) }
    }

    private func check() throws(DeviceError) {
        try device.checkConnected()
        try streams.checkOpen()
    }

    private func unsupported(_ control: DeviceControl) -> DeviceError {
        DeviceError(.unsupportedControl, device: deviceID, "the microphone has no control \(control)")
    }
}
