public import AssetTypes
import Foundation
public import MediaTypes

/// The formats of a photo, its preview and its thumbnail.
extension AVCapturePhotoSettings {
    /// The pixel formats of previews, the most efficient one first.
    public var availablePreviewPhotoPixelFormatTypes: [OSType] { AVCapturePhotoOutput.pixelFormats }

    /// The codecs of thumbnails in files: that of a compressed photo, otherwise none.
    public var availableEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { codec.map { [$0] } ?? [] }

    /// Always empty: the preview of a DNG file cannot be configured.
    public var availableRawEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { [] }

    /// Whether a processed photo is requested, with or without a RAW photo.
    var deliversProcessedPhoto: Bool { format != nil || rawPhotoPixelFormatType == 0 }

    /// The photos of each exposure, in the order of their delivery: whether they are RAW photos.
    var requestedKinds: [Bool] {
        (rawPhotoPixelFormatType == 0 ? [] : [true]) + (deliversProcessedPhoto ? [false] : [])
    }

    /// The pixel format of an uncompressed photo; nil for a compressed one.
    var pixelFormat: OSType? { Self.pixelFormat(in: format) }

    /// The codec of a compressed photo, JPEG if the format specifies none; nil for an uncompressed photo.
    var codec: AVVideoCodecType? {
        guard pixelFormat == nil else { return nil }
        return format?[AVVideoCodecKey] as? AVVideoCodecType ?? .jpeg
    }

    /// The file type if the client requests none; nil for an uncompressed photo, for a RAW photo without a processed
    /// one, and for a codec without a file type of its own.
    var defaultFileType: AVFileType? {
        if format == nil, rawPhotoPixelFormatType != 0 { return nil }
        return AVCapturePhotoOutput.codecs.first { $0.codec == codec }?.fileType
    }

    /// The requested quality of compression from 0 to 1; nil if `photoQualityPrioritization` determines it.
    ///
    /// - Throws: `SettingsError` if the quality is not a number from 0 to 1, or the compression properties are not a
    ///   dictionary.
    var compressionQuality: Double? {
        get throws(SettingsDictionary.SettingsError) {
            let settings = SettingsDictionary(format ?? [:])
            let properties = try settings.dictionary(AVVideoCompressionPropertiesKey)
            if let quality = try properties?.number(AVVideoQualityKey, 0...1) { return quality }
            return try settings.number(AVVideoQualityKey, 0...1)
        }
    }

    /// The pixel format of the preview; nil if none is requested.
    var previewPixelFormat: OSType? { Self.pixelFormat(in: previewPhotoFormat) }

    /// Returns the size of the preview of a photo, with the aspect ratio of the photo: within the requested size, or by
    /// default within the size of a display.
    func previewSize(of photo: VideoDataSizing.Size) -> VideoDataSizing.Size {
        let settings = SettingsDictionary(previewPhotoFormat ?? [:])
        // Invalid sizes are rejected before a capture.
        let width = try? settings.integer(kCVPixelBufferWidthKey, 1...65535)
        let height = try? settings.integer(kCVPixelBufferHeightKey, 1...65535)
        guard let width, let height else { return VideoDataSizing(isPreview: true).size(of: photo) }
        return VideoDataSizing(requested: (width, height)).size(of: photo)
    }

    private static func pixelFormat(in format: [String: Any]?) -> OSType? {
        // A number outside the range of `OSType` becomes 0, which no output supports.
        (format?[kCVPixelBufferPixelFormatTypeKey as String] as? NSNumber).map { OSType(exactly: $0) ?? 0 }
    }
}
