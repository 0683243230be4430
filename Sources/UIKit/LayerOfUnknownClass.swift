public import QuartzCore

/// Creates layers of classes that are known only at run time.
///
/// It must be open: calls of its initializer are then never bound at compile time.
open class LayerOfUnknownClass: CALayer, @unchecked Sendable {
    // SAFETY: there is no state.
    public required override init() { super.init() }

    /// Creates a layer with `init()` of its class; a `CALayer` if the class is no layer class.
    static func create(_ layerClass: AnyClass) -> CALayer {
        guard let type = layerClass as? CALayer.Type, type != CALayer.self else { return CALayer() }
        // SAFETY: `init()` of each layer class overrides that of `CALayer` and has its place in the table of methods.
        // Swift calls only required initializers by this table; clients write `override init()`, as on Apple's systems.
        return unsafeBitCast(type, to: LayerOfUnknownClass.Type.self).init() as CALayer
    }
}
