import MediaTypes

/// A frame of the vivid driver, with access to its color bars and frame number.
///
/// vivid draws eight vertical bars. Starting at column 16 of row 16, it writes " hh:mm:ss:ms N", white on black in the
/// kernel's 8x16 font, where N is the frame number (`vivid_fillbuff` in vivid-kthread-cap.c).
struct VividFrame {
    let width: Int
    let height: Int
    private let pixelBuffer: CVPixelBuffer
    private let bytesPerPixel: Int
    /// The weights of a pixel's first bytes in its luma, in eighths.
    private let weights: [Int]

    /// - Parameter pixelBuffer: The first plane must contain only luma, packed 4:2:2 that starts with luma, or BGRA.
    init(_ pixelBuffer: CVPixelBuffer) {
        self.pixelBuffer = pixelBuffer
        let plane = pixelBuffer.format.planes[0]
        (width, height) = (pixelBuffer.width, pixelBuffer.height)
        bytesPerPixel = plane.bitsPerBlock / 8 / plane.blockWidth
        weights = pixelBuffer.pixelFormat == kCVPixelFormatType_32BGRA ? [1, 5, 2] : [8]
    }

    private func luma(_ column: Int, _ row: Int) -> Int {
        pixelBuffer.withPlane(0) { plane in
            let bytes = plane.baseAddress + row * plane.bytesPerRow + column * bytesPerPixel
            let sum = weights.indices.reduce(0) { sum, index in
                sum + weights[index] * Int(bytes.load(fromByteOffset: index, as: UInt8.self))
            }
            return sum / 8
        }
    }

    /// The luma of the bars from left to right, measured near the bottom of the frame, below the text.
    var bars: [Int] {
        (0..<8).map { bar in luma(width * (2 * bar + 1) / 16, height * 15 / 16) }
    }

    /// Whether the luma descends from left to right, as it does for bars in white, yellow, cyan, green, magenta, red,
    /// blue and black.
    var showsBars: Bool { bars == bars.sorted(by: >) && bars[0] - bars[7] > 100 }

    /// The frame number that vivid wrote; nil if it cannot be read.
    var frameNumber: Int? {
        var number: Int?
        // The number starts at character 14, after " hh:mm:ss:ms ".
        for index in 14..<((width - 16) / 8) {
            let cell = glyph(at: index)
            if cell.allSatisfy({ $0 == 0 }) { break }
            let distances = Self.digits.map { digit in
                zip(digit, cell).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
            }
            // Compression may change a few of the 80 pixels, but fewer than those in which two digits differ.
            guard let best = distances.indices.min(by: { distances[$0] < distances[$1] }), distances[best] <= 6
            else { return nil }
            number = (number ?? 0) * 10 + best
        }
        return number
    }

    /// Returns the ten rows of a character that digits occupy, with one bit per pixel, most significant bit left.
    private func glyph(at index: Int) -> [UInt8] {
        (0..<10).map { row in
            (0..<8).reduce(0) { bits, column in
                bits << 1 | (luma(16 + index * 8 + column, 16 + 2 + row) > 125 ? 1 : 0)
            }
        }
    }

    /// The digits 0 … 9 of the kernel's VGA font, as `glyph(at:)` returns them.
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
