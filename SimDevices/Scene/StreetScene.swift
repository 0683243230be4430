import MediaTypes

/// A street by day, seen from the opposite pavement by a camera on a tripod.
///
/// Meters; x to the right, y up from the camera's height, z into the scene. A point is projected to x / z, y / z. Each
/// layer has one depth, except the ground, whose rows have the depths that perspective requires. Moving objects are in
/// front of everything that does not move.
struct StreetScene: PaintedScene {
    /// An object that crosses the frame.
    private struct MovingObject {
        /// One bitmap for each phase of the motion.
        var phases: AnimationFrames
        var depth: Double
        /// Meters per second, negative to the left.
        var speed: Double
        /// Position along the path at time 0, in meters.
        var start: Double
        /// Meters traveled during one cycle of the phases.
        var stride: Double
        /// From the object's origin to the bitmap's top left pixel, in meters.
        var anchorX: Double
        var anchorY: Double
        /// Positions of the wheels along the vehicle, in meters.
        var wheels: [Double] = []
    }

    /// The camera's height above the ground.
    static let eyeHeight = 1.6
    /// The greatest horizontal tangent that any lens sees. Objects enter and leave beyond it.
    static let widestTangent = 1.45

    let light = SimScene.street.light
    private let view: SceneView
    private let horizon: Double
    let backdrop: [PlacedLayer]
    private let objects: [MovingObject]
    private let wheels: [AnimationFrames]

    /// Creates the street.
    ///
    /// - Parameter lamps: The lamps at night; nil by day.
    init(view: SceneView, seed: UInt64, lamps: StreetLamps? = nil) {
        self.view = view
        let painter = StreetPainter(view: view, seed: seed, lamps: lamps)
        horizon = painter.horizon
        backdrop = painter.backdrop()
        var random = SplitMix64(seed: seed ^ 0x6d6f_7665)
        var objects: [MovingObject] = []
        func add(_ sprite: StreetPainter.Sprite, depth: Double, speed: Double, start: Double, stride: Double) {
            objects.append(
                MovingObject(
                    phases: sprite.phases, depth: depth, speed: speed, start: start, stride: stride,
                    anchorX: sprite.anchorX, anchorY: sprite.anchorY, wheels: sprite.wheels))
        }
        // From far to near, since nearer objects hide others.
        for index in 0..<4 {
            let walker = painter.walker(depth: 16, look: random.next(), facesLeft: index % 2 == 1)
            add(
                walker, depth: 16, speed: index % 2 == 1 ? -random.number(in: 1.0...1.4) : random.number(in: 1.1...1.5),
                start: Double(index) * 9 + random.number(in: 0...5), stride: 1.5)
        }
        for index in 0..<3 {
            let car = painter.car(depth: 12, look: random.next(), facesLeft: true)
            add(car, depth: 12, speed: -8.5, start: Double(index) * 15 + random.number(in: 0...6), stride: 1.3)
        }
        for index in 0..<2 {
            let car = painter.car(depth: 8.5, look: random.next(), facesLeft: false)
            add(car, depth: 8.5, speed: 7, start: Double(index) * 17 + random.number(in: 0...7), stride: 1.3)
        }
        add(
            painter.walker(depth: 5.6, look: random.next(), facesLeft: false), depth: 5.6, speed: 1.3,
            start: random.number(in: 4...8), stride: 1.5)
        self.objects = objects
        wheels = [painter.wheels(depth: 12), painter.wheels(depth: 8.5)]
    }

    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] {
        let seconds = Double(nanoseconds) / 1e9
        var layers: [PlacedLayer] = []
        layers.reserveCapacity(objects.count * 3)
        for object in objects {
            let scale = view.scale / object.depth
            let half = Self.widestTangent * object.depth + 4
            let path = object.start + object.speed * seconds
            let turns = path / (2 * half)
            let x = (turns - turns.rounded(.down)) * 2 * half - half
            let center = Double(view.width) / 2
            let left = center + (x + object.anchorX) * scale
            guard left < Double(view.width), left + Double(object.phases.width) > 0 else { continue }
            let cycles = abs(path) / object.stride
            let phase = Int((cycles - cycles.rounded(.down)) * Double(object.phases.count))
            let top = horizon - object.anchorY * scale
            layers.append(
                PlacedLayer(
                    bitmap: object.phases[min(phase, object.phases.count - 1)], x: Int(left.rounded(.down)),
                    y: Int(top.rounded(.down)), depth: object.depth, speed: object.speed * scale))
            guard !object.wheels.isEmpty else { continue }
            let turning = wheels[object.depth > 10 ? 0 : 1]
            // A rim with five spokes looks the same after a fifth of a turn. The rim's circumference is 2.07 m.
            let fifths = object.speed * seconds * 5 / 2.07
            let step = Int((fifths - fifths.rounded(.down)) * Double(turning.count))
            let wheel = turning[min(step, turning.count - 1)]
            for position in object.wheels {
                let x = center + (x + position - StreetPainter.wheelRadius) * scale
                let y = horizon + (Self.eyeHeight - 2 * StreetPainter.wheelRadius) * scale
                layers.append(
                    PlacedLayer(
                        bitmap: wheel, x: Int(x.rounded(.down)), y: Int(y.rounded(.down)), depth: object.depth,
                        speed: object.speed * scale))
            }
        }
        return layers
    }
}
