public import Foundation
import MediaAssets
public import MediaTypes

/// What a client asks of one still; used once.
public class AVCapturePhotoSettings: NSObject, @unchecked Sendable {
    // SAFETY: a client sets the properties before it hands the object over; the output copies them then.
    private static let lastID = Lock<Int64>(0)

    /// The same in all callbacks of the capture.
    public let uniqueID: Int64
    /// Codec or pixel format; nil is JPEG.
    public let format: [String: Any]?
    public var flashMode = AVCaptureDevice.FlashMode.off
    public var isHighResolutionPhotoEnabled = false
    public var photoQualityPrioritization = AVCapturePhotoOutput.QualityPrioritization.balanced
    /// The largest still that will do: one of the active format's `supportedMaxPhotoDimensions`, not above the output's
    /// `maxPhotoDimensions`; other sizes are misuse. 0x0 stands for the smallest of them.
    public var maxPhotoDimensions = CMVideoDimensions(width: 0, height: 0)
    public var isAutoRedEyeReductionEnabled = false
    /// Whether the photo carries depth; asking for it where the output does not deliver it is misuse.
    public var isDepthDataDeliveryEnabled = false
    /// Whether the depth is written into the picture's file.
    ///
    /// - Note: Unlike Apple, it never is: `AVCapturePhoto.depthData` has it.
    public var embedsDepthDataInPhoto = true
    /// Whether holes in the depth are filled and noise is taken off; true by default.
    public var isDepthDataFiltered = true
    public var previewPhotoFormat: [String: Any]?

    /// A JPEG.
    public convenience override init() { self.init(format: nil) }

    /// - Parameter format: `AVVideoCodecKey` with a codec of the output's `availablePhotoCodecTypes`, or
    ///   `kCVPixelBufferPixelFormatTypeKey` with one of its `availablePhotoPixelFormatTypes`; nil is JPEG.
    public convenience init(format: [String: Any]?) {
        let id = Self.lastID.withLock { last in
            last += 1
            return last
        }
        self.init(format: format, uniqueID: id)
    }

    private init(format: [String: Any]?, uniqueID: Int64) {
        self.format = format
        self.uniqueID = uniqueID
    }

    /// Settings with the same values and a new `uniqueID`.
    public convenience init(from settings: AVCapturePhotoSettings) {
        self.init(format: settings.format)
        take(settings)
    }

    /// Settings with the same values and the same `uniqueID`, which nobody changes any more.
    convenience init(asOrdered settings: AVCapturePhotoSettings) {
        self.init(format: settings.format, uniqueID: settings.uniqueID)
        take(settings)
    }

    private func take(_ settings: AVCapturePhotoSettings) {
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

    /// The pixel format of an uncompressed still, nil for a compressed one.
    var pixelFormat: OSType? {
        // A number that is no pixel format's code at all is 0, which no output offers.
        (format?[kCVPixelBufferPixelFormatTypeKey as String] as? any BinaryInteger).map { OSType(exactly: $0) ?? 0 }
    }

    /// The codec of a compressed still.
    var codec: AVVideoCodecType? {
        guard pixelFormat == nil else { return nil }
        switch format?[AVVideoCodecKey] {
        case let codec as AVVideoCodecType: return codec
        case let name as String: return AVVideoCodecType(rawValue: name)
        default: return .jpeg
        }
    }
}

/// What a capture turned out to be, known before the picture is.
public final class AVCaptureResolvedPhotoSettings: NSObject, Sendable {
    public let uniqueID: Int64
    /// In pixels, before any orientation.
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
