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

    /// The zoom factors from which each constituent but the first delivers, ascending; empty for any other device.
    public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] {
        hardware.descriptor.switchOverZoomFactors.map { NSNumber(value: $0) }
    }

    /// The constituent that delivers the pictures; nil for any other device, where it has gone, or while no running session
    /// uses the virtual device. Can be observed.
    public var activePrimaryConstituent: AVCaptureDevice? {
        observedProperties.access()
        let descriptor = hardware.descriptor
        guard isVirtualDevice, waits.isStreaming else { return nil }
        let zoom = number(.zoomFactor) ?? 1
        let id = descriptor.constituentIDs[descriptor.switchOverZoomFactors.prefix { $0 <= zoom }.count]
        return surroundings.siblings.devices.first { $0.uniqueID == id }
    }

    /// Tells observers, on a queue of the library, that there is a primary constituent, or no more.
    func tellPrimaryConstituent() {
        guard isVirtualDevice else { return }
        surroundings.clock.deliver(on: changeQueue) { [weak self] in
            self?.observedProperties.changed(["activePrimaryConstituent"])
        }
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
