import CSimKernels

/// A flat part of a scene in the kernel's format: reflectances and coverage.
final class SceneBitmap: @unchecked Sendable {
    // SAFETY: the memory is only written in `init`, only read afterwards, and freed in `deinit`.

    /// Size of the canvas in pixels.
    let width: Int
    let height: Int
    /// The rows that are not empty. Empty margins are not stored.
    let rows: Range<Int>
    /// First stored row and column of the canvas; both even.
    let top: Int
    private let left: Int
    private let storedWidth: Int
    private let storedHeight: Int
    private let memory: AlignedMemory
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
        // Blocks of 2x2 pixels share red and blue.
        (left, top) = (columns.lowerBound & ~1, rows.lowerBound & ~1)
        storedWidth = max(2, (columns.upperBound + 1) & ~1 - left)
        storedHeight = max(2, (rows.upperBound + 1) & ~1 - top)
        outline.crop(to: top..<top + storedHeight, from: left)
        spans = Self.copy(outline.spans)
        spanStart = Self.copy(outline.spanStart)
        edges = Self.copy(outline.edges)
        edgeStart = Self.copy(outline.edgeStart)
        let count = storedWidth * storedHeight
        // The kernels read whole vectors, beyond the end.
        memory = AlignedMemory(byteCount: count + 2 * (count / 4) + 64)
        green = memory.bytes()
        red = memory.bytes(at: count)
        blue = memory.bytes(at: count + count / 4)
        let begin = top * width + left
        for row in 0..<storedHeight {
            (green + row * storedWidth).update(from: canvas.raw.green + begin + row * width, count: storedWidth)
        }
        for (plane, half) in [(canvas.raw.red, red), (canvas.raw.blue, blue)] {
            guard let plane else { continue }
            csim_halve(
                plane + begin, canvas.raw.coverage + begin, Int32(width), Int32(storedWidth), Int32(storedHeight), half)
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

    /// Returns the kernel's view of the stored part; valid while the bitmap is alive.
    ///
    /// - Parameter x: Position of the canvas's top left pixel, with `y`.
    func layer(x: Int, y: Int) -> csim_layer {
        var layer = csim_layer()
        layer.green = UnsafePointer(green)
        layer.red = UnsafePointer(red)
        layer.blue = UnsafePointer(blue)
        layer.width = Int32(storedWidth)
        layer.height = Int32(storedHeight)
        layer.spans = UnsafePointer(spans)
        layer.spanStart = UnsafePointer(spanStart)
        layer.edges = UnsafePointer(edges)
        layer.edgeStart = UnsafePointer(edgeStart)
        layer.x = Int32(clamping: x + left)
        layer.y = Int32(clamping: (y & ~1) + top)
        return layer
    }
}

/// The opaque spans and partly covered pixels of each row of a canvas.
private struct Outline {
    private(set) var spans: [csim_span] = []
    private(set) var spanStart: [UInt32] = []
    private(set) var edges: [csim_edge] = []
    private(set) var edgeStart: [UInt32] = []
    /// The area that is not empty.
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

    /// Removes empty rows at top and bottom, and makes columns relative to `left`.
    mutating func crop(to rows: Range<Int>, from left: Int) {
        // The removed rows have no entries.
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
