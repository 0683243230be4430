import CSimKernels
import MediaTypes

/// Three people in a room, at 0.9, 1.6 and 2.4 m, in front of a wall at 4 m. Their heads sway slightly.
struct PortraitScene: PaintedScene {
    private struct Head {
        var layer: PlacedLayer
        /// Amplitude in meters and frequency in hertz.
        var sway: Double
        var rate: Double
        var phase: Double
    }

    let light: SceneLight
    let backdrop: [PlacedLayer]
    private let heads: [Head]
    private let view: SceneView

    /// Distance of each person in meters, and position of the face relative to the optical axis.
    static let positions: [(depth: Double, x: Double, y: Double)] = [
        (2.4, 0.95, 0.12), (1.6, -0.62, 0.08), (0.9, 0.05, 0.02),
    ]

    private static let wallDepth = 4.0
    /// Height of the camera above the floor.
    private static let eyeHeight = 1.55

    init(view: SceneView, light: SceneLight = SimScene.portrait.light) {
        self.light = light
        self.view = view
        let builder = SceneLayerBuilder(view: view)
        var layers = [builder.panel(depth: Self.wallDepth) { Self.paintRoom($0, builder.reach(Self.wallDepth)) }]
        if let floor = Self.floor(view) { layers.append(floor) }
        var heads: [Head] = []
        // From back to front. A person's body is behind the head.
        for (index, position) in Self.positions.enumerated() {
            let person = ScenePerson.all[ScenePerson.all.count - 1 - index]
            let feet = Self.eyeHeight + position.y
            layers.append(
                builder.cutout(
                    depth: position.depth, x: position.x, y: position.y, left: 0.33, right: 0.33, up: 0.02,
                    down: min(feet, builder.reach(position.depth).y + position.y + 0.02)
                ) { person.paintBody($0, floor: -feet) })
            heads.append(
                Head(
                    layer: builder.cutout(
                        depth: position.depth, x: position.x, y: position.y, left: 0.13, right: 0.13, up: 0.15,
                        down: 0.2,
                        paint: person.paintHead),
                    sway: 0.012, rate: 0.23 + 0.07 * Double(index), phase: 0.3 * Double(index)))
        }
        backdrop = layers
        self.heads = heads
    }

    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] {
        let seconds = Double(nanoseconds) / 1e9
        return heads.map { head in
            var layer = head.layer
            let turns = head.rate * seconds + head.phase
            let scale = view.scale / layer.depth
            layer.x += Int((head.sway * Circle.sine(turns: turns) * scale).rounded(.down))
            layer.speed = head.sway * head.rate * 6.283185307179586 * Circle.sine(turns: turns + 0.25) * scale
            return layer
        }
    }

    /// Applies the light of a window to the left of the camera and a lamp in the corner, and ambient light.
    private static func light(_ canvas: SceneCanvas, _ rows: [csim_surface_row]) {
        let lamps = [
            csim_lamp(x: -3.5, y: 1.5, z: 0.5, strength: 9), csim_lamp(x: 1.735, y: 0.95, z: 3.55, strength: 0.2),
            csim_lamp(x: 1.735, y: 0.5, z: 3.55, strength: 0.12),
        ]
        canvas.illuminate(rows, lamps, ambient: 0.32)
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
        func strip(_ x0: Double, _ x1: Double, _ near: Double, _ far: Double, _ color: Color, grain: UInt32? = nil) {
            let (nearY, farY) = (-eyeHeight / near, -eyeHeight / far)
            canvas.fill(
                [(x0 / near, nearY), (x1 / near, nearY), (x1 / far, farY), (x0 / far, farY)], color.scaled(1.05), color,
                texture: grain.map { SceneCanvas.Texture(strength: 36, width: 0.01, height: 0.004, seed: $0) })
        }
        let (width, half) = (0.16, view.tangentOfHalfView * wallDepth + 0.2)
        let count = Int((half / width).rounded(.up))
        let nearest = 0.9 * eyeHeight / (Double(view.height - top) / view.scale + eyeHeight / wallDepth)
        strip(-half, half, nearest, wallDepth + 0.05, Color(0x8a6a48), grain: 15)
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
        light(
            canvas,
            depths.map { depth in
                let pitch = depth / view.scale
                return csim_surface_row(
                    left: (0.5 - Double(view.width) / 2) * pitch, pitch: pitch, y: -eyeHeight, z: depth)
            })
        return PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: top, depth: 3, rowDepth: depths)
    }

    private static func paintRoom(_ canvas: SceneCanvas, _ reach: (x: Double, y: Double)) {
        typealias Color = SceneCanvas.Color
        canvas.rectangle(
            -reach.x - 1, reach.y + 1, reach.x + 1, -reach.y - 1, Color(0xb9b4a6), Color(0x97917f),
            texture: SceneCanvas.Texture(strength: 12, width: 0.014, height: 0.014, seed: 21))
        canvas.rectangle(
            -reach.x - 1, 0.09 - eyeHeight, reach.x + 1, -reach.y - 1, Color(0xd6d2c6), Color(0xc4c0b4))
        // A bookcase.
        canvas.rectangle(-2.9, 1.3, -1.35, -eyeHeight, Color(0x6f5236), Color(0x59412b))
        var random = SplitMix64(seed: 77)
        for shelf in 0..<5 {
            let floor = -1.45 + Double(shelf) * 0.55
            canvas.rectangle(-2.82, floor + 0.47, -1.43, floor, Color(0x35281b), Color(0x2a2016))
            var x = -2.8
            while x < -1.52 {
                let width = random.number(in: 0.03...0.075)
                let color = random.pick([
                    Color(0xa3443b), Color(0x35507a), Color(0xc9b06a), Color(0x4b6b4a), Color(0xd8d0c0),
                    Color(0x5a4a6b),
                ])
                canvas.rectangle(
                    x, floor + random.number(in: 0.27...0.42), x + width, floor, color.scaled(1.1), color.scaled(0.8))
                x += width + 0.004
            }
        }
        // A painting, a floor lamp, a plant.
        canvas.rectangle(-0.75, 1.05, 0.25, 0.35, Color(0x3b3129))
        canvas.rectangle(-0.69, 0.99, 0.19, 0.41, Color(0x7fa3c9), Color(0xdccfae))
        canvas.fill(
            [(-0.69, 0.41), (-0.4, 0.75), (-0.2, 0.58), (0, 0.7), (0.19, 0.41)], Color(0x5f7a58), Color(0x3f5a40))
        canvas.rectangle(1.72, 0.6, 1.75, 0.02 - eyeHeight, Color(0x4a4540))
        canvas.ellipse(1.735, 0.03 - eyeHeight, 0.16, 0.03, Color(0x4a4540), Color(0x35312d))
        for leaf in 0..<16 {
            let turn = Circle.sineAndCosine(turns: 0.02 + Double(leaf) * 0.031)
            let length = 0.5 + 0.25 * Double((leaf * 7) % 5) / 5
            canvas.capsule(
                2.6, -0.9, 2.6 + turn.cosine * length, -0.9 + turn.sine * length, 0.035, Color(0x5b8a4a),
                Color(0x39622f))
        }
        canvas.fill(
            [(2.42, -0.9), (2.78, -0.9), (2.72, -eyeHeight), (2.48, -eyeHeight)], Color(0xb56b45), Color(0x8a4f33))
        light(
            canvas,
            (0..<canvas.height).map { row in
                csim_surface_row(
                    left: (0.5 - canvas.originX) / canvas.scale, pitch: 1 / canvas.scale,
                    y: (canvas.originY - Double(row) - 0.5) / canvas.scale, z: wallDepth)
            })
        // The lamp's shade emits light.
        canvas.fill([(1.5, 0.6), (1.97, 0.6), (1.86, 1.0), (1.61, 1.0)], Color(0xfff3d6), Color(0xffe3a8))
    }
}
