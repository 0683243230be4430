/// The illuminance and color of a scene, which may change over time.
public struct SceneLight: Sendable, Hashable {
    /// Mains flicker of a lamp.
    public struct Flicker: Sendable, Hashable {
        /// Mains frequency, 50 or 60; the light varies at twice this frequency.
        public var mainsHertz: Int
        /// Amplitude relative to the mean, 0 … 1; about 0.1 for incandescent lamps, 0.3 for poor LEDs.
        public var depth: Double

        /// Creates a flicker; `depth` is clamped to 0 … 1.
        public init(mainsHertz: Int, depth: Double) {
            self.mainsHertz = mainsHertz
            self.depth = min(max(depth, 0), 1)
        }
    }

    /// The light at one time. Between two of these times, the light is interpolated linearly.
    public struct Change: Sendable, Hashable {
        /// Time on the clock of the capture system, in seconds.
        public var seconds: Double
        /// Illuminance.
        public var lux: Double
        /// Color temperature.
        public var kelvin: Double

        /// Creates the light at one time.
        public init(seconds: Double, lux: Double, kelvin: Double) {
            self.seconds = seconds
            self.lux = lux
            self.kelvin = kelvin
        }
    }

    /// Illuminance of a surface facing the light, at time 0.
    public var lux: Double
    /// Color temperature at time 0.
    public var kelvin: Double
    /// The flicker of lamps; nil for daylight.
    public var flicker: Flicker?
    /// The light at later times, in ascending order.
    public var changes: [Change]

    /// Creates a light; `changes` are sorted by time.
    public init(lux: Double, kelvin: Double, flicker: Flicker? = nil, changes: [Change] = []) {
        self.lux = lux
        self.kelvin = kelvin
        self.flicker = flicker
        self.changes = changes.sorted { $0.seconds < $1.seconds }
    }

    /// Returns illuminance and color temperature at a time of the clock.
    func at(nanoseconds: Int64) -> (lux: Double, kelvin: Double) {
        guard !changes.isEmpty else { return (lux, kelvin) }
        let seconds = Double(nanoseconds) / 1e9
        var before = Change(seconds: 0, lux: lux, kelvin: kelvin)
        for change in changes {
            guard change.seconds <= seconds else {
                let fraction = (seconds - before.seconds) / (change.seconds - before.seconds)
                return (
                    before.lux + (change.lux - before.lux) * fraction,
                    before.kelvin + (change.kelvin - before.kelvin) * fraction
                )
            }
            before = change
        }
        return (before.lux, before.kelvin)
    }

    /// Returns the mean light during the exposure of a row, relative to the overall mean.
    ///
    /// It is the mean of 1 + m cos(2π F t) from t to t + T, where F is twice the mains frequency. It is 1 if T is a
    /// multiple of the period.
    static func gain(of flicker: Flicker, from seconds: Double, exposure: Double) -> Double {
        let frequency = 2 * Double(flicker.mainsHertz)
        let turns = frequency * exposure
        guard turns > 1e-6 else { return 1 }
        let sum = Circle.sine(turns: frequency * (seconds + exposure)) - Circle.sine(turns: frequency * seconds)
        return 1 + flicker.depth * sum / (6.283185307179586 * turns)
    }
}
