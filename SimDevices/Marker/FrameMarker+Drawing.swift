import Glibc
package import MediaTypes

extension FrameMarker {
    /// Draws the marker into a 420v or 420f buffer.
    package func draw(on buffer: CVPixelBuffer) {
        let (luma, chroma) = (buffer.planes[0], buffer.planes[1])
        let divisor = Self.divisor(forWidth: luma.width)
        /// Returns the position of a cell's left or top edge in pixels.
        func edge(_ cell: Int) -> Int { (cell * luma.width + divisor / 2) / divisor }
        let width = edge(Self.columns + 2)
        let height = min(edge(Self.rows + 2), luma.height)
        let isFullRange = buffer.pixelFormat == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        let (black, white): (Int32, Int32) = isFullRange ? (0, 255) : (16, 235)
        let bits = bits
        withExtendedLifetime(buffer) {
            // For each row of cells, draw one pixel row and copy it.
            for row in 0..<Self.rows + 2 {
                let top = min(edge(row), height)
                let bottom = min(edge(row + 1), height)
                guard top < bottom else { continue }
                let line = luma.baseAddress + top * luma.bytesPerRow
                memset(line, black, width)
                if row > 0, row <= Self.rows {
                    for column in 0..<Self.columns where bits[(row - 1) * Self.columns + column] {
                        memset(line + edge(column + 1), white, edge(column + 2) - edge(column + 1))
                    }
                }
                for y in top + 1..<max(bottom, top + 1) { memcpy(luma.baseAddress + y * luma.bytesPerRow, line, width) }
            }
            for y in 0..<height / 2 { memset(chroma.baseAddress + y * chroma.bytesPerRow, 128, (width + 1) & ~1) }
        }
    }
}
