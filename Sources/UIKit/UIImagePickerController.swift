import CaptureHAL
public import Foundation

/// Reports the available cameras and media types.
///
/// - Note: Unlike Apple, the picker has no user interface.
@preconcurrency @MainActor
public final class UIImagePickerController: NSObject {
    public enum SourceType: Int, Hashable, Sendable {
        case photoLibrary = 0
        case camera, savedPhotosAlbum
    }

    public enum CameraDevice: Int, Hashable, Sendable {
        case rear = 0
        case front
    }

    public enum CameraCaptureMode: Int, Hashable, Sendable {
        case photo = 0
        case video
    }

    public enum CameraFlashMode: Int, Hashable, Sendable {
        case off = -1
        case auto = 0
        case on = 1
    }

    public enum QualityType: Int, Hashable, Sendable {
        case typeHigh = 0
        case typeMedium, typeLow, type640x480, typeIFrame1280x720, typeIFrame960x540
    }

    @available(*, unavailable, message: "there is no system user interface to take and select photos")
    public override init() { super.init() }

    private static var cameras: [DeviceDescriptor] {
        CaptureSystem.current.hosts.flatMap(\.devices).map(\.descriptor).filter { $0.media.contains(.video) }
    }

    /// Returns whether there is a camera, for the source `camera`; the library is not a source.
    public class func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool {
        sourceType == .camera && !cameras.isEmpty
    }

    /// Returns whether there is a camera at a position; a camera that is not built in counts as a rear camera.
    public class func isCameraDeviceAvailable(_ cameraDevice: CameraDevice) -> Bool {
        cameras.contains { ($0.position == .front) == (cameraDevice == .front) }
    }

    /// Returns the media types of a source; nil if it is not available.
    public class func availableMediaTypes(for sourceType: SourceType) -> [String]? {
        isSourceTypeAvailable(sourceType) ? ["public.image", "public.movie"] : nil
    }

    public class func availableCaptureModes(for cameraDevice: CameraDevice) -> [NSNumber]? {
        guard isCameraDeviceAvailable(cameraDevice) else { return nil }
        return [CameraCaptureMode.photo, .video].map { NSNumber(value: $0.rawValue) }
    }
}
