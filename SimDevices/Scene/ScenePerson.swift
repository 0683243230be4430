/// A person facing the camera. Coordinates are in meters; the origin is the center of the face.
struct ScenePerson: Sendable {
    typealias Color = SceneCanvas.Color

    var skin: Color
    var hair: Color
    var coat: Color
    var hasLongHair = false

    static let all = [
        ScenePerson(skin: Color(0xd9a98a), hair: Color(0x4a3122), coat: Color(0x35507a)),
        ScenePerson(skin: Color(0xe9c0a4), hair: Color(0x8a5a2e), coat: Color(0x8f3b35), hasLongHair: true),
        ScenePerson(skin: Color(0xa06f52), hair: Color(0x1d1613), coat: Color(0x4b6b4a)),
    ]

    typealias Outline = [(x: Double, y: Double)]

    static let coatOutline: Outline = [
        (-0.22, -0.8), (-0.225, -0.765), (-0.305, -0.765), (-0.32, -0.62), (-0.27, -0.30), (-0.20, -0.225),
        (-0.07, -0.175), (0.07, -0.175), (0.20, -0.225), (0.27, -0.30), (0.32, -0.62), (0.305, -0.765),
        (0.225, -0.765), (0.22, -0.8),
    ]
    static let collarOutline: Outline = [(-0.075, -0.175), (0, -0.26), (0.075, -0.175)]
    static let neckOutline: Outline = [(-0.052, -0.05), (0.052, -0.05), (0.06, -0.19), (0, -0.215), (-0.06, -0.19)]
    static let longHairOutline: Outline = [
        (-0.105, 0.02), (0.105, 0.02), (0.11, -0.17), (0.06, -0.19), (-0.06, -0.19), (-0.11, -0.17),
    ]
    static let faceOutline: Outline = [
        (-0.076, 0.06), (-0.079, 0.0), (-0.072, -0.05), (-0.05, -0.096), (-0.02, -0.118), (0.02, -0.118),
        (0.05, -0.096), (0.072, -0.05), (0.079, 0.0), (0.076, 0.06), (0.05, 0.098), (0, 0.108), (-0.05, 0.098),
    ]
    /// The hair above the forehead.
    static let fringeOutline: Outline = [
        (-0.086, 0.03), (-0.083, 0.08), (-0.05, 0.122), (0, 0.136), (0.05, 0.122), (0.083, 0.08), (0.086, 0.03),
        (0.072, 0.062), (0.03, 0.085), (-0.03, 0.078), (-0.07, 0.06),
    ]

    /// Paints the body without head.
    ///
    /// - Parameter floor: Height of the floor.
    func paintBody(_ canvas: SceneCanvas, floor: Double = -1.6) {
        let (trousers, shoe) = (Color(0x3c4048), Color(0x2b2420))
        for side in [-1.0, 1.0] {
            canvas.ellipse(side * 0.1, floor + 0.035, 0.065, 0.035, shoe.scaled(1.3), shoe)
            canvas.fill(
                [
                    (side * 0.005, -0.7), (side * 0.2, -0.7), (side * 0.165, floor + 0.05),
                    (side * 0.045, floor + 0.05),
                ], trousers.scaled(1.15), trousers.scaled(0.8),
                texture: SceneCanvas.Texture(strength: 40, width: 0.004, height: 0.02, seed: 14))
            canvas.ellipse(side * 0.262, -0.815, 0.042, 0.075, skin.scaled(0.95), skin.scaled(0.78))
        }
        canvas.fill(
            Self.coatOutline, coat.scaled(1.1), coat.scaled(0.8),
            texture: SceneCanvas.Texture(strength: 40, width: 0.006, height: 0.006, seed: 11))
        // The inner seams of the sleeves, and the zipper.
        for side in [-1.0, 1.0] {
            canvas.capsule(
                side * 0.222, -0.765, side * 0.198, -0.34, 0.004, coat.scaled(0.62), coat.scaled(0.5))
        }
        canvas.capsule(0, -0.795, 0, -0.26, 0.003, coat.scaled(0.7), coat.scaled(0.6))
        canvas.fill(Self.collarOutline, Color(0xe8e6e0), Color(0xd4d2cc))
        canvas.fill(Self.neckOutline, skin.scaled(0.78), skin.scaled(0.9))
    }

