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
    init(width: Int, height: Int, isComposed: Bool = true, isDeveloped: Bool) {
        self.width = width
        self.height = height
        let stride = (width + 63) / 64 * 64 + 64
        let samples = stride * height
        var raw = csim_plate()
        raw.width = Int32(width)
        raw.height = Int32(height)
        raw.stride = Int32(stride)
        // Light of green, and of red and blue at a quarter; codes and deviations of luma, and of chroma at half; versions.
        let composed = isComposed ? [2 * samples, samples / 2, samples / 2] : []
        let developed = isDeveloped ? [2 * samples, samples, samples, samples / 2, 2 * height] : []
        let sizes = (composed + developed).map { ($0 + 63) / 64 * 64 }
        memory = SceneMemory(byteCount: sizes.reduce(0, +))
        var next = memory.start
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
            let first = composed.count
            raw.luma = take(first).assumingMemoryBound(to: Int16.self)
            raw.chroma = take(first + 1).assumingMemoryBound(to: Int16.self)
            raw.lumaNoise = take(first + 2).assumingMemoryBound(to: UInt8.self)
            raw.chromaNoise = take(first + 3).assumingMemoryBound(to: UInt8.self)
            raw.versions = take(first + 4).assumingMemoryBound(to: UInt32.self)
        }
        self.raw = raw
    }

    /// Samples of a row.
    var stride: Int { Int(raw.stride) }
}
