package import MediaTypes

extension Picture {
    /// Returns the other picture in dark gray, with red pixels where this picture differs; nil if the sizes differ.
    package func difference(to other: Picture) -> CVPixelBuffer? {
        let (width, height) = (pixels.width, pixels.height)
        guard width == other.pixels.width, height == other.pixels.height,
            let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { return nil }
        pixels.withPlane(0) { seen in
            other.pixels.withPlane(0) { expected in
                result.withPlane(0) { target in
                    for y in 0..<height {
                        let seenRow = (seen.baseAddress + y * seen.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                        let expectedRow = (expected.baseAddress + y * expected.bytesPerRow)
                            .assumingMemoryBound(to: UInt8.self)
                        let row = (target.baseAddress + y * target.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                        for x in stride(from: 0, to: 4 * width, by: 4) {
                            let (blue, green, red) = (
                                Int(expectedRow[x]), Int(expectedRow[x + 1]), Int(expectedRow[x + 2])
                            )
                            let largestDifference = max(
                                abs(Int(seenRow[x]) - blue), abs(Int(seenRow[x + 1]) - green),
                                abs(Int(seenRow[x + 2]) - red))
                            let gray = (blue + 2 * green + red) / 16
                            row[x] = UInt8(gray)
                            row[x + 1] = UInt8(gray)
                            // Amplified, because small differences are not visible.
                            row[x + 2] = UInt8(min(255, gray + 4 * largestDifference))
                            row[x + 3] = 255
                        }
                    }
                }
            }
        }
        return result
    }
}
