/// A machine-readable code on a label in a scene.
public struct SceneCode: Sendable, Hashable {
    /// The symbology of a code.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// ISO/IEC 18004.
        case qr
        /// ISO/IEC 15420.
        case ean13 = "ean-13"
        /// ISO/IEC 15420.
        case upcE = "upc-e"
        /// ISO/IEC 15417.
        case code128 = "code-128"
    }

    /// The symbology.
    public let kind: Kind
    /// The encoded text, as a code reader reports it: an EAN-13 has 13 digits, a UPC-E eight.
    public let text: String
    /// The horizontal position of the symbol's center, without quiet zone and caption, in meters to the right of the
    /// optical axis.
    public let x: Double
    /// The vertical position of the symbol's center, without quiet zone and caption, in meters above the optical axis.
    public let y: Double
    /// The distance from the camera along the optical axis, in meters.
    public let depth: Double
    /// Width in meters of a module, which is the smallest square of a QR code or the narrowest bar of another code.
    public let module: Double
    /// Identifies the code among the objects of the scene; nil for a code that cannot be moved.
    public internal(set) var name: String?
    /// Whether the code is initially visible.
    var isVisible = true
    let symbol: CodeSymbol

    /// Creates a code. The properties of the same names document `x`, `y`, `depth` and `module`.
    ///
    /// - Parameters:
    ///   - text: The text to encode; the check digit of an EAN-13 or UPC-E may be omitted.
    ///   - level: Error correction level of QR codes.
    /// - Throws: `CodeError` if the text cannot be encoded.
    init(
        _ kind: Kind, _ text: String, x: Double, y: Double, depth: Double, module: Double, level: QRCode.Level = .m
    ) throws(CodeError) {
        switch kind {
        case .qr: symbol = try QRCode(text, level: level).symbol
        case .ean13: symbol = try RetailCode.ean13(text)
        case .upcE: symbol = try RetailCode.upcE(text)
        case .code128: symbol = try Code128.symbol(text)
        }
        self.kind = kind
        self.text = kind == .ean13 || kind == .upcE ? symbol.caption : text
        (self.x, self.y, self.depth, self.module) = (x, y, depth, module)
    }

    /// The code as an object of the scene; nil without a name.
    var object: SceneObject? { name.map { SceneObject($0, x: x, y: y, isVisible: isVisible) } }

    /// Width of the symbol in meters, without the quiet zone.
    public var width: Double { Double(symbol.columnCount) * module }

    /// Height of the symbol in meters. EAN-13 and UPC-E have the nominal height. The height of Code 128 is 15 % of the
    /// width and at least a quarter of an inch, as commonly recommended.
    public var height: Double {
        switch kind {
        case .qr: width
        // 22.85 mm for a module width of 0.33 mm (ISO/IEC 15420:2009, 4.3).
        case .ean13, .upcE: 22.85 / 0.33 * module
        case .code128: max(0.15 * width, 0.00635)
        }
    }

    /// The distances in meters from the symbol's center to the edges of the label, which includes the quiet zone and
    /// the caption.
    var labelExtents: (left: Double, right: Double, up: Double, down: Double) {
        let zone = symbol.quietZone
        // In modules.
        let captionHeight = symbol.caption.isEmpty ? 0 : 12.0
        // One more module, so that the label's edge is outside the quiet zone.
        return (
            width / 2 + Double(zone.left + 1) * module, width / 2 + Double(zone.right + 1) * module,
            height / 2 + Double(zone.top + 1) * module, height / 2 + (Double(zone.bottom + 1) + captionHeight) * module
        )
    }

    /// Returns the label as a layer of a scene, positioned with subpixel accuracy.
    func layer(_ builder: SceneLayerBuilder) -> PlacedLayer {
        let extents = labelExtents
        let scale = builder.view.scale / depth
        let left = Double(builder.view.width) / 2 + (x - extents.left) * scale
        let top = Double(builder.view.height) / 2 - (y + extents.up) * scale
        // Layers begin at whole columns and even rows.
        let (column, row) = (left.rounded(.down), (top / 2).rounded(.down) * 2)
        // The additional pixels are for the label's offset in the first column and row pair, and for rounding.
        let canvas = SceneCanvas(
            width: Int((extents.left + extents.right) * scale) + 3,
            height: Int((extents.up + extents.down) * scale) + 4, scale: scale,
            originX: extents.left * scale + left - column, originY: extents.up * scale + top - row)
        paint(canvas, extents)
        var layer = PlacedLayer(bitmap: SceneBitmap(canvas), x: Int(column), y: Int(row), depth: depth)
        layer.object = name
        return layer
    }

    private func paint(
        _ canvas: SceneCanvas, _ extents: (left: Double, right: Double, up: Double, down: Double)
    ) {
        // In meters: left, top, right and bottom edge, relative to the symbol's center.
        canvas.rectangle(-extents.left, extents.up, extents.right, -extents.down, Self.paper)
        let (left, top) = (-width / 2, height / 2)
        let rowHeight = height / Double(symbol.rows.count)
        func box(_ columns: Range<Int>, _ rows: Range<Int>, extendedDownBy extraHeight: Double = 0) {
            canvas.rectangle(
                left + Double(columns.lowerBound) * module, top - Double(rows.lowerBound) * rowHeight,
                left + Double(columns.upperBound) * module, top - Double(rows.upperBound) * rowHeight - extraHeight,
                Self.ink
            )
        }
        for (row, modules) in symbol.rows.enumerated() {
            for run in Self.darkRuns(modules) {
                let isLong = symbol.longBars.contains { $0.contains(run.lowerBound) }
                box(run, row..<row + 1, extendedDownBy: isLong ? 5 * module : 0)
            }
        }
        // The antialiased edges of adjacent rows would leave a light seam. Therefore vertical runs are drawn, too.
        if !symbol.isLinear {
            for column in 0..<symbol.columnCount {
                for run in Self.darkRuns(symbol.rows.map({ $0[column] })) { box(column..<column + 1, run) }
            }
        }
        guard !symbol.caption.isEmpty else { return }
        // Long bars extend five modules below the other bars, and the caption begins one module below them. Without
        // long bars, it begins three modules below the code.
        let captionTop = -height / 2 - (symbol.longBars.isEmpty ? 3 : 6) * module
        canvas.write(
            symbol.caption, x: 0, y: captionTop - 7 * module, height: 7 * module, maximumWidth: width,
            alignment: .center,
            Self.ink)
    }

    private static func darkRuns(_ modules: [Bool]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (index, isDark) in modules.enumerated() where isDark {
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }

    /// Linear reflectances.
    private static let paper = SceneCanvas.Color(linear: 0.82, 0.82, 0.8)
    private static let ink = SceneCanvas.Color(linear: 0.03, 0.03, 0.03)
}
