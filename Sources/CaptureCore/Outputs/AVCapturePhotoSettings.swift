public import AssetTypes
import CaptureHAL
public import Foundation
public import MediaTypes

/// The settings of one photo capture; each object can be used once.
public class AVCapturePhotoSettings: NSObject, NSCopying, @unchecked Sendable {
    // SAFETY: the client sets the properties before it passes the object to the output, which copies them.
    /// Numbers the settings, starting with 1.
    private final class Counter: Sendable {
        private let last = Lock<Int64>(0)

        func next() -> Int64 {
            last.withLock { last in
                last += 1
                return last
            }
        }
    }

    private static let counter = Counter()

    /// The formats and file types, which do not change after initialization.
    struct Formats {
        var format: [String: Any]?
        var fileType: AVFileType?
        var rawPixelFormat: OSType = 0
        var rawFileType: AVFileType?
    }

    private let formats: Formats
    /// Identifies the capture in its callbacks.
    ///
    /// Each simulated system counts its own settings, so that a test always has the same identifiers.
    public let uniqueID: Int64
    /// Identifies the settings among the settings of all systems.
    let number: Int64
    /// The codec or pixel format; nil for JPEG, and for a RAW photo without a processed one.
    public var format: [String: Any]? { formats.format }
    /// The file type of the processed photo; nil for pixels, and for a RAW photo without a processed one.
    public var processedFileType: AVFileType? { formats.fileType ?? defaultFileType }
    /// The pixel format of the RAW photo, one of the output's `availableRawPhotoPixelFormatTypes`; 0 if none is requested.
    public var rawPhotoPixelFormatType: OSType { formats.rawPixelFormat }
    /// The file type of the RAW photo, DNG; nil if none is requested.
    public var rawFileType: AVFileType? { formats.rawFileType ?? (rawPhotoPixelFormatType == 0 ? nil : .dng) }
    public var rawFileFormat: [String: Any]? {
        didSet { rawFileFormat = rawFileFormat?.plainSettings }
    }
    public var flashMode = AVCaptureDevice.FlashMode.off
    public var isHighResolutionPhotoEnabled = false
    /// `.speed` by default for a Bayer RAW photo, which cannot have another value; otherwise `.balanced`.
    public var photoQualityPrioritization: AVCapturePhotoOutput.QualityPrioritization
    /// The maximum size: one of the active format's `supportedMaxPhotoDimensions`, not above the output's
    /// `maxPhotoDimensions`; other sizes are misuse. 0x0, the default, selects the smallest of them.
    public var maxPhotoDimensions = CMVideoDimensions(width: 0, height: 0)
    /// Whether eyes that reflect the flash are corrected in the processed photo, if the camera supports it.
    ///
    /// True by default, except for brackets and for a RAW photo without a processed one.
    public var isAutoRedEyeReductionEnabled: Bool
    /// Whether the photo has depth; misuse unless the output's `isDepthDataDeliveryEnabled` is true.
    public var isDepthDataDeliveryEnabled = false
    /// Whether the depth map is embedded in the photo's file, with 8 bits: as an auxiliary image of a HEIF file, or as a
    /// second image of a JPEG file (Multi-Picture Format).
    public var embedsDepthDataInPhoto = true
    /// Whether holes in the depth map are filled and noise is reduced; true by default.
    public var isDepthDataFiltered = true
    /// Whether the photo has a matte of the people in the foreground; misuse unless the output's
    /// `isPortraitEffectsMatteDeliveryEnabled` is true, or without depth.
    public var isPortraitEffectsMatteDeliveryEnabled = false
    /// Whether the portrait effects matte is an auxiliary image of the photo's file.
    public var embedsPortraitEffectsMatteInPhoto = true
    /// The mattes of features of the people; misuse unless the output has enabled these types.
    public var enabledSemanticSegmentationMatteTypes: [AVSemanticSegmentationMatte.MatteType] = []
    /// Whether the semantic segmentation mattes are auxiliary images of the photo's file.
    public var embedsSemanticSegmentationMattesInPhoto = true
    /// Properties under Image I/O's keys (`kCGImageProperty…`) to write to the photo; they replace the properties of
    /// the camera.
    ///
    /// Other keys are misuse. Entries without an equivalent in the EXIF block are not written to the file.
    public var metadata: [String: Any] = [:]
    /// The pixel format of a small version of the photo, `AVCapturePhoto.previewPixelBuffer`; nil for none.
    ///
    /// `kCVPixelBufferPixelFormatTypeKey` is required. Width and height are optional, but must both be given; the
    /// photo's aspect ratio is kept, and the longer side gets the requested length, at most its length in the photo.
    public var previewPhotoFormat: [String: Any]? {
        didSet { previewPhotoFormat = previewPhotoFormat?.plainSettings }
    }
    /// The codec of a small version of the photo in its file; nil for none.
    ///
    /// `AVVideoCodecKey` is required; width and height are optional, as in `previewPhotoFormat`.
    public var embeddedThumbnailPhotoFormat: [String: Any]? {
        didSet { embeddedThumbnailPhotoFormat = embeddedThumbnailPhotoFormat?.plainSettings }
    }
    public var rawEmbeddedThumbnailPhotoFormat: [String: Any]? {
        didSet { rawEmbeddedThumbnailPhotoFormat = rawEmbeddedThumbnailPhotoFormat?.plainSettings }
    }

