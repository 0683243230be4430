import MediaTypes

extension StreetPainter {
    /// Creates a canvas for an object on the ground at `depth`; the origin is on the ground. Lengths are in meters.
    private func spriteCanvas(depth: Double, left: Double, right: Double, height: Double, below: Double) -> SceneCanvas
    {
        let scale = view.scale / depth
        return SceneCanvas(
            width: Int((right - left) * scale) + 2, height: Int((height + below) * scale) + 2, scale: scale,
            originX: -left * scale, originY: height * scale)
    }

    /// Returns the width of a canvas of `spriteCanvas` in pixels.
    private func spriteWidth(depth: Double, left: Double, right: Double) -> Int {
        SceneCanvas.even(Int((right - left) * view.scale / depth) + 2)
    }

    // MARK: Cars

    /// Returns a car or van.
    ///
    /// - Parameter appearanceSeed: Seed of the colors and the type.
    func car(depth: Double, appearanceSeed: UInt64, facesLeft: Bool) -> Sprite {
        var random = SplitMix64(seed: appearanceSeed)
        let paint = random.pick([
            Color(0xb3262b), Color(0x2c4f83), Color(0xe9e7e1), Color(0x8d9499), Color(0x2f3236), Color(0xd9a63a),
            Color(0x39695a),
        ])
        let isVan = appearanceSeed % 4 == 0
        let length = isVan ? 4.9 : 4.3
        let height = isVan ? 2.1 : 1.46
        let wheels = isVan ? [0.95, 3.95] : [0.85, 3.42]
        let width = spriteWidth(depth: depth, left: -0.2, right: length + 0.2)
        let phases = AnimationFrames(count: 1, width: width) { _ in
            carBody(depth: depth, paint, isVan: isVan, length, height, wheels, facesLeft: facesLeft)
        }
        return Sprite(
            phases: phases, anchorX: -0.2, anchorY: height + 0.1 - StreetScene.eyeHeight,
            wheels: wheels.map { facesLeft ? length - $0 : $0 })
    }

    private func carBody(
        depth: Double, _ paint: Color, isVan: Bool, _ length: Double, _ height: Double, _ wheels: [Double],
        facesLeft: Bool
    ) -> SceneBitmap {
        let canvas = spriteCanvas(depth: depth, left: -0.2, right: length + 0.2, height: height + 0.1, below: 0.12)
        func x(_ position: Double) -> Double { facesLeft ? length - position : position }
        func shape(_ points: [(x: Double, y: Double)], _ top: Color, _ bottom: Color) {
            canvas.fill(points.map { (x($0.x), $0.y) }, top, bottom)
        }
        canvas.ellipse(length / 2, 0.0, length / 2 + 0.12, 0.1, Color(0x34373a))
        let body: [(x: Double, y: Double)] =
            isVan
            ? [
                (0.02, 0.3), (0, 1.0), (0.08, 1.9), (0.25, 2.08), (3.4, 2.1), (3.75, 2.0), (4.25, 1.2), (4.8, 1.02),
                (4.9, 0.7), (4.88, 0.32), (2.4, 0.24),
            ]
            : [
                (0.03, 0.32), (0, 0.62), (0.06, 0.88), (0.55, 0.96), (1.1, 1.34), (1.5, 1.44), (2.3, 1.46),
                (2.75, 1.38),
                (3.3, 0.98), (4.0, 0.86), (4.25, 0.72), (4.3, 0.5), (4.27, 0.3), (2.1, 0.24),
            ]
        shape(body, paint.scaled(1.12), paint.scaled(0.62))
        let glassTop = Color(0x9db4c2)
        let glassBottom = Color(0x2e3a42)
        if isVan {
            shape([(3.3, 1.25), (3.3, 1.93), (3.62, 1.9), (4.08, 1.25)], glassTop, glassBottom)
            shape([(2.35, 1.25), (2.35, 1.93), (3.18, 1.93), (3.18, 1.25)], glassTop, glassBottom)
            shape([(0.3, 1.2), (0.3, 1.24), (2.2, 1.24), (2.2, 1.2)], paint.scaled(0.7), paint.scaled(0.7))
        } else {
            shape([(0.82, 0.98), (1.25, 1.33), (1.92, 1.37), (1.92, 0.98)], glassTop, glassBottom)
            shape([(2.04, 0.98), (2.04, 1.37), (2.62, 1.31), (3.06, 0.98)], glassTop, glassBottom)
        }
        // Sill, door gap, handle, lights, bumpers.
        let middle = isVan ? 2.28 : 1.98
        shape(
            [(0.1, 0.3), (0.1, 0.4), (length - 0.1, 0.4), (length - 0.1, 0.3)], paint.scaled(0.45), paint.scaled(0.4))
        shape(
            [(middle - 0.012, 0.4), (middle - 0.012, 0.95), (middle + 0.012, 0.95), (middle + 0.012, 0.4)],
            paint.scaled(0.5), paint.scaled(0.4))
        shape(
            [(middle + 0.1, 0.85), (middle + 0.1, 0.88), (middle + 0.28, 0.88), (middle + 0.28, 0.85)],
            paint.scaled(0.5),
            paint.scaled(0.5))
        shape(
            [(length - 0.28, 0.68), (length - 0.3, 0.8), (length - 0.08, 0.74), (length - 0.05, 0.66)], Color(0xfdf8e4),
            Color(0xe6dcb8))
        shape([(0.02, 0.7), (0.03, 0.86), (0.2, 0.88), (0.2, 0.72)], Color(0xd8352c), Color(0x9a1c1c))
        for wheel in wheels { canvas.ellipse(x(wheel), 0.35, 0.4, 0.4, Color(0x191a1b)) }
        return SceneBitmap(canvas)
    }

