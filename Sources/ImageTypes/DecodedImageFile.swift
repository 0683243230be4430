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
                pixels = try PNGCodec().decode(data)
                orientation = .up
                hasAlpha = Self.multiplyByAlpha(pixels)
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

    /// Multiplies colors by alpha; returns false if all pixels are opaque.
    private static func multiplyByAlpha(_ pixels: CVPixelBuffer) -> Bool {
        CVPixelBufferLockBaseAddress(pixels, [])
        defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
        guard let base = CVPixelBufferGetBaseAddress(pixels) else { return false }
        let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        var hasAlpha = false
        for row in 0..<height {
            let line = UnsafeMutableRawBufferPointer(
                start: base + row * CVPixelBufferGetBytesPerRow(pixels), count: width * 4)
            for column in 0..<width {
                let alpha = Int(line[column * 4 + 3])
                guard alpha < 255 else { continue }
                hasAlpha = true
                for index in column * 4..<column * 4 + 3 { line[index] = UInt8((Int(line[index]) * alpha + 127) / 255) }
            }
        }
        return hasAlpha
    }
}
