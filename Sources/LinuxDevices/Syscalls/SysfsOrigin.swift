import CaptureHAL

/// The location of a device in sysfs.
struct SysfsOrigin: Sendable {
    /// The folder of the USB device that contains it; nil if it is not a USB device.
    let usbFolder: String?
    /// The name of its bus, such as "usb", "pci" or "platform"; nil if it is unknown.
    let bus: String?

    /// Reads the location of a device.
    ///
    /// - Parameter folder: The folder of the device in its class, such as `/sys/class/sound/card0`.
    init(_ folder: String, kernel: any KernelCalls) {
        // The target of the link is the USB interface. Its parent is the device.
        let device = kernel.resolve("\(folder)/device")
        usbFolder = device.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.endIndex)) }
            .flatMap { kernel.text(of: "\($0)/idVendor") == nil ? nil : $0 }
        bus = kernel.resolve("\(folder)/device/subsystem")?.split(separator: "/").last.map(String.init)
    }

    /// Returns the transport of the device.
    ///
    /// - Parameter driver: The kernel's name of the driver, which identifies virtual devices.
    func transport(driver: String) -> DeviceTransport {
        let virtualDrivers: Set<String> = ["vivid", "v4l2 loopback", "Loopback", "Dummy"]
        if virtualDrivers.contains(driver) { return .virtual }
        if usbFolder != nil { return .usb }
        switch bus {
        case "usb": return .usb
        case "pci": return .pci
        case "firewire": return .fireWire
        case "platform", "i2c", "soc": return .builtIn
        default: return .unknown
        }
    }
}
