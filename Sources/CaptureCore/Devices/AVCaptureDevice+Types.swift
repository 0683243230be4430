// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
public import Foundation

extension AVCaptureDevice {
    /// The role of a device.
    public struct DeviceType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let builtInWideAngleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera")
        public static let builtInUltraWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInUltraWideCamera")
        public static let builtInTelephotoCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTelephotoCamera")
        public static let builtInDualCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualCamera")
        public static let builtInDualWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualWideCamera")
        public static let builtInTripleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTripleCamera")
        public static let builtInTrueDepthCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTrueDepthCamera")
        public static let builtInLiDARDepthCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInLiDARDepthCamera")
        /// The front camera under the inner display of a foldable phone.
        public static let builtInInnerUltraWideCamera = DeviceType(
            rawValue: "AVCaptureDeviceTypeBuiltInInnerUltraWideCamera")
        /// The front camera beside the outer display of a foldable phone.
        public static let builtInOuterUltraWideCamera = DeviceType(
            rawValue: "AVCaptureDeviceTypeBuiltInOuterUltraWideCamera")
        public static let continuityCamera = DeviceType(rawValue: "AVCaptureDeviceTypeContinuityCamera")
        /// The view of a desk, derived from the images of an ultra-wide camera, such as that of a Continuity Camera.
        public static let deskViewCamera = DeviceType(rawValue: "AVCaptureDeviceTypeDeskViewCamera")
        public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
        public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
        /// The former name of `builtInDualCamera`.
        public static let builtInDuoCamera = builtInDualCamera
        /// The former name of `microphone`.
        public static let builtInMicrophone = microphone
        /// The former name of `external`.
        public static let externalUnknown = external

        init(_ kind: DeviceKind) {
            self =
                switch kind {
                case .builtInWideAngleCamera: .builtInWideAngleCamera
                case .builtInUltraWideCamera: .builtInUltraWideCamera
                case .builtInTelephotoCamera: .builtInTelephotoCamera
                case .builtInDualCamera: .builtInDualCamera
                case .builtInDualWideCamera: .builtInDualWideCamera
                case .builtInTripleCamera: .builtInTripleCamera
                case .builtInTrueDepthCamera: .builtInTrueDepthCamera
                case .builtInLiDARDepthCamera: .builtInLiDARDepthCamera
                case .builtInInnerUltraWideCamera: .builtInInnerUltraWideCamera
                case .builtInOuterUltraWideCamera: .builtInOuterUltraWideCamera
                case .continuityCamera: .continuityCamera
                case .deskViewCamera: .deskViewCamera
                case .external: .external
                case .microphone: .microphone
                }
        }
    }

    /// The side of the machine on which a camera is mounted.
    public enum Position: Int, Sendable, Hashable {
        case unspecified = 0
        case back = 1
        case front = 2

        init(_ position: DevicePosition) {
            self =
                switch position {
                case .unspecified: .unspecified
                case .back: .back
                case .front: .front
                }
        }
    }

    /// Whether the flash fires for a still.
    public enum FlashMode: Int, Sendable, Hashable {
        case off = 0
        case on = 1
        case auto = 2
    }

    /// Whether the torch is lit.
    public enum TorchMode: Int, Sendable, Hashable {
        case off = 0
        case on = 1
        case auto = 2
    }

    /// The mode that controls the lens position.
    public enum FocusMode: Int, Sendable, Hashable {
        case locked = 0
        case autoFocus = 1
        case continuousAutoFocus = 2
    }

    /// The mode that controls exposure time and sensitivity.
    public enum ExposureMode: Int, Sendable, Hashable {
        case locked = 0
        case autoExpose = 1
        case continuousAutoExposure = 2
        case custom = 3
    }

    /// The mode that controls the white balance gains.
    public enum WhiteBalanceMode: Int, Sendable, Hashable {
        case locked = 0
        case autoWhiteBalance = 1
        case continuousAutoWhiteBalance = 2
    }
}

extension Notification.Name {
    /// Posted after a device was connected; the object is the `AVCaptureDevice`.
    ///
    /// - Note: Reading the name starts monitoring the devices, so that an app that only observes notifications gets
    ///   them.
    public static var AVCaptureDeviceWasConnected: Notification.Name {
        _ = DeviceRegistry.current
        return deviceWasConnected
    }
    /// Posted after a device was disconnected; the object is the `AVCaptureDevice`.
    ///
    /// - Note: Reading the name starts monitoring the devices, so that an app that only observes notifications gets
    ///   them.
    public static var AVCaptureDeviceWasDisconnected: Notification.Name {
        _ = DeviceRegistry.current
        return deviceWasDisconnected
    }

    static let deviceWasConnected = Notification.Name("AVCaptureDeviceWasConnectedNotification")
    static let deviceWasDisconnected = Notification.Name("AVCaptureDeviceWasDisconnectedNotification")

    /// Posted when the scene has changed substantially, if monitored; the object is the `AVCaptureDevice`.
    public static let AVCaptureDeviceSubjectAreaDidChange = Notification.Name(
        "AVCaptureDeviceSubjectAreaDidChangeNotification")
}

extension AVCaptureDevice {
    /// Posted after a device was connected; the object is the `AVCaptureDevice`.
    public static var wasConnectedNotification: Notification.Name { .AVCaptureDeviceWasConnected }
    /// Posted after a device was disconnected; the object is the `AVCaptureDevice`.
    public static var wasDisconnectedNotification: Notification.Name { .AVCaptureDeviceWasDisconnected }
    /// Posted when the scene has changed substantially; see `isSubjectAreaChangeMonitoringEnabled`.
    public static let subjectAreaDidChangeNotification = Notification.Name.AVCaptureDeviceSubjectAreaDidChange
}
