import CSimKernels
import MediaTypes

/// Paints the parts of the street for one view.
struct StreetPainter {
    typealias Color = SceneCanvas.Color
    typealias Texture = SceneCanvas.Texture

    /// A moving object. Its origin is on the ground, at the left end of a car or the center of a pedestrian.
    struct Sprite {
        /// One bitmap for each phase of the motion.
        var phases: AnimationFrames
        /// Position of the bitmap's left edge in meters to the right of the origin.
        var anchorX: Double
        /// Position of the bitmap's top edge in meters above the camera.
        var anchorY: Double
        /// Positions of the wheels in meters to the right of the origin.
        var wheels: [Double] = []
    }

    /// Radius in meters.
    static let wheelRadius = 0.33

    let view: SceneView
    let seed: UInt64
    /// The lamps at night; nil by day.
    var lamps: StreetLamps?
    /// The row of pixels at the camera's height.
    var horizon: Double { (Double(view.height) * 0.56).rounded() }

    // MARK: Backdrop

    /// Returns the layers of sky, skyline, houses, ground and trees, from back to front.
    func backdrop() -> [PlacedLayer] {
        let trees = panorama(depth: 17, endRow: Double(view.height), paint: paintTrees)
        return [
            panorama(depth: 4000, endRow: horizon + 2, paint: paintSky),
            panorama(depth: 160, endRow: horizon + StreetScene.eyeHeight * view.scale / 22 + 2, paint: paintSkyline),
            panorama(depth: 22, endRow: horizon + StreetScene.eyeHeight * view.scale / 22 + 2, paint: paintHouses),
            ground(),
            trees,
        ]
    }

