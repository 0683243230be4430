public import Foundation
public import MediaTypes

/// The actual settings of a capture, known before the photo is captured.
public final class AVCaptureResolvedPhotoSettings: NSObject, Sendable {
    private static let none = CMVideoDimensions(width: 0, height: 0)

    public let uniqueID: Int64
    /// The photo's size in pixels, before EXIF orientation is applied.
    public let photoDimensions: CMVideoDimensions
    /// The preview's size in pixels; 0x0 if none was requested.
    public let previewDimensions: CMVideoDimensions
    /// The size of the thumbnail in the photo's file; 0x0 if none was requested.
    public let embeddedThumbnailDimensions: CMVideoDimensions
    public let isFlashEnabled: Bool
    public let expectedPhotoCount: Int

    init(settings: AVCapturePhotoSettings, photoDimensions: CMVideoDimensions, isFlashEnabled: Bool) {
        uniqueID = settings.uniqueID
        self.photoDimensions = photoDimensions
        self.isFlashEnabled = isFlashEnabled
        expectedPhotoCount = 1
        func dimensions(_ size: VideoDataSizing.Size) -> CMVideoDimensions {
            CMVideoDimensions(width: Int32(size.width), height: Int32(size.height))
        }
        let photo = (Int(photoDimensions.width), Int(photoDimensions.height))
        previewDimensions =
            settings.previewPhotoFormat == nil ? Self.none : dimensions(settings.previewSize(of: photo))
        embeddedThumbnailDimensions =
            settings.embeddedThumbnailPhotoFormat.map { dimensions(PhotoThumbnail.size($0, of: photo)) } ?? Self.none
    }

    // Photo outputs do not deliver the following data.

    public var rawPhotoDimensions: CMVideoDimensions { Self.none }
    public var rawEmbeddedThumbnailDimensions: CMVideoDimensions { Self.none }
    public var portraitEffectsMatteDimensions: CMVideoDimensions { Self.none }
    public func dimensionsForSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
    ) -> CMVideoDimensions { Self.none }
    public var livePhotoMovieDimensions: CMVideoDimensions { Self.none }
    public var deferredPhotoProxyDimensions: CMVideoDimensions { Self.none }
    public var isRedEyeReductionEnabled: Bool { false }
    public var isStillImageStabilizationEnabled: Bool { false }
    public var isVirtualDeviceFusionEnabled: Bool { false }
    public var isDualCameraFusionEnabled: Bool { false }
    public var isContentAwareDistortionCorrectionEnabled: Bool { false }
    public var isFastCapturePrioritizationEnabled: Bool { false }
    /// The expected time of processing; always zero.
    public var photoProcessingTimeRange: CMTimeRange { CMTimeRange(start: .zero, duration: .zero) }
}
