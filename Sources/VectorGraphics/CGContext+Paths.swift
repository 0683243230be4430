import CCairo
public import Foundation
import MediaTypes

extension CGContext {
    // MARK: The current path

    public func beginPath() { currentPath = CGMutablePath() }
    public func move(to point: CGPoint) { currentPath.move(to: point, transform: ctm) }
    public func addLine(to point: CGPoint) { currentPath.addLine(to: point, transform: ctm) }
    public func addLines(between points: [CGPoint]) { currentPath.addLines(between: points, transform: ctm) }
    public func addRect(_ rect: CGRect) { currentPath.addRect(rect, transform: ctm) }
    public func addRects(_ rects: [CGRect]) { currentPath.addRects(rects, transform: ctm) }
    public func addEllipse(in rect: CGRect) { currentPath.addEllipse(in: rect, transform: ctm) }
    public func addPath(_ path: CGPath) { currentPath.addPath(path, transform: ctm) }
    public func closePath() { currentPath.closeSubpath() }

    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        currentPath.addCurve(to: end, control1: control1, control2: control2, transform: ctm)
    }

    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        currentPath.addQuadCurve(to: end, control: control, transform: ctm)
    }

    /// Adds an arc.
    ///
    /// - Parameters:
    ///   - startAngle: In radians, from the x axis toward the y axis.
    ///   - clockwise: Whether the angle decreases.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        currentPath.addArc(
            center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise,
            transform: ctm)
    }

    /// A copy of the path in user space; nil if it is empty.
    public var path: CGPath? {
        var inverse = ctm.inverted()
        return currentPath.isEmpty ? nil : currentPath.copy(using: &inverse)
    }

    public var isPathEmpty: Bool { currentPath.isEmpty }
    public var currentPointOfPath: CGPoint { currentPath.currentPoint.applying(ctm.inverted()) }
    public var boundingBoxOfPath: CGRect { path?.boundingBox ?? .null }

    // MARK: Drawing the path

    /// Fills the path and clears it.
    public func fillPath(using rule: CGPathFillRule = .winding) {
        draw(consumePath(), fill: rule, stroke: false)
    }

    /// Strokes the path and clears it.
    public func strokePath() { draw(consumePath(), fill: nil, stroke: true) }

    /// Draws the path and clears it.
    public func drawPath(using mode: CGPathDrawingMode) {
        switch mode {
        case .fill: draw(consumePath(), fill: .winding, stroke: false)
        case .eoFill: draw(consumePath(), fill: .evenOdd, stroke: false)
        case .stroke: draw(consumePath(), fill: nil, stroke: true)
        case .fillStroke: draw(consumePath(), fill: .winding, stroke: true)
        case .eoFillStroke: draw(consumePath(), fill: .evenOdd, stroke: true)
        }
    }

    public func fill(_ rect: CGRect) { draw(transformed { $0.addRect(rect) }, fill: .winding, stroke: false) }
    public func fill(_ rects: [CGRect]) { draw(transformed { $0.addRects(rects) }, fill: .winding, stroke: false) }
    public func stroke(_ rect: CGRect) { draw(transformed { $0.addRect(rect) }, fill: nil, stroke: true) }

    public func stroke(_ rect: CGRect, width: CGFloat) {
        let old = state.lineWidth
        state.lineWidth = width
        stroke(rect)
        state.lineWidth = old
    }

    public func fillEllipse(in rect: CGRect) {
        draw(transformed { $0.addEllipse(in: rect) }, fill: .winding, stroke: false)
    }

    public func strokeEllipse(in rect: CGRect) {
        draw(transformed { $0.addEllipse(in: rect) }, fill: nil, stroke: true)
    }

    /// Strokes a line between each pair of points.
    public func strokeLineSegments(between points: [CGPoint]) {
        let lines = transformed { path in
            for index in stride(from: 0, to: points.count - 1, by: 2) {
                path.addLines(between: [points[index], points[index + 1]])
            }
        }
        draw(lines, fill: nil, stroke: true)
    }

    /// Makes a rectangle transparent, or black in an opaque bitmap.
    public func clear(_ rect: CGRect) {
        let old = state
        (state.blendMode, state.shadow) = (.clear, nil)
        fill(rect)
        state = old
    }

    // MARK: Clip

    /// Restricts drawing to the path, and clears the path.
    public func clip(using rule: CGPathFillRule = .winding) { clip(to: consumePath(), rule) }

    /// Restricts drawing to a rectangle, and clears the path.
    public func clip(to rect: CGRect) { clip(to: [rect]) }

    /// Restricts drawing to rectangles, and clears the path.
    public func clip(to rects: [CGRect]) {
        beginPath()
        clip(to: transformed { $0.addRects(rects) }, .winding)
    }

    private func clip(to path: CGPath, _ rule: CGPathFillRule) {
        setCairoPath(path)
        ccairo_set_fill_rule(bitmap.context, rule.cairoRule)
        ccairo_set_antialias(bitmap.context, antialias)
        ccairo_clip(bitmap.context)
    }

    /// The bounding rectangle of the area to which drawing is restricted.
    public var boundingBoxOfClipPath: CGRect {
        var (x1, y1, x2, y2) = (0.0, 0.0, 0.0, 0.0)
        ccairo_set_matrix(bitmap.context, [cairo_matrix_t(.identity)])
        ccairo_clip_extents(bitmap.context, &x1, &y1, &x2, &y2)
        return CGRect(x: x1, y: CGFloat(height) - y2, width: x2 - x1, height: y2 - y1).applying(ctm.inverted())
    }

    // MARK: Drawing with cairo

    /// Returns the current path and clears it.
    private func consumePath() -> CGPath {
        defer { beginPath() }
        return currentPath
    }

    /// Returns a path in the coordinates of the bitmap.
    private func transformed(_ add: (CGMutablePath) -> Void) -> CGPath {
        let path = CGMutablePath()
        add(path)
        return CGPath(elements: path.elements.map { $0.applying(ctm) })
    }

    /// Draws a path in the coordinates of the bitmap.
    ///
    /// - Parameter rule: The rule by which the path is filled; nil if it is not filled.
    private func draw(_ path: CGPath, fill rule: CGPathFillRule?, stroke: Bool) {
        guard !path.isEmpty else { return }
        let bounds = path.boundingBox
        if let rule {
            composite(within: bounds) {
                setCairoPath(path)
                setSource(state.fillColor)
                ccairo_set_fill_rule(bitmap.context, rule.cairoRule)
                ccairo_set_antialias(bitmap.context, antialias)
                ccairo_fill(bitmap.context)
            }
        }
        // cairo rejects a matrix that is not invertible.
        guard stroke, state.lineWidth > 0, ctm.isInvertible else { return }
        // Miters and square caps reach farther than half a line width.
        let reach = state.lineWidth * (hypot(ctm.a, ctm.b) + hypot(ctm.c, ctm.d)) * max(state.miterLimit, 2) / 2
        composite(within: bounds.insetBy(dx: -reach, dy: -reach)) {
            setCairoPath(path)
            setSource(state.strokeColor)
            ccairo_set_antialias(bitmap.context, antialias)
            ccairo_set_line_width(bitmap.context, state.lineWidth)
            ccairo_set_line_cap(bitmap.context, state.lineCap.rawValue)
            ccairo_set_line_join(bitmap.context, state.lineJoin.rawValue)
            ccairo_set_miter_limit(bitmap.context, state.miterLimit)
            setDash()
            ccairo_set_matrix(bitmap.context, [cairo_matrix_t(ctm.concatenating(toPixels))])
            ccairo_stroke(bitmap.context)
        }
    }

    /// Sets the dashes of lines. Lines are solid if cairo would reject the dashes.
    private func setDash() {
        let lengths = state.dashLengths.map(Double.init)
        let isValid = lengths.allSatisfy { $0 >= 0 } && lengths.contains { $0 > 0 }
        ccairo_set_dash(bitmap.context, lengths, isValid ? Int32(lengths.count) : 0, state.dashPhase)
    }

    private var antialias: Int32 {
        Int32(state.isAntialiased ? CCAIRO_ANTIALIAS_DEFAULT : CCAIRO_ANTIALIAS_NONE)
    }

    private func setSource(_ color: CGColor) {
        let values = color.components ?? [0, 1]
        let (red, green, blue) =
            values.count == 2 ? (values[0], values[0], values[0]) : (values[0], values[1], values[2])
        ccairo_set_source_rgba(bitmap.context, red, green, blue, color.alpha * state.alpha)
    }

    /// The transform from the coordinates of the bitmap to pixels, top row first.
    var toPixels: CGAffineTransform { CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(height)) }

    /// Sets cairo's current path to a path in the coordinates of the bitmap.
    func setCairoPath(_ path: CGPath) {
        let (context, height) = (bitmap.context, Double(height))
        ccairo_set_matrix(context, [cairo_matrix_t(.identity)])
        ccairo_new_path(context)
        for element in path.elements {
            switch element {
            case .move(let point): ccairo_move_to(context, point.x, height - point.y)
            case .line(let point): ccairo_line_to(context, point.x, height - point.y)
            case .curve(let point, let first, let second):
                ccairo_curve_to(
                    context, first.x, height - first.y, second.x, height - second.y, point.x, height - point.y)
            case .close: ccairo_close_path(context)
            }
        }
    }
}

/// How a path is drawn; `eo` is the even-odd rule.
public enum CGPathDrawingMode: Int32, Hashable, Sendable {
    case fill = 0
    case eoFill, stroke, fillStroke, eoFillStroke
}

extension CGPathFillRule {
    var cairoRule: Int32 {
        Int32(self == .winding ? CCAIRO_FILL_RULE_WINDING : CCAIRO_FILL_RULE_EVEN_ODD)
    }
}

extension CGAffineTransform {
    var isInvertible: Bool {
        let determinant = a * d - b * c
        return determinant != 0 && determinant.isFinite && tx.isFinite && ty.isFinite
    }
}

extension cairo_matrix_t {
    init(_ transform: CGAffineTransform) {
        self.init(
            xx: transform.a, yx: transform.b, xy: transform.c, yy: transform.d, x0: transform.tx, y0: transform.ty)
    }
}