    /// The new QuickTime file of a Live Photo's movie; nil, the default, for a photo that is not a Live Photo.
    public var livePhotoMovieFileURL: URL?
    /// The codec of the movie, one of the output's `availableLivePhotoVideoCodecTypes`.
    public var livePhotoVideoCodecType = AVVideoCodecType.h264
    /// Metadata of the movie, in addition to those that the output writes. A content identifier is misuse.
    ///
    /// Nil resets it to an empty array.
    public var livePhotoMovieMetadata: [AVMetadataItem]! = [] {
        didSet { if livePhotoMovieMetadata == nil { livePhotoMovieMetadata = [] } }
    }
    /// The identifier that the photo and the movie of a Live Photo have in common; nil before the capture.
    var contentIdentifier: String?

    // Features that photo outputs do not support: captures that request them are misuse, and automatic features have no
    // effect.
    public var isAutoStillImageStabilizationEnabled: Bool
    public var isAutoVirtualDeviceFusionEnabled: Bool
    public var isAutoDualCameraFusionEnabled: Bool
    public var virtualDeviceConstituentPhotoDeliveryEnabledDevices: [AVCaptureDevice] = []
    public var isDualCameraDualPhotoDeliveryEnabled = false
    public var isCameraCalibrationDataDeliveryEnabled = false
    public var isAutoContentAwareDistortionCorrectionEnabled = false
    public var isConstantColorEnabled = false
    public var isConstantColorFallbackPhotoDeliveryEnabled = false
    public var isShutterSoundSuppressionEnabled = false

    /// Creates settings for a JPEG photo.
    public convenience override init() { self.init(format: nil) }

    /// Creates settings for a format: with HEVC, the photo's file is a HEIF file (`.heic`).
    ///
    /// - Parameter format: `AVVideoCodecKey` with one of the output's `availablePhotoCodecTypes`, or
    ///   `kCVPixelBufferPixelFormatTypeKey` with one of its `availablePhotoPixelFormatTypes`; nil for JPEG. With a
    ///   codec, `AVVideoCompressionPropertiesKey` can contain `AVVideoQualityKey`.
    public convenience init(format: [String: Any]?) { self.init(Formats(format: format)) }

    /// Creates settings for a RAW photo.
    public convenience init(rawPixelFormatType: OSType) { self.init(Formats(rawPixelFormat: rawPixelFormatType)) }

    /// Creates settings for a RAW photo and a processed one.
    public convenience init(rawPixelFormatType: OSType, processedFormat: [String: Any]?) {
        self.init(Formats(format: processedFormat, rawPixelFormat: rawPixelFormatType))
    }

    /// Creates settings for a RAW photo, a processed one, or both, with their file types.
    ///
    /// - Parameters:
    ///   - rawPixelFormatType: 0 for no RAW photo.
    ///   - rawFileType: Nil for the default.
    ///   - processedFormat: As `format` in `init(format:)`.
    ///   - processedFileType: Nil for the default.
    public convenience init(
        rawPixelFormatType: OSType, rawFileType: AVFileType?, processedFormat: [String: Any]?,
        processedFileType: AVFileType?
    ) {
        self.init(
            Formats(
                format: processedFormat, fileType: processedFileType, rawPixelFormat: rawPixelFormatType,
                rawFileType: rawFileType))
    }

    /// Creates settings with a new `uniqueID`.
    convenience init(_ formats: Formats) {
        let number = Self.counter.next()
        let counter = CaptureSystem.currentUnlessProcessSystem?.component(Counter.self) { Counter() }
        self.init(formats, uniqueID: counter?.next() ?? number, number: number)
    }

