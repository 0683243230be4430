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
    private let outline: OutlineMemory
    /// The outlines of red and blue for an even and for an odd shift of the layer.
    private let halfOutlines: (even: OutlineMemory, odd: OutlineMemory)

    init(_ canvas: SceneCanvas) {
        width = canvas.width
        height = canvas.height
        let full = Outline(of: canvas)
        rows = full.rows
        // Blocks of 2x2 pixels share red and blue.
        (left, top) = (full.columns.lowerBound & ~1, full.rows.lowerBound & ~1)
        storedWidth = max(2, (full.columns.upperBound + 1) & ~1 - left)
        storedHeight = max(2, (full.rows.upperBound + 1) & ~1 - top)
        let (stored, columns) = (top..<top + storedHeight, left..<left + storedWidth)
        outline = OutlineMemory(full.cropped(to: stored, from: left))
        let begin = top * width + left
        halfOutlines = (
            even: OutlineMemory(Outline(halving: canvas, rows: stored, columns: columns, odd: 0)),
            odd: OutlineMemory(Outline(halving: canvas, rows: stored, columns: columns, odd: 1))
        )
        let count = storedWidth * storedHeight
        // The kernels read whole vectors, beyond the end.
        memory = AlignedMemory(byteCount: count + 2 * (count / 4) + 64)
        green = memory.bytes()
        red = memory.bytes(at: count)
        blue = memory.bytes(at: count + count / 4)
        for row in 0..<storedHeight {
            (green + row * storedWidth).update(from: canvas.raw.green + begin + row * width, count: storedWidth)
        }
        for (plane, half) in [(canvas.raw.red, red), (canvas.raw.blue, blue)] {
            guard let plane else { continue }
            csim_halve(
                plane + begin, canvas.raw.coverage + begin, Int32(width), Int32(storedWidth), Int32(storedHeight), half)
        }
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
        (layer.spans, layer.spanStart) = (outline.raw.spans, outline.raw.spanStart)
        (layer.edges, layer.edgeStart) = (outline.raw.edges, outline.raw.edgeStart)
        layer.half = (halfOutlines.even.raw, halfOutlines.odd.raw)
        layer.x = Int32(clamping: x + left)
        layer.y = Int32(clamping: (y & ~1) + top)
        return layer
    }
}

/// The opaque spans and partly covered samples of the rows of a plane.
private struct Outline {
    private(set) var spans: [csim_span] = []
    private(set) var spanStart: [UInt32] = []
    private(set) var edges: [csim_edge] = []
    private(set) var edgeStart: [UInt32] = []
    /// The area that is not empty.
    private(set) var rows = 0..<0
    private(set) var columns = 0..<0

    /// Creates the outline of a canvas.
    init(of canvas: SceneCanvas) {
        let coverage: UnsafeMutablePointer<UInt8> = canvas.raw.coverage
        self.init(width: canvas.width, rowCount: canvas.height, opaque: Int(csim_opaque)) {
            UnsafePointer(coverage + $0 * canvas.width)
        }
    }

    /// Creates the outline of the blocks of 2x2 pixels of a part of a canvas.
    ///
    /// - Parameters:
    ///   - rows: An even number of rows, as of columns.
    ///   - odd: 0 if the first block begins with the first column, 1 if it ends with it.
    init(halving canvas: SceneCanvas, rows: Range<Int>, columns: Range<Int>, odd: Int) {
        let width = columns.count / 2 + odd
        let half = UnsafeMutablePointer<UInt8>.allocate(capacity: width)
        defer { half.deallocate() }
        let begin: UnsafeMutablePointer<UInt8> = canvas.raw.coverage + rows.lowerBound * canvas.width
        self.init(width: width, rowCount: rows.count / 2, opaque: 255) { pair in
            csim_halve_coverage(
                begin + 2 * pair * canvas.width + columns.lowerBound, Int32(canvas.width), Int32(columns.count),
                Int32(odd), half)
            return UnsafePointer(half)
        }
    }

    /// Creates the outline of rows of samples.
    ///
    /// - Parameters:
    ///   - opaque: The least coverage of an opaque sample.
    ///   - coverage: Returns the coverage of a row, which is valid until the next call.
    private init(width: Int, rowCount: Int, opaque: Int, coverage: (Int) -> UnsafePointer<UInt8>) {
        var rowSpans = [csim_span](repeating: csim_span(), count: width)
        var rowEdges = [csim_edge](repeating: csim_edge(), count: width)
        var (first, last, left, right) = (rowCount, 0, width, 0)
        spanStart.reserveCapacity(rowCount + 1)
        edgeStart.reserveCapacity(rowCount + 1)
        for row in 0..<rowCount {
            spanStart.append(UInt32(spans.count))
            edgeStart.append(UInt32(edges.count))
            var spanCount: Int32 = 0
            var edgeCount: Int32 = 0
            csim_row_coverage(coverage(row), Int32(width), Int32(opaque), &rowSpans, &spanCount, &rowEdges, &edgeCount)
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

    /// Returns the outline without empty rows at top and bottom, and with columns relative to `left`.
    func cropped(to rows: Range<Int>, from left: Int) -> Outline {
        var cropped = self
        // The removed rows have no entries.
        cropped.spanStart = Array(spanStart[rows.lowerBound...rows.upperBound])
        cropped.edgeStart = Array(edgeStart[rows.lowerBound...rows.upperBound])
        guard left > 0 else { return cropped }
        for index in spans.indices {
            cropped.spans[index].begin -= Int32(left)
            cropped.spans[index].end -= Int32(left)
        }
        for index in edges.indices { cropped.edges[index].x -= Int32(left) }
        return cropped
    }
}

/// An outline in the kernel's format.
private final class OutlineMemory {
    let raw: csim_outline

    init(_ outline: Outline) {
        raw = csim_outline(
            spans: Self.copy(outline.spans), spanStart: Self.copy(outline.spanStart), edges: Self.copy(outline.edges),
            edgeStart: Self.copy(outline.edgeStart))
    }

    deinit {
        raw.spans.deallocate()
        raw.spanStart.deallocate()
        raw.edges.deallocate()
        raw.edgeStart.deallocate()
    }

    private static func copy<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
        memory.initialize(from: elements, count: elements.count)
        return UnsafePointer(memory)
    }
}
