import CSimKernels
import MediaTypes

/// Three people in a room, at 0.9, 1.6 and 2.4 m, in front of a plant, a lamp, a bookcase and a wall at 3.4, 3.55, 3.8
/// and 4 m. Their heads sway slightly.
struct PortraitScene: PaintedScene {
    private struct Head {
        var layer: PlacedLayer
        /// Amplitude of the horizontal motion in meters.
        var sway: Double
        /// Frequency of the motion in hertz.
        var rate: Double
        /// Phase of the motion at time 0, in cycles.
        var phase: Double

        /// Returns the number of cycles of the motion.
        func turns(at nanoseconds: Int64) -> Double { rate * (Double(nanoseconds) / 1e9) + phase }
    }

    let light: SceneLight
    let backdrop: [PlacedLayer]
    private let heads: [Head]
    private let view: SceneView

    /// Distance of each person in meters, and position of the face relative to the optical axis.
    static let positions: [(depth: Double, x: Double, y: Double)] = [
        (2.4, 0.95, 0.12), (1.6, -0.62, 0.08), (0.9, 0.05, 0.02),
    ]

    /// The people, from back to front: the nearest is the first person.
    static let objects = positions.enumerated().map { index, position in
        SceneObject("person-\(positions.count - index)", x: position.x, y: position.y, isStanding: true)
    }

    private static let wallDepth = 4.0
    /// Position of the floor lamp.
    private static let lampX = 1.735
    private static let lampDepth = 3.55
    /// Height of the camera above the floor.
    private static let eyeHeight = 1.55

