public import Foundation
public import MediaTypes

/// A rectangle of a picture that is made of others: the base of preview layers.
///
/// The y axis points down, as on iOS. Nothing is drawn by itself, and changes take effect at once: there are no
/// animations.
/// - Important: Thread-safe, save that two threads must not rearrange one tree at a time.
open class CALayer: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`; what a subclass adds is constant or behind a lock.
    struct State {
        var bounds = CGRect.zero
        var position = CGPoint.zero
        var anchorPoint = CGPoint(x: 0.5, y: 0.5)
        var zPosition: CGFloat = 0
        var transform = CATransform3DIdentity
        var style = LayerStyle()
        var sublayers: [CALayer] = []
        weak var superlayer: CALayer?
        var mask: CALayer?
        var needsLayout = false
        var needsDisplay = false
    }

    let state: Lock<State>

    public override init() {
        state = Lock(State())
    }

    /// Makes a layer that looks like another one, in no tree.
    ///
    /// - Parameter layer: A `CALayer`; of anything else nothing is taken.
    public init(layer: Any) {
        var copied = (layer as? CALayer)?.state.withLock { $0 } ?? State()
        (copied.sublayers, copied.superlayer, copied.mask) = ([], nil, nil)
        state = Lock(copied)
    }

    /// The layer's own coordinates: what it shows.
    open var bounds: CGRect {
        get { state.withLock { $0.bounds } }
        set {
            state.withLock { state in
                if state.bounds.size != newValue.size { state.needsLayout = true }
                state.bounds = newValue
            }
        }
    }

    /// Where the anchor point lies in the superlayer's coordinates.
    open var position: CGPoint {
        get { state.withLock { $0.position } }
        set { state.withLock { $0.position = newValue } }
    }

    /// The point of the bounds about which the layer turns, (0,0) … (1,1); the middle by default.
    open var anchorPoint: CGPoint {
        get { state.withLock { $0.anchorPoint } }
        set { state.withLock { $0.anchorPoint = newValue } }
    }

    /// The order among sublayers of one layer; kept, the order in the list being what counts here.
    open var zPosition: CGFloat {
        get { state.withLock { $0.zPosition } }
        set { state.withLock { $0.zPosition = newValue } }
    }

    /// What happens to the layer about its anchor point.
    open var transform: CATransform3D {
        get { state.withLock { $0.transform } }
        set { state.withLock { $0.transform = newValue } }
    }

    /// The transform within the plane.
    open func affineTransform() -> CGAffineTransform { transform.plane }

    open func setAffineTransform(_ m: CGAffineTransform) { transform = CATransform3DMakeAffineTransform(m) }

    /// The upright rectangle around the layer in its superlayer's coordinates.
    ///
    /// Setting it changes `position` and the size of `bounds`; under a rotation that is no quarter turn the size is
    /// what an upright layer of that frame would have.
    open var frame: CGRect {
        get {
            let (bounds, toSuperlayer) = state.withLock { ($0.bounds, $0.toSuperlayer) }
            return bounds.applying(toSuperlayer)
        }
        set {
            let size = newValue.size.applying(transform.plane.inverted())
            bounds.size = CGSize(width: abs(size.width), height: abs(size.height))
            // With the size known, the frame hangs off the position by a constant.
            let present = frame
            let old = position
            position = CGPoint(
                x: old.x + newValue.origin.x - present.origin.x, y: old.y + newValue.origin.y - present.origin.y)
        }
    }

    /// Whether a point in the layer's coordinates lies inside.
    open func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }

    /// The highest visible layer of this tree at a point in the superlayer's coordinates.
    open func hitTest(_ p: CGPoint) -> CALayer? {
        guard !isHidden, opacity > 0 else { return nil }
        let inside = p.applying(state.withLock { $0.toSuperlayer }.inverted())
        guard contains(inside) || !masksToBounds else { return nil }
        for layer in (sublayers ?? []).reversed() {
            if let hit = layer.hitTest(inside) { return hit }
        }
        return contains(inside) ? self : nil
    }

    /// Asks that `layoutSublayers()` runs at the next `layoutIfNeeded()`.
    open func setNeedsLayout() { state.withLock { $0.needsLayout = true } }

    open func needsLayout() -> Bool { state.withLock { $0.needsLayout } }

    /// Lays out this layer and those below where it is due; a change of size makes it due.
    open func layoutIfNeeded() {
        let isDue = state.withLock { state in
            defer { state.needsLayout = false }
            return state.needsLayout
        }
        if isDue { layoutSublayers() }
        for layer in sublayers ?? [] { layer.layoutIfNeeded() }
    }

    /// For subclasses: places the sublayers.
    open func layoutSublayers() {}

    /// Notes that the contents have changed.
    open func setNeedsDisplay() { state.withLock { $0.needsDisplay = true } }

    open func setNeedsDisplay(_ r: CGRect) { setNeedsDisplay() }

    open func needsDisplay() -> Bool { state.withLock { $0.needsDisplay } }

    /// Has `display()` renew the contents where that is due.
    open func displayIfNeeded() {
        let isDue = state.withLock { state in
            defer { state.needsDisplay = false }
            return state.needsDisplay
        }
        if isDue { display() }
    }

    /// For subclasses: renews `contents`.
    open func display() {}
}

extension CALayer.State {
    /// From the layer's coordinates to its superlayer's.
    var toSuperlayer: CGAffineTransform {
        let anchor = CGPoint(
            x: bounds.minX + anchorPoint.x * bounds.width, y: bounds.minY + anchorPoint.y * bounds.height)
        return CGAffineTransform(translationX: -anchor.x, y: -anchor.y)
            .concatenating(transform.plane)
            .concatenating(CGAffineTransform(translationX: position.x, y: position.y))
    }
}
