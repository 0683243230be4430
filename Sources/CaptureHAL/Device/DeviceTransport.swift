/// The connection between a device and the machine.
public enum DeviceTransport: String, Sendable, Hashable, CaseIterable {
    case unknown
    case builtIn, usb, pci, fireWire
    /// Provided by software, such as a media file or a sound server.
    case virtual
}
