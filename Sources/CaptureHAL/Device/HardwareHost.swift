import MediaTypes

/// A source of devices: the kernel, a simulated world, a media file, a trace.
public protocol HardwareHost: AnyObject, Sendable {
    /// The host's name in `OBSCURA_BACKEND`, such as `sim` or `file:street.avi`.
    var name: String { get }
    /// The connected devices, in the host's stable order.
    ///
    /// A device that is reconnected is a new instance with the same `uniqueID`.
    var devices: [any HardwareDevice] { get }
    /// Returns the connected devices that deliver a medium; by default filters `devices`.
    ///
    /// Hosts with expensive enumeration implement it to enumerate only devices of this medium.
    func devices(with medium: DeviceMedia) -> [any HardwareDevice]
    /// Calls `handler` after each change of `devices`, in order, until the token is cancelled or released.
    ///
    /// - Important: Thread-safe. The handler runs on the host's clock and must not block.
    func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken
    /// The sensor that measures the orientation of the machine; by default nil: the machine has none.
    ///
    /// The host returns the same instance each time. A `CaptureSystem` uses the sensor of the first host that has one.
    var orientation: OrientationSensor? { get }
    /// The Camera Control of the machine; by default nil: the machine has none.
    ///
    /// The host returns the same instance each time. A `CaptureSystem` uses the one of the first host that has one.
    var cameraControl: CameraControl? { get }
    /// The virtual time that media work of the machine takes; by default nil: no virtual time.
    ///
    /// A `CaptureSystem` uses the durations of the first host that has some. In real time they have no effect.
    var processingDurations: ProcessingDurations? { get }
    /// The form, the screen and the capacity of the machine; by default nil: unknown.
    ///
    /// A `CaptureSystem` uses the descriptor of the first host that has one.
    var machine: MachineDescriptor? { get }
}

extension HardwareHost {
    /// No sensor.
    public var orientation: OrientationSensor? { nil }

    /// No Camera Control.
    public var cameraControl: CameraControl? { nil }

    /// No virtual time.
    public var processingDurations: ProcessingDurations? { nil }

    /// Unknown.
    public var machine: MachineDescriptor? { nil }

    /// Filters `devices` by medium.
    public func devices(with medium: DeviceMedia) -> [any HardwareDevice] {
        devices.filter { $0.descriptor.media.contains(medium) }
    }
}

/// A connection or disconnection of a device.
public enum DeviceChange: Sendable {
    case connected(any HardwareDevice)
    case disconnected(any HardwareDevice)

    /// The device that was connected or disconnected.
    public var device: any HardwareDevice {
        switch self {
        case .connected(let device), .disconnected(let device): device
        }
    }
}

/// A device that a host enumerates, open or not.
public protocol HardwareDevice: AnyObject, Sendable {
    /// The device's identity and fixed properties.
    var descriptor: DeviceDescriptor { get }
    /// The supported formats, in the device's order of preference; constant while it is connected.
    var formats: [StreamFormat] { get }
    /// Whether the device is connected. After a disconnection, it stays false.
    var isConnected: Bool { get }
    /// Whether a client outside this process uses the device.
    var isInUseByAnotherApplication: Bool { get }
    /// The external conditions that affect the device; by default none. Reading them may query the hardware if
    /// no client in this process has opened the device.
    var condition: DeviceCondition { get }
    /// Calls `handler` on the host's clock after each change of `condition`; by default never.
    func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> ObserverToken
    /// Opens the device for exclusive use, until the opened device is closed or released.
    ///
    /// - Throws: `.busy`, `.disconnected`, `.notPermitted` or `.inputOutput`.
    func open() throws(DeviceError) -> any OpenDevice
}

/// A device that a client has opened for exclusive use.
///
/// - Important: Thread-safe.
public protocol OpenDevice: AnyObject, Sendable {
    /// The device's controls. The set of controls is constant, but their ranges may change with the format.
    var controls: [DeviceControl: ControlRange] { get }
    /// Returns the current value.
    ///
    /// - Throws: `.unsupportedControl`, `.disconnected` or `.inputOutput`.
    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue
    /// Sets a value. It takes effect in a later frame, and the `settings` of that frame report it.
    ///
    /// The value is a setting of the device, not of this client: it stays after `close()`, until the device is
    /// disconnected or another client changes it.
    ///
    /// - Throws: `.unsupportedControl`, `.disconnected` or `.inputOutput`.
    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError)
    /// Calls `handler` when the device itself changes a control, for example in an automatic mode.
    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken
    /// Creates a stream. One stream for each medium of the device may run at a time.
    ///
    /// The new stream uses the buffers of a previous one, because hardware has one set of buffers. The previous stream
    /// must be stopped and cannot be started again (`.invalidState`). A client may still have a reference to it.
    ///
    /// - Parameter configuration: The format, one of the device's, and the time between frames.
    /// - Throws: `.busy`, `.unsupportedFormat`, `.disconnected`, `.outOfResources` or `.inputOutput`.
    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream
    /// Requests a still beside the frames of the running video stream.
    ///
    /// The exposures arrive in `VideoFrame.stills` of later frames. If the stream ends first, they do not arrive. By
    /// default throws `.unsupportedFormat`, for devices without `stills` in their descriptor.
    ///
    /// - Throws: `.unsupportedFormat` if the device does not have the size or the capabilities, `.invalidState` if no
    ///   video stream is running, or `.disconnected`.
    func captureStill(_ request: StillRequest) throws(DeviceError)
    /// Stops all streams and releases the device. Further calls have no effect.
    ///
    /// Afterwards all other calls, including `start` of its streams, throw `.invalidState`. If called while an event is
    /// being delivered, that event is the last one.
    func close()
}

extension OpenDevice {
    /// Throws `.unsupportedFormat`.
    public func captureStill(_ request: StillRequest) throws(DeviceError) {
        throw DeviceError(
            .unsupportedFormat, device: "camera", "the device captures no stills beside its stream; use its frames")
    }
}

/// An observation that ends when the token is cancelled or released.
public final class ObserverToken: Sendable {
    private let cancellation: Lock<(@Sendable () -> Void)?>

    /// Creates a token; `cancel` runs once, on cancellation or release.
    public init(cancel: @escaping @Sendable () -> Void) {
        cancellation = Lock(cancel, order: .primitive)
    }

    deinit { cancel() }

    /// Ends the observation. Further calls have no effect. A handler that is running may still finish.
    public func cancel() {
        let action = cancellation.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
