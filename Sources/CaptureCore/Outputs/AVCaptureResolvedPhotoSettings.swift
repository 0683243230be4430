public import Foundation
public import MediaTypes

/// The actual settings of a capture, known before the photo is captured.
public final class AVCaptureResolvedPhotoSettings: NSObject, Sendable {
    private static let none = CMVideoDimensions(width: 0, height: 0)

    public let uniqueID: Int64
    /// The processed photo's size in pixels, before EXIF orientation is applied; 0x0 for a RAW photo without one.
    public let photoDimensions: CMVideoDimensions
    /// The preview's size in pixels; 0x0 if none was requested.
    public let previewDimensions: CMVideoDimensions
    /// The size of the thumbnail in the photo's file; 0x0 if none was requested.
    public let embeddedThumbnailDimensions: CMVideoDimensions
    public let isFlashEnabled: Bool
    /// The number of photos: more than one for a bracket, and two for each exposure of a RAW photo and a processed one.
    public let expectedPhotoCount: Int
    /// Whether frames are merged to reduce noise.
    public let isStillImageStabilizationEnabled: Bool
    /// Whether the quality is reduced because captures are requested in rapid succession.
    public let isFastCapturePrioritizationEnabled: Bool
    /// The time from the end of the exposure until the photo is available, in the time of the capture system; zero in
    /// real time, where it is unknown.
    public let photoProcessingTimeRange: CMTimeRange
    /// The size of the Live Photo's movie in pixels, before its orientation is applied; 0x0 if none was requested.
    public let livePhotoMovieDimensions: CMVideoDimensions
    /// The RAW photo's size in pixels; 0x0 if none was requested.
    public let rawPhotoDimensions: CMVideoDimensions

    /// - Parameter frameDimensions: The size of the camera's frames.
    init(
        settings: AVCapturePhotoSettings, photoDimensions: CMVideoDimensions, frameDimensions: CMVideoDimensions,
        isFlashEnabled: Bool, expectedPhotoCount: Int = 1, isStabilized: Bool = false, isFast: Bool = false,
        processingTime: CMTimeRange = CMTimeRange(start: .zero, duration: .zero)
    ) {
        self.expectedPhotoCount = expectedPhotoCount
        isStillImageStabilizationEnabled = isStabilized
        isFastCapturePrioritizationEnabled = isFast
        photoProcessingTimeRange = processingTime
        uniqueID = settings.uniqueID
        self.photoDimensions = settings.deliversProcessedPhoto ? photoDimensions : Self.none
        rawPhotoDimensions = settings.rawPhotoPixelFormatType == 0 ? Self.none : photoDimensions
        self.isFlashEnabled = isFlashEnabled
        livePhotoMovieDimensions =
            settings.livePhotoMovieFileURL == nil ? Self.none : LivePhotoRing.movieSize(of: frameDimensions)
        func dimensions(_ size: VideoDataSizing.Size) -> CMVideoDimensions {
            CMVideoDimensions(width: Int32(size.width), height: Int32(size.height))
        }
        let photo = (Int(photoDimensions.width), Int(photoDimensions.height))
        previewDimensions =
            settings.previewPhotoFormat == nil ? Self.none : dimensions(settings.previewSize(of: photo))
        embeddedThumbnailDimensions =
            settings.embeddedThumbnailPhotoFormat.map { dimensions(PhotoThumbnail.size($0, of: photo)) } ?? Self.none
    }

    /// The size of the processed photo, or of the RAW photo if there is no processed one, as text for the log.
    var logSize: String {
        let size = photoDimensions.width > 0 ? photoDimensions : rawPhotoDimensions
        return "\(size.width)x\(size.height)"
    }

    // Photo outputs do not deliver the following data.

    public var rawEmbeddedThumbnailDimensions: CMVideoDimensions { Self.none }
    public var portraitEffectsMatteDimensions: CMVideoDimensions { Self.none }
    public func dimensionsForSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
    ) -> CMVideoDimensions { Self.none }
    public var deferredPhotoProxyDimensions: CMVideoDimensions { Self.none }
    public var isRedEyeReductionEnabled: Bool { false }
    public var isVirtualDeviceFusionEnabled: Bool { false }
    public var isDualCameraFusionEnabled: Bool { false }
    public var isContentAwareDistortionCorrectionEnabled: Bool { false }
}
