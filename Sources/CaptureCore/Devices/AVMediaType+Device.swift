import AssetTypes
import CaptureHAL

extension AVMediaType {
    /// Creates the media type of a device.
    init(_ media: DeviceMedia) {
        self =
            switch media {
            case .video: .video
            case .audio: .audio
            case .depth: .depthData
            }
    }
}
