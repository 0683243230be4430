public import Foundation
import MediaTypes

extension CALayer {
    /// The layer's parent; for a presentation layer, the presentation layer of the parent.
    public var superlayer: CALayer? {
        let (parent, model) = state.withLock { ($0.superlayer, $0.model) }
        return parent ?? model?.superlayer?.presentation()
    }

    /// The layer's children in back-to-front order; nil if there are none.
    public var sublayers: [CALayer]? {
        get {
            let layers = state.withLock { $0.sublayers }
            return layers.isEmpty ? nil : layers
        }
        set {
            for layer in sublayers ?? [] where !(newValue ?? []).contains(layer) { layer.removeFromSuperlayer() }
            for layer in newValue ?? [] { addSublayer(layer) }
        }
    }

    /// Adds a layer in front of the other sublayers and removes it from its previous superlayer.
    public func addSublayer(_ layer: CALayer) { insert(layer) { $0.count } }

    /// Inserts a layer at an index.
    ///
    /// - Parameter idx: 0 is the back; an index past the end means the front.
    public func insertSublayer(_ layer: CALayer, at idx: UInt32) { insert(layer) { min(Int(idx), $0.count) } }

    /// Inserts a layer directly behind a sibling, or at the back if the sibling is not a sublayer.
    public func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insert(layer) { layers in layers.firstIndex { $0 === sibling } ?? 0 }
    }

    /// Inserts a layer directly in front of a sibling, or at the front if the sibling is not a sublayer.
    public func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        insert(layer) { layers in layers.firstIndex { $0 === sibling }.map { $0 + 1 } ?? layers.count }
    }

    /// Replaces a sublayer; has no effect if the old layer is not a sublayer.
    public func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
        guard oldLayer.superlayer === self, oldLayer !== newLayer else { return }
        insertSublayer(newLayer, above: oldLayer)
        oldLayer.removeFromSuperlayer()
    }

    /// Removes the layer from its superlayer.
    public func removeFromSuperlayer() {
        let parent = state.withLock { state in
            defer { state.superlayer = nil }
            return state.superlayer
        }
        guard let parent else { return }
        parent.state.withLock { $0.sublayers.removeAll { $0 === self } }
    }

    /// The layer with the alpha channel that masks this layer.
    public var mask: CALayer? {
        get { state.withLock { $0.mask } }
        set { state.withLock { $0.mask = newValue } }
    }

    /// Converts a point from another layer's coordinates; nil means the coordinates of the tree's root.
    public func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint {
        p.applying((l?.toRoot ?? .identity).concatenating(toRoot.inverted()))
    }

    /// Converts a point to another layer's coordinates; nil means the coordinates of the tree's root.
    public func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint {
        p.applying(toRoot.concatenating((l?.toRoot ?? .identity).inverted()))
    }

    /// Converts a rectangle from another layer's coordinates; nil means the coordinates of the tree's root.
    public func convert(_ r: CGRect, from l: CALayer?) -> CGRect {
        r.applying((l?.toRoot ?? .identity).concatenating(toRoot.inverted()))
    }

    /// Converts a rectangle to another layer's coordinates; nil means the coordinates of the tree's root.
    public func convert(_ r: CGRect, to l: CALayer?) -> CGRect {
        r.applying(toRoot.concatenating((l?.toRoot ?? .identity).inverted()))
    }

    /// The transform from this layer's coordinates to those of the tree's root.
    private var toRoot: CGAffineTransform {
        var result = CGAffineTransform.identity
        var layer: CALayer? = self
        while let current = layer {
            // A sublayer's position is in the superlayer's bounds. Their origin can be other than zero.
            result = result.concatenating(current.state.withLock { $0.toSuperlayer })
            layer = current.superlayer
        }
        return result
    }

    private func insert(_ layer: CALayer, at index: ([CALayer]) -> Int) {
        guard layer !== self else { return }
        layer.removeFromSuperlayer()
        state.withLock { $0.sublayers.insert(layer, at: index($0.sublayers)) }
        layer.state.withLock { $0.superlayer = self }
    }
}
