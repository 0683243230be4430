import CPixelKernels
package import MediaTypes

/// The brightness of each block of 8x8 pixels of an image, to compare images that differ by noise.
package struct BlockBrightness: Sendable {
    private let width: Int
    private let height: Int
    private let sums: [UInt16]

    /// Sums the first plane of an image, which contains gray or luma with 8 bits per pixel.
    package init(_ image: CVPixelBuffer) {
        let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
        (self.width, self.height) = (width, height)
        let blockCount = (width + 7) / 8 * ((height + 7) / 8)
        sums = [UInt16](unsafeUninitializedCapacity: blockCount) { sums, count in
            image.withPlane(0) { plane in
                cpixel_block_sums(
                    plane.baseAddress, plane.bytesPerRow, Int32(width), Int32(height), sums.baseAddress)
            }
            count = blockCount
        }
    }

    /// Whether the mean of any block differs from that in another image by more than `tolerance`, or the sizes differ.
    package func differs(from other: BlockBrightness, by tolerance: Int) -> Bool {
        guard width == other.width, height == other.height else { return true }
        return cpixel_sums_differ(sums, other.sums, Int64(sums.count), Int32(tolerance * 64)) != 0
    }
}
