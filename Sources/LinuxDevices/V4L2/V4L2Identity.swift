import CLinuxDevices
import CaptureHAL

/// The identity of a camera, from sysfs and the driver.
struct V4L2Identity: Sendable {
    /// The name of the node, such as `video0`.
    let name: String
    private let kernel: any KernelCalls
    private let folder: String
    private let origin: SysfsOrigin

    init(path: String, kernel: any KernelCalls) {
        self.kernel = kernel
        name = path.split(separator: "/").last.map(String.init) ?? path
        folder = "/sys/class/video4linux/\(name)"
        origin = SysfsOrigin(folder, kernel: kernel)
    }

    /// Whether this is the first node of the device; the others are for metadata or similar purposes.
    var isFirstOfDevice: Bool { (attribute("index") ?? "0") == "0" }

    /// Creates the device's descriptor. The arguments are nil if the node cannot be opened.
    func descriptor(_ capability: V4L2Capability?, _ node: V4L2Node?) -> DeviceDescriptor {
        let card = capability?.card ?? attribute("name") ?? name
        let (position, angle) = mounting(node)
        return DeviceDescriptor(
            uniqueID: uniqueID(capability, card), modelID: modelID(capability, card), localizedName: card,
            manufacturer: usb("manufacturer") ?? capability?.driver ?? "",
            kind: kind(position), position: position, media: [.video], mountingAngle: angle,
            transport: origin.transport(driver: capability?.driver ?? ""), housing: origin.usbFolder)
    }

    /// The unique ID: from the serial number if there is one, else from the port. It also contains the node's index.
    ///
    /// An ID with a serial number is the same at any port; one without is the same after reconnecting to the same port.
    private func uniqueID(_ capability: V4L2Capability?, _ card: String) -> String {
        let index = attribute("index") ?? "0"
        if let serial = usb("serial"), !serial.isEmpty, let vendor = usb("idVendor"), let product = usb("idProduct") {
            return "v4l2:usb-\(vendor):\(product)-\(serial):\(index)"
        }
        let port = capability?.bus ?? kernel.resolve("\(folder)/device") ?? name
        return "v4l2:\(port):\(card):\(index)"
    }

    private func modelID(_ capability: V4L2Capability?, _ card: String) -> String {
        guard let vendor = usb("idVendor"), let product = usb("idProduct") else {
            return "\(capability?.driver ?? "v4l2") \(card)"
        }
        // The same text as AVFoundation's for USB cameras.
        return "UVC Camera VendorID_\(Int(vendor, radix: 16) ?? 0) ProductID_\(Int(product, radix: 16) ?? 0)"
    }

    private func kind(_ position: DevicePosition) -> DeviceKind {
        if position != .unspecified { return .builtInWideAngleCamera }
        return usb("removable") == "fixed" ? .builtInWideAngleCamera : .external
    }

    /// The position and mounting angle, which drivers of built-in cameras provide as read-only controls.
    private func mounting(_ node: V4L2Node?) -> (DevicePosition, Int) {
        func number(_ id: Int32) -> Int32? {
            guard let node else { return nil }
            var control = v4l2_control(id: UInt32(id), value: 0)
            do {
                try node.request(clinuxdevices_VIDIOC_G_CTRL, "VIDIOC_G_CTRL", &control)
                return control.value
            } catch {
                return nil  // Most cameras do not have these controls.
            }
        }
        let position: DevicePosition =
            switch number(V4L2_CID_CAMERA_ORIENTATION) {
            case V4L2_CAMERA_ORIENTATION_FRONT: .front
            case V4L2_CAMERA_ORIENTATION_BACK: .back
            default: .unspecified
            }
        let angle = Int(number(V4L2_CID_CAMERA_SENSOR_ROTATION) ?? 0)
        return (position, [0, 90, 180, 270].contains(angle) ? angle : 0)
    }

    private func attribute(_ name: String) -> String? { kernel.text(of: "\(folder)/\(name)") }
    /// An attribute of the camera's USB device in sysfs; nil if it is not a USB camera.
    func usb(_ name: String) -> String? { origin.usbFolder.flatMap { kernel.text(of: "\($0)/\(name)") } }
}
