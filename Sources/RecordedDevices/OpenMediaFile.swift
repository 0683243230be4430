import CaptureHAL
import MediaCodecs
import MediaTypes

/// A file's camera or microphone in the hands of one client. It has no controls.
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
        throw lacking(control)
    }

    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        throw lacking(control)
    }

    private func lacking(_ control: DeviceControl) -> DeviceError {
        DeviceError(
            .unsupportedControl, device: device.descriptor.uniqueID,
            "\(device.descriptor.localizedName) is a file and has no control \(control.rawValue)")
    }

    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> Observation {
        Observation {}
    }

    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        let descriptor = device.descriptor
        guard device.formats.contains(configuration.format) else {
            throw DeviceError(
                .unsupportedFormat, device: descriptor.uniqueID,
                "\(descriptor.localizedName) does not have this format: choose one of its own")
        }
        if case .video(let format) = configuration.format {
            guard format.supports(frameDuration: configuration.frameDuration) else {
                throw MediaFileStream.unsupported(configuration.frameDuration, of: device)
            }
        }
        let stream = MediaFileStream(device, configuration)
        let refusal: DeviceError? = state.withLock { state in
            if state.isClosed {
                return DeviceError(.invalidState, device: descriptor.uniqueID, "the device is closed")
            }
            if state.stream?.isRunning ?? false {
                return DeviceError(.busy, device: descriptor.uniqueID, "the device has a stream already")
            }
            state.stream?.retire()
            state.stream = stream
            return nil
        }
        if let refusal { throw refusal }
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
        stream?.retire()
        stream?.stop()
        device.didClose()
    }
}
