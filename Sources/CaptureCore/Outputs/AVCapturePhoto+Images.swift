import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

extension AVCapturePhoto {
    /// Returns the image as captured, without rotation; nil after an error, or if it cannot be decoded.
    public func cgImageRepresentation() -> CGImage? {
        if let pixelBuffer { return Self.image(of: pixelBuffer) }
        guard let file = fileDataRepresentation() else { return nil }
        do throws(ImageError) {
            if var heif = contents.heif {
                // Decoders of HEIF files apply the orientation.
                heif.orientation = .up
                guard let file = PhotoFile(try heif.fileData()) else { return nil }
                return CGImage(pixelBuffer: try file.decoded().pixels)
            }
            guard let jpeg = PhotoFile(file) else { return nil }
            return CGImage(pixelBuffer: try jpeg.decoded().pixels)
        } catch {
            return nil
        }
    }

    /// Returns the image of `previewPixelBuffer`, without rotation; nil if there is none.
    public func previewCGImageRepresentation() -> CGImage? { previewPixelBuffer.flatMap { Self.image(of: $0) } }

    private static func image(of pixels: CVPixelBuffer) -> CGImage? {
        guard
            let copy = CVPixelBuffer(
                width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels),
                pixelFormat: kCVPixelFormatType_32BGRA)
        else { return nil }
        do throws(ImageError) {
            try PixelConverter().convert(pixels, to: copy)
            if WideColor.isP3(pixels) { try WideColor.convertToSRGB(copy) }
            return CGImage(pixelBuffer: copy)
        } catch {
            return nil
        }
    }
}
