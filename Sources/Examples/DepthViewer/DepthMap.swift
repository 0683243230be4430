import AVFoundation

/// The distance of each pixel of a depth map.
public struct DepthMap: Sendable {
    public let width: Int
    public let height: Int
    /// The distances in meters, row by row from the top left; NaN for pixels that were not measured.
    public let meters: [Float]

    /// Copies the map of depth data, which can be depth or disparity.
    init?(_ data: AVDepthData) {
        let map = data.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32).depthDataMap
        CVPixelBufferLockBaseAddress(map, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(map) else { return nil }
        let (width, height) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
        let bytesPerRow = CVPixelBufferGetBytesPerRow(map)
        meters = (0..<height).flatMap { row in
            let start = (base + row * bytesPerRow).assumingMemoryBound(to: Float.self)
            return UnsafeBufferPointer(start: start, count: width)
        }
        (self.width, self.height) = (width, height)
    }

    /// Returns the distance in meters at a point from (0, 0), top left, to (1, 1), bottom right; nil if not measured.
    public func distance(at point: CGPoint) -> Float? {
        let column = min(max(Int(point.x * CGFloat(width)), 0), width - 1)
        let row = min(max(Int(point.y * CGFloat(height)), 0), height - 1)
        let distance = meters[row * width + column]
        return distance.isFinite ? distance : nil
    }

    /// The distance of the nearest point in meters; nil if nothing was measured.
    public var nearest: Float? { meters.lazy.filter { $0.isFinite && $0 > 0 }.min() }

    /// Returns a gray image whose brightness is inversely proportional to the distance.
    func pixelBuffer() -> CVPixelBuffer? {
        var created: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &created)
        guard let buffer = created else { return nil }
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { return nil }
        let bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
        let nearest = nearest ?? 1
        for row in 0..<height {
            let pixels = (base + row * bytesPerRow).assumingMemoryBound(to: UInt32.self)
            for column in 0..<width {
                let distance = meters[row * width + column]
                let gray = distance.isFinite && distance > 0 ? UInt32(255 * nearest / distance) : 0
                pixels[column] = 0xFF00_0000 | gray << 16 | gray << 8 | gray
            }
        }
        return buffer
    }
}
