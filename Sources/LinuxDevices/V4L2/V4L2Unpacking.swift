import CLinuxDevices
import MediaTypes

/// How pixels that nothing else reads become pixels that the rest of the system knows, by a copy.
enum V4L2Unpacking: Sendable, Hashable {
    /// Cr before Cb, to Cb before Cr (NV21 to NV12).
    case crFirst
    /// Sixteen bits a pixel, to BGRA.
    case rgb565
    /// One sample a pixel behind a mosaic of filters, to BGRA by the means of the neighbours; the red filter's place
    /// in each 2x2.
    case bayer(redColumn: Int32, redRow: Int32)

    /// Writes the whole picture.
    ///
    /// - Parameters:
    ///   - source: As many planes as the source's layout has, each whole.
    ///   - picture: Of the source's size.
    func unpack(_ source: [PixelPlane], into picture: CVPixelBuffer) {
        guard let first = source.first else { return }
        picture.withPlane(0) { target in
            let (from, to) = (bytes(first), bytes(target))
            let (width, height) = (Int32(target.width), Int32(target.height))
            switch self {
            case .crFirst:
                for row in 0..<target.height {
                    (target.baseAddress + row * target.bytesPerRow).copyMemory(
                        from: first.baseAddress + row * first.bytesPerRow, byteCount: target.width)
                }
            case .rgb565:
                clinuxdevices_rgb565_to_bgra(from, first.bytesPerRow, to, target.bytesPerRow, width, height)
            case .bayer(let redColumn, let redRow):
                clinuxdevices_bayer8_to_bgra(
                    from, first.bytesPerRow, to, target.bytesPerRow, width, height, redColumn, redRow)
            }
        }
        guard self == .crFirst, source.count > 1 else { return }
        picture.withPlane(1) { target in
            clinuxdevices_swap_pairs(
                bytes(source[1]), source[1].bytesPerRow, bytes(target), target.bytesPerRow, Int32(target.width),
                Int32(target.height))
        }
    }

    private func bytes(_ plane: PixelPlane) -> UnsafeMutablePointer<UInt8> {
        plane.baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}
