public import AssetTypes
import CaptureHAL
public import Foundation
public import KeyValueObserving
import MediaTypes

extension AVCaptureDevice {
    /// The types of devices that `devices()` and `devices(for:)` return.
    private static let listedTypes: Set<DeviceType> = [.builtInWideAngleCamera, .microphone, .external]

    /// Returns the connected wide-angle cameras, microphones and external devices.
    ///
    /// Devices of other types are found only by discovery sessions and `default(_:for:position:)`, so that apps that
    /// expect one camera at each position find one.
    @available(*, deprecated, message: "Use AVCaptureDevice.DiscoverySession instead.")
    public static func devices() -> [AVCaptureDevice] {
        DeviceRegistry.current.devices.filter { listedTypes.contains($0.deviceType) }
    }

    /// Returns the connected wide-angle cameras, microphones and external devices for a media type.
    @available(*, deprecated, message: "Use AVCaptureDevice.DiscoverySession instead.")
    public static func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
        DeviceRegistry.current.devices(for: mediaType).filter { listedTypes.contains($0.deviceType) }
    }

    /// Returns the connected device with a `uniqueID`, the same instance that discovery returns; nil if there is none.
    public convenience init?(uniqueID deviceUniqueID: String) {
        guard let device = DeviceRegistry.current.devices.first(where: { $0.uniqueID == deviceUniqueID }) else {
            return nil
        }
        self.init(instance: device)
    }

    /// Returns the default device: the back wide-angle camera, else another wide-angle camera, else an external camera;
    /// for audio, a microphone, else another audio device.
    public static func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
        defaultDevice(among: DeviceRegistry.current.devices(for: mediaType), for: mediaType)
    }

    /// Returns the default device among `devices`.
    static func defaultDevice(among devices: [AVCaptureDevice], for mediaType: AVMediaType) -> AVCaptureDevice? {
        let candidates = devices.filter { $0.hasMediaType(mediaType) }
        if mediaType == .audio {
            return candidates.first { $0.deviceType == .microphone } ?? candidates.first
        }
        return candidates.first { $0.deviceType == .builtInWideAngleCamera && $0.position == .back }
            ?? candidates.first { $0.deviceType == .builtInWideAngleCamera }
            ?? candidates.first { $0.deviceType == .external }
    }

    /// Returns the first device with a type, media type and position; a nil media type and an unspecified position
    /// match any.
    public static func `default`(
        _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
    ) -> AVCaptureDevice? {
        DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position).devices.first
    }

    /// A query for devices by type, media type and position.
    public final class DiscoverySession: NSObject, KeyValueObserving, Sendable {
        private let deviceTypes: [DeviceType]
        private let mediaType: AVMediaType?
        private let position: Position
        private let registry: DeviceRegistry
        private let observation = Lock<ObserverToken?>(nil)
        public let observedProperties: ObservedProperties

        /// Creates a query.
        ///
        /// - Parameters:
        ///   - mediaType: Nil matches any.
        ///   - position: `.unspecified` matches any.
        public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
            self.deviceTypes = deviceTypes
            self.mediaType = mediaType
            self.position = position
            let system = CaptureSystem.current
            registry = .of(system)
            observedProperties = ObservedProperties(system.reference, system.misuse)
            super.init()
            let changes = registry.observeChanges { [weak self] in self?.observedProperties.changed(["devices"]) }
            observation.withLock { $0 = changes }
        }

        /// The matching connected devices, ordered by the requested types, then by position (unspecified, back, front),
        /// then by host order; can be observed.
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

/// A class with initializers that can return an existing instance.
private protocol ExistingInstance {}

extension ExistingInstance {
    init(instance: Self) { self = instance }
}

extension AVCaptureDevice: ExistingInstance {}

extension AVCaptureDevice.DiscoverySession {
    /// Creates a query that matches all devices of all types.
    package static var everything: AVCaptureDevice.DiscoverySession {
        AVCaptureDevice.DiscoverySession(
            deviceTypes: DeviceKind.allCases.map { AVCaptureDevice.DeviceType($0) }, mediaType: nil,
            position: .unspecified)
    }
}
