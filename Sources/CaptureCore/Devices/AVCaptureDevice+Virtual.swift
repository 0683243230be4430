import CaptureHAL
public import Foundation
import MediaTypes

extension AVCaptureDevice {
    /// Whether the camera combines several constituent cameras.
    public var isVirtualDevice: Bool { !hardware.descriptor.constituentIDs.isEmpty }

    /// The connected constituents of a virtual device, from the widest view to the narrowest; empty for any other
    /// device.
    public var constituentDevices: [AVCaptureDevice] {
        guard isVirtualDevice else { return [] }
        let connected = environment.deviceList.devices
        return hardware.descriptor.constituentIDs.compactMap { id in connected.first { $0.uniqueID == id } }
    }

    /// The lenses of the constituents of a virtual device, in the order of their IDs; empty for any other device, or if
    /// one is disconnected or its lens is unknown.
    var constituentLenses: [LensDescriptor] {
        let lenses = constituentDevices.compactMap(\.hardware.descriptor.lens)
        return lenses.count == hardware.descriptor.constituentIDs.count ? lenses : []
    }

    /// Whether exposure, lens position and gains can be set manually if the hardware supports it.
    ///
    /// According to Apple's header, dual, dual wide and triple cameras do not support `ExposureMode.custom`, lens
    /// positions and gains, since these values depend on the active constituent.
    var supportsManualSettings: Bool {
        ![.builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera].contains(deviceType)
    }

    /// The zoom factors at which a virtual device switches to the next constituent, in ascending order; empty for other
    /// devices.
    public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] {
        hardware.descriptor.switchOverZoomFactors.map { NSNumber(value: $0) }
    }

    /// The zoom factor at which a dual camera can switch to the telephoto camera; 1 for other devices.
    @available(*, deprecated, message: "Use virtualDeviceSwitchOverVideoZoomFactors instead.")
    public var dualCameraSwitchOverVideoZoomFactor: CGFloat {
        guard deviceType == .builtInDualCamera else { return 1 }
        return CGFloat(hardware.descriptor.switchOverZoomFactors.first ?? 1)
    }

    /// The ratio of the displayed zoom factor, which is relative to the wide-angle camera, to `videoZoomFactor`.
    ///
    /// For a constituent, the virtual device that contains it determines the ratio; if there are several, the one with
    /// the most constituents. For any other camera, it is 1.
    public var displayVideoZoomFactorMultiplier: CGFloat {
        observedProperties.access()
        let descriptor = hardware.descriptor
        if isVirtualDevice {
            let connected = environment.deviceList.devices
            let wide = descriptor.constituentIDs.firstIndex { id in
                connected.contains { $0.uniqueID == id && $0.deviceType == .builtInWideAngleCamera }
            }
            return wide.map { 1 / CGFloat(descriptor.firstZoomFactor(ofConstituent: $0)) } ?? 1
        }
        let virtualDevice = environment.deviceList.devices
            .filter { $0.hardware.descriptor.constituentIDs.contains(descriptor.uniqueID) }
            .max { $0.hardware.descriptor.constituentIDs.count < $1.hardware.descriptor.constituentIDs.count }
        guard let virtualDevice,
            let index = virtualDevice.hardware.descriptor.constituentIDs.firstIndex(of: descriptor.uniqueID)
        else {
            return 1
        }
        let factor = virtualDevice.hardware.descriptor.firstZoomFactor(ofConstituent: index)
        return virtualDevice.displayVideoZoomFactorMultiplier * CGFloat(factor)
    }

    /// The constituent that delivers the frames; nil for any other device, if the constituent is disconnected, or while
    /// no running session uses the virtual device. Can be observed.
    public var activePrimaryConstituent: AVCaptureDevice? {
        observedProperties.access()
        guard isVirtualDevice, settingCompletions.isStreaming else { return nil }
        let id = hardware.descriptor.constituentIDs[constituentIndex]
        return environment.deviceList.devices.first { $0.uniqueID == id }
    }

    /// Notifies observers, on a private queue, of a change of the primary constituent.
    func notifyPrimaryConstituentChange() {
        if isVirtualDevice { notifyAsynchronously(["activePrimaryConstituent"]) }
    }
}

/// The connected devices of a registry, which each device can access without retaining the registry.
final class ConnectedDevices: Sendable {
    private let registry = Lock(WeakReference<DeviceRegistry>(nil))

    /// The connected devices.
    var devices: [AVCaptureDevice] { registry.withLock { $0 }.object?.devices ?? [] }

    /// Notifies the registry that the preferred camera may have changed.
    func preferredCameraMayHaveChanged() { registry.withLock { $0 }.object?.notifyPreferredCameraChange() }

    /// Sets the registry; called by the registry itself.
    func set(_ registry: DeviceRegistry) { self.registry.withLock { $0 = WeakReference(registry) } }
}
