import MediaTypes

/// The sound of a street: passing cars, steps, and the city in the distance.
///
/// The sound is a function of the time on the clock of the capture system. The microphone is at the position of the
/// cameras; sound arrives there after its travel time.
struct StreetSound: Sendable {
    /// A source of sound.
    struct Source: Sendable {
        /// The sound of the source at a time.
        struct State {
            /// The factor by which the samples of the loop are multiplied.
            var amplitude: Double
            /// The position in the loop, in samples; it may exceed the length of the loop.
            var position: Double
        }

        let loop: SoundLoop
        /// Returns the state at a time in seconds.
        ///
        /// - Parameter side: -1 for the left of two channels, 1 for the right one, 0 for a single channel.
        let state: @Sendable (_ seconds: Double, _ side: Double) -> State
    }

    let sources: [Source]

    // Linear amplitudes, chosen by ear.

    /// The root mean square of a car at a distance of 1 m.
    private static let carAmplitude = RepeatableMath.amplitude(decibels: -8)
    /// The peak of a step at a distance of 1 m.
    private static let stepAmplitude = RepeatableMath.amplitude(decibels: -9)
    /// The root mean square of the city.
    private static let cityAmplitude = RepeatableMath.amplitude(decibels: -46)
    /// Meters per second.
    private static let speedOfSound = 343.0

    /// Creates the sound of the objects of a street.
    init(_ traffic: StreetTraffic) { self.init(traffic.roadUsers) }

    /// Creates the sound of moving objects, with the city in the background.
    ///
    /// - Parameter hasCity: Whether to include the sound of the city in the background.
    init(_ roadUsers: [StreetTraffic.RoadUser], hasCity: Bool = true) {
        var sources = roadUsers.map(Self.source)
        if hasCity {
            // The loop has a root mean square of 1/4. An arbitrary offset makes the channels different.
            sources.append(
                Source(loop: .city) { seconds, side in
                    Source.State(
                        amplitude: 4 * Self.cityAmplitude,
                        position: seconds * SoundLoop.sampleRate + (side + 1) * 12345)
                })
        }
        self.sources = sources
    }

    private static func source(_ roadUser: StreetTraffic.RoadUser) -> Source {
        // Cars differ in pitch and in the initial position of their loop.
        var random = SplitMix64(seed: roadUser.appearanceSeed)
        let rate = SoundLoop.sampleRate * random.number(in: 0.85...1.15)
        let offset = random.number(in: 0...Double(SoundLoop.count))
        return Source(loop: roadUser.kind == .car ? .car : .steps) { seconds, side in
            let left = roadUser.x(at: seconds)
            let x = left + roadUser.length / 2
            let distance = (x * x + roadUser.depth * roadUser.depth).squareRoot()
            // At the end of its path, the object starts again on the other side. Its sound fades out before.
            let nearness = 1 - (left / roadUser.halfWidth) * (left / roadUser.halfWidth)
            let fade = nearness * nearness
            // Panning with constant power: 1 in both channels for a source in the middle.
            let balance = side == 0 ? 1 : (1 + side * x / distance).squareRoot()
            let emission = seconds - distance / speedOfSound
            switch roadUser.kind {
            case .car:
                // Most of the noise of tires is radiated across the road.
                let radiation = roadUser.depth / distance
                return Source.State(
                    amplitude: 4 * carAmplitude * radiation * fade * balance / distance,
                    position: emission * rate + offset)
            case .pedestrian:
                // Feet touch the ground at the largest swing: a quarter and three quarters of a cycle.
                return Source.State(
                    amplitude: stepAmplitude * fade * balance / distance,
                    position: (roadUser.cycles(at: emission) - 0.25) * Double(SoundLoop.count))
            }
        }
    }
}

extension SimScene {
    /// The sound of the scene; nil if it has none.
    func sound(seed: UInt64) -> StreetSound? {
        switch self {
        case .street, .night: StreetSound(StreetTraffic(seed: seed))
        case .chart, .grey, .portrait, .backlight, .shelf: nil
        case .file(let file): file.base?.sound(seed: seed)
        }
    }
}
