public import Foundation
public import MediaTypes
public import VectorGraphics

/// A rectangle in a tree of layers; the base class of preview layers.
///
/// The y axis points down, as on iOS. `render(in:)` draws a tree of layers; nothing is drawn automatically. Changes apply
/// immediately, without animations.
/// - Important: Thread-safe, except that only one thread at a time may modify a tree's structure.
open class CALayer: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`; state of subclasses is constant or behind a lock.
    struct State {
        var bounds = CGRect.zero
        var position = CGPoint.zero
        var anchorPoint = CGPoint(x: 0.5, y: 0.5)
        var zPosition: CGFloat = 0
        var transform = CATransform3DIdentity
        var style = LayerStyle()
        var sublayers: [CALayer] = []
        weak var superlayer: CALayer?
        weak var delegate: (any CALayerDelegate)?
        var mask: CALayer?
        var needsLayout = false
        var needsDisplay = false
        var animations: [AddedAnimation] = []
        /// The number of the animation that was added last.
        var lastAnimation = 0
    }

    let state: Lock<State>

    public override init() {
        state = Lock(State())
    }

    /// Creates a copy of a layer's geometry and appearance, without a superlayer, sublayers,
    /// mask, delegate or animations.
    ///
    /// - Parameter layer: A `CALayer`; other objects are ignored.
    public init(layer: Any) {
        var copied = (layer as? CALayer)?.state.withLock { $0 } ?? State()
        (copied.sublayers, copied.superlayer, copied.mask, copied.delegate) = ([], nil, nil, nil)
        copied.animations = []
        state = Lock(copied)
    }

    /// The layer's rectangle in its own coordinates.
    open var bounds: CGRect {
        get { state.withLock { $0.bounds } }
        set {
            state.withLock { state in
                if state.bounds.size != newValue.size { state.needsLayout = true }
                state.bounds = newValue
            }
        }
    }

    /// The anchor point's position in the superlayer's coordinates.
    open var position: CGPoint {
        get { state.withLock { $0.position } }
        set { state.withLock { $0.position = newValue } }
    }

    /// The origin of the layer's transform in unit coordinates; the center by default.
    open var anchorPoint: CGPoint {
        get { state.withLock { $0.anchorPoint } }
        set { state.withLock { $0.anchorPoint = newValue } }
    }

    /// Sublayers with greater positions are drawn in front of others.
    open var zPosition: CGFloat {
        get { state.withLock { $0.zPosition } }
        set { state.withLock { $0.zPosition = newValue } }
    }

    /// The transform relative to the anchor point.
    open var transform: CATransform3D {
        get { state.withLock { $0.transform } }
        set { state.withLock { $0.transform = newValue } }
    }

    /// Returns the two-dimensional part of the transform.
    open func affineTransform() -> CGAffineTransform { transform.plane }

    open func setAffineTransform(_ m: CGAffineTransform) { transform = CATransform3DMakeAffineTransform(m) }

    /// The layer's bounding rectangle in its superlayer's coordinates.
    ///
    /// Setting it changes `position` and the size of `bounds`. If the layer is rotated by an angle other than a quarter
    /// turn, the size is that of an unrotated layer with that frame.
    open var frame: CGRect {
        get {
            let (bounds, toSuperlayer) = state.withLock { ($0.bounds, $0.toSuperlayer) }
            return bounds.applying(toSuperlayer)
        }
        set {
            let size = newValue.size.applying(transform.plane.inverted())
            bounds.size = CGSize(width: abs(size.width), height: abs(size.height))
            // With a fixed size, the frame has a constant offset from the position.
            let current = frame
            let old = position
            position = CGPoint(
                x: old.x + newValue.origin.x - current.origin.x, y: old.y + newValue.origin.y - current.origin.y)
        }
    }

    /// Whether the layer contains a point, in the layer's coordinates.
    open func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }

    /// Returns the frontmost visible layer of this tree at a point in the superlayer's coordinates.
    open func hitTest(_ p: CGPoint) -> CALayer? {
        guard !isHidden, opacity > 0 else { return nil }
        let point = p.applying(state.withLock { $0.toSuperlayer }.inverted())
        guard contains(point) || !masksToBounds else { return nil }
        for layer in (sublayers ?? []).reversed() {
            if let hit = layer.hitTest(point) { return hit }
        }
        return contains(point) ? self : nil
    }

    /// Requests a call of `layoutSublayers()` at the next `layoutIfNeeded()`.
    open func setNeedsLayout() { state.withLock { $0.needsLayout = true } }

    open func needsLayout() -> Bool { state.withLock { $0.needsLayout } }

    /// Lays out this layer and its sublayers if requested; a change of size requests it too.
    open func layoutIfNeeded() {
        let isDue = state.withLock { state in
            defer { state.needsLayout = false }
            return state.needsLayout
        }
        if isDue { layoutSublayers() }
        for layer in sublayers ?? [] { layer.layoutIfNeeded() }
    }

    /// Lays out the sublayers; overridden by subclasses. This implementation calls the delegate.
    open func layoutSublayers() { delegate?.layoutSublayers(of: self) }

    /// Marks the contents as changed.
    open func setNeedsDisplay() { state.withLock { $0.needsDisplay = true } }

    open func setNeedsDisplay(_ r: CGRect) { setNeedsDisplay() }

    open func needsDisplay() -> Bool { state.withLock { $0.needsDisplay } }

    /// Calls `display()` if the contents are marked as changed.
    open func displayIfNeeded() {
        let isDue = state.withLock { state in
            defer { state.needsDisplay = false }
            return state.needsDisplay
        }
        if isDue { display() }
    }

    /// Updates `contents`; overridden by subclasses. This implementation calls the delegate.
    open func display() { delegate?.display(self) }

    /// Draws contents in the layer's coordinates, over `contents`; overridden by subclasses. This implementation calls
    /// the delegate.
    ///
    /// - Note: Unlike Apple, it is called whenever the layer is rendered, also without `setNeedsDisplay()`; its drawing
    ///   is not stored.
    open func draw(in ctx: CGContext) { delegate?.draw(self, in: ctx) }

    /// Draws what the layer shows between its background and its sublayers.
    func renderOwnContents(in ctx: CGContext) {
        renderImage(in: ctx)
        ctx.saveGState()
        ctx.resetColorsAndLines()
        ctx.clip(to: bounds)
        draw(in: ctx)
        ctx.restoreGState()
    }

    /// The object that provides contents and layout.
    public var delegate: (any CALayerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
}

extension CALayer.State {
    /// The transform from the layer's coordinates to its superlayer's.
    var toSuperlayer: CGAffineTransform {
        let anchor = CGPoint(
            x: bounds.minX + anchorPoint.x * bounds.width, y: bounds.minY + anchorPoint.y * bounds.height)
        return CGAffineTransform(translationX: -anchor.x, y: -anchor.y)
            .concatenating(transform.plane)
            .concatenating(CGAffineTransform(translationX: position.x, y: position.y))
    }
}
