package import Foundation
import MediaTypes

extension CGPath {
    /// A line or a curve of a path, with a parameter from 0 at its start to 1 at its end.
    package struct Segment {
        package let start: CGPoint
        package let end: CGPoint
        /// Nil for a line.
        let controls: (CGPoint, CGPoint)?
        /// Whether a subpath begins with the segment.
        let beginsSubpath: Bool
        /// The lengths from the start of the segment to points at equal steps of the parameter.
        private let lengths: [CGFloat]

        /// The number of lines that approximate a curve to measure its length.
        private static let stepCount = 64

        init(_ start: CGPoint, _ end: CGPoint, _ controls: (CGPoint, CGPoint)?, beginsSubpath: Bool) {
            (self.start, self.end, self.controls, self.beginsSubpath) = (start, end, controls, beginsSubpath)
            guard let controls else {
                lengths = [0, hypot(end.x - start.x, end.y - start.y)]
                return
            }
            var (length, last) = (CGFloat(0), start)
            lengths =
                [0]
                + (1...Self.stepCount).map { step in
                    let next = Self.point(start, controls, end, CGFloat(step) / CGFloat(Self.stepCount))
                    length += hypot(next.x - last.x, next.y - last.y)
                    last = next
                    return length
                }
        }

        package var length: CGFloat { lengths[lengths.count - 1] }

        /// Returns the point at a parameter. For a parameter outside of 0 to 1 it is on the extension of the segment.
        package func point(at t: CGFloat) -> CGPoint {
            guard let controls else { return start.between(end, t) }
            return Self.point(start, controls, end, t)
        }

        /// Returns the direction at a parameter in radians.
        package func angle(at t: CGFloat) -> CGFloat {
            let step: CGFloat = 1e-4
            let (before, after) = (point(at: max(0, min(t, 1) - step)), point(at: min(1, max(t, 0) + step)))
            return atan2(after.y - before.y, after.x - before.x)
        }

        /// Returns the parameter at a distance along the segment.
        package func parameter(atLength distance: CGFloat) -> CGFloat {
            guard length > 0 else { return 0 }
            guard distance > 0 else { return 0 }
            guard let index = lengths.firstIndex(where: { $0 >= distance }) else { return 1 }
            let (before, after) = (lengths[index - 1], lengths[index])
            let part = after > before ? (distance - before) / (after - before) : 1
            return (CGFloat(index - 1) + part) / CGFloat(lengths.count - 1)
        }

        /// Returns the part between two parameters.
        func part(_ first: CGFloat, _ last: CGFloat) -> (start: CGPoint, Element) {
            guard let controls else { return (point(at: first), .line(point(at: last))) }
            // De Casteljau: the blossom of the curve gives the control points of its part.
            func blossom(_ a: CGFloat, _ b: CGFloat, _ c: CGFloat) -> CGPoint {
                let (p, q) = (start.between(controls.0, a), controls.0.between(controls.1, a))
                let r = controls.1.between(end, a)
                return p.between(q, b).between(q.between(r, b), c)
            }
            return (
                blossom(first, first, first),
                .curve(
                    blossom(last, last, last), control1: blossom(first, first, last),
                    control2: blossom(first, last, last))
            )
        }

        private static func point(_ a: CGPoint, _ controls: (CGPoint, CGPoint), _ d: CGPoint, _ t: CGFloat) -> CGPoint {
            let (b, c) = controls
            let (p, q, r) = (a.between(b, t), b.between(c, t), c.between(d, t))
            return p.between(q, t).between(q.between(r, t), t)
        }
    }

    /// The lines and curves in their order.
    package var segments: [Segment] {
        var result: [Segment] = []
        var (last, first, begins) = (CGPoint.zero, CGPoint.zero, true)
        func append(_ end: CGPoint, _ controls: (CGPoint, CGPoint)? = nil) {
            result.append(Segment(last, end, controls, beginsSubpath: begins))
            (last, begins) = (end, false)
        }
        for element in elements {
            switch element {
            case .move(let point): (last, first, begins) = (point, point, true)
            case .line(let end): append(end)
            case .curve(let end, let control1, let control2): append(end, (control1, control2))
            case .close:
                if last != first { append(first) }
                begins = true
            }
        }
        return result
    }

    /// Returns the part between two fractions of the length.
    package func trimmed(from first: CGFloat, to last: CGFloat) -> CGPath {
        guard first > 0 || last < 1 else { return self }
        let (segments, result) = (segments, CGMutablePath())
        let total = segments.map(\.length).reduce(0, +)
        let (start, end) = (max(0, first) * total, min(1, last) * total)
        var (position, isJoined) = (CGFloat(0), false)
        for segment in segments {
            let (low, high) = (max(0, start - position), min(segment.length, end - position))
            defer { position += segment.length }
            guard high > low else {
                isJoined = false
                continue
            }
            let (origin, element) = segment.part(segment.parameter(atLength: low), segment.parameter(atLength: high))
            if segment.beginsSubpath || !isJoined { result.move(to: origin) }
            result.append(element)
            isJoined = true
        }
        return result
    }

    /// Returns the path at a fraction between this path and another one; nil if their elements differ in number or
    /// kind.
    package func interpolated(to other: CGPath, _ fraction: CGFloat) -> CGPath? {
        guard elements.count == other.elements.count else { return nil }
        var result: [Element] = []
        for pair in zip(elements, other.elements) {
            switch pair {
            case (.move(let a), .move(let b)): result.append(.move(a.between(b, fraction)))
            case (.line(let a), .line(let b)): result.append(.line(a.between(b, fraction)))
            case (.curve(let a, let a1, let a2), .curve(let b, let b1, let b2)):
                result.append(
                    .curve(
                        a.between(b, fraction), control1: a1.between(b1, fraction), control2: a2.between(b2, fraction)))
            case (.close, .close): result.append(.close)
            default: return nil
            }
        }
        return CGPath(elements: result)
    }
}

extension CGPoint {
    /// Returns the point at a fraction of the way to another point.
    fileprivate func between(_ other: CGPoint, _ fraction: CGFloat) -> CGPoint {
        CGPoint(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
    }
}
