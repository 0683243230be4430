import CSimKernels

/// A moving layer's twin out of focus, or as it is seen while it moves.
///
/// Confined to the turn of the stream's source.
final class SoftLayer {
    struct Key: Hashable {
        var bitmap: ObjectIdentifier
        /// In 16ths of a pixel.
        var radius: Int
        /// In 16ths of a pixel, negative to the left.
        var smear: Int
    }

    /// Pixels by which it reaches beyond the layer.
    let marginX: Int32
    let marginY: Int32
    private let soft: UnsafeMutablePointer<csim_soft>
    private let memory: UnsafeMutableRawPointer
    /// Kept, so that no other bitmap gets its identity.
    private let bitmap: SceneBitmap

    /// - Parameters:
    ///   - radius: Of the disc of confusion, in 16ths of a pixel.
    ///   - smear: How far it moves during the exposure, in 16ths of a pixel, negative to the left.
    /// - Returns: Nil where there is no memory for the work.
    init?(_ bitmap: SceneBitmap, radius: Int, smear: Int) {
        self.bitmap = bitmap
        marginY = csim_soft_margin(Int32(radius))
        marginX = smear == 0 ? marginY : marginY + Int32((abs(smear) + 15) / 16 + 3) & ~1
        let width = bitmap.width + 2 * Int(marginX)
        let height = bitmap.height + 2 * Int(marginY)
        let count = width * height
        // Light of green, and of red and blue at a quarter; coverage at both sizes.
        memory = .allocate(byteCount: 2 * count + count / 2 * 2 + count + count / 4, alignment: 64)
        soft = .allocate(capacity: 1)
        var raw = csim_soft()
        raw.width = Int32(width)
        raw.height = Int32(height)
        raw.green = memory.assumingMemoryBound(to: UInt16.self)
        raw.red = raw.green + count
        raw.blue = raw.red + count / 4
        raw.coverage = (memory + 3 * count).assumingMemoryBound(to: UInt8.self)
        raw.halfCoverage = raw.coverage + count
        soft.initialize(to: raw)
        var layer = bitmap.layer(x: 0, y: 0)
        guard csim_soften(&layer, Int32(radius), &raw) == 0 else { return nil }
        guard smear == 0 || csim_smear(&raw, Int32(smear)) == 0 else { return nil }
    }

    deinit {
        memory.deallocate()
        soft.deallocate()
    }

    /// Valid while this lives.
    var pointer: UnsafePointer<csim_soft> { UnsafePointer(soft) }
}
