/// Memory for the intermediate images of conversions. It is reused, so that repeated conversions do not allocate
/// memory.
///
/// - Important: Confined to one thread at a time.
final class ScratchMemory {
    /// The purpose of a buffer. The steps of one conversion use different buffers.
    enum Slot: Int, CaseIterable {
        case working, scaled, oriented, bgra, planar, chroma
        /// An HLG image after its conversion to a standard dynamic range.
        case standardRange
        // For conversions from or to 10 bits per component.
        case reduced, expanded, components, orientedComponents, scaledComponents
    }

    // Invariant: `bases[i]` has `capacities[i]` bytes, or is nil if the capacity is 0.
    private var bases: [UnsafeMutableRawPointer?]
    private var capacities: [Int]

    init() {
        bases = Array(repeating: nil, count: Slot.allCases.count)
        capacities = Array(repeating: 0, count: Slot.allCases.count)
    }

    deinit {
        for base in bases { base?.deallocate() }
    }

    /// Returns at least `byteCount` bytes, 64-byte aligned, with undefined contents.
    func bytes(_ slot: Slot, count byteCount: Int) -> UnsafeMutablePointer<UInt8> {
        let index = slot.rawValue
        if let base = bases[index], capacities[index] >= byteCount {
            return base.assumingMemoryBound(to: UInt8.self)
        }
        bases[index]?.deallocate()
        let base = UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 64), alignment: 64)
        bases[index] = base
        capacities[index] = max(byteCount, 64)
        return base.bindMemory(to: UInt8.self, capacity: max(byteCount, 64))
    }

    /// Returns an image with undefined contents and rows that begin at multiples of 64 bytes.
    func image(
        _ slot: Slot, layout: PixelLayout, width: Int, height: Int, encoding: YCbCrEncoding
    ) -> PixelImage {
        var offsets = (0, 0, 0)
        var strides = (0, 0, 0)
        var total = 0
        for plane in 0..<layout.planeCount {
            let (byteCount, rows) = layout.planeSize(plane, width: width, height: height)
            let stride = (byteCount + 63) / 64 * 64
            switch plane {
            case 0: (offsets.0, strides.0) = (total, stride)
            case 1: (offsets.1, strides.1) = (total, stride)
            default: (offsets.2, strides.2) = (total, stride)
            }
            total += stride * rows
        }
        let base = bytes(slot, count: total)
        let first = ImagePlane(base: base, stride: strides.0)
        let second = layout.planeCount > 1 ? ImagePlane(base: base + offsets.1, stride: strides.1) : first
        let third = layout.planeCount > 2 ? ImagePlane(base: base + offsets.2, stride: strides.2) : second
        return PixelImage(
            layout: layout, width: width, height: height, planes: (first, second, third), encoding: encoding)
    }
}
