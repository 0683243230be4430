import Foundation
import MediaTypes
public import VectorGraphics

extension CALayer {
    /// Draws the layer and its sublayers, in the coordinates of the layer: its own position and transform do not
    /// apply, nor do animations.
    ///
    /// The y axis of the context should point down, as in the contexts of UIKit. Only the two-dimensional part of
    /// transforms is applied.
    /// - Note: Unlike Apple, preview layers draw their current frame.
    public func render(in ctx: CGContext) {
        let renderer = LayerRenderer(context: ctx)
        guard let (values, time) = renderer.values(of: self, at: nil) else { return }
        renderer.draw(self, values, at: time, isUpward: false)
    }

    /// Draws the layer at its position, and its sublayers, with the values of their animations at a time.
    ///
    /// - Parameters:
    ///   - ctx: A context whose y axis points up.
    ///   - time: In the time of the superlayer, in seconds.
    ///   - images: Images that layers show in place of their contents.
    package func render(
        in ctx: CGContext, at time: CFTimeInterval, replacingContentsOf images: [CALayer: CGImage] = [:]
    ) {
        let renderer = LayerRenderer(context: ctx, images: images)
        guard let (values, time) = renderer.values(of: self, at: time) else { return }
        renderer.drawInSuperlayer(self, values, at: time, isUpward: true)
    }
}

/// Draws a tree of layers.
struct LayerRenderer {
    let context: CGContext
    /// Images that layers show in place of their contents.
    var images: [CALayer: CGImage] = [:]

    /// Returns the values of a layer at a time of its superlayer, and the time of the layer; nil if the layer is not
    /// shown at that time. Without a time, these are the values that the client set.
    ///
    /// Contents that are marked as changed are updated first.
    func values(of layer: CALayer, at time: CFTimeInterval?) -> (LayerValues, CFTimeInterval?)? {
        if !layer.isHidden { layer.displayIfNeeded() }
        var result: (values: LayerValues, time: CFTimeInterval?)
        if let time {
            guard let position = layer.state.withLock({ $0.timing }).position(at: time) else { return nil }
            result = (layer.presentedValues(at: position.time), position.time)
        } else {
            result = (layer.modelValues, nil)
        }
        if let image = images[layer] { result.values.state.style.contents = image }
        return result
    }

    /// Draws a layer at its position.
    ///
    /// - Parameters:
    ///   - time: The time of the layer; nil for values without animations.
    ///   - isUpward: Whether the y axis of the superlayer points up.
    func drawInSuperlayer(_ layer: CALayer, _ values: LayerValues, at time: CFTimeInterval?, isUpward: Bool) {
        context.saveGState()
        context.concatenate(values.state.toSuperlayer)
        draw(layer, values, at: time, isUpward: isUpward != values.state.isGeometryFlipped)
        context.restoreGState()
    }

    /// Draws a layer in its own coordinates.
    ///
    /// - Parameter isUpward: Whether the y axis of these coordinates points up.
    func draw(_ layer: CALayer, _ values: LayerValues, at time: CFTimeInterval?, isUpward: Bool) {
        let style = values.state.style
        guard !style.isHidden, style.opacity > 0 else { return }
        context.saveGState()
        defer { context.restoreGState() }
        let hasShadow = style.shadow.opacity > 0 && !style.masksToBounds
        let isGroup = style.opacity < 1 || hasShadow || values.state.mask != nil
        if isGroup {
            context.setAlpha(CGFloat(style.opacity))
            if hasShadow { setShadow(style.shadow) }
            context.beginTransparencyLayer(auxiliaryInfo: nil)
        }
        drawContents(layer, values, at: time, isUpward: isUpward)
        if let mask = values.state.mask {
            context.saveGState()
            context.setBlendMode(.destinationIn)
            context.beginTransparencyLayer(auxiliaryInfo: nil)
            if let (values, time) = self.values(of: mask, at: time) {
                drawInSuperlayer(mask, values, at: time, isUpward: isUpward)
            }
            context.endTransparencyLayer()
            context.restoreGState()
        }
        if isGroup { context.endTransparencyLayer() }
    }

