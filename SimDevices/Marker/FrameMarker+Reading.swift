public import MediaTypes
import PixelKernels

extension FrameMarker {
    /// Finds and decodes the marker of a simulated frame.
    ///
    /// All eight combinations of rotation and mirroring are tried; the checksum identifies the right one.
    /// - Parameter buffer: A frame that may be scaled, but not cropped, in 420v, 420f, I420, x420, x422, BGRA, ARGB,
    ///   RGBA, 24-bit RGB or BGR, 8-bit packed 4:2:2 or 8-bit grayscale.
    /// - Returns: Nil if there is no marker, or the pixel format is not supported.
    public static func read(from buffer: CVPixelBuffer) -> FrameMarker? {
        guard let sample = sampler(for: buffer) else { return nil }
        return withExtendedLifetime(buffer) {
            read(width: buffer.width, height: buffer.height, luma: sample)
        }
    }

    /// Finds and decodes the marker in an image of any pixel format.
    ///
    /// - Parameter luma: Returns the luma, 0 … 255, at a column and row of the image.
    public static func read(width: Int, height: Int, luma: (_ x: Int, _ y: Int) -> Int) -> FrameMarker? {
        for divisor in [120, 80, 40] {
            // Bit 0 mirrors horizontally, bit 1 vertically, bit 2 exchanges width and height.
            for orientation in 0..<8 {
                let isSideways = orientation & 4 != 0
                let upright = (width: isSideways ? height : width, height: isSideways ? width : height)
                /// Returns the luma at a position of the upright image.
                func uprightLuma(_ x: Int, _ y: Int) -> Int {
                    let x = orientation & 1 != 0 ? upright.width - 1 - x : x
                    let y = orientation & 2 != 0 ? upright.height - 1 - y : y
                    return isSideways ? luma(y, x) : luma(x, y)
                }
                if let marker = read(width: upright.width, height: upright.height, divisor: divisor, luma: uprightLuma)
                {
                    return marker
                }
            }
        }
        return nil
    }

    /// Decodes the marker of an upright image, with cells of 1/`divisor` of its width.
    private static func read(
        width: Int, height: Int, divisor: Int, luma: (_ x: Int, _ y: Int) -> Int
    ) -> FrameMarker? {
        let cell = Double(width) / Double(divisor)
        guard cell >= 2, Double(rows + 2) * cell <= Double(height) else { return nil }
        // Sample the middle half of each cell at up to 16 points.
        let steps = cell < 6 ? 2 : 4
        /// Returns the mean luma of a cell.
        func mean(_ column: Int, _ row: Int) -> Int {
            var sum = 0
            for i in 0..<steps {
                for j in 0..<steps {
                    let x = (Double(column) + 0.25 + 0.5 * (Double(i) + 0.5) / Double(steps)) * cell
                    let y = (Double(row) + 0.25 + 0.5 * (Double(j) + 0.5) / Double(steps)) * cell
                    sum += luma(min(Int(x), width - 1), min(Int(y), height - 1))
                }
            }
            return sum / (steps * steps)
        }
        var levels: [Int] = []
        levels.reserveCapacity(columns * rows)
        for row in 1...rows {
            for column in 1...columns { levels.append(mean(column, row)) }
        }
        guard let low = levels.min(), let high = levels.max(), high - low >= 60 else { return nil }
        let threshold = (low + high) / 2
        return FrameMarker(bits: levels.map { $0 > threshold })
    }

    /// Returns a function that reads the luma of a pixel; nil if the pixel format is not supported.
    private static func sampler(for buffer: CVPixelBuffer) -> ((_ x: Int, _ y: Int) -> Int)? {
        let plane = buffer.planes[0]
        func byte(_ x: Int, _ y: Int, bytesPerPixel: Int, offset: Int) -> Int {
            Int(
                plane.baseAddress.load(
                    fromByteOffset: y * plane.bytesPerRow + x * bytesPerPixel + offset, as: UInt8.self))
        }
        /// Returns a function that computes luma by Rec. ITU-R BT.709 from components at the given byte offsets.
        func color(bytesPerPixel: Int, red: Int, green: Int, blue: Int) -> (Int, Int) -> Int {
            { x, y in
                // 0.2126, 0.7152 and 0.0722 in 256ths.
                (54 * byte(x, y, bytesPerPixel: bytesPerPixel, offset: red)
                    + 183 * byte(x, y, bytesPerPixel: bytesPerPixel, offset: green)
                    + 19 * byte(x, y, bytesPerPixel: bytesPerPixel, offset: blue)) / 256
            }
        }
        switch buffer.pixelFormat {
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
            kCVPixelFormatType_OneComponent8:
            return { byte($0, $1, bytesPerPixel: 1, offset: 0) }
        case let format where PixelLayout.tenBitPixelFormats.contains(format):
            // The upper byte of a word.
            return { byte($0, $1, bytesPerPixel: 2, offset: 1) }
        case kCVPixelFormatType_422YpCbCr8: return { byte($0, $1, bytesPerPixel: 2, offset: 1) }
        case kCVPixelFormatType_422YpCbCr8_yuvs: return { byte($0, $1, bytesPerPixel: 2, offset: 0) }
        case kCVPixelFormatType_32BGRA: return color(bytesPerPixel: 4, red: 2, green: 1, blue: 0)
        case kCVPixelFormatType_32RGBA: return color(bytesPerPixel: 4, red: 0, green: 1, blue: 2)
        case kCVPixelFormatType_32ARGB: return color(bytesPerPixel: 4, red: 1, green: 2, blue: 3)
        case kCVPixelFormatType_24RGB: return color(bytesPerPixel: 3, red: 0, green: 1, blue: 2)
        case kCVPixelFormatType_24BGR: return color(bytesPerPixel: 3, red: 2, green: 1, blue: 0)
        default: return nil
        }
    }
}
