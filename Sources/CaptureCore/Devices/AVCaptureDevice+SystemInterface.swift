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

    /// The desk view of a Continuity Camera; nil, since no backend provides one.
    public var companionDeskViewCamera: AVCaptureDevice? { nil }

    /// Returns the position and orientation of one camera relative to another; nil, since the devices do not report it.
    public class func extrinsicMatrix(from fromDevice: AVCaptureDevice, to toDevice: AVCaptureDevice) -> Data? { nil }
}
