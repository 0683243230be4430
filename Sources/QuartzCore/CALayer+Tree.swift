public import Foundation
import MediaTypes

extension CALayer {
    /// The layer that holds this one.
    public var superlayer: CALayer? { state.withLock { $0.superlayer } }

    /// The layers in this one, the lowest first; nil where there are none.
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

    /// Puts a layer on top of the others; it leaves the layer that held it.
    public func addSublayer(_ layer: CALayer) { insert(layer) { $0.count } }

    /// Puts a layer at a place in the list.
    ///
    /// - Parameter idx: 0 is the lowest; past the end means on top.
    public func insertSublayer(_ layer: CALayer, at idx: UInt32) { insert(layer) { min(Int(idx), $0.count) } }

    /// Puts a layer directly below another, or lowest where that is not in this layer.
    public func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insert(layer) { layers in layers.firstIndex { $0 === sibling } ?? 0 }
    }

    /// Puts a layer directly above another, or on top where that is not in this layer.
    public func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        insert(layer) { layers in layers.firstIndex { $0 === sibling }.map { $0 + 1 } ?? layers.count }
    }

    /// Puts a layer into another's place; nothing happens where that is not in this layer.
    public func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
        guard oldLayer.superlayer === self, oldLayer !== newLayer else { return }
        insertSublayer(newLayer, above: oldLayer)
        oldLayer.removeFromSuperlayer()
    }

    /// Takes this layer out of the one that holds it.
    public func removeFromSuperlayer() {
        let parent = state.withLock { state in
            defer { state.superlayer = nil }
            return state.superlayer
        }
        guard let parent else { return }
        parent.state.withLock { $0.sublayers.removeAll { $0 === self } }
    }

    /// The layer whose opacity shows through to this one.
    public var mask: CALayer? {
        get { state.withLock { $0.mask } }
        set { state.withLock { $0.mask = newValue } }
    }

    /// A point of another layer's coordinates in this one's; nil stands for the coordinates around the whole tree.
    public func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint {
        p.applying((l?.toRoot ?? .identity).concatenating(toRoot.inverted()))
    }

    public func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint {
        p.applying(toRoot.concatenating((l?.toRoot ?? .identity).inverted()))
    }

    public func convert(_ r: CGRect, from l: CALayer?) -> CGRect {
        r.applying((l?.toRoot ?? .identity).concatenating(toRoot.inverted()))
    }

    public func convert(_ r: CGRect, to l: CALayer?) -> CGRect {
        r.applying(toRoot.concatenating((l?.toRoot ?? .identity).inverted()))
    }

    /// From this layer's coordinates to those around the whole tree.
    private var toRoot: CGAffineTransform {
        var result = CGAffineTransform.identity
        var layer: CALayer? = self
        while let present = layer {
            let (step, parent) = present.state.withLock { ($0.toSuperlayer, $0.superlayer) }
            result = result.concatenating(step)
            guard let parent else { break }
            // A sublayer's position is in the superlayer's bounds, whose origin need not be zero.
            layer = parent
        }
        return result
    }

    private func insert(_ layer: CALayer, at place: ([CALayer]) -> Int) {
        guard layer !== self else { return }
        layer.removeFromSuperlayer()
        state.withLock { $0.sublayers.insert(layer, at: place($0.sublayers)) }
        layer.state.withLock { $0.superlayer = self }
    }
}
