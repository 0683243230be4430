// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
public import Foundation

extension AVCaptureSession {
    /// The quality level or bit rate of the media that devices and outputs deliver.
    public struct Preset: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")
        public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
        public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
        public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
        public static let cif352x288 = Preset(rawValue: "AVCaptureSessionPreset352x288")
        public static let qvga320x240 = Preset(rawValue: "AVCaptureSessionPreset320x240")
        public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
        public static let qHD960x540 = Preset(rawValue: "AVCaptureSessionPreset960x540")
        public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
        public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
        public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")
        public static let iFrame960x540 = Preset(rawValue: "AVCaptureSessionPresetiFrame960x540")
        public static let iFrame1280x720 = Preset(rawValue: "AVCaptureSessionPresetiFrame1280x720")
        public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")
    }

    /// Why a session was interrupted.
    public enum InterruptionReason: Int, Sendable, Hashable {
        case videoDeviceNotAvailableInBackground = 1
        case audioDeviceInUseByAnotherClient = 2
        case videoDeviceInUseByAnotherClient = 3
        case videoDeviceNotAvailableWithMultipleForegroundApps = 4
        case videoDeviceNotAvailableDueToSystemPressure = 5
        case sensitiveContentMitigationActivated = 6
    }

    public static let didStartRunningNotification = Notification.Name.AVCaptureSessionDidStartRunning
    public static let didStopRunningNotification = Notification.Name.AVCaptureSessionDidStopRunning
    public static let runtimeErrorNotification = Notification.Name.AVCaptureSessionRuntimeError
    public static let wasInterruptedNotification = Notification.Name.AVCaptureSessionWasInterrupted
    public static let interruptionEndedNotification = Notification.Name.AVCaptureSessionInterruptionEnded
}

extension Notification.Name {
    /// Posted when a session has started; the object is the session.
    public static let AVCaptureSessionDidStartRunning = Notification.Name(
        "AVCaptureSessionDidStartRunningNotification")
    /// Posted when a session has stopped; the object is the session.
    public static let AVCaptureSessionDidStopRunning = Notification.Name("AVCaptureSessionDidStopRunningNotification")
    /// Posted when a session fails; the user info contains an `AVError` under `AVCaptureSessionErrorKey`.
    public static let AVCaptureSessionRuntimeError = Notification.Name("AVCaptureSessionRuntimeErrorNotification")
    /// Posted when a session is interrupted; the user info contains the reason's raw value under
    /// `AVCaptureSessionInterruptionReasonKey`.
    public static let AVCaptureSessionWasInterrupted = Notification.Name("AVCaptureSessionWasInterruptedNotification")
    /// Posted when the last cause of an interruption has ended; the session then runs again unless the client stopped
    /// it.
    public static let AVCaptureSessionInterruptionEnded = Notification.Name(
        "AVCaptureSessionInterruptionEndedNotification")
    /// Posted when the format of a port has changed; the object is the `AVCaptureInput.Port`.
    public static let AVCaptureInputPortFormatDescriptionDidChange = Notification.Name(
        "AVCaptureInputPortFormatDescriptionDidChangeNotification")
}

/// User-info key of the runtime-error notification: an `AVError`.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"
/// User-info key of the interruption notification: the raw value of the reason.
public let AVCaptureSessionInterruptionReasonKey = "AVCaptureSessionInterruptionReasonKey"
/// User-info key of the interruption notification if the reason is system pressure: an
/// `AVCaptureDevice.SystemPressureState`.
public let AVCaptureSessionInterruptionSystemPressureStateKey = "AVCaptureSessionInterruptionSystemPressureStateKey"
