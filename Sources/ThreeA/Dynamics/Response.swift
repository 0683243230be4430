import MediaTypes

/// The step response of a control loop with two poles, defined by a time constant and an overshoot.
///
/// The position follows x' = x + a (target − x) + b v, where v is the last step. For the poles r e^±iφ, b = r² and
/// a = 1 + r² − 2 r cos φ. The response decays by a factor of e in the time constant, and its overshoot is
/// exp(−π ζ / √(1 − ζ²)), as for a second-order system (K. Ogata: "Modern Control Engineering", 5th ed., 5-3).
package struct Response: Sendable, Hashable {
    /// The number of frames in which the distance decreases to 1/e.
    package let timeConstant: Double
    /// The overshoot as a fraction of the distance, 0 … 0.5.
    package let overshoot: Double
    /// The coefficient a.
    let approach: Double
    /// The coefficient b.
    let momentum: Double

    /// Creates a response.
    package init(timeConstant: Double, overshoot: Double = 0) {
        self.timeConstant = max(timeConstant, 0)
        self.overshoot = min(max(overshoot, 0), 0.5)
        let radius = timeConstant > 0 ? RepeatableMath.exp2(-1.4426950408889634 / timeConstant) : 0
        guard overshoot > 0.001, timeConstant > 0 else {
            (approach, momentum) = (1 - radius, 0)
            return
        }
        // ln o = −π σ / ω, where 1 / σ is the time constant.
        let angle = 3.141592653589793 / timeConstant / (-RepeatableMath.log2(self.overshoot) * 0.6931471805599453)
        momentum = radius * radius
        approach = 1 + momentum - 2 * radius * RepeatableMath.cos(min(angle, 3.141592653589793))
    }

    /// Returns the next step of a position at `distance` from its target, after a step of `last`; at most `limit` in
    /// either direction.
    func step(distance: Double, last: Double, limit: Double) -> Double {
        min(max(approach * distance + momentum * last, -limit), limit)
    }
}
