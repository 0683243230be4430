import CaptureHAL
public import Foundation
import MediaTypes

extension AVCaptureDevice {
    /// The processing of microphone audio that the user has selected.
    public enum MicrophoneMode: Int, Sendable, Hashable {
        case standard = 0
        case wideSpectrum = 1
        case voiceIsolation = 2
    }

    /// A part of the operating system's user interface.
    public enum SystemUserInterface: Int, Sendable, Hashable {
        case videoEffects = 1
        case microphoneModes = 2
    }

    /// The microphone mode that the user has selected; always standard.
    public class var preferredMicrophoneMode: MicrophoneMode { .standard }

    /// The effective microphone mode; always standard.
    public class var activeMicrophoneMode: MicrophoneMode { .standard }

    /// Shows a part of the operating system's user interface; Linux has none, so this has no effect.
    public class func showSystemUserInterface(_ systemUserInterface: SystemUserInterface) {}

    /// The desk view that the machine derives from the camera's images; nil if there is none. The desk view of a
    /// simulated machine belongs to its Continuity Camera, its ultra-wide cameras, and the wide-angle camera of a laptop.
    public var companionDeskViewCamera: AVCaptureDevice? {
        let hasUltraWideView =
            switch hardware.descriptor.kind {
            case .builtInUltraWideCamera, .continuityCamera: true
            case .builtInWideAngleCamera: hardware.descriptor.position != .back
            case .builtInTelephotoCamera, .builtInDualCamera, .builtInDualWideCamera, .builtInTripleCamera,
                .builtInTrueDepthCamera, .builtInLiDARDepthCamera, .builtInInnerUltraWideCamera,
                .builtInOuterUltraWideCamera, .deskViewCamera, .external, .microphone:
                false
            }
        guard hasUltraWideView else { return nil }
        return environment.deviceList.devices.first { $0.deviceType == .deskViewCamera }
    }

    /// Returns the position and orientation of one camera relative to another; nil, since the devices do not report it.
    public class func extrinsicMatrix(from fromDevice: AVCaptureDevice, to toDevice: AVCaptureDevice) -> Data? { nil }
}