    /// Returns a wheel in ten steps of 1/50 of a turn: after a fifth of a turn, a wheel with five spokes looks the
    /// same.
    func wheels(depth: Double) -> AnimationFrames {
        let radius = Self.wheelRadius
        return AnimationFrames(count: 10, width: spriteWidth(depth: depth, left: -radius, right: radius)) { step in
            let canvas = spriteCanvas(depth: depth, left: -radius, right: radius, height: radius, below: radius)
            canvas.ellipse(0, 0, radius - 0.01, radius - 0.01, Color(0x242526), Color(0x17181a))
            canvas.ellipse(0, 0, 0.21, 0.21, Color(0xb9bdc0), Color(0x83888b))
            canvas.ellipse(0, 0, 0.18, 0.18, Color(0x4a4d50))
            for spoke in 0..<5 {
                let turn = Circle.sineAndCosine(turns: (Double(spoke) - Double(step) / 10) / 5)
                canvas.capsule(0, 0, turn.cosine * 0.17, turn.sine * 0.17, 0.026, Color(0xc9cdd0))
            }
            canvas.ellipse(0, 0, 0.05, 0.05, Color(0x9fa4a8))
            return SceneBitmap(canvas)
        }
    }

    // MARK: Pedestrians

    /// Returns a walking person, with sixteen phases for two steps.
    func pedestrian(depth: Double, appearanceSeed: UInt64, facesLeft: Bool) -> Sprite {
        var random = SplitMix64(seed: appearanceSeed)
        let skin = random.pick([Color(0xe0b394), Color(0xb98362), Color(0x7d5540), Color(0xf0c9ac)])
        let coat = random.pick([Color(0x3f5a86), Color(0xa3443b), Color(0x4b6b4a), Color(0xc9a24c), Color(0x5a4a6b)])
        let legs = random.pick([Color(0x2e3440), Color(0x4a4038), Color(0x5b6470)])
        let hair = random.pick([Color(0x2b211b), Color(0x6b4a2c), Color(0xb9924f), Color(0x8a8a88)])
        let heightFactor = random.number(in: 0.94...1.06)
        let phases = AnimationFrames(count: 16, width: spriteWidth(depth: depth, left: -0.75, right: 0.75)) { phase in
            let canvas = spriteCanvas(depth: depth, left: -0.75, right: 0.75, height: 1.95, below: 0.08)
            let direction = facesLeft ? -1.0 : 1.0
            let turns = Double(phase) / 16
            let swing = Circle.sine(turns: turns)
            let rise = 0.025 * Circle.sine(turns: 2 * turns + 0.25)
            /// Draws an arm or leg from the joint at `x`, `y`.
            func limb(
                _ x: Double, _ y: Double, _ angle: Double, _ bend: Double, _ upper: Double, _ lower: Double,
                _ radius: Double, _ color: Color, end: Color
            ) {
                // Angles are in turns, from straight down.
                let a = Circle.sineAndCosine(turns: angle)
                let b = Circle.sineAndCosine(turns: angle - bend)
                let (kneeX, kneeY) = (x + direction * a.sine * upper, y - a.cosine * upper)
                let (endX, endY) = (kneeX + direction * b.sine * lower, kneeY - b.cosine * lower)
                canvas.capsule(x, y, kneeX, kneeY, radius, color)
                canvas.capsule(kneeX, kneeY, endX, endY, radius * 0.85, color)
                canvas.capsule(endX - direction * 0.02, endY, endX + direction * 0.12, endY - 0.01, radius * 0.75, end)
            }
            let hip = (0.9 + rise) * heightFactor
            let shoulder = (1.42 + rise) * heightFactor
            canvas.ellipse(0, 0.0, 0.42, 0.05, Color(0x55534e))
            let shoe = Color(0x2a2522)
            limb(0, shoulder, -0.075 * swing, -0.03, 0.29, 0.26, 0.055, coat.scaled(0.72), end: skin.scaled(0.85))
            limb(
                0, hip, 0.075 * swing, 0.02 + 0.05 * max(0, -swing), 0.42 * heightFactor, 0.42 * heightFactor, 0.085,
                legs.scaled(0.75),
                end: shoe)
            limb(
                0, hip, -0.075 * swing, 0.02 + 0.05 * max(0, swing), 0.42 * heightFactor, 0.42 * heightFactor, 0.09,
                legs, end: shoe)
            canvas.capsule(0, hip + 0.02, direction * 0.03, shoulder - 0.05, 0.16, coat.scaled(1.1), coat.scaled(0.8))
            canvas.capsule(direction * 0.03, shoulder, direction * 0.05, shoulder + 0.12, 0.05, skin.scaled(0.9))
            canvas.ellipse(direction * 0.06, shoulder + 0.23, 0.105, 0.13, skin.scaled(1.05), skin.scaled(0.85))
            canvas.ellipse(direction * 0.025, shoulder + 0.28, 0.115, 0.1, hair, hair.scaled(0.8))
            limb(
                direction * 0.01, shoulder - 0.03, 0.075 * swing, -0.03, 0.29, 0.26, 0.06, coat.scaled(0.93), end: skin)
            return SceneBitmap(canvas)
        }
        return Sprite(phases: phases, anchorX: -0.75, anchorY: 1.95 - StreetScene.eyeHeight)
    }
}
