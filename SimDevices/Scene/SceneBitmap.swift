import CSimKernels

/// A flat piece of scene, ready for the kernel: reflectances and where they are opaque.
final class SceneBitmap: @unchecked Sendable {
    // SAFETY: the memory is written by `init` only and freed by `deinit`; after that everyone just reads.
    let width: Int
    let height: Int
    /// The rows that hold something.
    let rows: Range<Int>
    private let memory: SceneMemory
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
        // The kernels read whole vectors.
        memory = SceneMemory(byteCount: count + 2 * (count / 4) + 64)
        green = memory.bytes()
        red = memory.bytes(at: count)
        blue = memory.bytes(at: count + count / 4)
        green.update(from: canvas.raw.green, count: count)
        csim_halve(canvas.raw.red, canvas.raw.coverage, Int32(width), Int32(height), red)
        csim_halve(canvas.raw.blue, canvas.raw.coverage, Int32(width), Int32(height), blue)
        let outline = Self.outline(of: canvas)
        rows = Self.rows(outline.spanStart, outline.edgeStart)
        spans = Self.copy(outline.spans)
        spanStart = Self.copy(outline.spanStart)
        edges = Self.copy(outline.edges)
        edgeStart = Self.copy(outline.edgeStart)
    }

    deinit {
        spans.deallocate()
        spanStart.deallocate()
        edges.deallocate()
        edgeStart.deallocate()
    }

    private static func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        memory.initialize(from: elements, count: elements.count)
        return memory
    }

    /// Where a canvas is opaque, and the pixels that it covers in part, row by row.
    private static func outline(
        of canvas: SceneCanvas
    ) -> (spans: [csim_span], spanStart: [UInt32], edges: [csim_edge], edgeStart: [UInt32]) {
        let width = canvas.width
        var spans: [csim_span] = []
        var edges: [csim_edge] = []
        var spanStart: [UInt32] = []
        var edgeStart: [UInt32] = []
        var rowSpans = [csim_span](repeating: csim_span(), count: width)
        var rowEdges = [csim_edge](repeating: csim_edge(), count: width)
        for row in 0..<canvas.height {
            spanStart.append(UInt32(spans.count))
            edgeStart.append(UInt32(edges.count))
            var spanCount: Int32 = 0
            var edgeCount: Int32 = 0
            csim_row_coverage(
                canvas.raw.coverage + row * width, Int32(width), &rowSpans, &spanCount, &rowEdges, &edgeCount)
            spans += rowSpans[..<Int(spanCount)]
            edges += rowEdges[..<Int(edgeCount)]
        }
        spanStart.append(UInt32(spans.count))
        edgeStart.append(UInt32(edges.count))
        return (spans, spanStart, edges, edgeStart)
    }

    private static func rows(_ spanStart: [UInt32], _ edgeStart: [UInt32]) -> Range<Int> {
        let filled = (0..<spanStart.count - 1).filter {
            spanStart[$0] < spanStart[$0 + 1] || edgeStart[$0] < edgeStart[$0 + 1]
        }
        guard let first = filled.first, let last = filled.last else { return 0..<0 }
        return first..<last + 1
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
