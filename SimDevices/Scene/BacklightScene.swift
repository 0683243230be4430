import MediaTypes

/// A person in front of a bright window: the illuminance is 200 lx inside, and fifty times as much outside.
///
/// Positions and sizes are in meters: x to the right of the optical axis, y above it.
struct BacklightScene: PaintedScene {
    let light = SimScene.backlight.light
    /// The view outside, the wall and the person. Nothing in the scene moves by itself.
    let backdrop: [PlacedLayer]

    /// Ratio of the luminance outside to that inside.
    static let contrast = 50.0

    /// The person.
    static let objects = [SceneObject("person-1", x: 0.06, y: 0.02, isStanding: true)]

    private let face: SceneFace

    init(view: SceneView) {
        typealias Color = SceneCanvas.Color
        let builder = SceneLayerBuilder(view: view)
        let outside = builder.panel(depth: 60, brightness: Self.contrast) { canvas in
            let (x, y) = builder.halfSize(60)
            canvas.rectangle(-x - 1, y + 1, x + 1, -6, Color(0x88aede), Color(0xe4ecf2))
            // Structures of up to 18 m, where noise of 0 … 65,535 exceeds 32,000, in the upper 60 % of the pixel rows.
            canvas.clouds(grain: 18, threshold: 32000, lastRow: view.height * 6 / 10, seed: 5)
            // The strength of a texture is 0 … 255; its width and height are the size of a grain.
            canvas.rectangle(
                -x - 1, -5, x + 1, -y - 1, Color(0x8fa66a), Color(0x6f8a52),
                texture: SceneCanvas.Texture(strength: 70, width: 1.4, height: 0.25, seed: 4))
            var random = SplitMix64(seed: 31)
            let halfWidth = view.longerTangent * 60
            for _ in 0..<26 {
                let (treeX, size) = (random.number(in: -halfWidth...halfWidth), random.number(in: 2.5...6))
                let leaves = SceneCanvas.Texture(strength: 150, width: 0.17, height: 0.15, seed: UInt32(size * 100))
                let base = -5 + size * 0.5
                canvas.ellipse(treeX, base, size * 0.7, size, Color(0x5d7f46), Color(0x3d5a33), texture: leaves)
                // Each crown consists of several ellipses.
                for part in 0..<5 {
                    let direction = Circle.sineAndCosine(turns: Double(part) * 0.23)
                    canvas.ellipse(
                        treeX + direction.cosine * size * 0.4, base + size * (0.35 + direction.sine * 0.4), size * 0.42,
                        size * 0.38,
                        Color(0x7d9a5c).scaled(0.9 + 0.05 * Double(part)), Color(0x47663a), texture: leaves)
                }
            }
        }
        let wall = builder.panel(depth: 3.2) { canvas in
            let (x, y) = builder.halfSize(3.2)
            let (right, top) = (x + 0.2, y + 0.2)
            /// Returns the wall's color at a height; it is darker toward the floor.
            func plaster(_ height: Double) -> Color {
                Color(0xa9a296).scaled(0.925 + 0.075 * height / top)
            }
            // The parts overlap, so that no light from outside shows through their antialiased edges.
            for side in [-1.0, 1.0] {
                canvas.rectangle(
                    min(side * 1.3, side * right), top, max(side * 1.3, side * right), -top, plaster(top),
                    plaster(-top))
                canvas.rectangle(
                    min(side * 1.35, side * 1.28), top, max(side * 1.35, side * 1.28), -top, Color(0xdad5ca))
            }
            canvas.rectangle(-1.36, top, 1.36, 1.15, plaster(top), plaster(1.15))
            canvas.rectangle(-1.36, -0.72, 1.36, -top, plaster(-0.72), plaster(-top))
            canvas.rectangle(-1.45, -0.68, 1.45, -0.76, Color(0xe4e0d6), Color(0xc9c4b8))
            canvas.rectangle(-0.035, 1.15, 0.035, -0.7, Color(0xdad5ca))
            canvas.rectangle(-1.3, 0.52, 1.3, 0.46, Color(0xdad5ca))
        }
        let person = ScenePerson.all[1]
        let (depth, object) = (1.1, Self.objects[0])
        // 0 identifies the only person of the scene. It is not an index of `ScenePerson.all`.
        var face = SceneFace(of: 0, in: view, depth: depth, x: object.x, y: object.y)
        face.object = object.name
        self.face = face
        var body = builder.cutout(
            depth: depth, x: object.x, y: object.y, left: 0.33, right: 0.33, up: 0.15, down: 1.3,
            parts: person.bodyParts + person.headParts
        ) { canvas in
            person.paintBody(canvas)
            person.paintHead(canvas)
        }
        body.object = object.name
        backdrop = [outside, wall, body]
    }

    func faces(at nanoseconds: Int64) -> [SceneFace] { [face] }
}
