import MediaTypes

/// A street by day, seen from the opposite sidewalk by a camera on a tripod.
///
/// Coordinates are in meters: x to the right, y up from the camera's height, z into the scene. A point is projected to
/// x / z, y / z. Each layer has one depth, except the ground: its rows have the depths that perspective requires.
/// Moving objects are in front of everything that does not move.
struct StreetScene: PaintedScene {
    /// An object that crosses the frame.
    private struct MovingObject {
        var roadUser: StreetTraffic.RoadUser
        /// One bitmap for each phase of the motion.
        var phases: AnimationFrames
        /// See `StreetPainter.Sprite`.
        var anchorX: Double
        /// See `StreetPainter.Sprite`.
        var anchorY: Double
        /// See `StreetPainter.Sprite`.
        var wheels: [Double]
    }

    /// The camera's height above the ground.
    static let eyeHeight = 1.6
    /// The tangent of half the field of view of the widest possible lens. Objects enter and leave outside of it.
    static let widestTangent = 1.45

    let light = SimScene.street.light
    private let view: SceneView
    private let horizon: Double
    let backdrop: [PlacedLayer]
    private let objects: [MovingObject]
    /// The wheels of cars at depths of 12 m and 8.5 m.
    private let wheels: [AnimationFrames]

    /// Creates the street.
    ///
    /// - Parameter lamps: The lamps at night; nil by day.
    init(view: SceneView, seed: UInt64, lamps: StreetLamps? = nil) {
        self.view = view
        let painter = StreetPainter(view: view, seed: seed, lamps: lamps)
        horizon = painter.horizon
        backdrop = painter.backdrop()
        // From far to near, because nearer objects hide others.
        objects = StreetTraffic(seed: seed).roadUsers.map { roadUser in
            let sprite =
                switch roadUser.kind {
                case .car:
                    painter.car(
                        depth: roadUser.depth, appearanceSeed: roadUser.appearanceSeed, facesLeft: roadUser.speed < 0)
                case .pedestrian:
                    painter.pedestrian(
                        depth: roadUser.depth, appearanceSeed: roadUser.appearanceSeed, facesLeft: roadUser.speed < 0)
                }
            return MovingObject(
                roadUser: roadUser, phases: sprite.phases, anchorX: sprite.anchorX, anchorY: sprite.anchorY,
                wheels: sprite.wheels)
        }
        wheels = [painter.wheels(depth: 12), painter.wheels(depth: 8.5)]
    }

    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] {
        let seconds = Double(nanoseconds) / 1e9
        var layers: [PlacedLayer] = []
        layers.reserveCapacity(objects.count * 3)
        for object in objects {
            let roadUser = object.roadUser
            let scale = view.scale / roadUser.depth
            let x = roadUser.x(at: seconds)
            let center = Double(view.width) / 2
            let left = center + (x + object.anchorX) * scale
            guard left < Double(view.width), left + Double(object.phases.width) > 0 else { continue }
            let cycles = roadUser.cycles(at: seconds)
            let phase = Int((cycles - cycles.rounded(.down)) * Double(object.phases.count))
            let top = horizon - object.anchorY * scale
            layers.append(
                PlacedLayer(
                    bitmap: object.phases[min(phase, object.phases.count - 1)], x: Int(left.rounded(.down)),
                    y: Int(top.rounded(.down)), depth: roadUser.depth, speed: roadUser.speed * scale))
            guard !object.wheels.isEmpty else { continue }
            let wheelFrames = wheels[roadUser.depth > 10 ? 0 : 1]
            // A wheel with five spokes looks the same after a fifth of a turn. Its circumference is 2.07 m.
            let fifths = roadUser.speed * seconds * 5 / 2.07
            let step = Int((fifths - fifths.rounded(.down)) * Double(wheelFrames.count))
            let wheel = wheelFrames[min(step, wheelFrames.count - 1)]
            for position in object.wheels {
                let x = center + (x + position - StreetPainter.wheelRadius) * scale
                let y = horizon + (Self.eyeHeight - 2 * StreetPainter.wheelRadius) * scale
                layers.append(
                    PlacedLayer(
                        bitmap: wheel, x: Int(x.rounded(.down)), y: Int(y.rounded(.down)), depth: roadUser.depth,
                        speed: roadUser.speed * scale))
            }
        }
        return layers
    }
}
