import CaptureHAL

/// Where a device of the kernel sits, by what sysfs tells.
struct SysfsOrigin: Sendable {
    /// The folder of the USB device of which it is a part; nil for others.
    let usbFolder: String?
    /// The bus on which it is: "usb", "pci", "platform"; nil where unknown.
    let bus: String?

    /// - Parameter folder: Of the device in its class, as `/sys/class/sound/card0`.
    init(_ folder: String, kernel: any KernelCalls) {
        // The link leads to the USB interface; the device is the folder above.
        let device = kernel.resolve("\(folder)/device")
        usbFolder = device.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.endIndex)) }
            .flatMap { kernel.text(of: "\($0)/idVendor") == nil ? nil : $0 }
        bus = kernel.resolve("\(folder)/device/subsystem")?.split(separator: "/").last.map(String.init)
    }

    /// - Parameter driver: As the kernel names it; some make devices of their own.
    func transport(driver: String) -> DeviceTransport {
        let makers: Set<String> = ["vivid", "v4l2 loopback", "Loopback", "Dummy"]
        if makers.contains(driver) { return .virtual }
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
