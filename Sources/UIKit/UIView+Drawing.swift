public import Foundation
public import QuartzCore
public import VectorGraphics

extension UIView: CALayerDelegate {
    /// Draws the view in a context; called when the layer is rendered.
    public nonisolated func draw(_ layer: CALayer, in ctx: CGContext) {
        guard Thread.isMainThread else { return }
        // SAFETY: used on this thread only.
        nonisolated(unsafe) let context = ctx
        MainActor.assumeIsolated {
            UIGraphicsPushContext(context)
            draw(bounds)
            UIGraphicsPopContext()
        }
    }

    /// Draws the view and its subviews in the current context.
    ///
    /// - Parameters:
    ///   - rect: The rectangle into which the bounds of the view are drawn.
    ///   - afterUpdates: Whether the views are laid out first.
    /// - Returns: Whether there is a current context.
    @discardableResult
    public func drawHierarchy(in rect: CGRect, afterScreenUpdates afterUpdates: Bool) -> Bool {
        if afterUpdates { layoutIfNeeded() }
        guard let context = UIGraphicsGetCurrentContext(), bounds.width > 0, bounds.height > 0 else { return false }
        context.saveGState()
        context.translateBy(x: rect.minX, y: rect.minY)
        context.scaleBy(x: rect.width / bounds.width, y: rect.height / bounds.height)
        context.translateBy(x: -bounds.minX, y: -bounds.minY)
        layer.render(in: context)
        context.restoreGState()
        return true
    }
}

extension UIView {
    /// Returns a view with an image of this view and its subviews; nil if the view is empty.
    public func snapshotView(afterScreenUpdates afterUpdates: Bool) -> UIView? {
        guard bounds.width > 0, bounds.height > 0 else { return nil }
        let image = UIGraphicsImageRenderer(size: bounds.size).image { _ in
            drawHierarchy(in: CGRect(origin: .zero, size: bounds.size), afterScreenUpdates: afterUpdates)
        }
        return UIImageView(image: image)
    }
}
