import CSimKernels

/// The composed and developed planes of layers: of the background, or of one moving layer.
///
/// Confined to the stream's generator.
final class LayerPlanes {
    let width: Int
    let height: Int
    /// The kernel's view; valid while this object is alive.
    let raw: csim_planes
    private let memory: AlignedMemory

    /// Allocates planes.
    ///
    /// - Parameters:
    ///   - isComposed: Whether to allocate planes of composed light.
    ///   - isDeveloped: Whether to allocate planes of developed luma and chroma.
    convenience init(width: Int, height: Int, isComposed: Bool = true, isDeveloped: Bool) {
        let sizes = Self.sizes(width, height, isComposed: isComposed, isDeveloped: isDeveloped)
        self.init(
            width: width, height: height, isComposed: isComposed, isDeveloped: isDeveloped,
            in: AlignedMemory(byteCount: sizes.reduce(0, +)), at: 0)
    }

    /// Returns the bytes that `init(width:height:isComposed:isDeveloped:in:at:)` uses.
    static func byteCount(width: Int, height: Int, isComposed: Bool, isDeveloped: Bool) -> Int {
        sizes(width, height, isComposed: isComposed, isDeveloped: isDeveloped).reduce(0, +)
    }

    private static func stride(_ width: Int) -> Int { (width + 63) / 64 * 64 + 64 }

    private static func sizes(_ width: Int, _ height: Int, isComposed: Bool, isDeveloped: Bool) -> [Int] {
        let samples = stride(width) * height
        // Composed: green, and red and blue at a quarter of its size. Developed: luma, chroma at half its size, row
        // versions.
        let composed = isComposed ? [2 * samples, samples / 2, samples / 2] : []
        let developed = isDeveloped ? [2 * samples, samples, 2 * height] : []
        return (composed + developed).map { ($0 + 63) / 64 * 64 }
    }

    /// Creates planes in existing memory.
    ///
    /// - Parameter memory: Zeros, or the contents of earlier planes, from `offset` on, which must be a multiple of 64.
    init(width: Int, height: Int, isComposed: Bool, isDeveloped: Bool, in memory: AlignedMemory, at offset: Int) {
        self.width = width
        self.height = height
        self.memory = memory
        var raw = csim_planes()
        raw.width = Int32(width)
        raw.height = Int32(height)
        raw.stride = Int32(Self.stride(width))
        let sizes = Self.sizes(width, height, isComposed: isComposed, isDeveloped: isDeveloped)
        var next = memory.start + offset
        func take(_ index: Int) -> UnsafeMutableRawPointer {
            defer { next += sizes[index] }
            return next
        }
        if isComposed {
            raw.green = take(0).assumingMemoryBound(to: UInt16.self)
            raw.red = take(1).assumingMemoryBound(to: UInt16.self)
            raw.blue = take(2).assumingMemoryBound(to: UInt16.self)
        }
        if isDeveloped {
            let first = isComposed ? 3 : 0
            raw.luma = take(first).assumingMemoryBound(to: Int16.self)
            raw.chroma = take(first + 1).assumingMemoryBound(to: Int16.self)
            raw.versions = take(first + 2).assumingMemoryBound(to: UInt32.self)
        }
        self.raw = raw
    }

    /// Working planes for light that is to be blurred. They share memory with the developed planes, whose contents are
    /// lost.
    var scratchPlanes: csim_planes {
        var scratchPlanes = csim_planes()
        (scratchPlanes.width, scratchPlanes.height, scratchPlanes.stride) = (raw.width, raw.height, raw.stride)
        func light(_ samples: UnsafeMutablePointer<Int16>, at offset: Int) -> UnsafeMutablePointer<UInt16> {
            UnsafeMutableRawPointer(samples + offset).assumingMemoryBound(to: UInt16.self)
        }
        scratchPlanes.green = light(raw.luma, at: 0)
        // The chroma plane holds both red and blue, which have a quarter of the samples each.
        scratchPlanes.red = light(raw.chroma, at: 0)
        scratchPlanes.blue = light(raw.chroma, at: stride / 2 * (height / 2))
        return scratchPlanes
    }

    /// Samples per row.
    var stride: Int { Int(raw.stride) }
}
