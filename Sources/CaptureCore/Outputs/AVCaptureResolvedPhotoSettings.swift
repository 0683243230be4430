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

    /// The size of the proxy in pixels: half of the photo's. 0x0 if the photo is not deferred.
    public let deferredPhotoProxyDimensions: CMVideoDimensions
    /// Whether eyes that reflect the flash are corrected.
    public let isRedEyeReductionEnabled: Bool
    /// The size of the portrait effects matte in pixels: half of the photo's. 0x0 if none was requested.
    public let portraitEffectsMatteDimensions: CMVideoDimensions
    private let matteDimensions: CMVideoDimensions
    private let matteTypes: [AVSemanticSegmentationMatte.MatteType]

    /// - Parameter frameDimensions: The size of the camera's frames.
    init(
        settings: AVCapturePhotoSettings, photoDimensions: CMVideoDimensions, frameDimensions: CMVideoDimensions,
        isFlashEnabled: Bool, expectedPhotoCount: Int = 1, isStabilized: Bool = false, isFast: Bool = false,
        reducesRedEye: Bool = false, isDeferred: Bool = false,
        processingTime: CMTimeRange = CMTimeRange(start: .zero, duration: .zero)
    ) {
        self.expectedPhotoCount = expectedPhotoCount
        isStillImageStabilizationEnabled = isStabilized
        isFastCapturePrioritizationEnabled = isFast
        photoProcessingTimeRange = processingTime
        uniqueID = settings.uniqueID
        isRedEyeReductionEnabled = reducesRedEye
        // HEVC has even sizes.
        deferredPhotoProxyDimensions =
            isDeferred
            ? CMVideoDimensions(
                width: max(16, photoDimensions.width / 4 * 2), height: max(16, photoDimensions.height / 4 * 2))
            : Self.none
        let hasMattes = settings.deliversProcessedPhoto
        matteDimensions =
            hasMattes
            ? CMVideoDimensions(width: photoDimensions.width / 2, height: photoDimensions.height / 2) : Self.none
        portraitEffectsMatteDimensions = settings.isPortraitEffectsMatteDeliveryEnabled ? matteDimensions : Self.none
        matteTypes = settings.enabledSemanticSegmentationMatteTypes
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

    /// Whether a proxy is delivered in place of the photo.
    var isDeferred: Bool { deferredPhotoProxyDimensions.width > 0 }

    /// Returns the size of a matte in pixels: half of the photo's. 0x0 if none of the type was requested.
    public func dimensionsForSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
    ) -> CMVideoDimensions {
        matteTypes.contains(semanticSegmentationMatteType) ? matteDimensions : Self.none
    }

    /// The size of the processed photo, or of the RAW photo if there is no processed one, as text for the log.
    var logSize: String {
        let size = photoDimensions.width > 0 ? photoDimensions : rawPhotoDimensions
        return "\(size.width)x\(size.height)"
    }

    // Photo outputs do not deliver the following data.

    public var rawEmbeddedThumbnailDimensions: CMVideoDimensions { Self.none }
    public var isVirtualDeviceFusionEnabled: Bool { false }
    public var isDualCameraFusionEnabled: Bool { false }
    public var isContentAwareDistortionCorrectionEnabled: Bool { false }
}
