public import AssetTypes
public import MediaTypes

/// RAW photos.
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

    /// The pixel formats of RAW photos; none for a camera that does not deliver the samples of its sensor, such as a
    /// virtual one.
    ///
    /// With `isAppleProRAWEnabled`, they include the Apple ProRAW format: samples with red, green and blue for each
    /// pixel, interpolated from those of the sensor.
    public var availableRawPhotoPixelFormatTypes: [OSType] {
        observedProperties.access()
        guard isAppleProRAWSupported else { return [] }
        return [kCVPixelFormatType_14Bayer_RGGB] + (isAppleProRAWEnabled ? [kCVPixelFormatType_64RGBALE] : [])
    }

    /// DNG, if the camera delivers RAW photos.
    public var availableRawPhotoFileTypes: [AVFileType] {
        observedProperties.access()
        return isAppleProRAWSupported ? [.dng] : []
    }

    /// Always empty: RAW photos are not compressed.
    public var availableRawPhotoCodecTypes: [AVVideoCodecType] { [] }

    public func supportedRawPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] {
        fileType == .dng ? availableRawPhotoPixelFormatTypes : []
    }

    public func supportedRawPhotoCodecTypes(
        forRawPhotoPixelFormatType pixelFormatType: OSType, fileType: AVFileType
    ) -> [AVVideoCodecType] { [] }

    /// Whether the camera delivers the samples of its sensor.
    public var isAppleProRAWSupported: Bool {
        observedProperties.access()
        return camera?.hardware.descriptor.stills?.deliversRAW ?? false
    }

    /// Whether `availableRawPhotoPixelFormatTypes` include the Apple ProRAW format; setting it to true is misuse if it is
    /// not supported.
    public var isAppleProRAWEnabled: Bool {
        get {
            observedProperties.access()
            return deliversProRAW && isAppleProRAWSupported
        }
        set {
            guard !newValue || isAppleProRAWSupported else {
                return rejectEnabling(newValue, "setAppleProRAWEnabled:", "Apple ProRAW")
            }
            deliversProRAW = newValue
            observedProperties.changed()
            updateCapabilities()
        }
    }

    /// Returns the reason why a RAW photo cannot be captured; nil if it can.
    func rawRejectionReason(for settings: AVCapturePhotoSettings) -> String? {
        let format = settings.rawPhotoPixelFormatType
        guard format != 0 else { return nil }
        guard availableRawPhotoPixelFormatTypes.contains(format) else {
            return "Unsupported RAW pixel format - use availableRawPhotoPixelFormatTypes"
        }
        guard Self.isBayerRAWPixelFormat(format), let connection = connection(with: .video) else { return nil }
        guard camera(of: connection)?.videoZoomFactor ?? 1 == 1, connection.activeScaleAndCropFactor == 1 else {
            return "videoZoomFactor and videoScaleAndCropFactor must be 1.0 for a Bayer RAW photo"
        }
        return nil
    }
}
