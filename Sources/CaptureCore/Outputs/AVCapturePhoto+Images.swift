import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

extension AVCapturePhoto {
    /// The image as captured, without rotation; nil after an error, or if it cannot be decoded.
    public func cgImageRepresentation() -> CGImage? {
        if let pixelBuffer {
            guard
                let copy = CVPixelBuffer(
                    width: CVPixelBufferGetWidth(pixelBuffer), height: CVPixelBufferGetHeight(pixelBuffer),
                    pixelFormat: kCVPixelFormatType_32BGRA)
            else { return nil }
            do throws(ImageError) {
                try PixelConverter().convert(pixelBuffer, to: copy)
                return CGImage(pixelBuffer: copy)
            } catch {
                return nil
            }
        }
        guard let file = fileDataRepresentation() else { return nil }
        do throws(ImageError) {
            return CGImage(pixelBuffer: try JPEGCodec().decode(file, pixelFormat: kCVPixelFormatType_32BGRA).pixels)
        } catch {
            return nil
        }
    }
}
