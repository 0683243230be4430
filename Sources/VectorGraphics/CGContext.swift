import CCairo
public import Foundation
public import MediaTypes

/// A bitmap to draw into. The origin is the lower left corner, and the y axis points up.
///
/// Drawing uses cairo, which is loaded when the first context is created.
/// - Note: Unlike Apple, the format is always that of `CGImage`: 32 bits per pixel in the order B, G, R, then X or
///   premultiplied alpha. There are no patterns, gradients or text.
/// - Important: Confined to one thread at a time.
public final class CGContext {
    /// The graphics state that `saveGState()` saves, except the clip, which cairo saves.
    struct State {
        var ctm = CGAffineTransform.identity
        var fillColor = CGColor.black
        var strokeColor = CGColor.black
        var lineWidth: CGFloat = 1
        var lineCap = CGLineCap.butt
        var lineJoin = CGLineJoin.miter
        var miterLimit: CGFloat = 10
        var dashPhase: CGFloat = 0
        var dashLengths: [CGFloat] = []
        var alpha: CGFloat = 1
        var blendMode = CGBlendMode.normal
        var interpolationQuality = CGInterpolationQuality.default
        var isAntialiased = true
        var shadow: Shadow?
    }

    /// A graphics state to be restored.
    enum SavedState {
        /// Saved by `saveGState()`.
        case state(State)
        /// Saved at the beginning of a transparency layer.
        case transparencyLayer(State)
    }

    let bitmap: CairoBitmap
    var state = State()
    var saved: [SavedState] = []
    /// The current path in the coordinates of the bitmap: `ctm` is applied when points are added.
    var currentPath = CGMutablePath()
    /// The transform of the offset and blur of shadows to the coordinates of the bitmap.
    package var shadowBase = CGAffineTransform.identity

    /// Creates a context; nil if the format is not supported, or cairo is not installed.
    ///
    /// - Parameters:
    ///   - data: The caller's memory for the pixels, which must exist as long as the context; nil for memory that the
    ///     context allocates.
    ///   - bitsPerComponent: 8.
    ///   - bytesPerRow: A multiple of 4; 0 for the smallest if `data` is nil.
    ///   - space: An RGB color space.
    ///   - bitmapInfo: `byteOrder32Little` with `premultipliedFirst` or `noneSkipFirst`.
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {
        let alpha = CGImageAlphaInfo(rawValue: bitmapInfo & CGBitmapInfo.alphaInfoMask.rawValue)
        let order = bitmapInfo & CGBitmapInfo.byteOrderMask.rawValue
        guard bitsPerComponent == 8, space.model == .rgb, order == CGBitmapInfo.byteOrder32Little.rawValue,
            alpha == .premultipliedFirst || alpha == .noneSkipFirst,
            let bitmap = CairoBitmap(
                data: data, width: width, height: height,
                bytesPerRow: bytesPerRow == 0 && data == nil ? width * 4 : bytesPerRow,
                hasAlpha: alpha == .premultipliedFirst)
        else { return nil }
        self.bitmap = bitmap
        colorSpace = space
    }

    // MARK: Bitmap

    public let colorSpace: CGColorSpace?
    /// In pixels.
    public var width: Int { bitmap.width }
    /// In pixels.
    public var height: Int { bitmap.height }
    public var bitsPerComponent: Int { 8 }
    public var bitsPerPixel: Int { 32 }
    public var bytesPerRow: Int { bitmap.bytesPerRow }
    public var alphaInfo: CGImageAlphaInfo { bitmap.hasAlpha ? .premultipliedFirst : .noneSkipFirst }
    public var bitmapInfo: CGBitmapInfo { [.byteOrder32Little, CGBitmapInfo(rawValue: alphaInfo.rawValue)] }

    /// The pixels, top row first. They may be changed between two drawing operations.
    public var data: UnsafeMutableRawPointer? {
        flush()
        ccairo_surface_mark_dirty(bitmap.surface)
        return bitmap.pixels
    }

    /// Writes pending drawing to the memory of the bitmap.
    public func flush() { ccairo_surface_flush(bitmap.surface) }

    /// Returns a copy of the bitmap; nil if memory is insufficient.
    public func makeImage() -> CGImage? {
        bitmap.copy().map { CGImage(pixelBuffer: $0, hasAlpha: bitmap.hasAlpha) }
    }

    // MARK: State

    /// Saves the graphics state, but not the path.
    public func saveGState() {
        saved.append(.state(state))
        ccairo_save(bitmap.context)
    }

