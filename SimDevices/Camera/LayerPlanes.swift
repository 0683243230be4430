import CSimKernels

/// The image planes of the background or of one moving layer, as `csim_planes` describes them.
///
/// Composed planes contain square roots of light. Developed planes contain luma and chroma after the response of the
/// sensor and the tone curve, with the standard deviation of their noise.
///
/// Confined to the stream's generator.
final class LayerPlanes {
    let width: Int
    let height: Int
    /// Pointers to the planes for the kernels; valid while this object is alive.
    let raw: csim_planes
    private let memory: AlignedMemory

    /// Allocates planes.
    ///
    /// - Parameters:
    ///   - isComposed: Whether to allocate the composed planes.
    ///   - isDeveloped: Whether to allocate the developed planes.
    convenience init(width: Int, height: Int, isComposed: Bool = true, isDeveloped: Bool) {
        let byteCount = Self.byteCount(width: width, height: height, isComposed: isComposed, isDeveloped: isDeveloped)
        self.init(
            width: width, height: height, isComposed: isComposed, isDeveloped: isDeveloped,
            in: AlignedMemory(byteCount: byteCount), at: 0)
    }

    /// Returns the number of bytes that `init(width:height:isComposed:isDeveloped:in:at:)` uses.
    static func byteCount(width: Int, height: Int, isComposed: Bool, isDeveloped: Bool) -> Int {
        planeByteCounts(width, height, isComposed: isComposed, isDeveloped: isDeveloped).reduce(0, +)
    }

    /// Returns the samples per row, as `csim_planes.stride` requires.
    private static func stride(_ width: Int) -> Int { (width + 63) / 64 * 64 + 64 }

    /// Returns the sizes of the planes, in the order of their addresses.
    private static func planeByteCounts(_ width: Int, _ height: Int, isComposed: Bool, isDeveloped: Bool) -> [Int] {
        let samples = stride(width) * height
        // Green, then red and blue with a quarter of the samples.
        let composed = isComposed ? [2 * samples, samples / 2, samples / 2] : []
        // Luma, chroma with half the samples, and the version of each pair of rows.
        let developed = isDeveloped ? [2 * samples, samples, 2 * height] : []
        return (composed + developed).map { ($0 + 63) / 64 * 64 }
    }

    /// Creates planes in existing memory.
    ///
    /// - Parameters:
    ///   - memory: Zeroed memory, or memory of planes that are no longer in use.
    ///   - offset: The offset of the first plane in bytes, a multiple of 64.
    init(width: Int, height: Int, isComposed: Bool, isDeveloped: Bool, in memory: AlignedMemory, at offset: Int) {
        self.width = width
        self.height = height
        self.memory = memory
        var raw = csim_planes()
        raw.width = Int32(width)
        raw.height = Int32(height)
        raw.stride = Int32(Self.stride(width))
        let byteCounts = Self.planeByteCounts(width, height, isComposed: isComposed, isDeveloped: isDeveloped)
        func plane(_ index: Int) -> UnsafeMutableRawPointer {
            memory.start + offset + byteCounts[..<index].reduce(0, +)
        }
        if isComposed {
            raw.green = plane(0).assumingMemoryBound(to: UInt16.self)
            raw.red = plane(1).assumingMemoryBound(to: UInt16.self)
            raw.blue = plane(2).assumingMemoryBound(to: UInt16.self)
        }
        if isDeveloped {
            let first = isComposed ? 3 : 0
            raw.luma = plane(first).assumingMemoryBound(to: Int16.self)
            raw.chroma = plane(first + 1).assumingMemoryBound(to: Int16.self)
            raw.versions = plane(first + 2).assumingMemoryBound(to: UInt32.self)
        }
        self.raw = raw
    }

    /// Composed planes for a group of layers before it is blurred. They use the memory of the developed planes, so
    /// writing to them destroys the developed contents.
    var scratchPlanes: csim_planes {
        var planes = csim_planes()
        (planes.width, planes.height, planes.stride) = (raw.width, raw.height, raw.stride)
        func composedPlane(_ samples: UnsafeMutablePointer<Int16>, at offset: Int) -> UnsafeMutablePointer<UInt16> {
            UnsafeMutableRawPointer(samples + offset).assumingMemoryBound(to: UInt16.self)
        }
        planes.green = composedPlane(raw.luma, at: 0)
        // The memory of the chroma plane is used for red and blue, which have a quarter of the samples each.
        planes.red = composedPlane(raw.chroma, at: 0)
        planes.blue = composedPlane(raw.chroma, at: stride / 2 * (height / 2))
        return planes
    }

    /// Samples per row.
    var stride: Int { Int(raw.stride) }
}
