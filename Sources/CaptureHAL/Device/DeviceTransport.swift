/// How a device is attached to the machine.
public enum DeviceTransport: String, Sendable, Hashable, CaseIterable {
    case unknown
    case builtIn, usb, pci, fireWire
    /// Made by software, as a media file or a sound server.
    case virtual
}
