public import Foundation
public import MediaTypes

/// An immutable path of lines and curves.
public class CGPath: @unchecked Sendable {
    // SAFETY: a path is not changed after `init`; `CGMutablePath`, which changes, is confined to one thread as on
    // Apple's systems.

    enum Element: Hashable {
        case move(CGPoint)
        case line(CGPoint)
        case curve(CGPoint, control1: CGPoint, control2: CGPoint)
        case close
    }

    fileprivate(set) var elements: [Element]

    init(elements: [Element]) { self.elements = elements }

    /// Creates a path with a rectangle.
    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init { $0.addRect(rect, transform: transform?.pointee ?? .identity) }
    }

    /// Creates a path with the ellipse in a rectangle.
    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init { $0.addEllipse(in: rect, transform: transform?.pointee ?? .identity) }
    }

    /// Creates a path with a rounded rectangle. The corners are at most half as large as the rectangle.
    public convenience init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {
        self.init {
            $0.addRoundedRect(
                in: rect, cornerWidth: cornerWidth, cornerHeight: cornerHeight,
                transform: transform?.pointee ?? .identity)
        }
    }

    private convenience init(_ add: (CGMutablePath) -> Void) {
        let path = CGMutablePath()
        add(path)
        self.init(elements: path.elements)
    }

    public var isEmpty: Bool { elements.isEmpty }

    /// The end of the last line or curve; zero for an empty path.
    public var currentPoint: CGPoint {
        switch elements.last {
        case .move(let point), .line(let point), .curve(let point, _, _): return point
        case .close: return subpathStart
        case nil: return .zero
        }
    }

    /// The start of the last subpath.
    var subpathStart: CGPoint {
        for case .move(let point) in elements.reversed() { return point }
        return .zero
    }

    /// The smallest rectangle that contains all points, including control points; null for an empty path.
    public var boundingBox: CGRect {
        Self.bounds(
            elements.flatMap { element -> [CGPoint] in
                switch element {
                case .move(let point), .line(let point): [point]
                case .curve(let point, let control1, let control2): [point, control1, control2]
                case .close: []
                }
            })
    }

    /// The smallest rectangle that contains the lines and curves; null for an empty path.
    public var boundingBoxOfPath: CGRect { Self.bounds(polygons.flatMap { $0 }) }

    private static func bounds(_ points: [CGPoint]) -> CGRect {
        guard let first = points.first else { return .null }
        var (low, high) = (first, first)
        for point in points {
            low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
            high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    /// Whether the area of the path contains a point.
    ///
    /// - Parameter transform: Applied to the point.
    public func contains(
        _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
    ) -> Bool {
        let point = transform.isIdentity ? point : point.applying(transform)
        var winding = 0
        for polygon in polygons {
            guard var last = polygon.last else { continue }
            for next in polygon {
                // The side crosses the horizontal ray that goes from the point to the right.
                if (last.y <= point.y) != (next.y <= point.y) {
                    let x = last.x + (point.y - last.y) / (next.y - last.y) * (next.x - last.x)
                    if x > point.x { winding += next.y > last.y ? 1 : -1 }
                }
                last = next
            }
        }
        return rule == .winding ? winding != 0 : winding % 2 != 0
    }

    /// The number of lines that approximate a curve.
    private static let curveLineCount = 24

    /// The subpaths as polygons, in which lines approximate the curves.
    private var polygons: [[CGPoint]] {
        var result: [[CGPoint]] = []
        var last = CGPoint.zero
        for element in elements {
            switch element {
            case .move(let point):
                result.append([point])
                last = point
            case .line(let point):
                result[result.count - 1].append(point)
                last = point
            case .curve(let end, let control1, let control2):
                for step in 1...Self.curveLineCount {
                    let t = CGFloat(step) / CGFloat(Self.curveLineCount)
                    let (a, b) = ((1 - t) * (1 - t) * (1 - t), 3 * t * (1 - t) * (1 - t))
                    let (c, d) = (3 * t * t * (1 - t), t * t * t)
                    result[result.count - 1].append(
                        CGPoint(
                            x: a * last.x + b * control1.x + c * control2.x + d * end.x,
                            y: a * last.y + b * control1.y + c * control2.y + d * end.y))
                }
                last = end
            case .close:
                last = result.last?.first ?? .zero
            }
        }
        return result
    }

    public func copy() -> CGPath? { CGPath(elements: elements) }

    public func mutableCopy() -> CGMutablePath? { CGMutablePath(elements: elements) }

    /// Returns the transformed path.
    public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        CGPath(elements: elements.map { $0.applying(transform?.pointee ?? .identity) })
    }
}

