import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaAssets
import MediaTypes

extension AVCaptureDevice {
    /// All devices that are connected.
    @available(*, deprecated, message: "Use AVCaptureDevice.DiscoverySession instead.")
    public static func devices() -> [AVCaptureDevice] {
        DeviceRegistry.current.devices
    }

    /// All connected devices for a medium.
    @available(*, deprecated, message: "Use AVCaptureDevice.DiscoverySession instead.")
    public static func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
        DeviceRegistry.current.devices(for: mediaType)
    }

    /// The connected device with that `uniqueID`; nil where there is none.
    ///
    /// It is the one instance that is also found otherwise.
    public convenience init?(uniqueID deviceUniqueID: String) {
        guard let device = DeviceRegistry.current.devices.first(where: { $0.uniqueID == deviceUniqueID }) else {
            return nil
        }
        self.init(instance: device)
    }

    /// The device that a person would expect: the back wide-angle camera, the built-in microphone, else an external
    /// one.
    public static func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
        standard(of: DeviceRegistry.current.devices(for: mediaType), for: mediaType)
    }

    /// The one of some devices that a person would expect.
    static func standard(of devices: [AVCaptureDevice], for mediaType: AVMediaType) -> AVCaptureDevice? {
        let candidates = devices.filter { $0.hasMediaType(mediaType) }
        if mediaType == .audio {
            return candidates.first { $0.deviceType == .microphone } ?? candidates.first
        }
        return candidates.first { $0.deviceType == .builtInWideAngleCamera && $0.position == .back }
            ?? candidates.first { $0.deviceType == .builtInWideAngleCamera }
            ?? candidates.first { $0.deviceType == .external }
    }

    /// The first device of exactly that type, medium and position; a nil medium and an unspecified position match
    /// any.
    public static func `default`(
        _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
    ) -> AVCaptureDevice? {
        DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position).devices.first
    }

    /// Looks for devices by type, medium and position.
    public final class DiscoverySession: NSObject, KeyValueObserving, Sendable {
        private let deviceTypes: [DeviceType]
        private let mediaType: AVMediaType?
        private let position: Position
        private let registry: DeviceRegistry
        private let observation = Lock<Observation?>(nil)
        public let observedProperties = ObservedProperties()

        /// - Parameters:
        ///   - mediaType: nil takes any.
        ///   - position: `.unspecified` takes any.
        public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
            self.deviceTypes = deviceTypes
            self.mediaType = mediaType
            self.position = position
            registry = .current
            super.init()
            let changes = registry.observeChanges { [weak self] in self?.observedProperties.changed(["devices"]) }
            observation.withLock { $0 = changes }
        }

        /// The matching devices that are connected now: in the order of the types asked for, then by position as
        /// `Position` counts them (unspecified, back, front), then in host order; can be observed.
        public var devices: [AVCaptureDevice] {
            observedProperties.access()
            let connected = mediaType.map { registry.devices(for: $0) } ?? registry.devices
            return deviceTypes.flatMap { type in
                let matching = connected.filter { device in
                    device.deviceType == type
                        && (position == .unspecified || device.position == position)
                }
                return [Position.unspecified, .back, .front].flatMap { position in
                    matching.filter { $0.position == position }
                }
            }
        }
    }
}

/// A class whose initializers can give an instance that exists.
private protocol ExistingInstance {}

extension ExistingInstance {
    init(instance: Self) { self = instance }
}

extension AVCaptureDevice: ExistingInstance {}

extension AVCaptureDevice.DiscoverySession {
    /// Finds all devices of all types.
    package static var everything: AVCaptureDevice.DiscoverySession {
        AVCaptureDevice.DiscoverySession(
            deviceTypes: DeviceKind.allCases.map { AVCaptureDevice.DeviceType($0) }, mediaType: nil,
            position: .unspecified)
    }
}
