import CLinuxDevices
package import CaptureHAL
import MediaTypes

/// A V4L2 camera that a client has opened.
///
/// The controls and each stream have their own file descriptor, so that a stream can close while clients use its
/// frames.
package final class V4L2OpenCamera: OpenDevice {
    private struct State {
        weak var stream: V4L2Stream?
        var isClosed = false
    }

    private let path: String
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let device: String
    private let list: V4L2FormatList
    private let captureType: UInt32
    private let driverControls: V4L2Controls
    private let whenClosed: @Sendable () -> Void
    private let state = Lock(State())

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
    }

    deinit { close() }

    package var controls: [DeviceControl: ControlRange] { driverControls.ranges }

    package func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        try requireOpen()
        return try driverControls.value(of: control)
    }

    package func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        try requireOpen()
        try driverControls.set(control, to: value)
    }

    package func observeControls(
        _ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void
    ) -> ObserverToken {
        driverControls.observe(handler)
    }

    /// Creates a stream; an earlier stream that is stopped is closed and cannot be started again.
    package func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        try requireOpen()
        guard case .video(let format) = configuration.format, let entry = list.entry(format) else {
            throw DeviceError(
                .unsupportedFormat, device: device, "the camera does not support the format; select one of `formats`")
        }
        guard entry.stream.supports(frameDuration: configuration.frameDuration) else {
            throw DeviceError(
                .unsupportedFormat, device: device,
                "the format does not support a frame duration of \(configuration.frameDuration.seconds) s")
        }
        let previous = state.withLock(\.stream)
        if let previous {
            guard !previous.isRunning else {
                throw DeviceError(.busy, device: device, "the camera streams already; stop that stream first")
            }
            previous.close()
        }
        let node: V4L2Node
        do {
            node = try V4L2Node(path, kernel: kernel, clock: clock)
        } catch {
            throw DeviceError(error, device: device, "the stream could not be created")
        }
        let stream = try V4L2Stream(
            node, type: captureType, entry: entry, configuration: configuration, device: device, clock: clock,
            controls: driverControls)
        let isOpen = state.withLock { state in
            if !state.isClosed { state.stream = stream }
            return !state.isClosed
        }
        if !isOpen { stream.close() }
        try requireOpen()
        return stream
    }

    package func close() {
        let (stream, isFirst) = state.withLock { state in
            defer { state.isClosed = true }
            return (state.stream, !state.isClosed)
        }
        stream?.close()
        driverControls.close()
        if isFirst { whenClosed() }
    }

    /// Whether the client has not closed the device.
    private var isOpen: Bool { !state.withLock(\.isClosed) }

    private func requireOpen() throws(DeviceError) {
        if !isOpen { throw DeviceError(.invalidState, device: device, "the camera was closed; open it again") }
    }
}
