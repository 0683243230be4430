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

    /// Pixels.
    let width: Int
    let height: Int
    /// Pixels by which it reaches beyond the layer.
    let marginX: Int32
    let marginY: Int32
    private let soft: UnsafeMutablePointer<csim_soft>
    private let memory: UnsafeMutableRawPointer
    private let outline: Outline
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
        var layer = bitmap.layer(x: 0, y: 0)
        width = Int(layer.width) + 2 * Int(marginX)
        height = Int(layer.height) + 2 * Int(marginY)
        let count = width * height
        // Light of green, and of red and blue at a quarter; coverage at both sizes, and what may be read beyond it.
        memory = .allocate(byteCount: 2 * count + count / 2 * 2 + count + count / 4 + 64, alignment: 64)
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
        let isSoft =
            csim_soften(&layer, Int32(radius), &raw) == 0 && (smear == 0 || csim_smear(&raw, Int32(smear)) == 0)
        outline = Outline(raw)
        guard isSoft else { return nil }
        raw.solid = UnsafePointer(outline.solid.spans)
        raw.solidStart = UnsafePointer(outline.solid.starts)
        raw.rim = UnsafePointer(outline.rim.spans)
        raw.rimStart = UnsafePointer(outline.rim.starts)
        soft.pointee = raw
    }

    deinit {
        outline.deallocate()
        memory.deallocate()
        soft.deallocate()
    }

    /// Valid while this lives.
    var pointer: UnsafePointer<csim_soft> { UnsafePointer(soft) }
}

extension SoftLayer {
    /// Where a twin hides all that lies behind it, and where some of it, by pairs of its rows.
    private struct Outline {
        /// Stretches, and for each pair of rows the number of its first one.
        struct Stretches {
            let spans: UnsafeMutablePointer<csim_span>
            let starts: UnsafeMutablePointer<UInt32>

            init(_ pairs: [[csim_span]]) {
                spans = .allocate(capacity: max(1, pairs.reduce(0) { $0 + $1.count }))
                starts = .allocate(capacity: pairs.count + 1)
                var count = 0
                for (index, pair) in pairs.enumerated() {
                    starts[index] = UInt32(count)
                    for span in pair {
                        spans[count] = span
                        count += 1
                    }
                }
                starts[pairs.count] = UInt32(count)
            }
        }

        let solid: Stretches
        let rim: Stretches

        init(_ soft: csim_soft) {
            var soft = soft
            var row = [csim_span](repeating: csim_span(), count: Int(soft.width))
            let half = row.count / 2
            var pairs: (solid: [[csim_span]], rim: [[csim_span]]) = ([], [])
            for pair in 0..<soft.height / 2 {
                var (solidCount, rimCount) = (Int32(0), Int32(0))
                row.withUnsafeMutableBufferPointer { row in
                    guard let first = row.baseAddress else { return }
                    csim_soft_outline(&soft, pair, first, &solidCount, first + half, &rimCount)
                }
                pairs.solid.append(Array(row[..<Int(solidCount)]))
                pairs.rim.append(Array(row[half..<half + Int(rimCount)]))
            }
            solid = Stretches(pairs.solid)
            rim = Stretches(pairs.rim)
        }

        func deallocate() {
            for stretches in [solid, rim] {
                stretches.spans.deallocate()
                stretches.starts.deallocate()
            }
        }
    }
}