    init(_ formats: Formats, uniqueID: Int64, number: Int64) {
        self.formats = Formats(
            format: formats.format?.plainSettings, fileType: formats.fileType, rawPixelFormat: formats.rawPixelFormat,
            rawFileType: formats.rawFileType)
        self.uniqueID = uniqueID
        self.number = number
        let isBayer = AVCapturePhotoOutput.isBayerRAWPixelFormat(formats.rawPixelFormat)
        photoQualityPrioritization = isBayer ? .speed : .balanced
        isAutoRedEyeReductionEnabled = formats.rawPixelFormat == 0 || formats.format != nil
        // RAW photos are not processed.
        isAutoStillImageStabilizationEnabled = formats.rawPixelFormat == 0
        isAutoVirtualDeviceFusionEnabled = formats.rawPixelFormat == 0
        isAutoDualCameraFusionEnabled = formats.rawPixelFormat == 0
    }

    /// Creates settings with the same values and a new `uniqueID`.
    public convenience init(from photoSettings: AVCapturePhotoSettings) {
        self.init(photoSettings.formats)
        copyValues(from: photoSettings)
    }

    /// Creates a copy with the same `uniqueID`, which the client cannot access.
    convenience init(snapshotOf settings: AVCapturePhotoSettings) {
        self.init(settings.formats, uniqueID: settings.uniqueID, number: settings.number)
        copyValues(from: settings)
    }

    /// Returns a copy of the same class and with the same `uniqueID`.
    func snapshot() -> AVCapturePhotoSettings { AVCapturePhotoSettings(snapshotOf: self) }

    /// Returns a copy with the same `uniqueID`; it counts as the same settings when it is captured.
    public func copy(with zone: NSZone? = nil) -> Any { snapshot() }

    /// Copies all values except the formats and the identifiers.
    func copyValues(from settings: AVCapturePhotoSettings) {
        rawFileFormat = settings.rawFileFormat
        flashMode = settings.flashMode
        isHighResolutionPhotoEnabled = settings.isHighResolutionPhotoEnabled
        maxPhotoDimensions = settings.maxPhotoDimensions
        photoQualityPrioritization = settings.photoQualityPrioritization
        isAutoRedEyeReductionEnabled = settings.isAutoRedEyeReductionEnabled
        isDepthDataDeliveryEnabled = settings.isDepthDataDeliveryEnabled
        embedsDepthDataInPhoto = settings.embedsDepthDataInPhoto
        isDepthDataFiltered = settings.isDepthDataFiltered
        metadata = settings.metadata
        previewPhotoFormat = settings.previewPhotoFormat
        embeddedThumbnailPhotoFormat = settings.embeddedThumbnailPhotoFormat
        rawEmbeddedThumbnailPhotoFormat = settings.rawEmbeddedThumbnailPhotoFormat
        isAutoStillImageStabilizationEnabled = settings.isAutoStillImageStabilizationEnabled
        isAutoVirtualDeviceFusionEnabled = settings.isAutoVirtualDeviceFusionEnabled
        isAutoDualCameraFusionEnabled = settings.isAutoDualCameraFusionEnabled
        virtualDeviceConstituentPhotoDeliveryEnabledDevices =
            settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices
        isDualCameraDualPhotoDeliveryEnabled = settings.isDualCameraDualPhotoDeliveryEnabled
        isCameraCalibrationDataDeliveryEnabled = settings.isCameraCalibrationDataDeliveryEnabled
        isPortraitEffectsMatteDeliveryEnabled = settings.isPortraitEffectsMatteDeliveryEnabled
        embedsPortraitEffectsMatteInPhoto = settings.embedsPortraitEffectsMatteInPhoto
        enabledSemanticSegmentationMatteTypes = settings.enabledSemanticSegmentationMatteTypes
        embedsSemanticSegmentationMattesInPhoto = settings.embedsSemanticSegmentationMattesInPhoto
        livePhotoMovieFileURL = settings.livePhotoMovieFileURL
        livePhotoVideoCodecType = settings.livePhotoVideoCodecType
        livePhotoMovieMetadata = settings.livePhotoMovieMetadata
        isAutoContentAwareDistortionCorrectionEnabled = settings.isAutoContentAwareDistortionCorrectionEnabled
        isConstantColorEnabled = settings.isConstantColorEnabled
        isConstantColorFallbackPhotoDeliveryEnabled = settings.isConstantColorFallbackPhotoDeliveryEnabled
        isShutterSoundSuppressionEnabled = settings.isShutterSoundSuppressionEnabled
    }
}
