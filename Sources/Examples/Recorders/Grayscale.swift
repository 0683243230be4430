import AVFoundation

/// A frame processor for the data output recorder that converts frames to grayscale.
///
/// It writes to a copy, because the session can use the original frame for other outputs.
public enum Grayscale {
    /// Returns a gray copy of a BGRA frame, with the same times.
    public static func process(_ sampleBuffer: CMSampleBuffer) throws -> CMSampleBuffer {
        guard let color = sampleBuffer.imageBuffer, let gray = makeBuffer(like: color) else {
            throw AVError(.invalidSourceMedia)
        }
        CVPixelBufferLockBaseAddress(color, .readOnly)
        CVPixelBufferLockBaseAddress(gray, [])
        copy(color, to: gray)
        CVPixelBufferUnlockBaseAddress(gray, [])
        CVPixelBufferUnlockBaseAddress(color, .readOnly)
        let timing = CMSampleTimingInfo(
            duration: sampleBuffer.duration, presentationTimeStamp: sampleBuffer.presentationTimeStamp,
            decodeTimeStamp: .invalid)
        return try CMSampleBuffer(
            imageBuffer: gray, formatDescription: CMVideoFormatDescription(imageBuffer: gray), sampleTiming: timing)
    }

    private static func makeBuffer(like original: CVPixelBuffer) -> CVPixelBuffer? {
        var buffer: CVPixelBuffer?
        let (width, height) = (CVPixelBufferGetWidth(original), CVPixelBufferGetHeight(original))
        CVPixelBufferCreate(kCFAllocatorDefault, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
        return buffer
    }

    /// Copies the green component of each pixel, which contributes most to its luminance, to all color components.
    private static func copy(_ color: CVPixelBuffer, to gray: CVPixelBuffer) {
        guard let source = CVPixelBufferGetBaseAddress(color), let target = CVPixelBufferGetBaseAddress(gray) else {
            return
        }
        let (sourceStride, targetStride) = (CVPixelBufferGetBytesPerRow(color), CVPixelBufferGetBytesPerRow(gray))
        for row in 0..<CVPixelBufferGetHeight(color) {
            let from = (source + row * sourceStride).assumingMemoryBound(to: UInt8.self)
            let to = (target + row * targetStride).assumingMemoryBound(to: UInt8.self)
            for pixel in 0..<CVPixelBufferGetWidth(color) {
                let green = from[4 * pixel + 1]
                (to[4 * pixel], to[4 * pixel + 1], to[4 * pixel + 2], to[4 * pixel + 3]) = (green, green, green, 255)
            }
        }
    }
}
