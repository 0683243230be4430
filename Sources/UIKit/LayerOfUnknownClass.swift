public import QuartzCore

/// Creates layers of classes that are known only at run time.
///
/// It is open, so that the compiler calls its initializer through the vtable.
open class LayerOfUnknownClass: CALayer, @unchecked Sendable {
    // SAFETY: there is no state.
    public required override init() { super.init() }

    /// Creates a layer with `init()` of its class; a `CALayer` if the class is not a layer class.
    static func create(_ layerClass: AnyClass) -> CALayer {
        guard let type = layerClass as? CALayer.Type, type != CALayer.self else { return CALayer() }
        // SAFETY: `init()` of each layer class overrides that of `CALayer` in the vtable.
        // Swift calls only required initializers through the vtable; clients write `override init()`, as on Apple's
        // systems.
        return unsafeBitCast(type, to: LayerOfUnknownClass.Type.self).init() as CALayer
    }
}
