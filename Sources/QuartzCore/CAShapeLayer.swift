public import Foundation
public import MediaTypes
public import VectorGraphics

/// The path of a layer and how it is drawn.
struct ShapeStyle {
    var path: CGPath?
    var fillColor: CGColor? = .black
    var fillRule = CAShapeLayerFillRule.nonZero
    var strokeColor: CGColor?
    var strokeStart: CGFloat = 0
    var strokeEnd: CGFloat = 1
    var lineWidth: CGFloat = 1
    var lineCap = CAShapeLayerLineCap.butt
    var lineJoin = CAShapeLayerLineJoin.miter
    var miterLimit: CGFloat = 10
    var dashPattern: [NSNumber]?
    var dashPhase: CGFloat = 0
}

/// A layer that draws a path in its coordinates, also outside of its bounds.
open class CAShapeLayer: CALayer, @unchecked Sendable {
    // SAFETY: all state is behind the locks of the base class and `shape`.
    private let shape: Lock<ShapeStyle>

    public override init() {
        shape = Lock(ShapeStyle())
        super.init()
    }

    /// Creates a copy of a layer's geometry and appearance.
    public override init(layer: Any) {
        shape = Lock((layer as? CAShapeLayer)?.shape.withLock { $0 } ?? ShapeStyle())
        super.init(layer: layer)
    }

    private func value<Value>(_ path: KeyPath<ShapeStyle, Value>) -> Value { shape.withLock { $0[keyPath: path] } }

    private func set<Value>(_ path: WritableKeyPath<ShapeStyle, Value>, _ value: Value) {
        shape.withLock { $0[keyPath: path] = value }
    }

    open var path: CGPath? {
        get { value(\.path) }
        set { set(\.path, newValue?.copy()) }
    }
    /// Opaque black by default; nil for a path that is not filled.
    open var fillColor: CGColor? {
        get { value(\.fillColor) }
        set { set(\.fillColor, newValue) }
    }
    open var fillRule: CAShapeLayerFillRule {
        get { value(\.fillRule) }
        set { set(\.fillRule, newValue) }
    }
    /// Nil, the default, for a path that is not stroked.
    open var strokeColor: CGColor? {
        get { value(\.strokeColor) }
        set { set(\.strokeColor, newValue) }
    }
    /// The fraction of the path's length at which the stroke begins; 0 by default.
    open var strokeStart: CGFloat {
        get { value(\.strokeStart) }
        set { set(\.strokeStart, newValue) }
    }
    /// The fraction of the path's length at which the stroke ends; 1 by default.
    open var strokeEnd: CGFloat {
        get { value(\.strokeEnd) }
        set { set(\.strokeEnd, newValue) }
    }
    open var lineWidth: CGFloat {
        get { value(\.lineWidth) }
        set { set(\.lineWidth, newValue) }
    }
    open var lineCap: CAShapeLayerLineCap {
        get { value(\.lineCap) }
        set { set(\.lineCap, newValue) }
    }
    open var lineJoin: CAShapeLayerLineJoin {
        get { value(\.lineJoin) }
        set { set(\.lineJoin, newValue) }
    }
    open var miterLimit: CGFloat {
        get { value(\.miterLimit) }
        set { set(\.miterLimit, newValue) }
    }
    open var lineDashPattern: [NSNumber]? {
        get { value(\.dashPattern) }
        set { set(\.dashPattern, newValue) }
    }
    open var lineDashPhase: CGFloat {
        get { value(\.dashPhase) }
        set { set(\.dashPhase, newValue) }
    }

    override var modelValues: LayerValues {
        var values = super.modelValues
        values.shape = shape.withLock { $0 }
        return values
    }

    override func makePresentationLayer() -> CALayer { CAShapeLayer(layer: self) }

    override func setPresentationValues(_ values: LayerValues) {
        super.setPresentationValues(values)
        shape.withLock { $0 = values.shape }
    }

    override func renderOwnContents(_ values: LayerValues, in ctx: CGContext) {
        super.renderOwnContents(values, in: ctx)
        let shape = values.shape
        guard let path = shape.path else { return }
        ctx.saveGState()
        defer { ctx.restoreGState() }
        if let color = shape.fillColor {
            ctx.setFillColor(color)
            ctx.addPath(path)
            ctx.fillPath(using: shape.fillRule == .evenOdd ? .evenOdd : .winding)
        }
        guard let color = shape.strokeColor else { return }
        ctx.setStrokeColor(color)
        ctx.setLineWidth(shape.lineWidth)
        ctx.setLineCap(shape.lineCap == .round ? .round : shape.lineCap == .square ? .square : .butt)
        ctx.setLineJoin(shape.lineJoin == .round ? .round : shape.lineJoin == .bevel ? .bevel : .miter)
        ctx.setMiterLimit(shape.miterLimit)
        ctx.setLineDash(phase: shape.dashPhase, lengths: (shape.dashPattern ?? []).map { CGFloat($0.doubleValue) })
        ctx.addPath(path.trimmed(from: shape.strokeStart, to: shape.strokeEnd))
        ctx.strokePath()
    }
}

public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
    public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let butt = CAShapeLayerLineCap(rawValue: "butt")
    public static let round = CAShapeLayerLineCap(rawValue: "round")
    public static let square = CAShapeLayerLineCap(rawValue: "square")
}

public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
    public static let round = CAShapeLayerLineJoin(rawValue: "round")
    public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}
