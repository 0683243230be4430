import CaptureHAL
import MediaCodecs
import MediaTypes

/// An opened camera or microphone of a media file. It has no controls.
final class OpenMediaFile: OpenDevice {
    private let device: MediaFileDevice

    private struct State {
        var isClosed = false
        weak var stream: MediaFileStream?
    }

    private let state = Lock(State(), order: .openDevice)

    init(_ device: MediaFileDevice) {
        self.device = device
    }

    deinit { close() }

    let controls: [DeviceControl: ControlRange] = [:]

    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        throw unsupported(control)
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        throw unsupported(control)
    }

    private func unsupported(_ control: DeviceControl) -> DeviceError {
        DeviceError(
            .unsupportedControl, device: device.descriptor.uniqueID,
            "\(device.descriptor.localizedName) is a media file and has no control \(control.rawValue)")
    }

    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        ObserverToken {}
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        let descriptor = device.descriptor
        guard device.formats.contains(configuration.format) else {
            throw DeviceError(
                .unsupportedFormat, device: descriptor.uniqueID,
                "\(descriptor.localizedName) does not support this format: use one of its `formats`")
        }
        if case .video(let format) = configuration.format {
            guard format.supports(frameDuration: configuration.frameDuration) else {
                throw MediaFileStream.unsupported(configuration.frameDuration, of: device)
            }
        }
        let stream = MediaFileStream(device, configuration)
        let failure: DeviceError? = state.withLock { state in
            if state.isClosed {
                return DeviceError(.invalidState, device: descriptor.uniqueID, "the device is closed")
            }
            if state.stream?.isRunning ?? false {
                return DeviceError(.busy, device: descriptor.uniqueID, "the device already has a running stream")
            }
            state.stream?.invalidate()
            state.stream = stream
            return nil
        }
        if let failure { throw failure }
        return stream
    }

    func close() {
        let (wasClosed, stream) = state.withLock { state in
            defer {
                state.isClosed = true
                state.stream = nil
            }
            return (state.isClosed, state.stream)
        }
        guard !wasClosed else { return }
        stream?.invalidate()
        stream?.stop()
        device.didClose()
    }
}
