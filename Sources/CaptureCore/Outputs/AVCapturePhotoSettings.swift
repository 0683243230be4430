import CaptureHAL
public import Foundation
import MediaAssets
public import MediaTypes

/// The settings of one photo capture; each object can be used once.
public class AVCapturePhotoSettings: NSObject, @unchecked Sendable {
    // SAFETY: the client sets the properties before it passes the object to the output, which copies them.
    /// Counts settings from 1.
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

    /// Identifies the capture in its callbacks.
    ///
    /// Each simulated system counts its own settings, so that a test always has the same identifiers.
    public let uniqueID: Int64
    /// Identifies the settings among those of all systems.
    let number: Int64
    /// The codec or pixel format; nil for JPEG.
    public let format: [String: Any]?
    public var flashMode = AVCaptureDevice.FlashMode.off
    public var isHighResolutionPhotoEnabled = false
    public var photoQualityPrioritization = AVCapturePhotoOutput.QualityPrioritization.balanced
    /// The maximum size: one of the active format's `supportedMaxPhotoDimensions`, not above the output's
    /// `maxPhotoDimensions`; other sizes are misuse. 0x0, the default, selects the smallest of them.
    public var maxPhotoDimensions = CMVideoDimensions(width: 0, height: 0)
    public var isAutoRedEyeReductionEnabled = false
    /// Whether the photo carries depth; misuse unless the output's `isDepthDataDeliveryEnabled` is true.
    public var isDepthDataDeliveryEnabled = false
    /// Whether the depth map is embedded in the photo's file.
    ///
    /// - Note: Unlike Apple, it is never embedded; read `AVCapturePhoto.depthData`.
    public var embedsDepthDataInPhoto = true
    /// Whether holes in the depth map are filled and noise is reduced; true by default.
    public var isDepthDataFiltered = true
    public var previewPhotoFormat: [String: Any]? {
        didSet { previewPhotoFormat = previewPhotoFormat?.plainSettings }
    }

    /// Creates settings for a JPEG photo.
    public convenience override init() { self.init(format: nil) }

    /// Creates settings for a format.
    ///
    /// - Parameter format: `AVVideoCodecKey` with a codec of the output's `availablePhotoCodecTypes`, or
    ///   `kCVPixelBufferPixelFormatTypeKey` with one of its `availablePhotoPixelFormatTypes`; nil for JPEG.
    public convenience init(format: [String: Any]?) {
        let number = Self.counter.next()
        let counter = CaptureSystem.currentUnlessProcessSystem?.component(Counter.self) { Counter() }
        self.init(format: format, uniqueID: counter?.next() ?? number, number: number)
    }

    private init(format: [String: Any]?, uniqueID: Int64, number: Int64) {
        self.format = format?.plainSettings
        self.uniqueID = uniqueID
        self.number = number
    }

    /// Creates settings with the same values and a new `uniqueID`.
    public convenience init(from settings: AVCapturePhotoSettings) {
        self.init(format: settings.format)
        copyValues(from: settings)
    }

    /// Creates a copy with the same `uniqueID` that the client cannot change.
    convenience init(snapshotOf settings: AVCapturePhotoSettings) {
        self.init(format: settings.format, uniqueID: settings.uniqueID, number: settings.number)
        copyValues(from: settings)
    }

    private func copyValues(from settings: AVCapturePhotoSettings) {
        flashMode = settings.flashMode
        isHighResolutionPhotoEnabled = settings.isHighResolutionPhotoEnabled
        maxPhotoDimensions = settings.maxPhotoDimensions
        photoQualityPrioritization = settings.photoQualityPrioritization
        isAutoRedEyeReductionEnabled = settings.isAutoRedEyeReductionEnabled
        isDepthDataDeliveryEnabled = settings.isDepthDataDeliveryEnabled
        embedsDepthDataInPhoto = settings.embedsDepthDataInPhoto
        isDepthDataFiltered = settings.isDepthDataFiltered
        previewPhotoFormat = settings.previewPhotoFormat
    }

    /// The pixel format of an uncompressed photo; nil for a compressed one.
    var pixelFormat: OSType? {
        // A number outside the range of `OSType` becomes 0, which no output supports.
        (format?[kCVPixelBufferPixelFormatTypeKey as String] as? NSNumber).map { OSType(exactly: $0) ?? 0 }
    }

    /// The codec of a compressed photo; nil for an uncompressed one.
    var codec: AVVideoCodecType? {
        guard pixelFormat == nil else { return nil }
        return format?[AVVideoCodecKey] as? AVVideoCodecType ?? .jpeg
    }
}

/// The actual settings of a capture, known before the photo is captured.
public final class AVCaptureResolvedPhotoSettings: NSObject, Sendable {
    public let uniqueID: Int64
    /// The photo's size in pixels, before EXIF orientation is applied.
    public let photoDimensions: CMVideoDimensions
    public let isFlashEnabled: Bool
    public let expectedPhotoCount: Int

    init(uniqueID: Int64, photoDimensions: CMVideoDimensions, isFlashEnabled: Bool) {
        self.uniqueID = uniqueID
        self.photoDimensions = photoDimensions
        self.isFlashEnabled = isFlashEnabled
        expectedPhotoCount = 1
    }
}
