import CLinuxDevices
import CaptureHAL

/// Who a camera is, by what sysfs and the driver tell.
struct V4L2Identity: Sendable {
    /// As `video0`.
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

    /// Whether it is the first of its device's nodes; the others are for metadata and the like.
    var isFirstOfDevice: Bool { (attribute("index") ?? "0") == "0" }

    func descriptor(_ capability: V4L2Capability?, _ node: V4L2Node?) -> DeviceDescriptor {
        let card = capability?.card ?? attribute("name") ?? name
        let (position, angle) = mounting(node)
        return DeviceDescriptor(
            uniqueID: uniqueID(capability, card), modelID: modelID(capability, card), localizedName: card,
            manufacturer: usb("manufacturer") ?? capability?.driver ?? "",
            kind: kind(position), position: position, media: [.video], mountingAngle: angle,
            transport: origin.transport(driver: capability?.driver ?? ""), housing: origin.usbFolder)
    }

    /// By the socket and the node's place in its device, so the same after a replug into the same socket; by the serial
    /// number where there is one, and then the same in any socket.
    private func uniqueID(_ capability: V4L2Capability?, _ card: String) -> String {
        let index = attribute("index") ?? "0"
        if let serial = usb("serial"), !serial.isEmpty, let vendor = usb("idVendor"), let product = usb("idProduct") {
            return "v4l2:usb-\(vendor):\(product)-\(serial):\(index)"
        }
        let place = capability?.bus ?? kernel.resolve("\(folder)/device") ?? name
        return "v4l2:\(place):\(card):\(index)"
    }

    private func modelID(_ capability: V4L2Capability?, _ card: String) -> String {
        guard let vendor = usb("idVendor"), let product = usb("idProduct") else {
            return "\(capability?.driver ?? "v4l2") \(card)"
        }
        // As AVFoundation writes it for USB cameras.
        return "UVC Camera VendorID_\(Int(vendor, radix: 16) ?? 0) ProductID_\(Int(product, radix: 16) ?? 0)"
    }

    private func kind(_ position: DevicePosition) -> DeviceKind {
        if position != .unspecified { return .builtInWideAngleCamera }
        return usb("removable") == "fixed" ? .builtInWideAngleCamera : .external
    }

    /// Side and angle, which drivers of built-in cameras tell as read-only controls.
    private func mounting(_ node: V4L2Node?) -> (DevicePosition, Int) {
        func number(_ id: Int32) -> Int32? {
            guard let node else { return nil }
            var control = v4l2_control(id: UInt32(id), value: 0)
            do {
                try node.request(clinuxdevices_VIDIOC_G_CTRL, "VIDIOC_G_CTRL", &control)
                return control.value
            } catch {
                return nil  // Most cameras do not know.
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
    /// What sysfs tells of the USB device that the camera is a part of; nil for others.
    func usb(_ name: String) -> String? { origin.usbFolder.flatMap { kernel.text(of: "\($0)/\(name)") } }
}
