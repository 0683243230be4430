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

// Interlaced video, which no device here delivers, and a limit of the frame duration, which no output here supports.
extension AVCaptureConnection {
    public var isVideoFieldModeSupported: Bool { false }

    /// The fields that the connection passes; `.both`. Setting it is misuse without support.
    public var videoFieldMode: AVVideoFieldMode {
        get {
            observedProperties.access()
            return .both
        }
        set {
            misuse.report(
                .invalidArgument,
                "-[AVCaptureConnection setVideoFieldMode:] is not supported - use -isVideoFieldModeSupported")
        }
    }

    @available(*, deprecated, message: "Use AVCaptureDevice's activeFormat instead.")
    public var isVideoMaxFrameDurationSupported: Bool { false }

    /// The longest time between frames; invalid. Setting it is misuse without support.
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
