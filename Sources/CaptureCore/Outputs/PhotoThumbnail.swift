import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// A small version of a photo in its file, compressed with the codec of the photo.
struct PhotoThumbnail {
    /// The maximum size of thumbnails if the client requests none; the EXIF standard recommends 160x120.
    static let defaultSize = (width: 160, height: 120)

    /// Returns the size of a thumbnail for a photo, with the photo's aspect ratio.
    ///
    /// - Parameter format: The client's video settings, with or without width and height.
    static func size(_ format: [String: Any], of photo: VideoDataSizing.Size) -> VideoDataSizing.Size {
        let settings = SettingsDictionary(format)
        // Invalid sizes are rejected before a capture.
        let width = try? settings.integer(AVVideoWidthKey, 1...65535)
        let height = try? settings.integer(AVVideoHeightKey, 1...65535)
        var requested = defaultSize
        if let width, let height { requested = (width, height) }
        let size = VideoDataSizing(requested: requested).size(of: photo)
        guard format[AVVideoCodecKey] as? AVVideoCodecType == .hevc else { return size }
        // HEVC with subsampled chroma has even sizes, and x265 a smallest one.
        return (max(16, size.width / 2 * 2), max(16, size.height / 2 * 2))
    }

    /// Scales pixels to a size and compresses them to a JPEG file.
    static func encode(_ pixels: CVPixelBuffer, _ size: VideoDataSizing.Size) throws(ImageError) -> Data {
        try JPEGCodec().encode(scaled(pixels, size), settings: JPEGCodec.Settings(quality: 80))
    }

    /// Scales pixels to a size and compresses them with HEVC.
    static func encodeHEVC(_ pixels: CVPixelBuffer, _ size: VideoDataSizing.Size) throws -> HEIFPicture {
        try HEIFPicture(encoding: scaled(pixels, size), quality: 0.75)
    }

    private static func scaled(
        _ pixels: CVPixelBuffer, _ size: VideoDataSizing.Size
    ) throws(ImageError) -> CVPixelBuffer {
        guard
            let scaled = CVPixelBuffer(
                width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        else { throw ImageError(.outOfMemory, "a thumbnail of \(size.width)x\(size.height) cannot be allocated") }
        CVBufferPropagateAttachments(pixels, scaled)
        try PixelConverter().convert(pixels, to: scaled)
        return scaled
    }
}
