import CaptureHAL
import Foundation
public import MediaTypes

/// The fields of interlaced video that a connection passes.
public enum AVVideoFieldMode: Int, Sendable, Hashable {
    case both = 0
    case topOnly = 1
    case bottomOnly = 2
    case deinterlace = 3
}

// Interlaced video, which no backend delivers, and a maximum frame duration of connections, which no output supports.
extension AVCaptureConnection {
    public var isVideoFieldModeSupported: Bool { false }

    /// The fields that the connection passes; always `.both`. Setting it is misuse, since it is not supported.
    public var videoFieldMode: AVVideoFieldMode {
        get {
            observedProperties.access()
            return .both
        }
        set {
            misuse.report(
                .invalidArgument,
                "-[AVCaptureConnection setVideoFieldMode:] the field mode \(newValue) is not supported - use "
                    + "-isVideoFieldModeSupported")
        }
    }

    @available(*, deprecated, message: "Use AVCaptureDevice's activeFormat instead.")
    public var isVideoMaxFrameDurationSupported: Bool { false }

    /// The longest time between frames; always invalid. Setting it is misuse, since it is not supported.
    @available(*, deprecated, message: "Use AVCaptureDevice's activeVideoMaxFrameDuration instead.")
    public var videoMaxFrameDuration: CMTime {
        get {
            observedProperties.access()
            return .invalid
        }
        set {
            misuse.report(
                .invalidArgument,
                "-[AVCaptureConnection setVideoMaxFrameDuration:] is not supported - use "
                    + "-isVideoMaxFrameDurationSupported")
        }
    }
}
