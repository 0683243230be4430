import CSimKernels
import PixelKernels

/// A copy of a moving layer with defocus and motion blur applied, in the coordinates of the sensor.
///
/// Confined to the stream's generator.
/// - Note: Motion blur is applied along the rows of the upright scene only.
final class BlurredLayer {
    struct Key: Hashable {
        var bitmap: ObjectIdentifier
        /// Radius of the circle of confusion, in 16ths of a pixel.
        var radius: Int
        /// Horizontal motion during the exposure, in 16ths of a pixel, negative to the left.
        var motion: Int
    }

    /// Size in pixels, including the margins.
    let width: Int
    let height: Int
    /// Pixels by which the copy extends beyond the layer on each side.
    let marginX: Int32
    let marginY: Int32
    private let blurred: UnsafeMutablePointer<csim_blurred>
    private let memory: UnsafeMutableRawPointer
    private let outline: Outline
    /// Retained so that its `ObjectIdentifier`, which is part of the key, stays unique.
    private let bitmap: SceneBitmap

    /// Creates the blurred copy.
    ///
    /// - Parameters:
    ///   - radius: Radius of the circle of confusion, in 16ths of a pixel.
    ///   - bladeCount: The number of sides of the image of a point; 0 for a disc.
    ///   - motion: Horizontal motion during the exposure, in 16ths of a pixel, negative to the left.
    ///   - rotation: The clockwise rotation from the upright scene to the sensor.
    /// - Returns: Nil if the working memory cannot be allocated.
    init?(_ bitmap: SceneBitmap, radius: Int, bladeCount: Int, motion: Int, rotation: PixelRotation) {
        self.bitmap = bitmap
        let uprightMarginY = csim_blur_margin(Int32(radius))
        let motionMargin = motion == 0 ? 0 : Int32((abs(motion) + 15) / 16 + 3) & ~1
        let uprightMarginX = uprightMarginY + motionMargin
        var layer = bitmap.layer(x: 0, y: 0)
        let uprightWidth = Int(layer.width) + 2 * Int(uprightMarginX)
        let uprightHeight = Int(layer.height) + 2 * Int(uprightMarginY)
        (marginX, marginY, width, height) =
            rotation.swapsWidthAndHeight
            ? (uprightMarginY, uprightMarginX, uprightHeight, uprightWidth)
            : (uprightMarginX, uprightMarginY, uprightWidth, uprightHeight)
        memory = Self.allocate(width, height)
        blurred = .allocate(capacity: 1)
        var raw = Self.planes(memory, width, height)
        blurred.initialize(to: raw)
        var upright = raw
        var uprightMemory: UnsafeMutableRawPointer?
        if rotation != .none {
            let memory = Self.allocate(uprightWidth, uprightHeight)
            uprightMemory = memory
            upright = Self.planes(memory, uprightWidth, uprightHeight)
        }
        defer { uprightMemory?.deallocate() }
        let isBlurred =
            csim_blur_layer(&layer, Int32(radius), Int32(bladeCount), &upright) == 0
            && (motion == 0 || csim_motion_blur(&upright, Int32(motion)) == 0)
        if rotation != .none, isBlurred { Self.rotate(upright, to: raw, rotation) }
        outline = Outline(raw)
        guard isBlurred else { return nil }
        raw.opaqueSpans = UnsafePointer(outline.opaque.spans)
        raw.opaqueStart = UnsafePointer(outline.opaque.starts)
        raw.partialSpans = UnsafePointer(outline.partial.spans)
        raw.partialStart = UnsafePointer(outline.partial.starts)
        blurred.pointee = raw
    }

    deinit {
        outline.deallocate()
        memory.deallocate()
        blurred.deallocate()
    }

    /// Allocates memory for the planes of a copy.
    private static func allocate(_ width: Int, _ height: Int) -> UnsafeMutableRawPointer {
        let count = width * height
        // Green with 16 bits for each pixel, red and blue for each block of 2x2 pixels; coverage with 8 bits for each
        // pixel and each block; 64 bytes that vector loads may read past the end.
        return .allocate(byteCount: 2 * count + count / 2 * 2 + count + count / 4 + 64, alignment: 64)
    }

