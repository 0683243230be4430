public import Foundation
public import MediaTypes

/// Magnification of photos and limits of the frame rate.
extension AVCaptureConnection {
    /// The maximum magnification of photos, in addition to the camera's zoom; 1 for outputs that do not support it.
    public var videoMaxScaleAndCropFactor: CGFloat {
        guard consumer?.supportsScaleAndCrop ?? false, let device = camera else { return 1 }
        return device.activeFormat.videoMaxZoomFactor
    }

    /// The magnification of photos around the center, from 1 to `videoMaxScaleAndCropFactor`; other values are misuse.
    /// The size of photos does not change.
    public var videoScaleAndCropFactor: CGFloat {
        get {
            observedProperties.access()
            return latestSettings.scaleAndCropFactor
        }
        set {
            guard newValue >= 1, newValue <= videoMaxScaleAndCropFactor else {
                return misuse.report(
                    .range,
                    "-[AVCaptureConnection setVideoScaleAndCropFactor:] \(newValue) is outside the range "
                        + "1 - \(videoMaxScaleAndCropFactor)")
            }
            changeSettings { $0.scaleAndCropFactor = newValue }
            observedProperties.changed()
        }
    }

    @available(*, deprecated, message: "Use AVCaptureDevice's activeFormat instead.")
    public var isVideoMinFrameDurationSupported: Bool { consumer?.supportsMinimumFrameDuration ?? false }

    /// The minimum time between the frames of a video data output; invalid, the default, sets no limit.
    @available(*, deprecated, message: "Use AVCaptureDevice's activeVideoMinFrameDuration instead.")
    public var videoMinFrameDuration: CMTime {
        get {
            observedProperties.access()
            return latestSettings.minimumFrameDuration
        }
        set {
            guard consumer?.supportsMinimumFrameDuration ?? false else {
                return misuse.report(
                    .invalidArgument,
                    "-[AVCaptureConnection setVideoMinFrameDuration:] the connection does not feed a video data output")
            }
            changeSettings { $0.minimumFrameDuration = newValue }
            observedProperties.changed()
        }
    }
}
