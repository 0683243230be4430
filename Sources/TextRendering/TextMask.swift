/// The coverage of pixels by text.
package struct TextMask: Sendable {
    /// The position of the mask's left column and top row in pixels.
    package let left: Int
    package let top: Int
    package let width: Int
    package let height: Int
    /// 0 … 255, row by row without padding.
    package let coverage: [UInt8]

    /// Fills polygons. y increases downwards.
    ///
    /// Each pixel has the exact area that the polygons cover. Each side adds the area to its right, positive for sides
    /// that go down and negative for sides that go up. The area of a side is stored as differences between adjacent
    /// pixels of a row, and then summed: R. Levien: "Inside the fastest font renderer in the world" (2016).
    init(contours: [[TextLine.Point]]) {
        let points = contours.joined()
        guard let first = points.first else {
            (left, top, width, height, coverage) = (0, 0, 0, 0, [])
            return
        }
        var (low, high) = (first, first)
        for point in points {
            low = TextLine.Point(x: min(low.x, point.x), y: min(low.y, point.y))
            high = TextLine.Point(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        left = Int(low.x.rounded(.down))
        top = Int(low.y.rounded(.down))
        width = Int(high.x.rounded(.up)) - left + 1
        height = Int(high.y.rounded(.up)) - top
        var area = AreaDifferences(width: width, height: height)
        let (x, y) = (Double(left), Double(top))
        for contour in contours {
            guard var last = contour.last else { continue }
            for point in contour {
                area.add(
                    from: TextLine.Point(x: last.x - x, y: last.y - y),
                    to: TextLine.Point(x: point.x - x, y: point.y - y))
                last = point
            }
        }
        coverage = area.coverage()
    }
}

/// The differences between the covered areas of adjacent pixels.
private struct AreaDifferences {
    private let width: Int
    private let height: Int
    private var differences: [Double]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        // A side changes a pixel and its right neighbor; the end of a side can be the right edge of the mask.
        differences = Array(repeating: 0, count: width * height + 2)
    }

    /// Adds a side of a polygon.
    mutating func add(from a: TextLine.Point, to b: TextLine.Point) {
        guard a.y != b.y else { return }
        let direction = a.y < b.y ? 1.0 : -1.0
        let (upper, lower) = a.y < b.y ? (a, b) : (b, a)
        let slope = (lower.x - upper.x) / (lower.y - upper.y)
        var x = upper.x
        for row in Int(upper.y)..<min(height, Int(lower.y.rounded(.up))) {
            let length = min(Double(row + 1), lower.y) - max(Double(row), upper.y)
            // Rounding errors must not leave the mask.
            let next = min(max(x + slope * length, 0), Double(width - 1))
            add(row: row, from: min(x, next), to: max(x, next), height: length * direction)
            x = next
        }
    }

    /// Adds the part of a side in a row; `height` is negative for sides that go up.
    private mutating func add(row: Int, from begin: Double, to end: Double, height: Double) {
        var column = Int(begin)
        var x = begin
        let total = end - begin
        repeat {
            let right = min(Double(column + 1), end)
            let part = total > 0 ? height * (right - x) / total : height
            // The part of this pixel's area that is to the right of the side.
            let inside = part * (Double(column + 1) - (x + right) / 2)
            differences[row * width + column] += inside
            differences[row * width + column + 1] += part - inside
            x = right
            column += 1
        } while x < end
    }

    /// Sums the differences.
    func coverage() -> [UInt8] {
        var coverage: [UInt8] = []
        coverage.reserveCapacity(width * height)
        var sum = 0.0
        for index in 0..<width * height {
            if index % width == 0 { sum = 0 }
            sum += differences[index]
            coverage.append(UInt8((min(abs(sum), 1) * 255).rounded()))
        }
        return coverage
    }
}
