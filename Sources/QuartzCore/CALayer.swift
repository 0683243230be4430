public import Foundation
public import MediaTypes
public import VectorGraphics

/// A rectangle in a tree of layers; the base class of preview layers.
///
/// The y axis points down, as on iOS, except in movies of an `AVVideoCompositionCoreAnimationTool`, where it points up.
/// `render(in:)` draws a tree of layers; nothing is drawn automatically. Changes apply immediately, without implicit
/// animations.
/// - Important: Thread-safe, except that only one thread at a time may modify a tree's structure.
open class CALayer: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`; state of subclasses is constant or behind a lock.
    struct State {
        var bounds = CGRect.zero
        var position = CGPoint.zero
        var anchorPoint = CGPoint(x: 0.5, y: 0.5)
        var zPosition: CGFloat = 0
        var transform = CATransform3DIdentity
        var isGeometryFlipped = false
        var style = LayerStyle()
        var timing = MediaTiming(duration: .infinity)
        var sublayers: [CALayer] = []
        weak var superlayer: CALayer?
        weak var delegate: (any CALayerDelegate)?
        var mask: CALayer?
        var needsLayout = false
        var needsDisplay = false
        var animations: [AddedAnimation] = []
        /// The number of the animation that was added last.
        var lastAnimation = 0
        /// The original of a presentation layer; nil for other layers.
        var model: CALayer?
    }

    let state: Lock<State>

    public override init() {
        state = Lock(State())
    }

    /// Creates a copy of a layer's geometry, appearance and timing, without a superlayer, sublayers, mask, delegate or
    /// animations.
    ///
    /// - Parameter layer: A `CALayer`; other objects are ignored.
    public init(layer: Any) {
        var copied = (layer as? CALayer)?.state.withLock { $0 } ?? State()
        (copied.sublayers, copied.superlayer, copied.mask, copied.delegate) = ([], nil, nil, nil)
        (copied.animations, copied.model) = ([], nil)
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

    /// Sublayers with a greater value are drawn in front of others.
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
    open func affineTransform() -> CGAffineTransform { transform.affinePart }

    open func setAffineTransform(_ m: CGAffineTransform) { transform = CATransform3DMakeAffineTransform(m) }

    /// Whether the y axis points in the direction opposite to that of the superlayer, for this layer and its sublayers.
    ///
    /// Images and text stay upright.
    open var isGeometryFlipped: Bool {
        get { state.withLock { $0.isGeometryFlipped } }
        set { state.withLock { $0.isGeometryFlipped = newValue } }
    }

    /// Returns whether the y axis of the layer points in the direction opposite to that of the coordinates in which the
    /// root of its tree is drawn.
    open func contentsAreFlipped() -> Bool {
        isGeometryFlipped != (superlayer?.contentsAreFlipped() ?? false)
    }

    /// The layer's bounding rectangle in its superlayer's coordinates.
    ///
    /// Setting it changes `position` and the size of `bounds`: the rectangle is transformed by the inverse of
    /// `transform`, and its bounding rectangle has the new size. If the layer is rotated by an angle other than a
    /// multiple of a quarter turn (90 degrees), the resulting frame has the same center but is larger.
    open var frame: CGRect {
        get {
            let (bounds, toSuperlayer) = state.withLock { ($0.bounds, $0.toSuperlayer) }
            return bounds.applying(toSuperlayer)
        }
        set {
            let (inverse, size) = (transform.affinePart.inverted(), newValue.size)
            bounds.size = CGSize(
                width: abs(inverse.a * size.width) + abs(inverse.c * size.height),
                height: abs(inverse.b * size.width) + abs(inverse.d * size.height))
            // With a fixed size, the frame's center has a constant offset from the position.
            let current = frame
            let old = position
            position = CGPoint(x: old.x + newValue.midX - current.midX, y: old.y + newValue.midY - current.midY)
        }
    }

    /// Whether the layer contains a point, in the layer's coordinates.
    open func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }

    /// Returns the last visible layer of this tree, in the order of `sublayers`, at a point in the superlayer's
    /// coordinates.
    ///
    /// As on Apple's systems, `zPosition` changes the order of drawing but not that of hit testing.
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

    /// The values that the client set; subclasses add their own.
    var modelValues: LayerValues { LayerValues(state: state.withLock { $0 }) }

    /// Returns a copy for `presentation()`; subclasses return one of their class.
    func makePresentationLayer() -> CALayer { CALayer(layer: self) }

    /// Sets the values of a presentation layer; subclasses set their own.
    func setPresentationValues(_ values: LayerValues) {
        state.withLock { state in
            (state.bounds, state.position, state.anchorPoint) = (
                values.state.bounds, values.state.position, values.state.anchorPoint
            )
            (state.zPosition, state.transform) = (values.state.zPosition, values.state.transform)
            state.style = values.state.style
        }
    }

    /// Draws contents that stay upright if the y axis of the layer points up, in coordinates whose y axis points down;
    /// overridden by subclasses.
    func renderUprightContents(_ values: LayerValues, in ctx: CGContext) { values.drawImage(in: ctx) }

    /// Draws the contents between the upright contents and the sublayers; overridden by subclasses.
    func renderOwnContents(_ values: LayerValues, in ctx: CGContext) {
        ctx.saveGState()
        ctx.resetColorsAndLines()
        ctx.clip(to: values.state.bounds)
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
            .concatenating(CGAffineTransform(scaleX: 1, y: isGeometryFlipped ? -1 : 1))
            .concatenating(transform.affinePart)
            .concatenating(CGAffineTransform(translationX: position.x, y: position.y))
    }
}
