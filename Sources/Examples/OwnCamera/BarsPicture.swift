import MediaTypes

/// White, yellow, cyan, green, magenta, red, blue and black, as ARGB.
private let colors: [UInt32] = [
    0xFFFF_FFFF, 0xFFFF_FF00, 0xFF00_FFFF, 0xFF00_FF00, 0xFFFF_00FF, 0xFFFF_0000, 0xFF00_00FF, 0xFF00_0000,
]

/// Creates a pool of 32BGRA pixel buffers.
func makePool(of size: CMVideoDimensions) -> CVPixelBufferPool? {
    let attributes: [String: Any] = [
        kCVPixelBufferWidthKey: Int(size.width), kCVPixelBufferHeightKey: Int(size.height),
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA,
    ]
    var pool: CVPixelBufferPool?
    CVPixelBufferPoolCreate(nil, nil, attributes, &pool)
    return pool
}

/// Draws eight vertical bars, which move to the left by one bar per second.
///
/// - Parameters:
///   - pixels: A buffer of format `kCVPixelFormatType_32BGRA`.
///   - zoom: The magnification around the center, at least 1.
func drawBars(in pixels: CVPixelBuffer, at time: CMTime, zoom: Double) {
    CVPixelBufferLockBaseAddress(pixels, [])
    defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
    guard let base = CVPixelBufferGetBaseAddress(pixels) else { return }
    let (width, bytesPerRow) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetBytesPerRow(pixels))
    for x in 0..<width {
        let position = ((Double(x) + 0.5) / Double(width) - 0.5) / zoom + 0.5
        let color = colors[Int(position * 8 + time.seconds) % 8]
        base.storeBytes(of: color.littleEndian, toByteOffset: x * 4, as: UInt32.self)
    }
    for row in 1..<CVPixelBufferGetHeight(pixels) {
        (base + row * bytesPerRow).copyMemory(from: base, byteCount: width * 4)
    }
}
