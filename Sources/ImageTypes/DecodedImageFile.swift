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
        do throws(ImageError) {
            if data.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
                (pixels, hasAlpha) = try PNGCodec().decodeWithAlpha(data)
                orientation = .up
            } else {
                hasAlpha = false
                pixels = try JPEGCodec().decode(data, pixelFormat: kCVPixelFormatType_32BGRA).pixels
                // Without valid EXIF metadata, the image is upright.
                orientation = (try? JPEGSegments(data).exif())?.orientation ?? .up
            }
        } catch {
            return nil
        }
    }
}
