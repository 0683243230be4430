import CSimKernels

/// A flat piece of scene, ready for the kernel: reflectances and where they are opaque.
final class SceneBitmap: @unchecked Sendable {
    // SAFETY: the memory is written by `init` only and freed by `deinit`; after that everyone just reads.
    let width: Int
    let height: Int
    private let green: UnsafeMutablePointer<UInt8>
    private let red: UnsafeMutablePointer<UInt8>
    private let blue: UnsafeMutablePointer<UInt8>
    private let spans: UnsafeMutablePointer<csim_span>
    private let spanStart: UnsafeMutablePointer<UInt32>
    private let edges: UnsafeMutablePointer<csim_edge>
    private let edgeStart: UnsafeMutablePointer<UInt32>

    init(_ canvas: SceneCanvas) {
        width = canvas.width
        height = canvas.height
        let count = width * height
        green = .allocate(capacity: count)
        green.initialize(from: canvas.raw.green, count: count)
        red = .allocate(capacity: max(1, count / 4))
        blue = .allocate(capacity: max(1, count / 4))
        csim_halve(canvas.raw.red, Int32(width), Int32(height), red)
        csim_halve(canvas.raw.blue, Int32(width), Int32(height), blue)
        var allSpans: [csim_span] = []
        var allEdges: [csim_edge] = []
        spanStart = .allocate(capacity: height + 1)
        edgeStart = .allocate(capacity: height + 1)
        withUnsafeTemporaryAllocation(of: csim_span.self, capacity: width) { rowSpans in
            withUnsafeTemporaryAllocation(of: csim_edge.self, capacity: width) { rowEdges in
                for row in 0..<height {
                    spanStart[row] = UInt32(allSpans.count)
                    edgeStart[row] = UInt32(allEdges.count)
                    var spanCount: Int32 = 0
                    var edgeCount: Int32 = 0
                    csim_row_coverage(
                        canvas.raw.coverage + row * width, Int32(width), rowSpans.baseAddress, &spanCount,
                        rowEdges.baseAddress, &edgeCount)
                    allSpans += rowSpans[..<Int(spanCount)]
                    allEdges += rowEdges[..<Int(edgeCount)]
                }
            }
        }
        spanStart[height] = UInt32(allSpans.count)
        edgeStart[height] = UInt32(allEdges.count)
        spans = .allocate(capacity: max(1, allSpans.count))
        spans.initialize(from: allSpans, count: allSpans.count)
        edges = .allocate(capacity: max(1, allEdges.count))
        edges.initialize(from: allEdges, count: allEdges.count)
    }

    deinit {
        green.deallocate()
        red.deallocate()
        blue.deallocate()
        spans.deallocate()
        spanStart.deallocate()
        edges.deallocate()
        edgeStart.deallocate()
    }

    /// The kernel's view of the bitmap; valid while the bitmap lives.
    func layer(x: Int, y: Int) -> csim_layer {
        var layer = csim_layer()
        layer.green = UnsafePointer(green)
        layer.red = UnsafePointer(red)
        layer.blue = UnsafePointer(blue)
        layer.width = Int32(width)
        layer.height = Int32(height)
        layer.spans = UnsafePointer(spans)
        layer.spanStart = UnsafePointer(spanStart)
        layer.edges = UnsafePointer(edges)
        layer.edgeStart = UnsafePointer(edgeStart)
        layer.x = Int32(clamping: x)
        layer.y = Int32(clamping: y & ~1)
        return layer
    }
}
