import CaptureHAL
public import Foundation
import MediaTypes

extension AVCaptureDevice {
    /// Whether the camera is several that act as one.
    public var isVirtualDevice: Bool { !hardware.descriptor.constituentIDs.isEmpty }

    /// The cameras of which a virtual device is made and that are connected, from the widest view to the narrowest; empty
    /// for any other device.
    public var constituentDevices: [AVCaptureDevice] {
        guard isVirtualDevice else { return [] }
        let present = surroundings.siblings.devices
        return hardware.descriptor.constituentIDs.compactMap { id in present.first { $0.uniqueID == id } }
    }

    /// Whether an exposure, a lens position and gains can be set by hand where the hardware takes them.
    ///
    /// Of its dual, dual wide and triple cameras Apple's header says that they do "not support" `ExposureMode.custom`, lens
    /// positions and gains: those would mean something else with each switch of the camera.
    var takesSettingsByHand: Bool {
        ![.builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera].contains(deviceType)
    }

    /// The zoom factors from which each constituent but the first delivers, ascending; empty for any other device.
    public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] {
        hardware.descriptor.switchOverZoomFactors.map { NSNumber(value: $0) }
    }

    /// The zoom factor from which a camera of a wide and a telephoto lens can deliver from the latter; 1 for others.
    @available(*, deprecated, message: "Use virtualDeviceSwitchOverVideoZoomFactors instead.")
    public var dualCameraSwitchOverVideoZoomFactor: CGFloat {
        guard deviceType == .builtInDualCamera else { return 1 }
        return CGFloat(hardware.descriptor.switchOverZoomFactors.first ?? 1)
    }

    /// What `videoZoomFactor` is multiplied with to be shown to people, who count from the wide-angle camera's view.
    ///
    /// Of a constituent it is what makes it count as the widest virtual device that has it; 1 for any other camera.
    public var displayVideoZoomFactorMultiplier: CGFloat {
        let descriptor = hardware.descriptor
        if isVirtualDevice {
            let present = surroundings.siblings.devices
            let wide = descriptor.constituentIDs.firstIndex { id in
                present.contains { $0.uniqueID == id && $0.deviceType == .builtInWideAngleCamera }
            }
            return wide.map { 1 / CGFloat(descriptor.firstZoomFactor(ofConstituent: $0)) } ?? 1
        }
        let whole = surroundings.siblings.devices
            .filter { $0.hardware.descriptor.constituentIDs.contains(descriptor.uniqueID) }
            .max { $0.hardware.descriptor.constituentIDs.count < $1.hardware.descriptor.constituentIDs.count }
        guard let whole, let index = whole.hardware.descriptor.constituentIDs.firstIndex(of: descriptor.uniqueID) else {
            return 1
        }
        let factor = whole.hardware.descriptor.firstZoomFactor(ofConstituent: index)
        return whole.displayVideoZoomFactorMultiplier * CGFloat(factor)
    }

    /// The constituent that delivers the pictures; nil for any other device, where it has gone, or while no running session
    /// uses the virtual device. Can be observed.
    public var activePrimaryConstituent: AVCaptureDevice? {
        observedProperties.access()
        guard isVirtualDevice, waits.isStreaming else { return nil }
        let id = hardware.descriptor.constituentIDs[constituentIndex]
        return surroundings.siblings.devices.first { $0.uniqueID == id }
    }

    /// Tells observers, on a queue of the library, that there is a primary constituent, or no more.
    func tellPrimaryConstituent() {
        if isVirtualDevice { tellLater(["activePrimaryConstituent"]) }
    }
}

/// The devices beside a device; the registry that knows them sets itself.
final class DeviceSiblings: Sendable {
    private let registry = Lock(WeakReference<DeviceRegistry>(nil))

    var devices: [AVCaptureDevice] { registry.withLock { $0 }.object?.devices ?? [] }

    /// The user or the system may now prefer another camera.
    func choiceMayHaveChanged() { registry.withLock { $0 }.object?.tellChoice() }

    func set(_ registry: DeviceRegistry) { self.registry.withLock { $0 = WeakReference(registry) } }
}
