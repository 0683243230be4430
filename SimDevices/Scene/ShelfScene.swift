import MediaTypes

/// Products on a shelf, with codes of four symbologies at known positions.
///
/// The codes are as large as those on cartons, so that 1280x720 frames resolve them.
struct ShelfScene: PaintedScene {
    let light: SceneLight
    let backdrop: [PlacedLayer]

    /// Heights of the boards' tops, in meters from the optical axis.
    private static let boards = [0.012, -0.19]
    /// Height of the top of the highest board, which is above the products.
    private static let topBoard = 0.215
    private static let wallDepth = 0.95
    /// Depth of the front edges of the boards.
    private static let edgeDepth = 0.48
    private static let boardThickness = 0.018

    /// The default codes on the shelf.
    ///
    /// A test verifies that the texts are valid for their symbologies.
    static let codes: [SceneCode] = {
        typealias Entry = (kind: SceneCode.Kind, text: String, x: Double, y: Double, depth: Double, module: Double)
        let entries: [Entry] = [
            (.code128, "OBSCURA-2026", 0.165, 0.12, 0.62, 0.0014),
            (.upcE, "01234565", -0.2, 0.11, 0.66, 0.0016),
            (.ean13, "4012345678901", 0.14, -0.115, 0.54, 0.0013),
            (.qr, "https://example.org/obscura", -0.13, -0.11, 0.5, 0.0036),
        ]
        return entries.compactMap { entry in
            var code = try? SceneCode(
                entry.kind, entry.text, x: entry.x, y: entry.y, depth: entry.depth, module: entry.module)
            code?.name = entry.kind.rawValue
            return code
        }
    }()

    init(view: SceneView, codes: [SceneCode] = ShelfScene.codes, light: SceneLight = SimScene.shelf.light) {
        self.light = light
        let builder = SceneLayerBuilder(view: view)
        var layers = [builder.panel(depth: Self.wallDepth) { Self.paintWall($0, builder.halfSize(Self.wallDepth)) }]
        for (index, product) in Self.products.enumerated() {
            guard abs(product.x) - 0.06 < builder.halfSize(product.depth).x else { continue }
            layers.append(
                builder.cutout(
                    depth: product.depth, x: product.x, y: Self.boards[product.board], left: 0.06, right: 0.06,
                    up: 0.24, down: 0.004
                ) { product.paint($0, seed: UInt32(index)) })
        }
        // Each code is on a carton that stands on the board below it.
        for (index, code) in codes.sorted(by: { $0.depth > $1.depth }).enumerated() {
            var carton = Self.carton(of: code, index, builder)
            carton.object = code.name
            layers += [carton, code.layer(builder)]
        }
        let halfSize = builder.halfSize(Self.edgeDepth)
        layers.append(builder.panel(depth: Self.edgeDepth) { Self.paintEdges($0, halfSize) })
        backdrop = layers.sorted { $0.depth > $1.depth }
    }

    /// Creates a carton slightly larger than the code's label.
    private static func carton(of code: SceneCode, _ index: Int, _ builder: SceneLayerBuilder) -> PlacedLayer {
        let label = code.labelExtents
        let (side, above) = (0.014, 0.03)
        // The carton stands on the highest board below the label, or ends 1 cm below the label if there is none.
        let floor = boards.first { $0 < code.y - label.down } ?? code.y - label.down - 0.01
        let down = code.y - floor
        typealias Color = SceneCanvas.Color
        let colors = [Color(0xb8895a), Color(0xa9794b), Color(0xc39a68), Color(0xb5835a)]
        let color = colors[index % colors.count]
        let names = ["OATS 12 X 500 G", "TEA", "COFFEE 6 KG", "RICE"]
        return builder.cutout(
            depth: code.depth, x: code.x, y: code.y, left: label.left + side, right: label.right + side,
            up: label.up + above, down: down
        ) { canvas in
            let (left, right, top) = (-label.left - side, label.right + side, label.up + above)
            canvas.rectangle(
                left, top, right, -down, color.scaled(1.06), color.scaled(0.84),
                texture: SceneCanvas.Texture(strength: 26, width: 0.02, height: 0.0006, seed: UInt32(index)))
            // Tape over the gap of the lid.
            canvas.rectangle(left, top, right, top - 0.004, color.scaled(1.2), color.scaled(1.05))
            let name = names[index % names.count]
            canvas.write(
                name, x: left + 0.01, y: top - 0.0186, height: 0.011, maximumWidth: right - left - 0.02,
                color.scaled(0.45))
        }
    }

