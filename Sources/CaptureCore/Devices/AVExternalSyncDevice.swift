public import Foundation
public import MediaTypes

/// A device that controls the times of a camera's frames; no backend supports it.
public final class AVExternalSyncDevice: NSObject, Sendable {
    /// The state of the connection to a device.
    public enum Status: Int, Sendable, Hashable {
        case unavailable = 0
        case ready = 1
        case calibrating = 2
        case activeSync = 3
        case freeRunSync = 4
    }

    private let compensation = Lock(CMTime.zero)
    public let uuid: UUID
    /// The USB vendor identifier; 0 if unknown.
    public let vendorID: UInt32
    /// The USB product identifier; 0 if unknown.
    public let productID: UInt32

    init(uuid: UUID, vendorID: UInt32, productID: UInt32) {
        self.uuid = uuid
        self.vendorID = vendorID
        self.productID = productID
    }

    public var status: Status { .unavailable }

    /// The device's time; nil until the status is `activeSync`.
    public var clock: CMClock? { nil }

    /// Whether the delay can be set: always, as on Apple's systems while the session is not running.
    public var isSignalCompensationDelaySupported: Bool { true }

    /// The delay between a pulse of the device and the start of a frame.
    public var signalCompensationDelay: CMTime {
        get { compensation.withLock { $0 } }
        set { compensation.withLock { $0 = newValue } }
    }
}

/// Receives changes of the connection to an external device.
public protocol AVExternalSyncDeviceDelegate: AnyObject {
    /// The status of a device has changed.
    func externalSyncDeviceStatusDidChange(_ device: AVExternalSyncDevice)
    /// A device has failed.
    func externalSyncDevice(_ device: AVExternalSyncDevice, failedWithError error: (any Error)?)
}

extension AVExternalSyncDeviceDelegate {
    public func externalSyncDeviceStatusDidChange(_ device: AVExternalSyncDevice) {}
    public func externalSyncDevice(_ device: AVExternalSyncDevice, failedWithError error: (any Error)?) {}
}

/// Lists the external devices; no backend supports them.
public final class AVExternalSyncDeviceDiscoverySession: NSObject, Sendable {
    override private init() { super.init() }

    /// The only session; nil, since external devices are not supported.
    public class var shared: AVExternalSyncDeviceDiscoverySession? { nil }

    public class var isSupported: Bool { false }

    public var devices: [AVExternalSyncDevice] { [] }
}
