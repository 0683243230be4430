import CCairo

/// The blurred alpha of an image.
struct ShadowMask {
    /// The number of pixels by which the mask is larger than the image on each side.
    let margin: Int
    private let width: Int
    private let height: Int
    private let bytesPerRow: Int
    private var coverage: [UInt8]

    /// Blurs the alpha of premultiplied 32-bit pixels.
    ///
    /// Three box filters approximate a Gaussian filter, as SVG recommends for `feGaussianBlur`. The size of the boxes
    /// is 3 √(2π) / 4 = 1.88 times the standard deviation.
    ///
    /// - Parameter deviation: The standard deviation of the blur in pixels.
    init(
        pixels: UnsafePointer<UInt8>, width sourceWidth: Int, height sourceHeight: Int, bytesPerRow sourceBytes: Int,
        deviation: Double
    ) {
        let radius = deviation > 0 ? Int((deviation * 1.88 / 2).rounded()) : 0
        margin = 3 * radius
        width = sourceWidth + 2 * margin
        height = sourceHeight + 2 * margin
        bytesPerRow = (width + 3) / 4 * 4
        coverage = Array(repeating: 0, count: bytesPerRow * height)
        for row in 0..<sourceHeight {
            let start = (row + margin) * bytesPerRow + margin
            for column in 0..<sourceWidth { coverage[start + column] = pixels[row * sourceBytes + column * 4 + 3] }
        }
        guard radius > 0 else { return }
        var line = [UInt8](repeating: 0, count: max(width, height))
        for _ in 0..<3 {
            for row in 0..<height {
                Self.blur(&coverage, from: row * bytesPerRow, step: 1, count: width, radius: radius, &line)
            }
            for column in 0..<width {
                Self.blur(&coverage, from: column, step: bytesPerRow, count: height, radius: radius, &line)
            }
        }
    }

    /// Replaces each value of a row or column with the mean of its neighbors.
    private static func blur(
        _ values: inout [UInt8], from start: Int, step: Int, count: Int, radius: Int, _ line: inout [UInt8]
    ) {
        for index in 0..<count { line[index] = values[start + index * step] }
        let size = 2 * radius + 1
        var sum = line[0..<min(radius, count)].reduce(0) { $0 + Int($1) }
        for index in 0..<count {
            if index + radius < count { sum += Int(line[index + radius]) }
            if index > radius { sum -= Int(line[index - radius - 1]) }
            values[start + index * step] = UInt8((sum + size / 2) / size)
        }
    }

    /// Calls a function with cairo's surface of the mask.
    func withSurface(_ body: (OpaquePointer?) -> Void) {
        var copy = coverage
        copy.withUnsafeMutableBufferPointer { bytes in
            let surface = ccairo_image_surface_create_for_data(
                bytes.baseAddress, Int32(CCAIRO_FORMAT_A8), Int32(width), Int32(height), Int32(bytesPerRow))
            body(surface)
            ccairo_surface_finish(surface)
            ccairo_surface_destroy(surface)
        }
    }
}