    /// Returns the planes of a copy without its outline.
    private static func planes(_ memory: UnsafeMutableRawPointer, _ width: Int, _ height: Int) -> csim_blurred {
        let count = width * height
        var raw = csim_blurred()
        raw.width = Int32(width)
        raw.height = Int32(height)
        raw.green = memory.assumingMemoryBound(to: UInt16.self)
        raw.red = raw.green + count
        raw.blue = raw.red + count / 4
        raw.coverage = (memory + 3 * count).assumingMemoryBound(to: UInt8.self)
        raw.halfCoverage = raw.coverage + count
        return raw
    }

    private static func rotate(_ upright: csim_blurred, to sensor: csim_blurred, _ rotation: PixelRotation) {
        func rotate<Sample>(
            _ from: UnsafeMutablePointer<Sample>, _ to: UnsafeMutablePointer<Sample>, _ divisor: Int
        ) {
            let (width, height) = (Int(upright.width) / divisor, Int(upright.height) / divisor)
            rotation.rotate(
                from, width: width, height: height, stride: width, to: to, stride: Int(sensor.width) / divisor)
        }
        rotate(upright.green, sensor.green, 1)
        rotate(upright.red, sensor.red, 2)
        rotate(upright.blue, sensor.blue, 2)
        rotate(upright.coverage, sensor.coverage, 1)
        rotate(upright.halfCoverage, sensor.halfCoverage, 2)
    }

    /// The copy as the kernels require it; valid while this object is alive.
    var pointer: UnsafePointer<csim_blurred> { UnsafePointer(blurred) }
}

extension BlurredLayer {
    /// The opaque and the partly covered spans of the copy, for each pair of rows.
    private struct Outline {
        /// Spans, and for each pair of rows the index of its first span.
        struct SpanTable {
            let spans: UnsafeMutablePointer<csim_span>
            let starts: UnsafeMutablePointer<UInt32>

            /// Creates a table from the spans of each pair of rows.
            init(_ spansByRowPair: [[csim_span]]) {
                spans = .allocate(capacity: max(1, spansByRowPair.reduce(0) { $0 + $1.count }))
                starts = .allocate(capacity: spansByRowPair.count + 1)
                var count = 0
                for (rowPair, rowPairSpans) in spansByRowPair.enumerated() {
                    starts[rowPair] = UInt32(count)
                    for span in rowPairSpans {
                        spans[count] = span
                        count += 1
                    }
                }
                starts[spansByRowPair.count] = UInt32(count)
            }
        }

        let opaque: SpanTable
        let partial: SpanTable

        init(_ blurred: csim_blurred) {
            var blurred = blurred
            // The opaque spans of one pair of rows are in the first half, its partial spans in the second half.
            var buffer = [csim_span](repeating: csim_span(), count: Int(blurred.width))
            let half = buffer.count / 2
            var spansByRowPair: (opaque: [[csim_span]], partial: [[csim_span]]) = ([], [])
            for rowPair in 0..<blurred.height / 2 {
                var (opaqueCount, partialCount) = (Int32(0), Int32(0))
                buffer.withUnsafeMutableBufferPointer { buffer in
                    guard let first = buffer.baseAddress else { return }
                    csim_blurred_outline(&blurred, rowPair, first, &opaqueCount, first + half, &partialCount)
                }
                spansByRowPair.opaque.append(Array(buffer[..<Int(opaqueCount)]))
                spansByRowPair.partial.append(Array(buffer[half..<half + Int(partialCount)]))
            }
            opaque = SpanTable(spansByRowPair.opaque)
            partial = SpanTable(spansByRowPair.partial)
        }

        func deallocate() {
            for table in [opaque, partial] {
                table.spans.deallocate()
                table.starts.deallocate()
            }
        }
    }
}
