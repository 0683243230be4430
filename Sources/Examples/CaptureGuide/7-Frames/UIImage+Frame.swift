import AVFoundation
import UIKit

extension UIImage {
    /// Creates an image with a copy of a frame's pixels, so that the camera can use the frame's buffer again.
    public convenience init?(_ sampleBuffer: CMSampleBuffer) {
        guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return nil }
        let picture = CIImage(cvPixelBuffer: pixelBuffer)
        guard let image = CIContext().createCGImage(picture, from: picture.extent) else { return nil }
        self.init(cgImage: image)
    }
}