    /// Returns a layer as wide as the frame, from the top of the frame on; its canvas is in meters at its depth.
    ///
    /// - Parameter endRow: The row of pixels of the frame at which the layer ends.
    private func panorama(depth: Double, endRow: Double, paint: (SceneCanvas) -> Void) -> PlacedLayer {
        let scale = view.scale / depth
        let canvas = SceneCanvas(
            width: view.width, height: min(view.height, Int(endRow)), scale: scale, originX: Double(view.width) / 2,
            originY: horizon)
        paint(canvas)
        if let lamps, depth < 100 {
            lamps.illuminate(
                canvas,
                (0..<canvas.height).map { row in
                    csim_surface_row(
                        left: (0.5 - Double(view.width) / 2) / scale, pitch: 1 / scale,
                        y: (horizon - Double(row) - 0.5) / scale, z: depth)
                })
        }
        return PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: 0, depth: depth)
    }

    /// Returns half the visible width at a depth, with a margin of 1 m on each side, in meters.
    private func halfWidth(_ depth: Double) -> Double { view.tangentOfHalfView * depth + 1 }

    private func paintSky(_ canvas: SceneCanvas) {
        let halfExtent = halfWidth(4000) * 1.1
        canvas.rectangle(
            -halfExtent, Double(canvas.height) / canvas.scale, halfExtent, -200, Color(0x6f9fd8), Color(0xdfe9f2))
        canvas.clouds(
            grain: 1100, threshold: 30000, lastRow: Int(horizon), seed: UInt32(truncatingIfNeeded: seed) & 0xffff)
    }

    private func paintSkyline(_ canvas: SceneCanvas) {
        // "skyl" in ASCII.
        var random = SplitMix64(seed: seed ^ 0x736b_796c)
        // The skyline is at a depth of 160 m.
        let halfExtent = StreetScene.widestTangent * 160
        var x = -halfExtent
        while x < halfExtent {
            let width = random.number(in: 14...34)
            let height = random.number(in: 18...62)
            let base = random.pick([Color(0xa9b9c9), Color(0xb4c0cb), Color(0x9fb0c4)])
            if abs(x) < halfWidth(160) + 40 {
                canvas.rectangle(x, height, x + width, -4, base, Color(0xc9d3da))
                for row in 0..<Int(height / 4) {
                    let y = 3 + Double(row) * 4
                    canvas.rectangle(x + 2, y + 1.4, x + width - 2, y, base.scaled(0.93))
                }
            }
            x += width + random.number(in: -4...10)
        }
        canvas.rectangle(-halfExtent - 60, 6, halfExtent + 60, -6, Color(0x9db39a), Color(0xa9bda0))
        // A lane, visible through gaps between the houses.
        canvas.rectangle(-halfExtent - 60, -6, halfExtent + 60, -12, Color(0xb5b0a4), Color(0xa39d92))
    }

    private func paintHouses(_ canvas: SceneCanvas) {
        forEachHouse { $0.paint(canvas) }
        let halfExtent = StreetScene.widestTangent * 22 + 4
        let foot = -StreetScene.eyeHeight
        canvas.rectangle(-halfExtent, foot + 0.25, halfExtent, foot - 0.3, Color(0x8f8a82), Color(0xa5a099))
    }

    /// Calls `body` for each visible house.
    private func forEachHouse(_ body: (StreetHouse) -> Void) {
        // "hous" in ASCII.
        var random = SplitMix64(seed: seed ^ 0x686f_7573)
        let halfExtent = StreetScene.widestTangent * 22 + 4
        var x = -halfExtent
        while x < halfExtent {
            let width = random.number(in: 6...10.5)
            let floors = Int(random.number(in: 2...4.99))
            let house = StreetHouse(
                left: x, width: width, floors: floors, random: SplitMix64(seed: random.next()),
                ground: -StreetScene.eyeHeight)
            if x + width > -halfWidth(22) - 1, x < halfWidth(22) + 1 { body(house) }
            x += width
            // Some houses have a gap between them.
            if random.number(in: 0...1) < 0.22 { x += random.number(in: 1.5...3.5) }
        }
    }

    private func paintTrees(_ canvas: SceneCanvas) {
        // "tree" in ASCII. `StreetLamps.positions` draws the same random numbers.
        var random = SplitMix64(seed: seed ^ 0x7472_6565)
        let foot = -StreetScene.eyeHeight
        for index in 0..<7 {
            let x = -24 + Double(index) * 8 + random.number(in: -1.2...1.2)
            let appearanceSeed = random.next()
            guard abs(x) < halfWidth(17) + 4 else { continue }
            if index % 3 == 2 {
                paintLamp(canvas, x: x, foot: foot)
            } else {
                paintTree(canvas, x: x, foot: foot, appearanceSeed: appearanceSeed)
            }
        }
    }

    private func paintTree(_ canvas: SceneCanvas, x: Double, foot: Double, appearanceSeed: UInt64) {
        var random = SplitMix64(seed: appearanceSeed)
        canvas.fill(
            [(x - 0.17, foot), (x + 0.17, foot), (x + 0.1, foot + 2.6), (x - 0.1, foot + 2.6)], Color(0x6b5a48),
            Color(0x4a3d31), texture: Texture(strength: 120, width: 0.05, height: 0.4, seed: 3))
        let leaf = random.pick([Color(0x5f8a3e), Color(0x4f7d45), Color(0x7a9440)])
        for ring in 0..<3 {
            for _ in 0..<9 {
                let dx = random.number(in: -1.35...1.35)
                let dy = random.number(in: -0.9...1.1)
                let radius = random.number(in: 0.4...0.75)
                let shade = 0.72 + 0.13 * Double(ring) + 0.12 * dy
                canvas.ellipse(
                    x + dx * (1 - 0.18 * Double(ring)), foot + 3.7 + dy + 0.18 * Double(ring), radius, radius * 0.85,
                    leaf.scaled(shade + 0.14), leaf.scaled(shade - 0.16),
                    texture: Texture(strength: 170, width: 0.07, height: 0.06, seed: UInt32(ring)))
            }
        }
    }

    /// Returns the layer of the light sources at night: the lamps.
    func lights() -> PlacedLayer {
        var layer = panorama(depth: 17, endRow: Double(view.height)) { canvas in
            let foot = -StreetScene.eyeHeight
            for x in StreetLamps.positions(seed: seed) where abs(x) < halfWidth(17) + 4 {
                canvas.ellipse(x + 0.9, foot + 4.69, 0.26, 0.06, Color(0xfff4d8), Color(0xffe9b8))
            }
        }
        layer.brightness = 400
        return layer
    }

    /// Returns the layer of the lit windows of houses and shops at night.
    func windows() -> PlacedLayer {
        let endRow = horizon + StreetScene.eyeHeight * view.scale / 22 + 2
        var layer = panorama(depth: 22, endRow: endRow) { canvas in
            forEachHouse { $0.paintGlow(canvas) }
        }
        layer.brightness = 2.5
        return layer
    }

    private func paintLamp(_ canvas: SceneCanvas, x: Double, foot: Double) {
        let iron = Color(0x39413f)
        canvas.rectangle(x - 0.05, foot + 4.6, x + 0.05, foot, iron.scaled(1.2), iron)
        canvas.rectangle(x - 0.12, foot + 0.7, x + 0.12, foot, iron.scaled(1.1), iron)
        canvas.capsule(x, foot + 4.55, x + 0.9, foot + 4.75, 0.04, iron)
        canvas.fill(
            [(x + 0.6, foot + 4.72), (x + 1.2, foot + 4.72), (x + 1.05, foot + 4.92), (x + 0.75, foot + 4.92)], iron)
        canvas.rectangle(x + 0.66, foot + 4.72, x + 1.14, foot + 4.66, Color(0xf4efdc))
    }

    /// Returns the layer of the sidewalks and the road. Each of its rows has its own depth.
    private func ground() -> PlacedLayer {
        let top = (Int(horizon + StreetScene.eyeHeight * view.scale / 22)) & ~1
        let rows = max(2, view.height - top)
        let canvas = SceneCanvas(
            width: view.width, height: rows, scale: view.scale, originX: Double(view.width) / 2,
            originY: horizon - Double(top))
        func strip(
            _ left: Double, _ right: Double, _ near: Double, _ far: Double, _ farColor: Color, _ nearColor: Color,
            texture: Texture? = nil
        ) {
            canvas.fillGround(
                left: left, right: right, near: near, far: far, eyeHeight: StreetScene.eyeHeight, farColor, nearColor,
                texture: texture)
        }
        let wide = 80.0
        strip(
            -wide, wide, 15.5, 23, Color(0xb9b3a8), Color(0xb3ada2),
            texture: Texture(strength: 50, width: 0.05, height: 0.004, seed: 5))
        strip(-wide, wide, 15.2, 15.5, Color(0xd4d0c8), Color(0xcbc7bf))
        strip(
            -wide, wide, 6.5, 15.2, Color(0x70726f), Color(0x5d5f60),
            texture: Texture(strength: 70, width: 0.02, height: 0.006, seed: 6))
        for index in -14...14 {
            let x = Double(index) * 4
            strip(x, x + 2, 10.15, 10.32, Color(0xe6e4da), Color(0xe6e4da))
        }
        strip(-wide, wide, 6.75, 6.85, Color(0xdedbd0), Color(0xdedbd0))
        strip(-wide, wide, 6.3, 6.5, Color(0xcfcbc2), Color(0xd6d2ca))
        strip(
            -wide, wide, 1, 6.3, Color(0xa9a399), Color(0x8e887e),
            texture: Texture(strength: 60, width: 0.012, height: 0.006, seed: 7))
        // The joints of the paving stones.
        for index in -16...16 {
            let x = Double(index) * 0.9
            strip(x, x + 0.02, 2, 6.3, Color(0x7d776d), Color(0x6f6a61))
        }
        for depth in [6.0, 5.4, 4.8, 4.2, 3.6] {
            strip(-wide, wide, depth, depth + 0.03, Color(0x7d776d), Color(0x736d64))
        }
        let depths = (0..<canvas.height).map { row in
            StreetScene.eyeHeight * view.scale / (Double(top + row) + 0.5 - horizon)
        }
        lamps?.illuminate(
            canvas,
            depths.map { depth in
                let pitch = depth / view.scale
                return csim_surface_row(
                    left: (0.5 - Double(view.width) / 2) * pitch, pitch: pitch, y: -StreetScene.eyeHeight, z: depth)
            })
        return PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: top, depth: 9, rowDepth: depths)
    }
}
