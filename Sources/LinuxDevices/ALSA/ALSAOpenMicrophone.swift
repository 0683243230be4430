package import CaptureHAL
import MediaTypes

/// An opened ALSA device.
package final class ALSAOpenMicrophone: OpenDevice {
    package let controls: [DeviceControl: ControlRange]
    private let endpoint: AudioEndpoint
    private let formats: [StreamFormat]
    private let audioSystem: any AudioSystem
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let device: String
    private let mixer: (any CaptureMixer)?
    private let hasSwitch: Bool
    /// Nil if there is no mixer.
    private let monitor: MixerMonitor?
    private let streams: DeviceStreams<ALSAStream>
    /// The open PCM until a stream uses it. It prevents other programs from opening the device.
    private let unusedPCM = Lock<(any CapturePCM)?>(nil)
    /// Whether a client has muted the microphone and the hardware switch has not been on since. The stream then
    /// delivers silence, because some hardware switches have no effect. It persists after the microphone is closed.
    private let isMuted: Lock<Bool>

    init(
        _ endpoint: AudioEndpoint, formats: [StreamFormat], audioSystem: any AudioSystem, kernel: any KernelCalls,
        clock: any CaptureClock, device: String, isMuted: Lock<Bool>
    ) {
        self.endpoint = endpoint
        self.formats = formats
        self.audioSystem = audioSystem
        self.kernel = kernel
        self.clock = clock
        self.device = device
        self.isMuted = isMuted
        streams = DeviceStreams(device: device)
        mixer = audioSystem.mixer(endpoint)
        // A mixer that cannot be read is treated as having neither volume nor switch.
        let volume = (try? mixer?.volume()) ?? nil
        hasSwitch = ((try? mixer?.isOn()) ?? nil) != nil
        var controls: [DeviceControl: ControlRange] = [.mute: .flag(default: false)]
        if let volume { controls[.inputGain] = .number(0...1, step: 0, default: volume) }
        self.controls = controls
        let hasSwitch = hasSwitch
        monitor = mixer.map { mixer in
            MixerMonitor(mixer, kernel: kernel, clock: clock, device: device) {
                var values: [DeviceControl: ControlValue] = [:]
                // A value that cannot be read counts as unchanged.
                if volume != nil, let current = try? mixer.volume() { values[.inputGain] = .number(current) }
                if hasSwitch, let isOn = try? mixer.isOn() {
                    values[.mute] = .flag(!isOn)
                    if isOn { isMuted.withLock { $0 = false } }
                }
                return values
            }
        }
    }

    deinit { close() }

    package func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try streams.checkOpen()
        do throws(KernelError) {
            switch control {
            case .inputGain where controls[.inputGain] != nil:
                if let volume = try mixer?.volume() { return .number(volume) }
            case .mute:
                guard hasSwitch, let isOn = try mixer?.isOn() else { return .flag(isMuted.withLock { $0 }) }
                if isOn { isMuted.withLock { $0 = false } }
                return .flag(!isOn)
            default: break
            }
        } catch {
            throw DeviceError(error, device: device, "\(control.rawValue) could not be read")
        }
        throw DeviceError(.unsupportedControl, device: device, "the microphone does not support \(control.rawValue)")
    }

    package func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try streams.checkOpen()
        guard let range = controls[control] else {
            throw DeviceError(
                .unsupportedControl, device: device, "the microphone does not support \(control.rawValue)")
        }
        guard range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: device,
                "\(control.rawValue) cannot be \(value.text); it accepts \(range.text)")
        }
        do throws(KernelError) {
            guard let monitor else { return try change(to: value) }
            try monitor.change(control) { () throws(KernelError) in try change(to: value) }
        } catch {
            throw DeviceError(error, device: device, "\(control.rawValue) could not be set")
        }
    }

    /// Sets the volume to a number, or the mute state to a flag.
    private func change(to value: ControlValue) throws(KernelError) {
        switch value {
        case .number(let volume): try mixer?.setVolume(volume)
        case .flag(let isMuted):
            if hasSwitch { try mixer?.setOn(!isMuted) }
            self.isMuted.withLock { $0 = isMuted }
        case .integer, .point: break
        }
    }

    package func observeControls(
        _ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void
    ) -> ObserverToken {
        // Without a mixer only the client changes controls.
        monitor?.observe(handler) ?? ObserverToken {}
    }

    /// Creates a stream. A previous stopped stream releases the device and cannot be started again.
    package func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try streams.checkOpen()
        guard case .audio(let format) = configuration.format, formats.contains(configuration.format) else {
            throw DeviceError(
                .unsupportedFormat, device: device,
                "the microphone does not support this format; use one of its `formats`")
        }
        return try streams.replace(.audio) { () throws(DeviceError) in
            do throws(KernelError) {
                return try openStream(configuration, format)
            } catch {
                CaptureLog.write(
                    .alsa, .error, clock, "\(device): no stream of \(format.sampleRate) Hz: \(error.logText)")
                throw DeviceError(error, device: device, "the stream could not be created")
            }
        }
    }

    private func openStream(
        _ configuration: StreamConfiguration, _ format: AudioStreamFormat
    ) throws(KernelError) -> ALSAStream {
        let pcm = if let unused = takeUnusedPCM() { unused } else { try audioSystem.open(endpoint) }
        let requested = configuration.frameDuration.seconds * format.sampleRate
        // An unusable duration is replaced with 10 ms. The limit prevents an overflow of buffer sizes.
        let isValid = requested.isFinite && requested >= 1 && requested < 1e7
        let chunkFrames = isValid ? Int(requested) : Int(format.sampleRate / 100)
        do throws(KernelError) {
            let capture = try ALSACapture(
                pcm, format: format, chunkFrames: chunkFrames, device: device, kernel: kernel, clock: clock,
                isMuted: { [isMuted] in isMuted.withLock { $0 } })
            return ALSAStream(configuration, capture, clock: clock)
        } catch {
            pcm.close()
            throw error
        }
    }

    private func takeUnusedPCM() -> (any CapturePCM)? {
        unusedPCM.withLock { pcm in
            defer { pcm = nil }
            return pcm
        }
    }

    package func close() {
        streams.close()
        takeUnusedPCM()?.close()
        monitor?.close()
    }

    /// Opens the device, which prevents other programs from opening it.
    func openPCM() throws(KernelError) {
        let pcm = try audioSystem.open(endpoint)
        unusedPCM.withLock { $0 = pcm }
    }

    /// Whether the client has not closed the device.
    var isOpen: Bool { !streams.isClosed }
}

/// A stream of an ALSA device. It stops when it is released.
final class ALSAStream: ReplaceableStream {
    let configuration: StreamConfiguration
    private let capture: ALSACapture
    private let runner: StreamRunner

    init(_ configuration: StreamConfiguration, _ capture: ALSACapture, clock: any CaptureClock) {
        self.configuration = configuration
        self.capture = capture
        runner = StreamRunner(capture, clock: clock, threadName: "alsa capture")
    }

    deinit { close() }

    var lifeCycle: StreamLifeCycle { runner.lifeCycle }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        try runner.start(receiver)
    }

    func stop() { runner.stop() }

    /// Always throws `.invalidState`, because the chunk duration is fixed when the stream is created.
    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        throw DeviceError(
            .invalidState, device: capture.device,
            "the chunk duration is fixed; create another stream to change it")
    }

    func close() { runner.close() }
}