    private static func paintWall(_ canvas: SceneCanvas, _ halfSize: (x: Double, y: Double)) {
        typealias Color = SceneCanvas.Color
        canvas.rectangle(
            -halfSize.x - 0.1, halfSize.y + 0.1, halfSize.x + 0.1, -halfSize.y - 0.1, Color(0xa7a49c), Color(0x8b877e))
        // The perforated uprights of the rack.
        for upright in -3...3 {
            let x = Double(upright) * 0.42 + 0.21
            canvas.rectangle(
                x - 0.016, halfSize.y + 0.1, x + 0.016, -halfSize.y - 0.1, Color(0xb9b6af), Color(0x9a968e))
            for hole in -20...20 {
                let y = Double(hole) * 0.05
                canvas.rectangle(x - 0.004, y + 0.012, x + 0.004, y - 0.012, Color(0x45433f))
            }
        }
        // The underside of the board above, in its own shadow.
        let below = topBoard - boardThickness
        canvas.fill(
            [
                (-halfSize.x - 0.1, below * wallDepth / edgeDepth), (halfSize.x + 0.1, below * wallDepth / edgeDepth),
                (halfSize.x + 0.1, below), (-halfSize.x - 0.1, below),
            ], Color(0x77746d), Color(0x55524c))
        canvas.rectangle(-halfSize.x - 0.1, below, halfSize.x + 0.1, below - 0.03, Color(0x6f6c65), Color(0x908c83))
        // The tops of the boards. The front edge covers the top of a board above the optical axis.
        for board in boards {
            let (near, far) = (board * wallDepth / edgeDepth, board)
            canvas.fill(
                [
                    (-halfSize.x - 0.1, far), (halfSize.x + 0.1, far), (halfSize.x + 0.1, near),
                    (-halfSize.x - 0.1, near),
                ],
                Color(0x8d8a84), Color(0xc4c1ba))
            // The shadow at the back of the board.
            canvas.rectangle(-halfSize.x - 0.1, far + 0.02, halfSize.x + 0.1, far, Color(0x7d7a73), Color(0x5b5852))
        }
    }

    /// Paints the front edges of the boards with their price tags.
    private static func paintEdges(_ canvas: SceneCanvas, _ halfSize: (x: Double, y: Double)) {
        typealias Color = SceneCanvas.Color
        for (index, board) in ([topBoard] + boards).enumerated() {
            let bottom = board - boardThickness
            canvas.rectangle(
                -halfSize.x - 0.1, board, halfSize.x + 0.1, bottom, Color(0xe2e0da), Color(0xb2afa7))
            var random = SplitMix64(seed: UInt64(index) + 90)
            var x = -halfSize.x - 0.05
            while x < halfSize.x {
                let width = random.number(in: 0.036...0.05)
                canvas.rectangle(x, board - 0.002, x + width, bottom + 0.002, Color(0xf6f4ea), Color(0xe9e6d8))
                let price = "\(1 + Int(random.next() % 9)).\(Int(random.next() % 10))9"
                canvas.write(price, x: x + 0.004, y: bottom + 0.0045, height: 0.0085, Color(0xb3261e))
                x += width + random.number(in: 0.03...0.09)
            }
        }
    }
}

extension ShelfScene {
    /// A product without a code.
    private struct Product {
        enum Shape { case bottle, tin, packet }

        var shape: Shape
        /// Index in `boards`.
        var board: Int
        /// Meters to the right of the optical axis.
        var x: Double
        /// Meters.
        var depth: Double
        var color: SceneCanvas.Color
        var name: String

