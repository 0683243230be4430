public import Foundation
public import ImageTypes
import MediaTypes
import QuartzCore
public import VectorGraphics

extension UIImage {
    /// Draws the upright image in the current context.
    public func draw(in rect: CGRect) { draw(in: rect, blendMode: .normal, alpha: 1) }

    /// Draws the upright image with its upper left corner at a point.
    public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

    /// Draws the upright image in the current context, with an opacity from 0 to 1.
    public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
        guard let context = UIGraphicsGetCurrentContext(), let cgImage = pixels, cgImage.width > 0, cgImage.height > 0
        else { return }
        let (width, height) = (CGFloat(cgImage.width), CGFloat(cgImage.height))
        let isRotated = imageOrientation.swapsWidthAndHeight
        context.saveGState()
        context.setBlendMode(blendMode)
        if alpha < 1 { context.setAlpha(alpha) }
        context.translateBy(x: rect.minX, y: rect.minY)
        context.scaleBy(x: rect.width / (isRotated ? height : width), y: rect.height / (isRotated ? width : height))
        context.concatenate(imageOrientation.transform(width: width, height: height))
        context.drawUpright(cgImage, in: CGRect(x: 0, y: 0, width: width, height: height))
        context.restoreGState()
    }
}

extension UIImage.Orientation {
    fileprivate var swapsWidthAndHeight: Bool {
        [.left, .right, .leftMirrored, .rightMirrored].contains(self)
    }

    /// The transform from the stored pixels to those of the upright image, in coordinates whose y axis points down.
    fileprivate func transform(width: CGFloat, height: CGFloat) -> CGAffineTransform {
        switch self {
        case .up: .identity
        case .upMirrored: CGAffineTransform(-1, 0, 0, 1, width, 0)
        case .down: CGAffineTransform(-1, 0, 0, -1, width, height)
        case .downMirrored: CGAffineTransform(1, 0, 0, -1, 0, height)
        case .left: CGAffineTransform(0, -1, 1, 0, 0, width)
        case .leftMirrored: CGAffineTransform(0, 1, 1, 0, 0, 0)
        case .right: CGAffineTransform(0, 1, -1, 0, height, 0)
        case .rightMirrored: CGAffineTransform(0, -1, -1, 0, height, width)
        }
    }
}
