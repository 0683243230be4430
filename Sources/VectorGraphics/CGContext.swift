import CCairo
public import Foundation
public import MediaTypes

/// A bitmap to draw into. The origin is the lower left corner, and the y axis points up.
///
/// Drawing uses cairo, which is loaded when the first context is created.
/// - Note: Unlike Apple, there are no bitmaps with 16 or 32 bits per component or in CMYK, and no patterns, gradients or
///   text. Drawing is fastest with `byteOrder32Little` and `premultipliedFirst` or `noneSkipFirst`; other layouts are
///   converted.
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

    /// What cairo draws in: the memory of the context, or a bitmap beside it if `converted` is not nil.
    let bitmap: CairoBitmap
    /// The memory of the context if cairo cannot draw in its layout.
    let converted: ConvertedPixels?
    private let layout: BitmapLayout
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
    ///   - bytesPerRow: At least the bytes of a row, and a multiple of 4 for `byteOrder32Little` with alpha first; 0 for
    ///     the smallest if `data` is nil.
    ///   - space: An RGB color space or a gray one.
    ///   - bitmapInfo: For RGB, `premultipliedFirst`, `premultipliedLast`, `noneSkipFirst` or `noneSkipLast`, with or
    ///     without `byteOrder32Big` or `byteOrder32Little`. For gray, `none`. For both, `alphaOnly`.
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {
        guard bitsPerComponent == 8, let layout = BitmapLayout(space.model, bitmapInfo: bitmapInfo) else { return nil }
        let rowBytes = bytesPerRow == 0 && data == nil ? width * layout.bytesPerPixel : bytesPerRow
        guard rowBytes / layout.bytesPerPixel >= width,
            let bitmap = CairoBitmap(
                data: layout.isCairos ? data : nil, width: width, height: height,
                bytesPerRow: layout.isCairos ? rowBytes : width * 4, hasAlpha: layout.hasAlpha)
        else { return nil }
        self.bitmap = bitmap
        self.layout = layout
        converted =
            layout.isCairos
            ? nil
            : ConvertedPixels(data: data, byteCount: height * rowBytes, bytesPerRow: rowBytes, layout: layout)
        colorSpace = space
    }

    // MARK: Bitmap

    public let colorSpace: CGColorSpace?
    /// In pixels.
    public var width: Int { bitmap.width }
    /// In pixels.
    public var height: Int { bitmap.height }
    public var bitsPerComponent: Int { 8 }
    public var bitsPerPixel: Int { layout.bytesPerPixel * 8 }
    public var bytesPerRow: Int { converted?.bytesPerRow ?? bitmap.bytesPerRow }
    public var alphaInfo: CGImageAlphaInfo { layout.alphaInfo }
    public var bitmapInfo: CGBitmapInfo { layout.bitmapInfo }

    /// The pixels, top row first. They may be changed between two drawing operations.
    public var data: UnsafeMutableRawPointer? {
        flush()
        if let converted { return converted.share(bitmap) }
        ccairo_surface_mark_dirty(bitmap.surface)
        return bitmap.pixels
    }

    /// Writes pending drawing to the memory of the bitmap.
    public func flush() { ccairo_surface_flush(bitmap.surface) }

    /// Runs `body`, which draws in cairo's bitmap, and keeps the memory of the context equal to the bitmap.
    ///
    /// - Parameter area: What `body` draws in at most, in the coordinates of the bitmap; nil for the whole bitmap.
    func updatePixels(in area: CGRect?, _ body: () -> Void) {
        let isInLayer = saved.contains {
            if case .transparencyLayer = $0 { true } else { false }
        }
        // A layer is drawn in the bitmap at its end.
        guard let converted, converted.isShared, !isInLayer else { return body() }
        /// The pixels that an extent touches, with one more on each side for antialiasing.
        func pixels(_ low: CGFloat, _ high: CGFloat, of count: Int) -> Range<Int> {
            guard low.isFinite, high.isFinite else { return 0..<count }
            let first = Int(min(max(low.rounded(.down) - 1, 0), CGFloat(count)))
            return first..<max(first, Int(min(max(high.rounded(.up) + 1, 0), CGFloat(count))))
        }
        let area = area ?? CGRect(x: 0, y: 0, width: width, height: height)
        let columns = pixels(area.minX, area.maxX, of: width)
        let rows = pixels(CGFloat(height) - area.maxY, CGFloat(height) - area.minY, of: height)
        flush()
        converted.read(into: bitmap, columns: columns, rows: rows)
        ccairo_surface_mark_dirty(bitmap.surface)
        body()
        flush()
        converted.write(bitmap, columns: columns, rows: rows)
    }

    /// Returns a copy of the bitmap; nil if memory is insufficient.
    public func makeImage() -> CGImage? {
        updatePixels(in: nil) {}
        return bitmap.copy().map { CGImage(pixelBuffer: $0, hasAlpha: bitmap.hasAlpha) }
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

    /// Whether only the drawn shape changes. The other modes also clear what is outside of it.
    var isBoundedByShape: Bool { ![.sourceIn, .sourceOut, .destinationIn, .destinationAtop].contains(self) }

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
