import Glibc
package import MediaTypes

extension FrameMarker {
    /// Draws the marker into a buffer of 4:2:0 in two planes, with 8 or 10 bits.
    package func draw(on buffer: CVPixelBuffer) {
        let (luma, chroma) = (buffer.planes[0], buffer.planes[1])
        let divisor = Self.divisor(forWidth: luma.width)
        /// Returns the position of a cell's left or top edge in pixels.
        func edge(_ cell: Int) -> Int { (cell * luma.width + divisor / 2) / divisor }
        let width = edge(Self.columns + 2)
        let height = min(edge(Self.rows + 2), luma.height)
        let isFullRange = buffer.format.range == .full
        let (black, white): (Int32, Int32) = isFullRange ? (0, 255) : (16, 235)
        let bytesPerSample = buffer.format.bitsPerComponent > 8 ? 2 : 1
        /// Sets `count` samples to an 8-bit code; 10-bit samples contain it in their upper byte.
        func fill(_ address: UnsafeMutableRawPointer, _ code: Int32, _ count: Int) {
            guard bytesPerSample == 2 else {
                memset(address, code, count)
                return
            }
            // White of the full range has all 10 bits set.
            let word = UInt16(code) << 8 | (code == 255 ? 0xc0 : 0)
            address.assumingMemoryBound(to: UInt16.self).update(repeating: word, count: count)
        }
        let bits = bits
        withExtendedLifetime(buffer) {
            // For each row of cells, draw one pixel row and copy it.
            for row in 0..<Self.rows + 2 {
                let top = min(edge(row), height)
                let bottom = min(edge(row + 1), height)
                guard top < bottom else { continue }
                let line = luma.baseAddress + top * luma.bytesPerRow
                fill(line, black, width)
                if row > 0, row <= Self.rows {
                    for column in 0..<Self.columns where bits[(row - 1) * Self.columns + column] {
                        fill(line + bytesPerSample * edge(column + 1), white, edge(column + 2) - edge(column + 1))
                    }
                }
                for y in top + 1..<max(bottom, top + 1) {
                    memcpy(luma.baseAddress + y * luma.bytesPerRow, line, bytesPerSample * width)
                }
            }
            for y in 0..<height / 2 { fill(chroma.baseAddress + y * chroma.bytesPerRow, 128, (width + 1) & ~1) }
        }
    }
}
