/// What a host, device, stream or control reports when the world goes wrong.
public struct DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; the layer above maps each case to an `AVError`.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Another client, in this process or another, holds the device.
        case busy
        /// The device is gone, now and for good: plugged in again it is a new device.
        case disconnected
        /// The system or the user does not let this process use the device.
        case notPermitted
        /// The device has no such format, size or frame rate.
        case unsupportedFormat
        /// The device has no such control, or the value is outside its range.
        case unsupportedControl
        /// A call came in a state in which it makes no sense, as starting a running stream.
        case invalidState
        /// The device answered with an input or output error, or its data cannot be used.
        case inputOutput
        /// Memory or buffers ran out.
        case outOfResources
        /// The source cannot be opened or understood, as a file that is no movie.
        case invalidSource
    }

    public let code: Code
    /// The `uniqueID` of the device, or the path of the source.
    public let device: String
    /// One sentence: what was tried, what came back, and what would be right.
    public let message: String

    public init(_ code: Code, device: String, _ message: String) {
        self.code = code
        self.device = device
        self.message = message
    }

    public var description: String { "\(device): \(message)" }
}
