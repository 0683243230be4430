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
    /// The copies in the coordinates of rotated sensors, created on first use.
    private let rotatedCopies = Lock<[PixelRotation: SceneBitmap]>([:])

    init(_ canvas: SceneCanvas) {
        width = canvas.width
        height = canvas.height
        var outline = Outline(canvas.raw.coverage, width: canvas.width, height: canvas.height)
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

    /// Creates a copy of an upright bitmap in the coordinates of a sensor.
    ///
    /// - Parameter rotation: The clockwise rotation from the upright scene to the sensor.
    private init(_ upright: SceneBitmap, rotation: PixelRotation) {
        let isSideways = rotation.swapsWidthAndHeight
        (width, height) = isSideways ? (upright.height, upright.width) : (upright.width, upright.height)
        let (uprightWidth, uprightHeight) = (upright.storedWidth, upright.storedHeight)
        (storedWidth, storedHeight) =
            isSideways ? (uprightHeight, uprightWidth) : (uprightWidth, uprightHeight)
        (left, top) = rotation.corner(
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
        let outline = Outline(coverage.bytes(at: count), width: storedWidth, height: storedHeight)
        rows = outline.rows.lowerBound + top..<outline.rows.upperBound + top
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

    /// Returns the bitmap in the coordinates of a sensor; always the same instance for a rotation.
    ///
    /// - Parameter rotation: The clockwise rotation from the upright scene to the sensor.
    func onSensor(_ rotation: PixelRotation) -> SceneBitmap {
        guard rotation != .none else { return self }
        // Other callers need the result anyway.
        return rotatedCopies.withLock { copies in
            if let known = copies[rotation] { return known }
            let copy = SceneBitmap(self, rotation: rotation)
            copies[rotation] = copy
            return copy
        }
    }

    /// Writes the coverage of the stored pixels, 0 … 255, to zeroed memory.
    private func fillCoverage(_ coverage: UnsafeMutablePointer<UInt8>) {
        for row in 0..<storedHeight {
            let line = coverage + row * storedWidth
            for index in Int(spanStart[row])..<Int(spanStart[row + 1]) {
                let span = spans[index]
                (line + Int(span.begin)).update(repeating: 255, count: Int(span.end - span.begin))
            }
            for index in Int(edgeStart[row])..<Int(edgeStart[row + 1]) {
                line[Int(edges[index].x)] = UInt8(edges[index].coverage)
            }
        }
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

/// The opaque spans and partly covered pixels of each row of an image.
private struct Outline {
    private(set) var spans: [csim_span] = []
    private(set) var spanStart: [UInt32] = []
    private(set) var edges: [csim_edge] = []
    private(set) var edgeStart: [UInt32] = []
    /// The area that is not empty.
    private(set) var rows = 0..<0
    private(set) var columns = 0..<0

    /// - Parameter coverage: 0 … 255 for each pixel, without gaps between the rows.
    init(_ coverage: UnsafePointer<UInt8>, width: Int, height: Int) {
        var rowSpans = [csim_span](repeating: csim_span(), count: width)
        var rowEdges = [csim_edge](repeating: csim_edge(), count: width)
        var (first, last, left, right) = (height, 0, width, 0)
        spanStart.reserveCapacity(height + 1)
        edgeStart.reserveCapacity(height + 1)
        for row in 0..<height {
            spanStart.append(UInt32(spans.count))
            edgeStart.append(UInt32(edges.count))
            var spanCount: Int32 = 0
            var edgeCount: Int32 = 0
            csim_row_coverage(
                coverage + row * width, Int32(width), &rowSpans, &spanCount, &rowEdges, &edgeCount)
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
