import CSimKernels

/// The memory of what stands still in a picture, composed and developed.
///
/// Confined to the turn of a stream's source.
final class FramePlate {
    let width: Int
    let height: Int
    /// The kernel's view; valid while the plate lives.
    let raw: csim_plate
    private let memory: SceneMemory

    /// - Parameters:
    ///   - isComposed: Whether there is room for what is composed.
    ///   - isDeveloped: Whether there is room for what is developed.
    convenience init(width: Int, height: Int, isComposed: Bool = true, isDeveloped: Bool) {
        let sizes = Self.sizes(width, height, isComposed: isComposed, isDeveloped: isDeveloped)
        self.init(
            width: width, height: height, isComposed: isComposed, isDeveloped: isDeveloped,
            in: SceneMemory(byteCount: sizes.reduce(0, +)), at: 0)
    }

    /// The bytes that it takes of `init(width:height:isComposed:isDeveloped:in:at:)`'s memory.
    static func byteCount(width: Int, height: Int, isComposed: Bool, isDeveloped: Bool) -> Int {
        sizes(width, height, isComposed: isComposed, isDeveloped: isDeveloped).reduce(0, +)
    }

    private static func stride(_ width: Int) -> Int { (width + 63) / 64 * 64 + 64 }

    private static func sizes(_ width: Int, _ height: Int, isComposed: Bool, isDeveloped: Bool) -> [Int] {
        let samples = stride(width) * height
        // Light of green, and of red and blue at a quarter; words of luma, and of chroma at half; versions.
        let composed = isComposed ? [2 * samples, samples / 2, samples / 2] : []
        let developed = isDeveloped ? [2 * samples, samples, 2 * height] : []
        return (composed + developed).map { ($0 + 63) / 64 * 64 }
    }

    /// - Parameters:
    ///   - memory: Full of zeros from `offset` on, a multiple of 64, or with what an older plate held.
    init(width: Int, height: Int, isComposed: Bool, isDeveloped: Bool, in memory: SceneMemory, at offset: Int) {
        self.width = width
        self.height = height
        self.memory = memory
        var raw = csim_plate()
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

    /// Room for light that is to be spread: the developed planes, which are made anew after it.
    var bench: csim_plate {
        var bench = csim_plate()
        (bench.width, bench.height, bench.stride) = (raw.width, raw.height, raw.stride)
        func light(_ samples: UnsafeMutablePointer<Int16>, at offset: Int) -> UnsafeMutablePointer<UInt16> {
            UnsafeMutableRawPointer(samples + offset).assumingMemoryBound(to: UInt16.self)
        }
        bench.green = light(raw.luma, at: 0)
        // A plane of half the rows and columns twice is one of half the rows.
        bench.red = light(raw.chroma, at: 0)
        bench.blue = light(raw.chroma, at: stride / 2 * (height / 2))
        return bench
    }

    /// Samples of a row.
    var stride: Int { Int(raw.stride) }
}
