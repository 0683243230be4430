import MediaTypes

/// The cars and pedestrians of a street. Image and sound are generated from the same motion.
///
/// Units are meters and seconds, as in `StreetScene`.
struct StreetTraffic {
    /// A car or pedestrian that crosses the view repeatedly.
    struct RoadUser {
        enum Kind {
            case car, pedestrian
        }

        var kind: Kind
        /// Seed of the object's appearance.
        var appearanceSeed: UInt64
        /// Distance from the camera along the optical axis.
        var depth: Double
        /// Meters per second, negative to the left.
        var speed: Double
        /// Position along the path at time 0, in meters.
        var start: Double

        /// Length of a typical car; 0 for a pedestrian.
        var length: Double { kind == .car ? 4.4 : 0 }

        /// Meters traveled during one cycle of the motion: two steps of a pedestrian.
        var stride: Double { kind == .car ? 1.3 : 1.5 }

        /// Half the width of the area in which the object moves.
        var halfWidth: Double { StreetScene.widestTangent * depth + 4 }

        /// Returns the position along the path.
        func path(at seconds: Double) -> Double { start + speed * seconds }

        /// Returns the horizontal position of a car's left end or a pedestrian's center. At the end of the area, the
        /// object starts again on the other side.
        func x(at seconds: Double) -> Double {
            let turns = path(at: seconds) / (2 * halfWidth)
            return (turns - turns.rounded(.down)) * 2 * halfWidth - halfWidth
        }

        /// Returns the number of cycles of the motion.
        func cycles(at seconds: Double) -> Double { abs(path(at: seconds)) / stride }
    }

    /// The cars and pedestrians, from far to near.
    let roadUsers: [RoadUser]

    init(seed: UInt64) {
        // "move" in ASCII.
        var random = SplitMix64(seed: seed ^ 0x6d6f_7665)
        var roadUsers: [RoadUser] = []
        for index in 0..<4 {
            let appearanceSeed = random.next()
            let speed = index % 2 == 1 ? -random.number(in: 1.0...1.4) : random.number(in: 1.1...1.5)
            let start = Double(index) * 9 + random.number(in: 0...5)
            roadUsers.append(
                RoadUser(kind: .pedestrian, appearanceSeed: appearanceSeed, depth: 16, speed: speed, start: start))
        }
        for index in 0..<3 {
            let appearanceSeed = random.next()
            let start = Double(index) * 15 + random.number(in: 0...6)
            roadUsers.append(RoadUser(kind: .car, appearanceSeed: appearanceSeed, depth: 12, speed: -8.5, start: start))
        }
        for index in 0..<2 {
            let appearanceSeed = random.next()
            let start = Double(index) * 17 + random.number(in: 0...7)
            roadUsers.append(RoadUser(kind: .car, appearanceSeed: appearanceSeed, depth: 8.5, speed: 7, start: start))
        }
        let appearanceSeed = random.next()
        roadUsers.append(
            RoadUser(
                kind: .pedestrian, appearanceSeed: appearanceSeed, depth: 5.6, speed: 1.3,
                start: random.number(in: 4...8)))
        self.roadUsers = roadUsers
    }
}
