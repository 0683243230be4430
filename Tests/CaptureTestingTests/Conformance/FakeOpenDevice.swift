import CaptureHAL
import Glibc
import MediaTypes

/// An opened device of `FakeHost`.
final class FakeOpenDevice: OpenDevice {
    private struct State {
        var observers: [Int: @Sendable (DeviceControl, ControlValue) -> Void] = [:]
        var nextObserver = 0
        weak var stream: FakeStream?
        var isClosed = false
    }

    let device: FakeDevice
    let controls: [DeviceControl: ControlRange]
    private let state = Lock(State())
    private let values: Lock<[DeviceControl: ControlValue]>
    private var defect: FakeHost.Defect? { device.defect }

    init(_ device: FakeDevice) {
        self.device = device
        values = device.defect == .resetsSettings ? Lock(FakeDevice.defaultValues(device.media)) : device.values
        if device.media == .audio {
            controls = [.mute: .flag(default: false), .brightness: .number(0...1, step: 0, default: 0.5)]
        } else {
            controls = [
                .brightness: .number(0...1, step: 0, default: 0.5), .zoomFactor: .number(1...4, step: 0, default: 1),
                .focusMode: .options([0, 2], default: 2), .focusPoint: .point(defaultX: 0.5, defaultY: 0.5),
            ]
        }
    }

    deinit { close() }

    var stream: FakeStream? { state.withLock { $0.stream } }

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try check()
        guard let value = values.withLock({ $0[control] }) else {
            throw device.error(.unsupportedControl, "there is no \(control)")
        }
        return defect == .readsOutOfRange && control == .brightness ? .number(7) : value
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try check()
        let isValid = controls[control]?.contains(value) ?? false
        guard isValid || defect == .acceptsInvalidValues && controls[control] != nil else {
            throw device.error(.unsupportedControl, "\(control) cannot be \(value)")
        }
        if defect != .forgetsSettings { values.withLock { $0[control] = value } }
    }

    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        let number = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = handler
            return state.nextObserver
        }
        guard defect != .notifiesCancelledObservers else { return ObserverToken {} }
        return ObserverToken { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: number) } }
    }

    /// Changes a control as the device itself does, and notifies observers.
    func change(_ control: DeviceControl, to value: ControlValue) {
        values.withLock { $0[control] = value }
        guard defect != .doesNotNotifyControlChanges else { return }
        for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) { observer.value(control, value) }
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try check()
        guard accepts(configuration.format, configuration.frameDuration) || defect == .acceptsAnyFormat else {
            throw device.error(.unsupportedFormat, "there is no such format")
        }
        let old = stream
        if old?.isRunning == true, defect != .runsTwoStreams { throw device.error(.busy, "a stream runs") }
        if defect != .runsTwoStreams { old?.invalidate() }
        let new = FakeStream(self, configuration)
        state.withLock { $0.stream = new }
        if defect == .keepsStreamsAlive { device.keep(new) }
        return new
    }

    func accepts(_ format: StreamFormat, _ duration: CMTime) -> Bool {
        guard device.formats.contains(format) else { return false }
        guard case .video(let video) = format else { return true }
        return video.supports(frameDuration: duration)
    }

    func close() {
        let (stream, isFirst) = state.withLock { state in
            defer { state.isClosed = true }
            return (state.stream, !state.isClosed)
        }
        guard isFirst else { return }
        if defect == .leavesFilesOpen { _ = dup(STDERR_FILENO) }
        if defect != .keepsStreamingWhenClosed { stream?.invalidate() }
        device.didClose()
    }

    /// The settings that frames report.
    var settings: FrameSettings {
        guard case .number(let zoom)? = values.withLock({ $0[.zoomFactor] }) else { return FrameSettings() }
        return FrameSettings(zoomFactor: defect == .hidesSettings ? 1 : zoom)
    }

    var isMuted: Bool { defect != .deliversAudioWhenMuted && values.withLock { $0[.mute] } == .flag(true) }

    func check() throws(DeviceError) {
        try device.check()
        if defect != .worksWhenClosed, state.withLock({ $0.isClosed }) {
            throw device.error(.invalidState, "the device is closed")
        }
    }
}
