import Foundation
import MediaCodecs
import MediaTypes

/// The pixels of an image file in 32BGRA, and their orientation.
struct DecodedImageFile {
    /// The pixels with premultiplied alpha.
    let pixels: CVPixelBuffer
    let hasAlpha: Bool
    let orientation: CGImagePropertyOrientation

    /// Decodes a JPEG, PNG, HEIF, WebP or DNG file; nil if the data cannot be decoded.
    init?(_ data: Data) {
        // The reason is not reported, as on Apple's systems.
        guard let file = PhotoFile(data), let image = try? file.decoded() else { return nil }
        pixels = image.pixels
        hasAlpha = image.hasAlpha
        // Without valid metadata, the image is upright.
        orientation = file.metadata.orientation ?? .up
    }
}