    init(view: SceneView, light: SceneLight = SimScene.portrait.light) {
        self.light = light
        self.view = view
        let builder = SceneLayerBuilder(view: view)
        var layers = [builder.panel(depth: Self.wallDepth) { Self.paintRoom($0, builder.halfSize(Self.wallDepth)) }]
        if let floor = Self.floor(view) { layers.append(floor) }
        layers += [Self.bookcase(builder), Self.lamp(builder), Self.plant(builder)].compactMap { $0 }
        var heads: [Head] = []
        // From back to front. A person's body is behind the head.
        for (index, position) in Self.positions.enumerated() {
            let person = ScenePerson.all[ScenePerson.all.count - 1 - index]
            let feet = Self.eyeHeight + position.y
            var body = builder.cutout(
                depth: position.depth, x: position.x, y: position.y, left: 0.33, right: 0.33, up: 0.02,
                down: min(feet, builder.halfSize(position.depth).y + position.y + 0.02), parts: person.bodyParts
            ) { person.paintBody($0, floor: -feet) }
            var head = builder.cutout(
                depth: position.depth, x: position.x, y: position.y, left: 0.13, right: 0.13, up: 0.15, down: 0.2,
                parts: person.headParts, paint: person.paintHead)
            (body.object, head.object) = (Self.objects[index].name, Self.objects[index].name)
            layers.append(body)
            heads.append(
                Head(
                    layer: head, sway: 0.012, rate: 0.23 + 0.07 * Double(index), phase: 0.3 * Double(index)))
        }
        backdrop = layers
        self.heads = heads
    }

    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] {
        heads.map { head in
            var layer = head.layer
            let turns = head.turns(at: nanoseconds)
            let scale = view.scale / layer.depth
            layer.x += Int((head.sway * Circle.sine(turns: turns) * scale).rounded(.down))
            layer.speed = head.sway * head.rate * 6.283185307179586 * Circle.sine(turns: turns + 0.25) * scale
            return layer
        }
    }

    func faces(at nanoseconds: Int64) -> [SceneFace] {
        zip(heads, Self.positions).enumerated().map { index, person in
            let (head, position) = person
            let x = position.x + head.sway * Circle.sine(turns: head.turns(at: nanoseconds))
            var face = SceneFace(of: index, in: view, depth: position.depth, x: x, y: position.y)
            face.object = head.layer.object
            return face
        }
    }

    /// Applies the light of a window to the left of the camera and a lamp in the corner, and ambient light.
    private static func illuminate(_ canvas: SceneCanvas, _ rows: [csim_surface_row]) {
        let lamps = [
            csim_lamp(x: -3.5, y: 1.5, z: 0.5, strength: 9),
            csim_lamp(x: lampX, y: 0.95, z: lampDepth, strength: 0.2),
            csim_lamp(x: lampX, y: 0.5, z: lampDepth, strength: 0.12),
        ]
        canvas.illuminate(rows, lamps, ambient: 0.32)
    }

    /// Applies the same light to an upright surface.
    ///
    /// - Parameter x: Position of the canvas's origin.
    private static func illuminate(_ canvas: SceneCanvas, x: Double = 0, depth: Double) {
        let pitch = 1 / canvas.scale
        illuminate(
            canvas,
            (0..<canvas.height).map { row in
                csim_surface_row(
                    left: x + (0.5 - canvas.originX) * pitch, pitch: pitch,
                    y: (canvas.originY - Double(row) - 0.5) * pitch, z: depth)
            })
    }

    /// Paints floorboards along the viewing direction, in units of x / z; returns nil if the floor is not visible.
    private static func floor(_ view: SceneView) -> PlacedLayer? {
        let horizon = Double(view.height) / 2
        let top = Int(horizon + eyeHeight / wallDepth * view.scale)
        guard top < view.height else { return nil }
        let canvas = SceneCanvas(
            width: view.width, height: view.height - top, scale: view.scale, originX: Double(view.width) / 2,
            originY: horizon - Double(top))
        typealias Color = SceneCanvas.Color
        /// Paints a strip of the floor from `near` to `far`.
        func strip(
            _ left: Double, _ right: Double, _ near: Double, _ far: Double, _ color: Color, grain: UInt32? = nil
        ) {
            canvas.fillGround(
                left: left, right: right, near: near, far: far, eyeHeight: eyeHeight, color.scaled(1.05), color,
                texture: grain.map { SceneCanvas.Texture(strength: 36, width: 0.01, height: 0.004, seed: $0) })
        }
        let width = 0.16
        let half = view.longerTangent * wallDepth + 0.2
        let count = Int((half / width).rounded(.up))
        let slope = Double(view.height - top) / view.scale + eyeHeight / wallDepth
        let nearest = 0.9 * eyeHeight / slope
        strip(-half, half, nearest, wallDepth + 0.05, Color(0x8a6a48), grain: 15)
        // "floor" in ASCII.
        var random = SplitMix64(seed: 0x666c_6f6f_72)
        for board in -count...count {
            let x = Double(board) * width
            let wood = Color(0x8a6a48).scaled(random.number(in: 0.9...1.1))
            strip(
                x, x + width - 0.005, nearest, wallDepth + 0.05, wood, grain: UInt32(truncatingIfNeeded: random.next()))
            // The joint of two boards.
            let joint = random.number(in: 1.4...3.8)
            strip(x, x + width - 0.005, joint, joint + 0.006, Color(0x4d3823))
        }
        let depths = (0..<canvas.height).map { row in
            eyeHeight * view.scale / (Double(top + row) + 0.5 - horizon)
        }
        illuminate(
            canvas,
            depths.map { depth in
                let pitch = depth / view.scale
                return csim_surface_row(
                    left: (0.5 - Double(view.width) / 2) * pitch, pitch: pitch, y: -eyeHeight, z: depth)
            })
        return PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: top, depth: 3, rowDepth: depths)
    }

    private static func paintRoom(_ canvas: SceneCanvas, _ halfSize: (x: Double, y: Double)) {
        typealias Color = SceneCanvas.Color
        canvas.rectangle(
            -halfSize.x - 1, halfSize.y + 1, halfSize.x + 1, -halfSize.y - 1, Color(0xb9b4a6), Color(0x97917f),
            texture: SceneCanvas.Texture(strength: 12, width: 0.014, height: 0.014, seed: 21))
        canvas.rectangle(
            -halfSize.x - 1, 0.09 - eyeHeight, halfSize.x + 1, -halfSize.y - 1, Color(0xd6d2c6), Color(0xc4c0b4))
        // A painting.
        canvas.rectangle(-0.75, 1.05, 0.25, 0.35, Color(0x3b3129))
        canvas.rectangle(-0.69, 0.99, 0.19, 0.41, Color(0x7fa3c9), Color(0xdccfae))
        canvas.fill(
            [(-0.69, 0.41), (-0.4, 0.75), (-0.2, 0.58), (0, 0.7), (0.19, 0.41)], Color(0x5f7a58), Color(0x3f5a40))
        illuminate(canvas, depth: wallDepth)
    }

    /// Creates a layer for a piece of furniture that stands on the floor; returns nil if it is not visible.
    ///
    /// - Parameters:
    ///   - half: Half of its width in meters.
    ///   - top: Its upper end, in meters from the optical axis.
    private static func furniture(
        _ builder: SceneLayerBuilder, depth: Double, x: Double, half: Double, top: Double,
        paint: (SceneCanvas) -> Void
    ) -> PlacedLayer? {
        let halfSize = builder.halfSize(depth)
        guard abs(x) - half < halfSize.x else { return nil }
        // Parts outside the frame are not painted.
        return builder.cutout(
            depth: depth, x: x, y: 0, left: half, right: half, up: min(top, halfSize.y + 0.02),
            down: min(eyeHeight, halfSize.y) + 0.02, paint: paint)
    }

    private static func bookcase(_ builder: SceneLayerBuilder) -> PlacedLayer? {
        typealias Color = SceneCanvas.Color
        let (depth, middle, half, top) = (3.8, -2.02, 0.74, 1.24)
        return furniture(builder, depth: depth, x: middle, half: half, top: top) { canvas in
            canvas.rectangle(-half, top, half, -eyeHeight, Color(0x6f5236), Color(0x59412b))
            var random = SplitMix64(seed: 77)
            for shelf in 0..<5 {
                let floor = -1.45 + Double(shelf) * 0.53
                canvas.rectangle(-0.66, floor + 0.45, 0.66, floor, Color(0x35281b), Color(0x2a2016))
                var x = -0.64
                while x < 0.58 {
                    let width = random.number(in: 0.03...0.075)
                    let color = random.pick([
                        Color(0xa3443b), Color(0x35507a), Color(0xc9b06a), Color(0x4b6b4a), Color(0xd8d0c0),
                        Color(0x5a4a6b),
                    ])
                    canvas.rectangle(
                        x, floor + random.number(in: 0.27...0.41), min(x + width, 0.66), floor, color.scaled(1.1),
                        color.scaled(0.8))
                    x += width + 0.004
                }
            }
            illuminate(canvas, x: middle, depth: depth)
        }
    }

    private static func lamp(_ builder: SceneLayerBuilder) -> PlacedLayer? {
        typealias Color = SceneCanvas.Color
        let metal = Color(0x4a4540)
        return furniture(builder, depth: lampDepth, x: lampX, half: 0.25, top: 1) { canvas in
            canvas.rectangle(-0.015, 0.6, 0.015, 0.02 - eyeHeight, metal)
            canvas.ellipse(0, 0.02 - eyeHeight, 0.16, 0.03, metal, Color(0x35312d))
            illuminate(canvas, x: lampX, depth: lampDepth)
            // The shade emits light.
            canvas.fill(
                [(-0.235, 0.6), (0.235, 0.6), (0.125, 1.0), (-0.125, 1.0)], Color(0xfff3d6), Color(0xffe3a8))
        }
    }

    private static func plant(_ builder: SceneLayerBuilder) -> PlacedLayer? {
        typealias Color = SceneCanvas.Color
        let (depth, x, potTop) = (3.4, 2.24, -0.9)
        return furniture(builder, depth: depth, x: x, half: 0.8, top: potTop + 0.8) { canvas in
            for leaf in 0..<16 {
                let turn = Circle.sineAndCosine(turns: 0.02 + Double(leaf) * 0.031)
                let length = 0.5 + 0.25 * Double((leaf * 7) % 5) / 5
                canvas.capsule(
                    0, potTop, turn.cosine * length, potTop + turn.sine * length, 0.035, Color(0x5b8a4a),
                    Color(0x39622f))
            }
            canvas.fill(
                [(-0.18, potTop), (0.18, potTop), (0.12, -eyeHeight), (-0.12, -eyeHeight)], Color(0xb56b45),
                Color(0x8a4f33))
            illuminate(canvas, x: x, depth: depth)
        }
    }
}
