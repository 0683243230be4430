import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The pixels of an image file in 32BGRA, and their orientation.
struct DecodedImageFile {
    let pixels: CVPixelBuffer
    let orientation: CGImagePropertyOrientation

    /// Decodes a JPEG or PNG file; nil if the data cannot be decoded.
    init?(_ data: Data) {
        do throws(ImageError) {
            if data.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
                pixels = try PNGCodec().decode(data)
                orientation = .up
            } else {
                pixels = try JPEGCodec().decode(data, pixelFormat: kCVPixelFormatType_32BGRA).pixels
                // If EXIF cannot be parsed, the image has no orientation.
                orientation = (try? JPEGSegments(data).exif())?.orientation ?? .up
            }
        } catch {
            return nil
        }
    }
}
