import CCairo
public import Foundation
public import MediaTypes

extension CGContext {
    /// A shadow of what is drawn.
    struct Shadow {
        /// In the coordinates of `shadowBase`.
        var offset: CGSize
        /// Twice the standard deviation, in the units of `shadowBase`.
        var blur: CGFloat
        var color: CGColor
    }

    // MARK: Images

    /// Draws an image. Its top is at the largest y.
    ///
    /// - Parameter byTiling: Has no effect: the image is not repeated.
    public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
        let rect = rect.standardized
        let toRect = CGAffineTransform(
            a: rect.width / CGFloat(image.width), b: 0, c: 0, d: -rect.height / CGFloat(image.height), tx: rect.minX,
            ty: rect.maxY)
        let matrix = toRect.concatenating(ctm).concatenating(toPixels)
        guard rect.width > 0, rect.height > 0, matrix.isInvertible else { return }
        let buffer = image.pixelBuffer
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
        // The buffer is locked for reading, because cairo only reads from a source surface.
        let surface = ccairo_image_surface_create_for_data(
            base.assumingMemoryBound(to: UInt8.self),
            Int32(image.alphaInfo == .premultipliedFirst ? CCAIRO_FORMAT_ARGB32 : CCAIRO_FORMAT_RGB24),
            Int32(image.width), Int32(image.height), Int32(image.bytesPerRow))
        defer {
            ccairo_surface_finish(surface)
            ccairo_surface_destroy(surface)
        }
        guard Int(ccairo_surface_status(surface)) == CCAIRO_STATUS_SUCCESS else { return }
        let area = CGMutablePath()
        area.addRect(rect, transform: ctm)
        composite(within: area.boundingBox) {
            ccairo_save(bitmap.context)
            setCairoPath(area)
            ccairo_clip(bitmap.context)
            ccairo_set_matrix(bitmap.context, [cairo_matrix_t(matrix)])
            ccairo_set_source_surface(bitmap.context, surface, 0, 0)
            let pattern = ccairo_get_source(bitmap.context)
            ccairo_pattern_set_filter(pattern, state.interpolationQuality.cairoFilter)
            // The edges of the image are not interpolated with transparent pixels outside of it.
            ccairo_pattern_set_extend(pattern, Int32(CCAIRO_EXTEND_PAD))
            ccairo_paint_with_alpha(bitmap.context, state.alpha)
            ccairo_restore(bitmap.context)
        }
    }

    // MARK: Transparency layers

    /// Begins a layer. At its end, its content is drawn as one image with the current opacity, shadow and blend mode.
    public func beginTransparencyLayer(auxiliaryInfo: CFDictionary?) {
        saved.append(.transparencyLayer(state))
        (state.alpha, state.shadow, state.blendMode) = (1, nil, .normal)
        ccairo_push_group(bitmap.context)
    }

    /// Begins a layer.
    ///
    /// - Parameter rect: Has no effect: the layer covers the clip.
    public func beginTransparencyLayer(in rect: CGRect, auxiliaryInfo: CFDictionary?) {
        beginTransparencyLayer(auxiliaryInfo: auxiliaryInfo)
    }

    /// Ends and draws the innermost layer; has no effect if there is none.
    public func endTransparencyLayer() {
        let isOpen = saved.contains {
            if case .transparencyLayer = $0 { true } else { false }
        }
        guard isOpen else { return }
        while case .state = saved.last { restoreGState() }
        guard case .transparencyLayer(let outer) = saved.popLast() else { return }
        let group = ccairo_pop_group(bitmap.context)
        state = outer
        updatePixels(in: nil) { draw(group, alpha: state.alpha) }
        ccairo_pattern_destroy(group)
    }

    // MARK: Shadows

    /// Sets a black shadow with an opacity of one third.
    public func setShadow(offset: CGSize, blur: CGFloat) {
        setShadow(offset: offset, blur: blur, color: CGColor(gray: 0, alpha: 1.0 / 3))
    }

    /// Sets the shadow of what is drawn.
    ///
    /// - Parameters:
    ///   - offset: In pixels, or in points if the context draws an image of UIKit; the transform does not apply to it.
    ///   - blur: Twice the standard deviation of the blur, in the same unit; 0 for a sharp shadow.
    ///   - color: Nil for no shadow.
    public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {
        state.shadow = color.map { Shadow(offset: offset, blur: max(blur, 0), color: $0) }
    }

    // MARK: Drawing with cairo

    /// Runs `body`, which draws with cairo, with the blend mode and the shadow of the state.
    ///
    /// - Parameter bounds: The bounding rectangle of the drawn shape in the coordinates of the bitmap.
    func composite(within bounds: CGRect, _ body: () -> Void) {
        guard state.shadow != nil else {
            ccairo_set_operator(bitmap.context, state.blendMode.cairoOperator)
            return updatePixels(in: state.blendMode.isBoundedByShape ? bounds : nil, body)
        }
        ccairo_push_group(bitmap.context)
        ccairo_set_operator(bitmap.context, CGBlendMode.normal.cairoOperator)
        body()
        let group = ccairo_pop_group(bitmap.context)
        updatePixels(in: nil) { draw(group, alpha: 1) }
        ccairo_pattern_destroy(group)
    }

    /// Draws a group with the blend mode and the shadow of the state.
    private func draw(_ group: OpaquePointer?, alpha: CGFloat) {
        ccairo_set_matrix(bitmap.context, [cairo_matrix_t(.identity)])
        ccairo_set_operator(bitmap.context, state.blendMode.cairoOperator)
        if let shadow = state.shadow { draw(shadow, of: group, alpha: alpha) }
        ccairo_set_source(bitmap.context, group)
        ccairo_paint_with_alpha(bitmap.context, alpha)
    }

    private func draw(_ shadow: Shadow, of group: OpaquePointer?, alpha: CGFloat) {
        var surface: OpaquePointer?
        guard Int(ccairo_pattern_get_surface(group, &surface)) == CCAIRO_STATUS_SUCCESS, let surface else { return }
        ccairo_surface_flush(surface)
        guard let data = ccairo_image_surface_get_data(surface) else { return }
        let scale =
            shadowBase.isInvertible ? abs(shadowBase.a * shadowBase.d - shadowBase.b * shadowBase.c).squareRoot() : 1
        let mask = ShadowMask(
            pixels: data, width: Int(ccairo_image_surface_get_width(surface)),
            height: Int(ccairo_image_surface_get_height(surface)),
            bytesPerRow: Int(ccairo_image_surface_get_stride(surface)), deviation: Double(shadow.blur * scale / 2))
        var (originX, originY) = (0.0, 0.0)
        ccairo_surface_get_device_offset(surface, &originX, &originY)
        let offset = shadow.offset.applying(shadowBase)
        let values = shadow.color.components ?? [0, 1]
        let color = values.count == 2 ? [values[0], values[0], values[0]] : Array(values[0..<3])
        ccairo_set_source_rgba(bitmap.context, color[0], color[1], color[2], shadow.color.alpha * alpha)
        mask.withSurface { shade in
            // The y axis of pixels points down.
            ccairo_mask_surface(
                bitmap.context, shade, offset.width - originX - Double(mask.margin),
                -offset.height - originY - Double(mask.margin))
        }
    }
}

extension CGInterpolationQuality {
    var cairoFilter: Int32 {
        switch self {
        case .none: Int32(CCAIRO_FILTER_NEAREST)
        case .low: Int32(CCAIRO_FILTER_BILINEAR)
        case .default, .medium: Int32(CCAIRO_FILTER_GOOD)
        case .high: Int32(CCAIRO_FILTER_BEST)
        }
    }
}
