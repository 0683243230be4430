public import Foundation
public import MediaAssets
public import MediaTypes

/// A captured photo and its metadata.
public final class AVCapturePhoto: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constant, and the dictionary holds numbers, strings and dictionaries only.
    private let file: Data?
    public let resolvedSettings: AVCaptureResolvedPhotoSettings
    /// The time at which the exposure began, on the session's clock.
    public let timestamp: CMTime
    /// The index of the photo in its capture, from 1; always 1.
    public let photoCount: Int
    /// The pixels of an uncompressed photo, as captured, without rotation; nil for a compressed one.
    public let pixelBuffer: CVPixelBuffer?
    /// The metadata under Image I/O's keys: `{Exif}`, `{TIFF}`, `Orientation`.
    public let metadata: [String: Any]
    /// The depth map, as captured, without rotation; nil if the settings did not request depth, or the camera measured
    /// none.
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

    /// The contents of a JPEG file with EXIF; nil for an uncompressed photo or after an error.
    public func fileDataRepresentation() -> Data? { file }
}
