import CLinuxDevices
package import CaptureHAL
import MediaTypes

/// A V4L2 camera that a client has opened.
///
/// The controls and each stream have their own file descriptor, so that a stream can close while clients use its
/// frames.
package final class V4L2OpenCamera: OpenDevice {
    private let path: String
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let device: String
    private let list: V4L2FormatList
    private let captureType: UInt32
    private let driverControls: V4L2Controls
    private let whenClosed: @Sendable () -> Void
    private let streams: DeviceStreams<V4L2Stream>

    init(
        path: String, kernel: any KernelCalls, clock: any CaptureClock, device: String, list: V4L2FormatList,
        captureType: UInt32, controls: V4L2Controls, whenClosed: @escaping @Sendable () -> Void = {}
    ) {
        self.whenClosed = whenClosed
        self.path = path
        self.kernel = kernel
        self.clock = clock
        self.device = device
        self.list = list
        self.captureType = captureType
        driverControls = controls
        streams = DeviceStreams(device: device)
    }

    deinit { close() }

    package var controls: [DeviceControl: ControlRange] { driverControls.ranges }

    package func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try streams.checkOpen()
        return try driverControls.value(of: control)
    }

    package func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try streams.checkOpen()
        try driverControls.set(control, to: value)
    }

    package func observeControls(
        _ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void
    ) -> ObserverToken {
        driverControls.observe(handler)
    }

    /// Creates a stream; an earlier stream that is stopped is closed and cannot be started again.
    package func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try streams.checkOpen()
        guard case .video(let format) = configuration.format, let entry = list.entry(format) else {
            throw DeviceError(
                .unsupportedFormat, device: device, "the camera does not support the format; select one of `formats`")
        }
        guard entry.stream.supports(frameDuration: configuration.frameDuration) else {
            throw DeviceError(
                .unsupportedFormat, device: device,
                "the format does not support a frame duration of \(configuration.frameDuration.seconds) s")
        }
        return try streams.replace(.video) { () throws(DeviceError) in
            let node: V4L2Node
            do throws(KernelError) {
                node = try V4L2Node(path, kernel: kernel, clock: clock)
            } catch {
                throw DeviceError(error, device: device, "the stream could not be created")
            }
            return try V4L2Stream(
                node, type: captureType, entry: entry, configuration: configuration, device: device, clock: clock,
                controls: driverControls)
        }
    }

    package func close() {
        let isFirst = streams.close()
        driverControls.close()
        if isFirst { whenClosed() }
    }
}
