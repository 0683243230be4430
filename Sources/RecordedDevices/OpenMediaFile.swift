import CaptureHAL
import MediaCodecs
import MediaTypes

/// An opened camera or microphone of a media file. It has no controls.
final class OpenMediaFile: OpenDevice {
    private let device: MediaFileDevice
    private let streams: DeviceStreams<MediaFileStream>

    init(_ device: MediaFileDevice) {
        self.device = device
        streams = DeviceStreams(device: device.descriptor.uniqueID)
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
        return try streams.replace(configuration.format.media) { MediaFileStream(device, configuration) }
    }

    func close() {
        if streams.close() { device.didClose() }
    }
}
