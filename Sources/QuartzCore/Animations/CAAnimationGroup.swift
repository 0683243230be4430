/// Animations that run in the time of the group, and end with it.
open class CAAnimationGroup: CAAnimation {
    open var animations: [CAAnimation]?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        if let other = other as? CAAnimationGroup { animations = other.animations }
    }

    final override func apply(_ progress: AnimationProgress, to values: inout LayerValues) {
        for animation in animations ?? [] {
            let timing = animation.timing(begin: 0, defaultDuration: progress.duration)
            // At the end of the group, an animation that ends at the same time still applies, with its final value.
            animation.apply(
                to: &values, at: progress.time, timing, includingEnd: progress.time >= progress.duration)
        }
    }
}
