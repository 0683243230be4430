/// An environmental failure reported by a host, device, stream or control.
public struct DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; the layer above maps each case to an `AVError`.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Another client, in this process or another, has the device open.
        case busy
        /// The device is disconnected permanently: after reconnection it is a new device.
        case disconnected
        /// The system or the user denies this process the use of the device.
        case notPermitted
        /// The device has no such format, size or frame rate.
        case unsupportedFormat
        /// The device has no such control, or the value is outside its range.
        case unsupportedControl
        /// The call is not allowed in the current state, such as starting a running stream.
        case invalidState
        /// The device reported an input or output error, or its data is unusable.
        case inputOutput
        /// Memory or buffers are exhausted.
        case outOfResources
        /// The source cannot be opened or parsed, such as a file that is not a movie.
        case invalidSource
    }

    /// The kind of failure.
    public let code: Code
    /// The `uniqueID` of the device, or the path of the source.
    public let device: String
    /// One sentence: the attempted operation, the result, and the solution.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, device: String, _ message: String) {
        self.code = code
        self.device = device
        self.message = message
    }

    /// The device and the message.
    public var description: String { "\(device): \(message)" }
}
