import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The pixels of an image file in 32BGRA, and their orientation.
struct DecodedImageFile {
    /// The pixels with premultiplied alpha.
    let pixels: CVPixelBuffer
    let hasAlpha: Bool
    let orientation: CGImagePropertyOrientation

    /// Decodes a JPEG or PNG file; nil if the data cannot be decoded.
    init?(_ data: Data) {
        // Without valid EXIF metadata, the image is upright.
        orientation = EXIF(file: data)?.orientation ?? .up
        do throws(ImageError) {
            if data.starts(with: PNGChunks.signature) {
                (pixels, hasAlpha) = try PNGCodec().decodeWithAlpha(data)
            } else {
                hasAlpha = false
                pixels = try JPEGCodec().decode(data, pixelFormat: kCVPixelFormatType_32BGRA).pixels
            }
        } catch {
            return nil
        }
    }
}
