public import AssetTypes
public import MediaTypes

/// RAW photos, which no backend delivers.
extension AVCapturePhotoOutput {
    /// Whether a pixel format is a Bayer RAW format.
    public class func isBayerRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
        [
            kCVPixelFormatType_14Bayer_GRBG, kCVPixelFormatType_14Bayer_RGGB, kCVPixelFormatType_14Bayer_BGGR,
            kCVPixelFormatType_14Bayer_GBRG, kCVPixelFormatType_16VersatileBayer,
            kCVPixelFormatType_96VersatileBayerPacked12,
        ].contains(pixelFormat)
    }

    /// Whether a pixel format is an Apple ProRAW format.
    public class func isAppleProRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
        pixelFormat == kCVPixelFormatType_64RGBALE
    }

    public var availableRawPhotoPixelFormatTypes: [OSType] {
        observedProperties.access()
        return []
    }

    public var availableRawPhotoFileTypes: [AVFileType] {
        observedProperties.access()
        return []
    }

    public var availableRawPhotoCodecTypes: [AVVideoCodecType] { [] }

    public func supportedRawPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] { [] }

    public func supportedRawPhotoCodecTypes(
        forRawPhotoPixelFormatType pixelFormatType: OSType, fileType: AVFileType
    ) -> [AVVideoCodecType] { [] }

    public var isAppleProRAWSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Setting it to true is misuse.
    public var isAppleProRAWEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set { rejectEnabling(newValue, "setAppleProRAWEnabled:", "Apple ProRAW") }
    }
}
