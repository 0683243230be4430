public import Foundation
public import MediaAssets
public import MediaTypes

/// One still, with all that is known of it.
public final class AVCapturePhoto: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constant, and the dictionary holds numbers, strings and dictionaries only.
    private let file: Data?
    public let resolvedSettings: AVCaptureResolvedPhotoSettings
    /// When the exposure began, on the session's clock.
    public let timestamp: CMTime
    /// 1 for the first picture of a capture.
    public let photoCount: Int
    /// The pixels of an uncompressed still, nil for a compressed one.
    public let pixelBuffer: CVPixelBuffer?
    /// Under Image I/O's keys: `{Exif}`, `{TIFF}`, `Orientation`.
    public let metadata: [String: Any]
    /// How far away is what the picture shows, as it was stored, not turned upright; nil where the settings did not ask for
    /// it, or the camera could not measure.
    public let depthData: AVDepthData?

    init(
        file: Data?, pixelBuffer: CVPixelBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings, timestamp: CMTime,
        metadata: [String: Any], depthData: AVDepthData? = nil
    ) {
        self.file = file
        self.pixelBuffer = pixelBuffer
        self.resolvedSettings = resolvedSettings
        self.timestamp = timestamp
        self.metadata = metadata
        self.depthData = depthData
        photoCount = 1
    }

    public var isRawPhoto: Bool { false }

    /// The contents of a picture file, as a JPEG with EXIF; nil for an uncompressed still or after an error.
    public func fileDataRepresentation() -> Data? { file }
}
