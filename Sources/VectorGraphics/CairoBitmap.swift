import CCairo
import Foundation
import MediaTypes

/// The pixels of a bitmap context and cairo's objects for them.
///
/// Confined: cairo's contexts are not thread-safe.
final class CairoBitmap {
    let width: Int
    let height: Int
    let bytesPerRow: Int
    let hasAlpha: Bool
    /// The pixels, 32-bit words with alpha in the high byte.
    let pixels: UnsafeMutableRawPointer
    let surface: OpaquePointer
    let context: OpaquePointer
    private let ownsPixels: Bool

    /// The largest width and height that cairo supports.
    static let maximumSize = 32767

    /// Creates a bitmap in the caller's memory, or in zeroed memory that it allocates; nil if cairo cannot be loaded or
    /// does not support the size.
    init?(data: UnsafeMutableRawPointer?, width: Int, height: Int, bytesPerRow: Int, hasAlpha: Bool) {
        guard ccairo_load() == nil, (1...Self.maximumSize).contains(width), (1...Self.maximumSize).contains(height),
            bytesPerRow >= width * 4, bytesPerRow.isMultiple(of: 4)
        else { return nil }
        let byteCount = height * bytesPerRow
        let memory = data ?? .allocate(byteCount: byteCount, alignment: 16)
        if data == nil { memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
        let surface = ccairo_image_surface_create_for_data(
            memory.assumingMemoryBound(to: UInt8.self),
            Int32(hasAlpha ? CCAIRO_FORMAT_ARGB32 : CCAIRO_FORMAT_RGB24), Int32(width), Int32(height),
            Int32(bytesPerRow))
        guard let surface, let context = ccairo_create(surface) else {
            if data == nil { memory.deallocate() }
            return nil
        }
        (self.width, self.height, self.bytesPerRow, self.hasAlpha) = (width, height, bytesPerRow, hasAlpha)
        (pixels, self.surface, self.context, ownsPixels) = (memory, surface, context, data == nil)
    }

    deinit {
        ccairo_destroy(context)
        ccairo_surface_finish(surface)
        ccairo_surface_destroy(surface)
        if ownsPixels { pixels.deallocate() }
    }

    /// Returns a copy of the pixels; nil if memory is insufficient.
    func copy() -> CVPixelBuffer? {
        ccairo_surface_flush(surface)
        var result: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &result)
        guard let result else { return nil }
        CVPixelBufferLockBaseAddress(result, [])
        defer { CVPixelBufferUnlockBaseAddress(result, []) }
        guard let target = CVPixelBufferGetBaseAddress(result) else { return nil }
        for row in 0..<height {
            (target + row * CVPixelBufferGetBytesPerRow(result)).copyMemory(
                from: pixels + row * bytesPerRow, byteCount: width * 4)
        }
        return result
    }
}
