import CSimKernels
import MediaTypes

/// What lights the street by night.
///
/// Metres, as in `StreetScene`. Light is in proportion to that on the ground below a lamp.
struct StreetLamps {
    private var lamps: [csim_lamp]
    /// From the sky, and from all that reflects.
    private static let ambient = 0.02
    private static let height = 4.69

    init(seed: UInt64) {
        lamps = Self.places(seed: seed).map { Self.lamp(x: $0 + 0.9, z: 17) }
        // On the camera's side, above the picture.
        for x in [-17.0, -3, 11] { lamps.append(Self.lamp(x: x, z: 4)) }
    }

    /// Where the lamps on the far pavement stand.
    static func places(seed: UInt64) -> [Double] {
        var dice = SceneDice(seed: seed ^ 0x7472_6565)
        var places: [Double] = []
        for index in 0..<7 {
            let x = -24 + Double(index) * 8 + dice.number(-1.2...1.2)
            _ = dice.next()
            if index % 3 == 2 { places.append(x) }
        }
        return places
    }

    private static func lamp(x: Double, z: Double) -> csim_lamp {
        csim_lamp(x: x, y: height - StreetScene.eyeHeight, z: z, strength: height * height)
    }

    /// The light at a point, in steps of a quarter of an EV, so that what moves has few lights.
    func light(x: Double, y: Double, z: Double) -> Double {
        var light = Self.ambient
        for lamp in lamps {
            let (dx, dy, dz) = (x - lamp.x, y - lamp.y, z - lamp.z)
            light += lamp.strength / (dx * dx + dy * dy + dz * dz)
        }
        return RepeatableMath.exp2((RepeatableMath.log2(min(light, 1)) * 4).rounded() / 4)
    }

    /// Darkens what is painted to the light on it.
    ///
    /// - Parameter rows: Where the canvas' rows are.
    func illuminate(_ canvas: SceneCanvas, _ rows: [csim_surface_row]) {
        canvas.illuminate(rows, lamps, ambient: Self.ambient)
    }
}
