import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// A small version of a photo in its file, as a JPEG image.
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
        return VideoDataSizing(requested: requested).size(of: photo)
    }

    /// Scales pixels to a size and compresses them.
    static func encode(_ pixels: CVPixelBuffer, _ size: VideoDataSizing.Size) throws(ImageError) -> Data {
        guard
            let scaled = CVPixelBuffer(
                width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        else { throw ImageError(.outOfMemory, "a thumbnail of \(size.width)x\(size.height) cannot be allocated") }
        try PixelConverter().convert(pixels, to: scaled)
        return try JPEGCodec().encode(scaled, settings: JPEGCodec.Settings(quality: 80))
    }
}
