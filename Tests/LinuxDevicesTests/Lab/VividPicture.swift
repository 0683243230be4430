import MediaTypes

/// The luma of a picture of vivid, and what can be read in it.
///
/// vivid draws eight vertical bars and, from column 16 of row 16 on, white on black in the kernel's 8x16 font,
/// " hh:mm:ss:ms N", where N is the number of the frame (vivid_fillbuff in vivid-kthread-cap.c).
struct VividPicture {
    let width: Int
    let height: Int
    private let pixels: CVPixelBuffer
    /// Bytes from one pixel to the next, and eighths of luma in each of the first of them.
    private let step: Int
    private let weights: [Int]

    /// - Parameter pixels: With luma alone in the first plane, packed 4:2:2 that begins with luma, or BGRA.
    init(_ pixels: CVPixelBuffer) {
        self.pixels = pixels
        let block = pixels.format.planes[0]
        (width, height, step) = (pixels.width, pixels.height, block.bitsPerBlock / 8 / block.blockWidth)
        weights = pixels.pixelFormat == kCVPixelFormatType_32BGRA ? [1, 5, 2] : [8]
    }

    private func luma(_ column: Int, _ row: Int) -> Int {
        pixels.withPlane(0) { plane in
            let bytes = plane.baseAddress + row * plane.bytesPerRow + column * step
            let sum = weights.indices.reduce(0) { sum, index in
                sum + weights[index] * Int(bytes.load(fromByteOffset: index, as: UInt8.self))
            }
            return sum / 8
        }
    }

    /// The luma of the bars from left to right, near the lower edge, below the text.
    var bars: [Int] {
        (0..<8).map { bar in luma(width * (2 * bar + 1) / 16, height * 15 / 16) }
    }

    /// Whether the bars are white, yellow, cyan, green, magenta, red, blue, black.
    var showsBars: Bool { bars == bars.sorted(by: >) && bars[0] - bars[7] > 100 }

    /// The number that vivid wrote; nil where it cannot be read.
    var frameNumber: Int? {
        var number: Int?
        for place in 14..<((width - 16) / 8) {
            let cell = glyph(at: place)
            if cell.allSatisfy({ $0 == 0 }) { break }
            let distances = Self.digits.map { digit in
                zip(digit, cell).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
            }
            // Compression may flip a few of the 80 pixels; the least different digits differ in more.
            guard let best = distances.indices.min(by: { distances[$0] < distances[$1] }), distances[best] <= 6
            else { return nil }
            number = (number ?? 0) * 10 + best
        }
        return number
    }

    /// The ten rows of a character that digits fill, a bit a pixel.
    private func glyph(at place: Int) -> [UInt8] {
        (0..<10).map { row in
            (0..<8).reduce(0) { bits, column in
                bits << 1 | (luma(16 + place * 8 + column, 16 + 2 + row) > 125 ? 1 : 0)
            }
        }
    }

    /// The digits of the VGA font.
    private static let digits: [[UInt8]] = [
        [0x38, 0x6c, 0xc6, 0xc6, 0xd6, 0xd6, 0xc6, 0xc6, 0x6c, 0x38],
        [0x18, 0x38, 0x78, 0x18, 0x18, 0x18, 0x18, 0x18, 0x18, 0x7e],
        [0x7c, 0xc6, 0x06, 0x0c, 0x18, 0x30, 0x60, 0xc0, 0xc6, 0xfe],
        [0x7c, 0xc6, 0x06, 0x06, 0x3c, 0x06, 0x06, 0x06, 0xc6, 0x7c],
        [0x0c, 0x1c, 0x3c, 0x6c, 0xcc, 0xfe, 0x0c, 0x0c, 0x0c, 0x1e],
        [0xfe, 0xc0, 0xc0, 0xc0, 0xfc, 0x06, 0x06, 0x06, 0xc6, 0x7c],
        [0x38, 0x60, 0xc0, 0xc0, 0xfc, 0xc6, 0xc6, 0xc6, 0xc6, 0x7c],
        [0xfe, 0xc6, 0x06, 0x06, 0x0c, 0x18, 0x30, 0x30, 0x30, 0x30],
        [0x7c, 0xc6, 0xc6, 0xc6, 0x7c, 0xc6, 0xc6, 0xc6, 0xc6, 0x7c],
        [0x7c, 0xc6, 0xc6, 0xc6, 0x7e, 0x06, 0x06, 0x06, 0x0c, 0x78],
    ]
}
