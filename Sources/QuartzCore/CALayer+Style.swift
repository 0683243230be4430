public import Foundation
public import MediaTypes

/// The appearance of a layer, without its geometry.
struct LayerStyle {
    var isHidden = false
    var opacity: Float = 1
    var isOpaque = false
    var cornerRadius: CGFloat = 0
    var maskedCorners: CACornerMask = .all
    var cornerCurve = CALayerCornerCurve.circular
    var masksToBounds = false
    var contents: Any?
    var contentsGravity = CALayerContentsGravity.resize
    var contentsScale: CGFloat = 1
    var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
    var backgroundColor: CGColor?
    var borderWidth: CGFloat = 0
    var borderColor: CGColor? = .black
    var shadow = LayerShadow()
    var rasterizes = false
    var name: String?
}

/// The shadow of a layer.
struct LayerShadow {
    var color: CGColor? = .black
    var opacity: Float = 0
    var offset = CGSize(width: 0, height: -3)
    var radius: CGFloat = 3
}

extension CALayer {
    private func style<Value>(_ path: KeyPath<LayerStyle, Value>) -> Value {
        state.withLock { $0.style[keyPath: path] }
    }

    private func setStyle<Value>(_ path: WritableKeyPath<LayerStyle, Value>, _ value: Value) {
        state.withLock { $0.style[keyPath: path] = value }
    }

    public var isHidden: Bool {
        get { style(\.isHidden) }
        set { setStyle(\.isHidden, newValue) }
    }
    /// The opacity from 0 (transparent) to 1 (opaque).
    public var opacity: Float {
        get { style(\.opacity) }
        set { setStyle(\.opacity, newValue) }
    }
    public var isOpaque: Bool {
        get { style(\.isOpaque) }
        set { setStyle(\.isOpaque, newValue) }
    }
    /// The corner radius in points.
    public var cornerRadius: CGFloat {
        get { style(\.cornerRadius) }
        set { setStyle(\.cornerRadius, newValue) }
    }
    public var maskedCorners: CACornerMask {
        get { style(\.maskedCorners) }
        set { setStyle(\.maskedCorners, newValue) }
    }
    public var cornerCurve: CALayerCornerCurve {
        get { style(\.cornerCurve) }
        set { setStyle(\.cornerCurve, newValue) }
    }
    /// Whether sublayers are clipped to the bounds.
    public var masksToBounds: Bool {
        get { style(\.masksToBounds) }
        set { setStyle(\.masksToBounds, newValue) }
    }
    /// The layer's contents: a `CGImage` or any other object.
    public var contents: Any? {
        get { style(\.contents) }
        set { setStyle(\.contents, newValue) }
    }
    public var contentsGravity: CALayerContentsGravity {
        get { style(\.contentsGravity) }
        set { setStyle(\.contentsGravity, newValue) }
    }
    /// The number of pixels per point.
    public var contentsScale: CGFloat {
        get { style(\.contentsScale) }
        set { setStyle(\.contentsScale, newValue) }
    }
    /// The visible part of the contents, in unit coordinates.
    public var contentsRect: CGRect {
        get { style(\.contentsRect) }
        set { setStyle(\.contentsRect, newValue) }
    }
    public var backgroundColor: CGColor? {
        get { style(\.backgroundColor) }
        set { setStyle(\.backgroundColor, newValue) }
    }
    public var borderWidth: CGFloat {
        get { style(\.borderWidth) }
        set { setStyle(\.borderWidth, newValue) }
    }
    public var borderColor: CGColor? {
        get { style(\.borderColor) }
        set { setStyle(\.borderColor, newValue) }
    }
    public var shadowColor: CGColor? {
        get { style(\.shadow.color) }
        set { setStyle(\.shadow.color, newValue) }
    }
    public var shadowOpacity: Float {
        get { style(\.shadow.opacity) }
        set { setStyle(\.shadow.opacity, newValue) }
    }
    public var shadowOffset: CGSize {
        get { style(\.shadow.offset) }
        set { setStyle(\.shadow.offset, newValue) }
    }
    public var shadowRadius: CGFloat {
        get { style(\.shadow.radius) }
        set { setStyle(\.shadow.radius, newValue) }
    }
    public var shouldRasterize: Bool {
        get { style(\.rasterizes) }
        set { setStyle(\.rasterizes, newValue) }
    }
    public var name: String? {
        get { style(\.name) }
        set { setStyle(\.name, newValue) }
    }
}

/// How contents are positioned and scaled in a layer's bounds.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let center = CALayerContentsGravity(rawValue: "center")
    public static let top = CALayerContentsGravity(rawValue: "top")
    public static let bottom = CALayerContentsGravity(rawValue: "bottom")
    public static let left = CALayerContentsGravity(rawValue: "left")
    public static let right = CALayerContentsGravity(rawValue: "right")
    public static let topLeft = CALayerContentsGravity(rawValue: "topLeft")
    public static let topRight = CALayerContentsGravity(rawValue: "topRight")
    public static let bottomLeft = CALayerContentsGravity(rawValue: "bottomLeft")
    public static let bottomRight = CALayerContentsGravity(rawValue: "bottomRight")
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

/// The corners to which the corner radius applies.
public struct CACornerMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1)
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 2)
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 4)
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 8)

    static let all: CACornerMask = [
        .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
}

/// The shape of a rounded corner.
public struct CALayerCornerCurve: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let circular = CALayerCornerCurve(rawValue: "circular")
    public static let continuous = CALayerCornerCurve(rawValue: "continuous")
}
