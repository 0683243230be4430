import MediaTypes

/// A place where devices live: the kernel, a simulated world, a media file, a trace.
public protocol HardwareHost: AnyObject, Sendable {
    /// What `OBSCURA_BACKEND` calls it, as `sim` or `file:street.avi`.
    var name: String { get }
    /// The devices that are connected now, in the host's stable order.
    ///
    /// A device that comes back after a disconnection is a new instance with the old `uniqueID`.
    var devices: [any HardwareDevice] { get }
    /// Those of `devices` with a medium; by default they are picked from all.
    ///
    /// A host for which it costs something to look for devices looks for no others.
    func devices(with medium: DeviceMedia) -> [any HardwareDevice]
    /// Calls `handler` after each change of `devices`, in order, until the observation is cancelled or released.
    ///
    /// - Important: Thread-safe. The handler runs on the host's clock and must not block.
    func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> Observation
}

extension HardwareHost {
    public func devices(with medium: DeviceMedia) -> [any HardwareDevice] {
        devices.filter { $0.descriptor.media.contains(medium) }
    }
}

/// A device came or went.
public enum DeviceChange: Sendable {
    case connected(any HardwareDevice)
    case disconnected(any HardwareDevice)

    public var device: any HardwareDevice {
        switch self {
        case .connected(let device), .disconnected(let device): device
        }
    }
}

/// Something that a host found: described, not yet opened.
public protocol HardwareDevice: AnyObject, Sendable {
    var descriptor: DeviceDescriptor { get }
    /// What the device delivers, in the device's order of preference; never changes while it is connected.
    var formats: [StreamFormat] { get }
    /// False once the device has gone; never true again.
    var isConnected: Bool { get }
    /// Whether a client outside this process holds the device.
    var isInUseByAnotherApplication: Bool { get }
    /// What befalls the device; by default nothing does. Reading it may ask a device that nobody here has open.
    var condition: DeviceCondition { get }
    /// Calls `handler` on the host's clock after each change of `condition`; by default never.
    func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> Observation
    /// Takes the device for the caller alone, until the opened device is closed or released.
    ///
    /// - Throws: `.busy`, `.disconnected`, `.notPermitted` or `.inputOutput`.
    func open() throws(DeviceError) -> any OpenDevice
}

/// A device in the hands of one client.
///
/// - Important: Thread-safe.
public protocol OpenDevice: AnyObject, Sendable {
    /// The controls that the device has; their set never changes, their ranges may with the format.
    var controls: [DeviceControl: ControlRange] { get }
    /// The value that is in force now.
    ///
    /// - Throws: `.unsupportedControl`, `.disconnected` or `.inputOutput`.
    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue
    /// Asks for a value; it shows in a frame delivered later, whose `settings` say so.
    ///
    /// - Throws: `.unsupportedControl`, `.disconnected` or `.inputOutput`.
    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError)
    /// Calls `handler` when the device itself changes a control, as an automatic loop does.
    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> Observation
    /// Prepares a stream; one for each medium of the device may run at a time.
    ///
    /// A stopped one gives its buffers up to the new one, and cannot be started again (`.invalidState`): hardware has one
    /// set of buffers, and a client that replaces its stream still holds the old one when it makes the new.
    ///
    /// - Parameter configuration: The format, one of the device's, and the time between frames.
    /// - Throws: `.busy`, `.unsupportedFormat`, `.disconnected`, `.outOfResources` or `.inputOutput`.
    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream
    /// Stops all streams and gives the device back; more calls do nothing.
    ///
    /// Every other call, `start` of its streams too, then throws `.invalidState`. From inside an event, that event is the
    /// last one.
    func close()
}

/// Cancels something when it is released or told to.
public final class Observation: Sendable {
    private let cancellation: Lock<(@Sendable () -> Void)?>

    public init(cancel: @escaping @Sendable () -> Void) {
        cancellation = Lock(cancel, order: .primitive)
    }

    deinit { cancel() }

    /// Ends the observation; more calls do nothing. A handler that is running now may still finish.
    public func cancel() {
        let action = cancellation.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
