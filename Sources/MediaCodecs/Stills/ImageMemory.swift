import PixelKernels

/// The memory of an image, which is reused, and reallocated if it is too small.
///
/// - Important: Confined to one thread at a time. An image is valid until the next one is requested.
final class ImageMemory {
    // Invariant: `base` has `capacity` bytes, or is nil if that is 0.
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0

    deinit { base?.deallocate() }

    /// Returns an image with undefined contents and rows that begin at multiples of 64 bytes.
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
        guard var next = start else { preconditionFailure("an image has at least one pixel") }
        var planes: [ImagePlane] = []
        for (size, stride) in zip(sizes, strides) {
            planes.append(ImagePlane(base: next, stride: stride))
            next += size.rows * stride
        }
        return PixelImage(layout: layout, width: width, height: height, planes: planes, encoding: encoding)
    }
}
