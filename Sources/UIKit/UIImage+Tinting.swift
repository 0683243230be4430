public import Foundation
public import ImageTypes
public import VectorGraphics

extension UIImage {
    /// Returns an upright image with the alpha of this one and one color, in the same rendering mode.
    public func withTintColor(_ color: UIColor) -> UIImage { withTintColor(color, renderingMode: renderingMode) }

    /// Returns an upright image with the alpha of this one and one color.
    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        guard cgImage != nil || ciImage != nil else { return withRenderingMode(renderingMode) }
        let format = UIGraphicsImageRendererFormat()
        format.scale = scale
        let bounds = CGRect(origin: .zero, size: size)
        let tinted = UIGraphicsImageRenderer(size: size, format: format).image { context in
            color.setFill()
            context.fill(bounds)
            draw(in: bounds, blendMode: .destinationIn, alpha: 1)
        }
        return tinted.withRenderingMode(renderingMode)
    }

    /// Draws the upright image with its upper left corner at a point, with an opacity from 0 to 1.
    public func draw(at point: CGPoint, blendMode: CGBlendMode, alpha: CGFloat) {
        draw(in: CGRect(origin: point, size: size), blendMode: blendMode, alpha: alpha)
    }
}