extension CGPath: Hashable {
    /// Whether both have the same lines and curves in the same order.
    public static func == (lhs: CGPath, rhs: CGPath) -> Bool { lhs.elements == rhs.elements }

    /// Hashes the lines and curves.
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension CGPath.Element {
    func applying(_ transform: CGAffineTransform) -> CGPath.Element {
        switch self {
        case .move(let point): .move(point.applying(transform))
        case .line(let point): .line(point.applying(transform))
        case .curve(let point, let control1, let control2):
            .curve(
                point.applying(transform), control1: control1.applying(transform),
                control2: control2.applying(transform))
        case .close: .close
        }
    }
}

/// The rule by which the inside of a path is determined.
public enum CGPathFillRule: Int, Hashable, Sendable {
    case winding = 0
    case evenOdd
}

/// A path to which lines and curves are added.
public class CGMutablePath: CGPath, @unchecked Sendable {
    // SAFETY: see `CGPath`.

    /// The distance of the control points for a quarter of an ellipse, relative to its radius: 4/3 (√2 − 1).
    private static let kappa: CGFloat = 0.552_284_749_8

    /// Creates an empty path.
    public init() { super.init(elements: []) }

    override init(elements: [Element]) { super.init(elements: elements) }

    /// Begins a new subpath.
    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
        elements.append(.move(point.applying(transform)))
    }