        /// Paints the product; the origin is the center of its base.
        func paint(_ canvas: SceneCanvas, seed: UInt32) {
            typealias Color = SceneCanvas.Color
            switch shape {
            case .bottle:
                canvas.fill(
                    [
                        (-0.03, 0), (-0.032, 0.005), (-0.032, 0.1), (-0.026, 0.12), (-0.012, 0.138), (-0.011, 0.16),
                        (0.011, 0.16), (0.012, 0.138), (0.026, 0.12), (0.032, 0.1), (0.032, 0.005), (0.03, 0),
                    ], color.scaled(1.1), color.scaled(0.75))
                canvas.rectangle(-0.025, 0.115, -0.02, 0.016, color.scaled(1.5), color.scaled(1.2))
                canvas.rectangle(0.023, 0.11, 0.032, 0.008, color.scaled(0.7), color.scaled(0.55))
                canvas.rectangle(-0.0135, 0.172, 0.0135, 0.154, Color(0xd9d6cc), Color(0xa9a69c))
                paintLabel(canvas, 0.032, bottom: 0.028, top: 0.082)
            case .tin:
                canvas.rectangle(-0.042, 0.112, 0.042, 0, Color(0xc9ccd0), Color(0x8e9196))
                canvas.rectangle(-0.042, 0.106, 0.042, 0.006, color.scaled(1.1), color.scaled(0.85))
                canvas.rectangle(-0.034, 0.106, -0.024, 0.006, color.scaled(1.35), color.scaled(1.1))
                canvas.rectangle(0.03, 0.106, 0.042, 0.006, color.scaled(0.75), color.scaled(0.6))
                canvas.ellipse(0, 0.112, 0.042, 0.006, Color(0xdfe2e5), Color(0xb2b5b9))
                paintLabel(canvas, 0.036, bottom: 0.03, top: 0.085)
            case .packet:
                canvas.fill(
                    [(-0.046, 0), (-0.05, 0.16), (-0.044, 0.168), (0.044, 0.168), (0.05, 0.16), (0.046, 0)],
                    color.scaled(1.15), color.scaled(0.8),
                    texture: SceneCanvas.Texture(strength: 60, width: 0.03, height: 0.02, seed: seed))
                canvas.rectangle(-0.044, 0.168, 0.044, 0.158, color.scaled(1.3), color.scaled(0.9))
                paintLabel(canvas, 0.042, bottom: 0.05, top: 0.125)
            }
        }

        private func paintLabel(_ canvas: SceneCanvas, _ half: Double, bottom: Double, top: Double) {
            typealias Color = SceneCanvas.Color
            canvas.rectangle(-half, top, half, bottom, Color(0xf1ecdc), Color(0xdcd6c4))
            canvas.write(
                name, x: 0, y: (top + bottom) / 2, height: 0.014, maximumWidth: half * 1.7, alignment: .center,
                color.scaled(0.6))
            canvas.rectangle(-half, bottom + 0.012, half, bottom + 0.006, color)
        }
    }

    private static let products: [Product] = allProducts()

    private static func allProducts() -> [Product] {
        typealias Color = SceneCanvas.Color
        let kinds: [(Product.Shape, Color, String)] = [
            (.bottle, Color(0x4f7f45), "OLIVA"), (.tin, Color(0xb23a2e), "TOMATO"), (.packet, Color(0xd2a53a), "PASTA"),
            (.tin, Color(0x3c6aa0), "TUNA"), (.bottle, Color(0x7a3b24), "SHERRY"), (.packet, Color(0x8a4b7d), "BEANS"),
        ]
        var products: [Product] = []
        // "shelf" in ASCII.
        var random = SplitMix64(seed: 0x73_68_65_6c_66)
        // First the center, then the sides, which are visible only with wide lenses.
        for columns in [Array(-5...5), Array(-12 ... -6) + Array(6...12)] {
            for (board, row) in boards.indices.flatMap({ [($0, 0), ($0, 1)] }) {
                for column in columns {
                    let kind = kinds[(column + 17 + board * 2 + row * 3) % kinds.count]
                    let offset: Double = row == 0 ? 0.05 : 0
                    let x: Double = Double(column) * 0.118 + offset + random.number(in: -0.008...0.008)
                    products.append(
                        Product(
                            shape: kind.0, board: board, x: x,
                            depth: row == 0 ? 0.86 : 0.78, color: kind.1, name: kind.2))
                }
            }
        }
        return products
    }
}
