import MediaTypes

/// How a loop goes to its target: the step response of two poles, told by a time constant and an overshoot.
///
/// The position follows x' = x + a (target − x) + b v, where v is the last step. With poles r e^±iφ it is b = r² and
/// a = 1 + r² − 2 r cos φ; the response decays by e in the time constant, and passes its target by exp(−π ζ / √(1 − ζ²)),
/// the overshoot of a second-order system (K. Ogata: "Modern Control Engineering", 5th ed., 5-3).
package struct Response: Sendable, Hashable {
    /// Frames in which the distance falls to 1/e.
    package let timeConstant: Double
    /// By how much of the way the target is passed, 0 … 0.5.
    package let overshoot: Double
    /// The share of the distance that a step closes.
    let approach: Double
    /// The share of the last step that goes on.
    let momentum: Double

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

    /// The next step of a position that is `distance` away from its target, after a step of `last`.
    func step(distance: Double, last: Double, limit: Double) -> Double {
        min(max(approach * distance + momentum * last, -limit), limit)
    }
}