    /// Adds a line from the current point; begins a subpath if there is none.
    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        beginSubpath(at: point.applying(transform))
        elements.append(.line(point.applying(transform)))
    }

    /// Adds lines between points. The first point begins a subpath.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }

    /// Adds a cubic curve.
    public func addCurve(
        to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
    ) {
        let control1 = control1.applying(transform)
        beginSubpath(at: control1)
        elements.append(
            .curve(end.applying(transform), control1: control1, control2: control2.applying(transform)))
    }

    /// Adds a quadratic curve.
    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        let (end, control) = (end.applying(transform), control.applying(transform))
        beginSubpath(at: control)
        let start = currentPoint
        func between(_ point: CGPoint) -> CGPoint {
            CGPoint(x: (point.x + 2 * control.x) / 3, y: (point.y + 2 * control.y) / 3)
        }
        elements.append(.curve(end, control1: between(start), control2: between(end)))
    }

    /// Ends the subpath with a line to its start. Further lines begin there.
    public func closeSubpath() {
        guard !elements.isEmpty, elements.last != .close else { return }
        elements.append(.close)
    }

    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
        addLines(
            between: [
                CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
                CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
            ], transform: transform)
        closeSubpath()
    }

    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }

    /// Adds an ellipse, which begins at the largest x and goes toward the largest y.
    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        func point(_ x: CGFloat, _ y: CGFloat) -> CGPoint {
            CGPoint(x: rect.midX + x * rect.width / 2, y: rect.midY + y * rect.height / 2)
        }
        move(to: point(1, 0), transform: transform)
        for (x, y) in [(1, 0), (0, 1), (-1, 0), (0, -1)] as [(CGFloat, CGFloat)] {
            addCurve(
                to: point(-y, x), control1: point(x - Self.kappa * y, y + Self.kappa * x),
                control2: point(-y + Self.kappa * x, x + Self.kappa * y), transform: transform)
        }
        closeSubpath()
    }

    /// Adds a rounded rectangle. The corners are at most half as large as the rectangle.
    public func addRoundedRect(
        in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
    ) {
        let corner = CGSize(width: min(cornerWidth, rect.width / 2), height: min(cornerHeight, rect.height / 2))
        addRoundedRect(in: rect, corners: [corner, corner, corner, corner], transform: transform)
    }

    /// Adds a rounded rectangle.
    ///
    /// - Parameter corners: The sizes of the corners at (minX, minY), (maxX, minY), (maxX, maxY) and (minX, maxY).
    package func addRoundedRect(in rect: CGRect, corners: [CGSize], transform: CGAffineTransform = .identity) {
        let kappa = Self.kappa
        let rect = rect.standardized
        let points = [
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
        ]
        // The directions of the side that ends in the corner and of the one that begins there.
        let directions: [(CGFloat, CGFloat)] = [(0, -1), (1, 0), (0, 1), (-1, 0)]
        for index in 0..<4 {
            let (corner, size) = (points[index], corners[index])
            let (before, after) = (directions[index], directions[(index + 1) % 4])
            func point(_ inward: CGFloat, along direction: (CGFloat, CGFloat)) -> CGPoint {
                CGPoint(
                    x: corner.x + direction.0 * inward * size.width, y: corner.y + direction.1 * inward * size.height)
            }
            let start = point(-1, along: before)
            if index == 0 {
                move(to: start, transform: transform)
            } else {
                addLine(to: start, transform: transform)
            }
            guard size.width > 0, size.height > 0 else { continue }
            addCurve(
                to: point(1, along: after), control1: point(kappa - 1, along: before),
                control2: point(1 - kappa, along: after), transform: transform)
        }
        closeSubpath()
    }

    /// Adds an arc, after a line from the current point if there is one.
    ///
    /// - Parameters:
    ///   - startAngle: In radians, from the x axis toward the y axis.
    ///   - clockwise: Whether the angle decreases.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        let turn = 2 * CGFloat.pi
        var sweep = clockwise ? startAngle - endAngle : endAngle - startAngle
        if sweep < 0 { sweep += turn * (-sweep / turn).rounded(.up) }
        addArc(
            center: center, radius: radius, startAngle: startAngle, delta: (clockwise ? -1 : 1) * min(sweep, turn),
            transform: transform)
    }

    /// Adds an arc by the difference of its angles in radians.
    public func addRelativeArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat, transform: CGAffineTransform = .identity
    ) {
        addArc(center: center, radius: radius, startAngle: startAngle, delta: delta, transform: transform)
    }

    private func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat, transform: CGAffineTransform
    ) {
        func point(_ angle: CGFloat, tangent: CGFloat = 0) -> CGPoint {
            CGPoint(
                x: center.x + radius * (cos(angle) - tangent * sin(angle)),
                y: center.y + radius * (sin(angle) + tangent * cos(angle)))
        }
        if isEmpty {
            move(to: point(startAngle), transform: transform)
        } else {
            addLine(to: point(startAngle), transform: transform)
        }
        let count = max(1, Int((abs(delta) / (CGFloat.pi / 2)).rounded(.up)))
        let step = delta / CGFloat(count)
        let length = 4 / 3 * tan(step / 4)
        for index in 0..<count {
            let (from, to) = (startAngle + CGFloat(index) * step, startAngle + CGFloat(index + 1) * step)
            addCurve(
                to: point(to), control1: point(from, tangent: length), control2: point(to, tangent: -length),
                transform: transform)
        }
    }

    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) {
        elements += path.elements.map { $0.applying(transform) }
    }

    /// Adds an element.
    func append(_ element: Element) { elements.append(element) }

    /// Begins a subpath if none is open: at `point` in an empty path, otherwise at the start of the closed subpath.
    private func beginSubpath(at point: CGPoint) {
        switch elements.last {
        case nil: elements.append(.move(point))
        case .close: elements.append(.move(subpathStart))
        default: break
        }
    }
}
