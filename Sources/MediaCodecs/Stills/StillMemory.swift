import PixelKernels

/// The memory of one picture, kept and grown as pictures need it.
///
/// - Important: Confined. An image is valid until the next is asked for.
final class StillMemory {
    // Invariant: `base` has `capacity` bytes, or is nil where that is 0.
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0

    deinit { base?.deallocate() }

    /// A picture whose rows begin at multiples of 64 bytes and whose contents are undefined.
    func image(layout: PixelLayout, width: Int, height: Int, encoding: YCbCrEncoding) -> PixelImage {
        let sizes = (0..<layout.planeCount).map { layout.planeSize($0, width: width, height: height) }
        let strides = sizes.map { ($0.byteCount + 63) / 64 * 64 }
        let total = zip(sizes, strides).reduce(0) { $0 + $1.0.rows * $1.1 }
        if total > capacity {
            base?.deallocate()
            base = UnsafeMutableRawPointer.allocate(byteCount: total, alignment: 64)
            capacity = total
        }
        let start = base.map { $0.bindMemory(to: UInt8.self, capacity: capacity) }
        guard var next = start else { preconditionFailure("a picture has at least one pixel") }
        var planes: [ImagePlane] = []
        for (size, stride) in zip(sizes, strides) {
            planes.append(ImagePlane(base: next, stride: stride))
            next += size.rows * stride
        }
        return PixelImage(layout: layout, width: width, height: height, planes: planes, encoding: encoding)
    }
}