    /// Restores the state that was saved last; has no effect if there is none.
    public func restoreGState() {
        guard case .state(let last) = saved.last else { return }
        saved.removeLast()
        state = last
        ccairo_restore(bitmap.context)
    }

    /// Sets colors and lines to those of a new context.
    package func resetColorsAndLines() {
        var new = State()
        (new.ctm, new.alpha, new.blendMode, new.shadow) = (state.ctm, state.alpha, state.blendMode, state.shadow)
        (new.interpolationQuality, new.isAntialiased) = (state.interpolationQuality, state.isAntialiased)
        state = new
    }

    /// The transform from user space to the coordinates of the bitmap. The y axis of the bitmap points up.
    public var ctm: CGAffineTransform { state.ctm }
    /// The same as `ctm`: a unit of the bitmap is a pixel.
    public var userSpaceToDeviceSpaceTransform: CGAffineTransform { state.ctm }

    public func concatenate(_ transform: CGAffineTransform) { state.ctm = transform.concatenating(state.ctm) }

    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }

    public func translateBy(x tx: CGFloat, y ty: CGFloat) {
        concatenate(CGAffineTransform(translationX: tx, y: ty))
    }

    /// - Parameter angle: In radians, from the x axis toward the y axis.
    public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

    public func setFillColor(_ color: CGColor) { state.fillColor = color }

    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fillColor = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    public func setFillColor(gray: CGFloat, alpha: CGFloat) { state.fillColor = CGColor(gray: gray, alpha: alpha) }

    public func setStrokeColor(_ color: CGColor) { state.strokeColor = color }

    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.strokeColor = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) {
        state.strokeColor = CGColor(gray: gray, alpha: alpha)
    }

    public func setLineWidth(_ width: CGFloat) { state.lineWidth = width }
    public func setLineCap(_ cap: CGLineCap) { state.lineCap = cap }
    public func setLineJoin(_ join: CGLineJoin) { state.lineJoin = join }
    public func setMiterLimit(_ limit: CGFloat) { state.miterLimit = limit }

    /// Sets the lengths of dashes and gaps; none for solid lines.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
        (state.dashPhase, state.dashLengths) = (phase, lengths)
    }

    /// Sets the opacity from 0 to 1. The opacity of colors and images is multiplied by it.
    public func setAlpha(_ alpha: CGFloat) { state.alpha = min(max(alpha, 0), 1) }

    public func setBlendMode(_ mode: CGBlendMode) { state.blendMode = mode }
    public func setShouldAntialias(_ shouldAntialias: Bool) { state.isAntialiased = shouldAntialias }

    /// How images are scaled.
    public var interpolationQuality: CGInterpolationQuality {
        get { state.interpolationQuality }
        set { state.interpolationQuality = newValue }
    }
}

public enum CGLineCap: Int32, Hashable, Sendable {
    case butt = 0
    case round, square
}

public enum CGLineJoin: Int32, Hashable, Sendable {
    case miter = 0
    case round, bevel
}

/// How images are scaled: `none` selects the nearest pixel, `low` interpolates, and the others also average pixels if
/// the image is reduced.
public enum CGInterpolationQuality: Int32, Hashable, Sendable {
    case `default` = 0
    case none, low, high
    case medium = 4
}

/// How drawing is combined with the bitmap.
public enum CGBlendMode: Int32, Hashable, Sendable {
    case normal = 0
    case multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference, exclusion
    case hue, saturation, color, luminosity
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut, destinationAtop
    case xor, plusDarker, plusLighter

    /// The value in cairo's `cairo_operator_t`; for `plusDarker`, which cairo does not have, that of `plusLighter`.
    var cairoOperator: Int32 {
        switch self {
        case .normal: 2
        case .multiply: 14
        case .screen: 15
        case .overlay: 16
        case .darken: 17
        case .lighten: 18
        case .colorDodge: 19
        case .colorBurn: 20
        case .hardLight: 21
        case .softLight: 22
        case .difference: 23
        case .exclusion: 24
        case .hue: 25
        case .saturation: 26
        case .color: 27
        case .luminosity: 28
        case .clear: 0
        case .copy: 1
        case .sourceIn: 3
        case .sourceOut: 4
        case .sourceAtop: 5
        case .destinationOver: 7
        case .destinationIn: 8
        case .destinationOut: 9
        case .destinationAtop: 10
        case .xor: 11
        case .plusDarker, .plusLighter: 12
        }
    }
}
