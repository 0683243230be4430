import CSimKernels
import MediaTypes

/// The street lamps at night.
///
/// Coordinates are in meters, as in `StreetScene`. Light is relative to that on the ground below a lamp.
struct StreetLamps {
    private var lamps: [csim_lamp]
    /// Light from the sky and from reflections.
    private static let ambient = 0.02
    /// The height of a lamp above the ground.
    private static let height = 4.69

    init(seed: UInt64) {
        lamps = Self.positions(seed: seed).map { Self.lamp(x: $0 + 0.9, z: 17) }
        // Lamps on the camera's side, above the frame.
        for x in [-17.0, -3, 11] { lamps.append(Self.lamp(x: x, z: 4)) }
    }

    /// Returns the horizontal positions of the lamps on the far sidewalk, in meters.
    static func positions(seed: UInt64) -> [Double] {
        // The same random numbers as in `StreetPainter.paintTrees`: every third object is a lamp.
        var random = SplitMix64(seed: seed ^ 0x7472_6565)
        var positions: [Double] = []
        for index in 0..<7 {
            let x = -24 + Double(index) * 8 + random.number(in: -1.2...1.2)
            _ = random.next()
            if index % 3 == 2 { positions.append(x) }
        }
        return positions
    }

    private static func lamp(x: Double, z: Double) -> csim_lamp {
        csim_lamp(x: x, y: height - StreetScene.eyeHeight, z: z, strength: height * height)
    }

    /// Returns the light at a point, in steps of a quarter of an EV, so that moving layers have few different values.
    func light(x: Double, y: Double, z: Double) -> Double {
        var light = Self.ambient
        for lamp in lamps {
            let (dx, dy, dz) = (x - lamp.x, y - lamp.y, z - lamp.z)
            light += lamp.strength / (dx * dx + dy * dy + dz * dz)
        }
        return RepeatableMath.exp2((RepeatableMath.log2(min(light, 1)) * 4).rounded() / 4)
    }

    /// Darkens a canvas according to the light on it.
    ///
    /// - Parameter rows: Position of the canvas's rows in the scene.
    func illuminate(_ canvas: SceneCanvas, _ rows: [csim_surface_row]) {
        canvas.illuminate(rows, lamps, ambient: Self.ambient)
    }
}