    private func setShadow(_ shadow: LayerShadow) {
        let color = (shadow.color ?? .black)
        let origin = CGPoint.zero.applying(context.ctm)
        let end = CGPoint(x: shadow.offset.width, y: shadow.offset.height).applying(context.ctm)
        // The offset is in the coordinates of the layer. The context expects it in its base coordinates.
        let offset = CGSize(width: end.x - origin.x, height: end.y - origin.y)
            .applying(context.shadowBase.inverted())
        context.setShadow(
            offset: offset, blur: 2 * shadow.radius, color: color.copy(alpha: color.alpha * CGFloat(shadow.opacity)))
    }

    private func drawContents(_ layer: CALayer, _ values: LayerValues, at time: CFTimeInterval?, isUpward: Bool) {
        let (bounds, style) = (values.state.bounds, values.state.style)
        context.saveGState()
        if let color = style.backgroundColor, color.alpha > 0 {
            context.setFillColor(color)
            context.addPath(values.outline(inset: 0))
            context.fillPath()
        }
        if style.masksToBounds {
            context.beginPath()
            context.addPath(values.outline(inset: 0))
            context.clip()
        }
        context.saveGState()
        if isUpward {
            context.translateBy(x: 0, y: bounds.minY + bounds.maxY)
            context.scaleBy(x: 1, y: -1)
        }
        layer.renderUprightContents(values, in: context)
        context.restoreGState()
        layer.renderOwnContents(values, in: context)
        // The sort is stable: layers with the same `zPosition` keep their order.
        let sublayers = (layer.sublayers ?? []).compactMap { sublayer in
            self.values(of: sublayer, at: time).map { (sublayer, $0.0, $0.1) }
        }
        let sorted = sublayers.enumerated().sorted {
            ($0.element.1.state.zPosition, $0.offset) < ($1.element.1.state.zPosition, $1.offset)
        }
        for (_, (sublayer, values, time)) in sorted {
            drawInSuperlayer(sublayer, values, at: time, isUpward: isUpward)
        }
        context.restoreGState()
        guard style.borderWidth > 0, let borderColor = style.borderColor else { return }
        context.saveGState()
        context.setFillColor(borderColor)
        context.addPath(values.outline(inset: 0))
        context.addPath(values.outline(inset: style.borderWidth))
        context.fillPath(using: .evenOdd)
        context.restoreGState()
    }
}

extension LayerValues {
    /// Returns the bounds with rounded corners, reduced by `inset` on each side.
    fileprivate func outline(inset: CGFloat) -> CGPath {
        let (bounds, style) = (state.bounds, state.style)
        let rect = bounds.insetBy(dx: inset, dy: inset)
        guard !rect.isNull else { return CGMutablePath() }
        let radius = max(0, min(style.cornerRadius, bounds.width / 2, bounds.height / 2) - inset)
        let corners: [CACornerMask] = [
            .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMaxXMaxYCorner, .layerMinXMaxYCorner,
        ]
        let path = CGMutablePath()
        path.addRoundedRect(
            in: rect,
            corners: corners.map {
                style.maskedCorners.contains($0) ? CGSize(width: radius, height: radius) : .zero
            })
        return path
    }

    /// Draws the contents, if they are an image.
    func drawImage(in ctx: CGContext) {
        let style = state.style
        guard var image = style.contents as? CGImage else { return }
        let part = style.contentsRect
        if part != CGRect(x: 0, y: 0, width: 1, height: 1) {
            let (width, height) = (CGFloat(image.width), CGFloat(image.height))
            let pixels = CGRect(
                x: part.minX * width, y: part.minY * height, width: part.width * width, height: part.height * height)
            guard let cropped = image.cropping(to: pixels) else { return }
            image = cropped
        }
        let scale = style.contentsScale > 0 ? style.contentsScale : 1
        let size = CGSize(width: CGFloat(image.width) / scale, height: CGFloat(image.height) / scale)
        let rect = style.contentsGravity.rect(of: size, in: state.bounds)
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
    /// Returns the rectangle in which contents of a size are drawn in bounds.
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
