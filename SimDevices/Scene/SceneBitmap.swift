import CSimKernels

/// A flat piece of scene, ready for the kernel: reflectances and where they are opaque.
final class SceneBitmap: @unchecked Sendable {
    // SAFETY: the memory is written by `init` only and freed by `deinit`; after that everyone just reads.
    /// The canvas' pixels.
    let width: Int
    let height: Int
    /// The rows that hold something; what is around them is not kept.
    let rows: Range<Int>
    /// The row and the column of the canvas at which what is kept begins; both even.
    let top: Int
    private let left: Int
    private let keptWidth: Int
    private let keptHeight: Int
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
        var outline = Outline(of: canvas)
        rows = outline.rows
        let columns = outline.columns
        // Blocks of 2x2 share their colours.
        (left, top) = (columns.lowerBound & ~1, rows.lowerBound & ~1)
        keptWidth = max(2, (columns.upperBound + 1) & ~1 - left)
        keptHeight = max(2, (rows.upperBound + 1) & ~1 - top)
        outline.keep(rows: top..<top + keptHeight, from: left)
        spans = Self.copy(outline.spans)
        spanStart = Self.copy(outline.spanStart)
        edges = Self.copy(outline.edges)
        edgeStart = Self.copy(outline.edgeStart)
        let count = keptWidth * keptHeight
        // The kernels read whole vectors.
        memory = SceneMemory(byteCount: count + 2 * (count / 4) + 64)
        green = memory.bytes()
        red = memory.bytes(at: count)
        blue = memory.bytes(at: count + count / 4)
        let begin = top * width + left
        for row in 0..<keptHeight {
            (green + row * keptWidth).update(from: canvas.raw.green + begin + row * width, count: keptWidth)
        }
        for (plane, half) in [(canvas.raw.red, red), (canvas.raw.blue, blue)] {
            guard let plane else { continue }
            csim_halve(
                plane + begin, canvas.raw.coverage + begin, Int32(width), Int32(keptWidth), Int32(keptHeight), half)
        }
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

    /// The kernel's view of what is kept of the bitmap; valid while the bitmap lives.
    ///
    /// - Parameter x: Where the canvas' left top pixel is, as `y`.
    func layer(x: Int, y: Int) -> csim_layer {
        var layer = csim_layer()
        layer.green = UnsafePointer(green)
        layer.red = UnsafePointer(red)
        layer.blue = UnsafePointer(blue)
        layer.width = Int32(keptWidth)
        layer.height = Int32(keptHeight)
        layer.spans = UnsafePointer(spans)
        layer.spanStart = UnsafePointer(spanStart)
        layer.edges = UnsafePointer(edges)
        layer.edgeStart = UnsafePointer(edgeStart)
        layer.x = Int32(clamping: x + left)
        layer.y = Int32(clamping: (y & ~1) + top)
        return layer
    }
}

/// Where a canvas is opaque, and the pixels that it covers in part, row by row.
private struct Outline {
    private(set) var spans: [csim_span] = []
    private(set) var spanStart: [UInt32] = []
    private(set) var edges: [csim_edge] = []
    private(set) var edgeStart: [UInt32] = []
    /// What holds something.
    private(set) var rows = 0..<0
    private(set) var columns = 0..<0

    init(of canvas: SceneCanvas) {
        let width = canvas.width
        var rowSpans = [csim_span](repeating: csim_span(), count: width)
        var rowEdges = [csim_edge](repeating: csim_edge(), count: width)
        var (first, last, left, right) = (canvas.height, 0, width, 0)
        spanStart.reserveCapacity(canvas.height + 1)
        edgeStart.reserveCapacity(canvas.height + 1)
        for row in 0..<canvas.height {
            spanStart.append(UInt32(spans.count))
            edgeStart.append(UInt32(edges.count))
            var spanCount: Int32 = 0
            var edgeCount: Int32 = 0
            csim_row_coverage(
                canvas.raw.coverage + row * width, Int32(width), &rowSpans, &spanCount, &rowEdges, &edgeCount)
            guard spanCount > 0 || edgeCount > 0 else { continue }
            (first, last) = (min(first, row), row + 1)
            if spanCount > 0 {
                left = min(left, Int(rowSpans[0].begin))
                right = max(right, Int(rowSpans[Int(spanCount) - 1].end))
                spans += rowSpans[..<Int(spanCount)]
            }
            if edgeCount > 0 {
                left = min(left, Int(rowEdges[0].x))
                right = max(right, Int(rowEdges[Int(edgeCount) - 1].x) + 1)
                edges += rowEdges[..<Int(edgeCount)]
            }
        }
        spanStart.append(UInt32(spans.count))
        edgeStart.append(UInt32(edges.count))
        guard first < last else { return }
        (rows, columns) = (first..<last, left..<right)
    }

    /// Leaves out the rows before and after some, and counts columns from `left`.
    mutating func keep(rows: Range<Int>, from left: Int) {
        // Those rows are empty.
        spanStart = Array(spanStart[rows.lowerBound...rows.upperBound])
        edgeStart = Array(edgeStart[rows.lowerBound...rows.upperBound])
        guard left > 0 else { return }
        for index in spans.indices {
            spans[index].begin -= Int32(left)
            spans[index].end -= Int32(left)
        }
        for index in edges.indices { edges[index].x -= Int32(left) }
    }
}
