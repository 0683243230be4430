import Foundation
import MediaTypes
public import VectorGraphics

extension CALayer {
    /// Draws the layer and its sublayers, in the coordinates of the layer: its own position and transform do not
    /// apply.
    ///
    /// The y axis of the context should point down, as in the contexts of UIKit. Of transforms, the two-dimensional
    /// part is drawn.
    /// - Note: Unlike Apple, preview layers draw their current picture.
    public func render(in ctx: CGContext) {
        guard !isHidden, opacity > 0 else { return }
        displayIfNeeded()
        ctx.saveGState()
        defer { ctx.restoreGState() }
        let hasShadow = shadowOpacity > 0 && !masksToBounds
        let isGroup = opacity < 1 || hasShadow || mask != nil
        if isGroup {
            ctx.setAlpha(CGFloat(opacity))
            if hasShadow { setShadow(in: ctx) }
            ctx.beginTransparencyLayer(auxiliaryInfo: nil)
        }
        renderContents(in: ctx)
        if let mask {
            ctx.saveGState()
            ctx.setBlendMode(.destinationIn)
            ctx.beginTransparencyLayer(auxiliaryInfo: nil)
            mask.renderInSuperlayer(ctx)
            ctx.endTransparencyLayer()
            ctx.restoreGState()
        }
        if isGroup { ctx.endTransparencyLayer() }
    }

    private func renderInSuperlayer(_ ctx: CGContext) {
        ctx.saveGState()
        ctx.concatenate(state.withLock { $0.toSuperlayer })
        render(in: ctx)
        ctx.restoreGState()
    }

    private func setShadow(in ctx: CGContext) {
        let color = (shadowColor ?? .black)
        let origin = CGPoint.zero.applying(ctx.ctm)
        let end = CGPoint(x: shadowOffset.width, y: shadowOffset.height).applying(ctx.ctm)
        // The offset along the axes of the layer, in the coordinates to which the context applies it.
        let offset = CGSize(width: end.x - origin.x, height: end.y - origin.y)
            .applying(ctx.shadowBase.inverted())
        ctx.setShadow(
            offset: offset, blur: 2 * shadowRadius, color: color.copy(alpha: color.alpha * CGFloat(shadowOpacity)))
    }

    private func renderContents(in ctx: CGContext) {
        ctx.saveGState()
        if let backgroundColor, backgroundColor.alpha > 0 {
            ctx.setFillColor(backgroundColor)
            ctx.addPath(outline(inset: 0))
            ctx.fillPath()
        }
        if masksToBounds {
            ctx.beginPath()
            ctx.addPath(outline(inset: 0))
            ctx.clip()
        }
        renderOwnContents(in: ctx)
        // A stable sort: layers at the same position keep their order.
        let sorted = (sublayers ?? []).enumerated().sorted {
            ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset)
        }
        for (_, layer) in sorted { layer.renderInSuperlayer(ctx) }
        ctx.restoreGState()
        guard borderWidth > 0, let borderColor else { return }
        ctx.saveGState()
        ctx.setFillColor(borderColor)
        ctx.addPath(outline(inset: 0))
        ctx.addPath(outline(inset: borderWidth))
        ctx.fillPath(using: .evenOdd)
        ctx.restoreGState()
    }

    /// The bounds with rounded corners.
    private func outline(inset: CGFloat) -> CGPath {
        let rect = bounds.insetBy(dx: inset, dy: inset)
        guard !rect.isNull else { return CGMutablePath() }
        let radius = max(0, min(cornerRadius, bounds.width / 2, bounds.height / 2) - inset)
        let corners: [CACornerMask] = [
            .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMaxXMaxYCorner, .layerMinXMaxYCorner,
        ]
        let path = CGMutablePath()
        path.addRoundedRect(
            in: rect,
            corners: corners.map { maskedCorners.contains($0) ? CGSize(width: radius, height: radius) : .zero })
        return path
    }

    /// Draws `contents`, if it is an image.
    func renderImage(in ctx: CGContext) {
        guard var image = contents as? CGImage else { return }
        let part = contentsRect
        if part != CGRect(x: 0, y: 0, width: 1, height: 1) {
            let (width, height) = (CGFloat(image.width), CGFloat(image.height))
            let pixels = CGRect(
                x: part.minX * width, y: part.minY * height, width: part.width * width, height: part.height * height)
            guard let cropped = image.cropping(to: pixels) else { return }
            image = cropped
        }
        let scale = contentsScale > 0 ? contentsScale : 1
        let size = CGSize(width: CGFloat(image.width) / scale, height: CGFloat(image.height) / scale)
        let rect = contentsGravity.rect(of: size, in: bounds)
        ctx.drawUpright(image, in: rect)
    }
}

extension CGContext {
    /// Draws an image with its top at the smallest y, in a context whose y axis points down.
    package func drawUpright(_ image: CGImage, in rect: CGRect) {
        saveGState()
        translateBy(x: rect.minX, y: rect.maxY)
        scaleBy(x: 1, y: -1)
        draw(image, in: CGRect(origin: .zero, size: rect.size))
        restoreGState()
    }
}

extension CALayerContentsGravity {
    /// Returns the rectangle of contents of a size in bounds.
    func rect(of size: CGSize, in bounds: CGRect) -> CGRect {
        var size = size
        let (horizontal, vertical) = (bounds.width / size.width, bounds.height / size.height)
        switch self {
        case .resize: return bounds
        case .resizeAspect:
            let scale = min(horizontal, vertical)
            size = CGSize(width: size.width * scale, height: size.height * scale)
        case .resizeAspectFill:
            let scale = max(horizontal, vertical)
            size = CGSize(width: size.width * scale, height: size.height * scale)
        default: break
        }
        var origin = CGPoint(x: bounds.midX - size.width / 2, y: bounds.midY - size.height / 2)
        if [.left, .topLeft, .bottomLeft].contains(self) { origin.x = bounds.minX }
        if [.right, .topRight, .bottomRight].contains(self) { origin.x = bounds.maxX - size.width }
        if [.top, .topLeft, .topRight].contains(self) { origin.y = bounds.minY }
        if [.bottom, .bottomLeft, .bottomRight].contains(self) { origin.y = bounds.maxY - size.height }
        return CGRect(origin: origin, size: size)
    }
}
