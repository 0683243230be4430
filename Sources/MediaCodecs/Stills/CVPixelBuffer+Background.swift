package import MediaTypes
package import PixelKernels

extension CVPixelBuffer {
    /// Returns a new opaque 32BGRA buffer with this image, which is 32BGRA with premultiplied alpha, on a color.
    ///
    /// - Parameter background: Red, green and blue from 0 to 255; white by default.
    package func onBackground(
        _ background: (red: Int, green: Int, blue: Int) = (255, 255, 255)
    ) throws(ImageError) -> CVPixelBuffer {
        guard let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA) else {
            throw ImageError(.outOfMemory, "no pixel buffer of \(width)x\(height) could be created")
        }
        CVPixelBufferLockBaseAddress(self, .readOnly)
        CVPixelBufferLockBaseAddress(result, [])
        defer {
            CVPixelBufferUnlockBaseAddress(result, [])
            CVPixelBufferUnlockBaseAddress(self, .readOnly)
        }
        guard let source = CVPixelBufferGetBaseAddress(self), let target = CVPixelBufferGetBaseAddress(result)
        else { throw ImageError(.inaccessible, "the image's pixels cannot be accessed") }
        let color = [background.blue, background.green, background.red]
        for row in 0..<height {
            let sourceRow = UnsafeRawBufferPointer(
                start: source + row * CVPixelBufferGetBytesPerRow(self), count: width * 4)
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

    /// Multiplies the colors of a 32BGRA image by its alpha.
    func multiplyByAlpha() {
        CVPixelBufferLockBaseAddress(self, [])
        defer { CVPixelBufferUnlockBaseAddress(self, []) }
        guard let base = CVPixelBufferGetBaseAddress(self) else { return }
        for row in 0..<height {
            let line = UnsafeMutableRawBufferPointer(
                start: base + row * CVPixelBufferGetBytesPerRow(self), count: width * 4)
            for column in 0..<width {
                let alpha = Int(line[column * 4 + 3])
                guard alpha < 255 else { continue }
                for index in column * 4..<column * 4 + 3 { line[index] = UInt8((Int(line[index]) * alpha + 127) / 255) }
            }
        }
    }
}
