/// The light of a scene: how much, of which colour, and how both change.
public struct SceneLight: Sendable, Hashable {
    /// A lamp on the mains, whose light follows the alternating voltage.
    public struct Flicker: Sendable, Hashable {
        /// Of the mains, 50 or 60; light goes up and down twice as often.
        public var mainsHertz: Int
        /// By how much the light goes above and below its mean, 0 … 1; about 0.1 for a filament, 0.3 for a poor LED.
        public var depth: Double

        public init(mainsHertz: Int, depth: Double) {
            self.mainsHertz = mainsHertz
            self.depth = min(max(depth, 0), 1)
        }
    }

    /// The light from a moment on.
    public struct Change: Sendable, Hashable {
        /// Seconds of the system's clock.
        public var seconds: Double
        public var lux: Double
        public var kelvin: Double

        public init(seconds: Double, lux: Double, kelvin: Double) {
            self.seconds = seconds
            self.lux = lux
            self.kelvin = kelvin
        }
    }

    /// On a surface that faces it, at time 0.
    public var lux: Double
    /// The black body of the same colour, at time 0.
    public var kelvin: Double
    /// Nil by day.
    public var flicker: Flicker?
    /// In the order of time; between two of them light goes over evenly.
    public var changes: [Change]

    public init(lux: Double, kelvin: Double, flicker: Flicker? = nil, changes: [Change] = []) {
        self.lux = lux
        self.kelvin = kelvin
        self.flicker = flicker
        self.changes = changes.sorted { $0.seconds < $1.seconds }
    }

    /// Illuminance and colour temperature at a time of the clock.
    func at(nanoseconds: Int64) -> (lux: Double, kelvin: Double) {
        guard !changes.isEmpty else { return (lux, kelvin) }
        let seconds = Double(nanoseconds) / 1e9
        var before = Change(seconds: 0, lux: lux, kelvin: kelvin)
        for change in changes {
            guard change.seconds <= seconds else {
                let part = (seconds - before.seconds) / (change.seconds - before.seconds)
                return (
                    before.lux + (change.lux - before.lux) * part,
                    before.kelvin + (change.kelvin - before.kelvin) * part
                )
            }
            before = change
        }
        return (before.lux, before.kelvin)
    }

    /// The light that falls on a row while it is exposed, in proportion to the mean.
    ///
    /// The mean of 1 + m cos(2π F t) from t to t + T, F being twice the mains' frequency: it is 1 where T holds whole
    /// periods.
    static func gain(of flicker: Flicker, from seconds: Double, exposure: Double) -> Double {
        let frequency = 2 * Double(flicker.mainsHertz)
        let turns = frequency * exposure
        guard turns > 1e-6 else { return 1 }
        let sum = Circle.sine(turns: frequency * (seconds + exposure)) - Circle.sine(turns: frequency * seconds)
        return 1 + flicker.depth * sum / (6.283185307179586 * turns)
    }
}
