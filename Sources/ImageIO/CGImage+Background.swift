import MediaTypes
import PixelKernels

extension CGImage {
    /// Returns the pixels of an opaque image; otherwise a new 32BGRA buffer with the image on a color. The alpha of the
    /// color is ignored.
    func pixels(on background: CGColor) throws(ImageError) -> CVPixelBuffer {
        guard alphaInfo == .premultipliedFirst else { return pixelBuffer }
        guard let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA) else {
            throw ImageError(.outOfMemory, "no pixel buffer of \(width)x\(height) could be created")
        }
        CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
        CVPixelBufferLockBaseAddress(result, [])
        defer {
            CVPixelBufferUnlockBaseAddress(result, [])
            CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly)
        }
        guard let source = CVPixelBufferGetBaseAddress(pixelBuffer), let target = CVPixelBufferGetBaseAddress(result)
        else { throw ImageError(.inaccessible, "the image's pixels cannot be accessed") }
        let color = background.blueGreenRed
        for row in 0..<height {
            let sourceRow = UnsafeRawBufferPointer(start: source + row * bytesPerRow, count: width * 4)
            let targetRow = UnsafeMutableRawBufferPointer(
                start: target + row * CVPixelBufferGetBytesPerRow(result), count: width * 4)
            for pixel in stride(from: 0, to: width * 4, by: 4) {
                let transparency = 255 - Int(sourceRow[pixel + 3])
                for component in 0..<3 {
                    let sum = Int(sourceRow[pixel + component]) + (color[component] * transparency + 127) / 255
                    targetRow[pixel + component] = UInt8(min(255, sum))
                }
                targetRow[pixel + 3] = 255
            }
        }
        return result
    }
}

extension CGColor {
    /// Blue, green and red from 0 to 255.
    fileprivate var blueGreenRed: [Int] {
        let colors = (components ?? []).dropLast().map { Int((min(1, max(0, $0)) * 255).rounded()) }
        return colors.count == 3 ? colors.reversed() : [Int](repeating: colors.first ?? 0, count: 3)
    }
}
