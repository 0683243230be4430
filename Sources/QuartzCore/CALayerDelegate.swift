public import VectorGraphics

/// Provides the contents and the layout of a layer.
public protocol CALayerDelegate: AnyObject {
    /// Sets the layer's contents.
    func display(_ layer: CALayer)
    /// Draws the layer's contents over `contents`.
    func draw(_ layer: CALayer, in ctx: CGContext)
    func layoutSublayers(of layer: CALayer)
}

extension CALayerDelegate {
    public func display(_ layer: CALayer) {}
    public func draw(_ layer: CALayer, in ctx: CGContext) {}
    public func layoutSublayers(of layer: CALayer) {}
}
