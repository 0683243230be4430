// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import MediaTypes
import PixelKernels

/// Creates an image from the pixels of a buffer, in any format that this package converts.
///
/// - Parameter options: Has no effect.
@discardableResult
public func VTCreateCGImageFromCVPixelBuffer(
    _ pixelBuffer: CVPixelBuffer, options: CFDictionary?, imageOut: UnsafeMutablePointer<CGImage?>
) -> OSStatus {
    let (width, height) = (CVPixelBufferGetWidth(pixelBuffer), CVPixelBufferGetHeight(pixelBuffer))
    guard let pixels = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA) else {
        return kVTAllocationFailedErr
    }
    do {
        try PixelConverter().convert(pixelBuffer, to: pixels)
    } catch {
        return kVTPixelTransferNotSupportedErr
    }
    imageOut.pointee = CGImage(pixelBuffer: pixels)
    return noErr
}
