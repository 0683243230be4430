/// A street by day, seen from the opposite pavement by a camera on a tripod.
///
/// Metres; x to the right, y up from the camera's height, z into the picture. A point is seen at x / z, y / z. Each
/// layer has one depth, but for the ground, whose rows lie at the depths that perspective gives them. What moves is
/// nearer than all that stands still.
struct StreetScene: PaintedScene {
    /// Something that crosses the picture.
    private struct Mover {
        /// One bitmap for each phase of its motion.
        var phases: ScenePhases
        var depth: Double
        /// Metres a second; negative goes to the left.
        var speed: Double
        /// Metres along its path at time 0.
        var start: Double
        /// Metres that it moves while it goes through its phases once.
        var stride: Double
        /// From the mover's origin to the bitmap's left top pixel.
        var anchorX: Double
        var anchorY: Double
        /// Wheels: their places along the vehicle, in metres.
        var wheels: [Double] = []
    }

    /// The camera's height above the ground.
    static let eyeHeight = 1.6
    /// The farthest sideways tangent that any lens sees; movers leave and enter beyond it.
    static let widestTangent = 1.45

    let light = SimScene.street.light
    private let view: SceneView
    private let horizon: Double
    let backdrop: [PlacedLayer]
    private let movers: [Mover]
    private let wheels: [ScenePhases]

    /// - Parameter lamps: By night; nil by day.
    init(view: SceneView, seed: UInt64, lamps: StreetLamps? = nil) {
        self.view = view
        let painter = StreetPainter(view: view, seed: seed, lamps: lamps)
        horizon = painter.horizon
        backdrop = painter.backdrop()
        var dice = SceneDice(seed: seed ^ 0x6d6f_7665)
        var movers: [Mover] = []
        func add(_ sprite: StreetPainter.Sprite, depth: Double, speed: Double, start: Double, stride: Double) {
            movers.append(
                Mover(
                    phases: sprite.phases, depth: depth, speed: speed, start: start, stride: stride,
                    anchorX: sprite.anchorX, anchorY: sprite.anchorY, wheels: sprite.wheels))
        }
        // Ordered from far to near, as they hide each other.
        for index in 0..<4 {
            let walker = painter.walker(depth: 16, look: dice.next(), facesLeft: index % 2 == 1)
            add(
                walker, depth: 16, speed: index % 2 == 1 ? -dice.number(1.0...1.4) : dice.number(1.1...1.5),
                start: Double(index) * 9 + dice.number(0...5), stride: 1.5)
        }
        for index in 0..<3 {
            let car = painter.car(depth: 12, look: dice.next(), facesLeft: true)
            add(car, depth: 12, speed: -8.5, start: Double(index) * 15 + dice.number(0...6), stride: 1.3)
        }
        for index in 0..<2 {
            let car = painter.car(depth: 8.5, look: dice.next(), facesLeft: false)
            add(car, depth: 8.5, speed: 7, start: Double(index) * 17 + dice.number(0...7), stride: 1.3)
        }
        add(
            painter.walker(depth: 5.6, look: dice.next(), facesLeft: false), depth: 5.6, speed: 1.3,
            start: dice.number(4...8), stride: 1.5)
        self.movers = movers
        wheels = [painter.wheels(depth: 12), painter.wheels(depth: 8.5)]
    }

    func movers(at nanoseconds: Int64) -> [PlacedLayer] {
        let seconds = Double(nanoseconds) / 1e9
        var layers: [PlacedLayer] = []
        layers.reserveCapacity(movers.count * 3)
        for mover in movers {
            let scale = view.scale / mover.depth
            let half = Self.widestTangent * mover.depth + 4
            let path = mover.start + mover.speed * seconds
            let turns = path / (2 * half)
            let x = (turns - turns.rounded(.down)) * 2 * half - half
            let centre = Double(view.width) / 2
            let left = centre + (x + mover.anchorX) * scale
            guard left < Double(view.width), left + Double(mover.phases.width) > 0 else { continue }
            let cycles = abs(path) / mover.stride
            let phase = Int((cycles - cycles.rounded(.down)) * Double(mover.phases.count))
            let top = horizon - mover.anchorY * scale
            layers.append(
                PlacedLayer(
                    bitmap: mover.phases[min(phase, mover.phases.count - 1)], x: Int(left.rounded(.down)),
                    y: Int(top.rounded(.down)), depth: mover.depth, speed: mover.speed * scale))
            guard !mover.wheels.isEmpty else { continue }
            let turning = wheels[mover.depth > 10 ? 0 : 1]
            // A rim with five spokes looks the same after a fifth of a turn; the rim's circumference is 2.07 m.
            let fifths = mover.speed * seconds * 5 / 2.07
            let step = Int((fifths - fifths.rounded(.down)) * Double(turning.count))
            let wheel = turning[min(step, turning.count - 1)]
            for place in mover.wheels {
                let x = centre + (x + place - StreetPainter.wheelRadius) * scale
                let y = horizon + (Self.eyeHeight - 2 * StreetPainter.wheelRadius) * scale
                layers.append(
                    PlacedLayer(
                        bitmap: wheel, x: Int(x.rounded(.down)), y: Int(y.rounded(.down)), depth: mover.depth,
                        speed: mover.speed * scale))
            }
        }
        return layers
    }
}