    /// Paints the head.
    func paintHead(_ canvas: SceneCanvas) {
        if hasLongHair {
            canvas.ellipse(0, 0.01, 0.105, 0.14, hair.scaled(0.95), hair.scaled(0.7))
            canvas.fill(
                Self.longHairOutline, hair, hair.scaled(0.7),
                texture: SceneCanvas.Texture(strength: 110, width: 0.003, height: 0.05, seed: 12))
        } else {
            canvas.ellipse(0, 0.035, 0.088, 0.105, hair, hair.scaled(0.8))
        }
        for side in [-1.0, 1.0] {
            canvas.ellipse(side * 0.08, -0.005, 0.014, 0.026, skin.scaled(0.92), skin.scaled(0.74))
        }
        canvas.fill(Self.faceOutline, skin.scaled(1.06), skin.scaled(0.86))
        // With light from above, the sides of the cheeks and the eye sockets are darker.
        for side in [-1.0, 1.0] {
            canvas.fill(
                [
                    (side * 0.079, 0.02), (side * 0.072, -0.05), (side * 0.05, -0.096), (side * 0.056, -0.05),
                    (side * 0.066, 0.0),
                ], skin.scaled(0.86), skin.scaled(0.76))
            canvas.ellipse(side * 0.033, 0.018, 0.025, 0.017, skin.scaled(0.82), skin.scaled(0.93))
            paintEye(canvas, x: side * 0.033, y: 0.014)
            canvas.fill(
                [
                    (side * 0.013, 0.036), (side * 0.035, 0.046), (side * 0.055, 0.037), (side * 0.053, 0.031),
                    (side * 0.034, 0.038), (side * 0.014, 0.03),
                ], hair.scaled(0.9), hair.scaled(0.7))
        }
        canvas.fill(
            [(-0.008, 0.02), (0.008, 0.02), (0.014, -0.026), (0.017, -0.034), (-0.017, -0.034), (-0.014, -0.026)],
            skin.scaled(1.04), skin.scaled(0.98))
        canvas.fill([(0.008, 0.02), (0.017, -0.034), (0.01, -0.03)], skin.scaled(0.84), skin.scaled(0.8))
        canvas.ellipse(0, -0.037, 0.017, 0.006, skin.scaled(0.78), skin.scaled(0.7))
        for side in [-1.0, 1.0] { canvas.ellipse(side * 0.009, -0.036, 0.0045, 0.003, skin.scaled(0.4)) }
        canvas.ellipse(0, -0.066, 0.029, 0.0105, Color(0xb4635a), Color(0xc07a70))
        canvas.capsule(-0.027, -0.065, 0.027, -0.065, 0.0018, Color(0x5e2b28))
        canvas.ellipse(0, -0.084, 0.02, 0.004, skin.scaled(0.8))
        // The hair above the forehead.
        canvas.fill(
            Self.fringeOutline, hair.scaled(1.25), hair.scaled(0.8),
            texture: SceneCanvas.Texture(strength: 110, width: 0.002, height: 0.03, seed: 13))
    }

    private func paintEye(_ canvas: SceneCanvas, x: Double, y: Double) {
        canvas.ellipse(x, y, 0.0175, 0.0085, Color(0xece6e0), Color(0xd8d0ca))
        canvas.ellipse(x, y + 0.0005, 0.0076, 0.0078, Color(0x5a4632), Color(0x7a6040))
        canvas.ellipse(x, y + 0.0005, 0.0036, 0.0037, Color(0x0d0b0a))
        canvas.ellipse(x + 0.002, y + 0.003, 0.0014, 0.0014, Color(0xffffff))
        canvas.capsule(x - 0.0175, y + 0.001, x, y + 0.0095, 0.0014, Color(0x2c1f1a))
        canvas.capsule(x, y + 0.0095, x + 0.0175, y + 0.001, 0.0014, Color(0x2c1f1a))
    }
}
