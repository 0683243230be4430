import Foundation
import MediaCodecs
import MediaTypes

/// A picture file's pixels in 32BGRA, and how they are to be turned.
struct StillPicture {
    let pixels: CVPixelBuffer
    let orientation: CGImagePropertyOrientation

    /// - Returns: nil where the data is no JPEG or PNG picture.
    init?(_ data: Data) {
        do throws(StillError) {
            if data.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
                pixels = try PNGCodec().decode(data)
                orientation = .up
            } else {
                pixels = try JPEGCodec().decode(data, pixelFormat: kCVPixelFormatType_32BGRA).pixels
                // Notes that cannot be read leave the picture as it is stored.
                orientation = (try? JPEGSegments(data).exif())?.orientation ?? .up
            }
        } catch {
            return nil
        }
    }
}
