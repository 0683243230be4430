import CSimKernels
import MediaTypes
import PixelKernels

/// A flat part of a scene in the kernel's format: reflectances and coverage.
final class SceneBitmap: @unchecked Sendable {
    // SAFETY: the memory is only written in the initializers, only read afterwards, and freed in `deinit`.

    /// Size of the canvas in pixels.
    let width: Int
    let height: Int
    /// The rows that are not empty. Empty margins are not stored.
    let rows: Range<Int>
    /// First stored row of the canvas; even.
    let top: Int
    /// First stored column of the canvas; even.
    private let left: Int
    private let storedWidth: Int
    private let storedHeight: Int
    private let memory: AlignedMemory
    private let green: UnsafeMutablePointer<UInt8>
    private let red: UnsafeMutablePointer<UInt8>
    private let blue: UnsafeMutablePointer<UInt8>
    private let outline: OutlineMemory
    /// The outlines of red and blue for layers at even and at odd horizontal positions.
    private let halfOutlines: (even: OutlineMemory, odd: OutlineMemory)
    /// The copies in the coordinates of rotated sensors, created on first use.
    private let rotatedCopies = Lock<[PixelRotation: SceneBitmap]>([:])

    init(_ canvas: SceneCanvas) {
        width = canvas.width
        height = canvas.height
        let full = Outline(of: canvas.raw.coverage, width: canvas.width, height: canvas.height)
        rows = full.rows
        // Blocks of 2x2 pixels share red and blue.
        (left, top) = (full.columns.lowerBound & ~1, full.rows.lowerBound & ~1)
        storedWidth = max(2, (full.columns.upperBound + 1) & ~1 - left)
        storedHeight = max(2, (full.rows.upperBound + 1) & ~1 - top)
        outline = OutlineMemory(full.cropped(to: top..<top + storedHeight, from: left))
        let begin = top * width + left
        halfOutlines = Self.halfOutlines(
            canvas.raw.coverage + begin, stride: width, width: storedWidth, height: storedHeight)
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

    /// Creates a copy of an upright bitmap in the coordinates of a sensor.
    ///
    /// - Parameter rotation: The clockwise rotation from the upright scene to the sensor.
    private init(_ upright: SceneBitmap, rotation: PixelRotation) {
        let isSideways = rotation.swapsWidthAndHeight
        (width, height) = isSideways ? (upright.height, upright.width) : (upright.width, upright.height)
        let (uprightWidth, uprightHeight) = (upright.storedWidth, upright.storedHeight)
        (storedWidth, storedHeight) =
            isSideways ? (uprightHeight, uprightWidth) : (uprightWidth, uprightHeight)
        (left, top) = rotation.rotatedOrigin(
            x: upright.left, y: upright.top, width: uprightWidth, height: uprightHeight, imageWidth: upright.width,
            imageHeight: upright.height)
        let count = storedWidth * storedHeight
        // The kernels read whole vectors, beyond the end.
        memory = AlignedMemory(byteCount: count + 2 * (count / 4) + 64)
        green = memory.bytes()
        red = memory.bytes(at: count)
        blue = memory.bytes(at: count + count / 4)
        rotation.rotate(
            upright.green, width: uprightWidth, height: uprightHeight, stride: uprightWidth, to: green,
            stride: storedWidth)
        for (plane, rotated) in [(upright.red, red), (upright.blue, blue)] {
            rotation.rotate(
                plane, width: uprightWidth / 2, height: uprightHeight / 2, stride: uprightWidth / 2, to: rotated,
                stride: storedWidth / 2)
        }
        let coverage = AlignedMemory(byteCount: 2 * count)
        upright.fillCoverage(coverage.bytes())
        rotation.rotate(
            coverage.bytes(), width: uprightWidth, height: uprightHeight, stride: uprightWidth,
            to: coverage.bytes(at: count), stride: storedWidth)
        let rotated: UnsafeMutablePointer<UInt8> = coverage.bytes(at: count)
        let full = Outline(of: rotated, width: storedWidth, height: storedHeight)
        rows = full.rows.lowerBound + top..<full.rows.upperBound + top
        outline = OutlineMemory(full)
        halfOutlines = Self.halfOutlines(rotated, stride: storedWidth, width: storedWidth, height: storedHeight)
    }

    /// Returns the bitmap in the coordinates of a sensor; always the same instance for a rotation.
    ///
    /// - Parameter rotation: The clockwise rotation from the upright scene to the sensor.
    func onSensor(_ rotation: PixelRotation) -> SceneBitmap {
        guard rotation != .none else { return self }
        // The lock is held during the computation, because concurrent callers wait for the same result.
        return rotatedCopies.withLock { copies in
            if let known = copies[rotation] { return known }
            let copy = SceneBitmap(self, rotation: rotation)
            copies[rotation] = copy
            return copy
        }
    }

    /// Writes the coverage of the stored pixels, 0 … 255, to zeroed memory.
    private func fillCoverage(_ coverage: UnsafeMutablePointer<UInt8>) {
        let raw = outline.raw
        for row in 0..<storedHeight {
            let line = coverage + row * storedWidth
            for index in Int(raw.spanStart[row])..<Int(raw.spanStart[row + 1]) {
                let span = raw.spans[index]
                (line + Int(span.begin)).update(repeating: 255, count: Int(span.end - span.begin))
            }
            for index in Int(raw.edgeStart[row])..<Int(raw.edgeStart[row + 1]) {
                line[Int(raw.edges[index].x)] = UInt8(raw.edges[index].coverage)
            }
        }
    }

    /// Whether a pixel of the canvas is opaque; false outside the canvas.
    func isOpaque(x: Int, y: Int) -> Bool {
        let (column, row) = (x - left, y - top)
        guard (0..<storedWidth).contains(column), (0..<storedHeight).contains(row) else { return false }
        let raw = outline.raw
        return (Int(raw.spanStart[row])..<Int(raw.spanStart[row + 1])).contains { index in
            raw.spans[index].begin <= Int32(column) && Int32(column) < raw.spans[index].end
        }
    }

    /// Creates the outlines of red and blue for layers at even and at odd horizontal positions.
    private static func halfOutlines(
        _ coverage: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int
    ) -> (even: OutlineMemory, odd: OutlineMemory) {
        func outline(odd: Int) -> OutlineMemory {
            OutlineMemory(Outline(halving: coverage, stride: stride, width: width, height: height, odd: odd))
        }
        return (outline(odd: 0), outline(odd: 1))
    }

    /// Returns the kernel's description of the stored part; valid while the bitmap is alive.
    ///
    /// - Parameters:
    ///   - x: The column of the canvas's top left pixel in the frame.
    ///   - y: Its row, rounded down to an even number.
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

    /// Creates the outline of an image.
    ///
    /// - Parameter coverage: 0 … 255 for each pixel, without gaps between the rows.
    init(of coverage: UnsafePointer<UInt8>, width: Int, height: Int) {
        self.init(width: width, rowCount: height, opaque: Int(csim_opaque)) { coverage + $0 * width }
    }

    /// Creates the outline of the blocks of 2x2 pixels of an image.
    ///
    /// - Parameters:
    ///   - coverage: 0 … 255 for each pixel.
    ///   - stride: The number of pixels from one row to the next.
    ///   - width: The number of columns; even, like the number of rows.
    ///   - odd: 0 if the first block begins with the first column, 1 if it ends with it.
    init(halving coverage: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int, odd: Int) {
        let halfWidth = width / 2 + odd
        let half = UnsafeMutablePointer<UInt8>.allocate(capacity: halfWidth)
        defer { half.deallocate() }
        self.init(width: halfWidth, rowCount: height / 2, opaque: 255) { pair in
            csim_halve_coverage(coverage + 2 * pair * stride, Int32(stride), Int32(width), Int32(odd), half)
            return UnsafePointer(half)
        }
    }

    /// Creates the outline of rows of samples.
    ///
    /// - Parameters:
    ///   - opaque: The minimum coverage of an opaque sample.
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
