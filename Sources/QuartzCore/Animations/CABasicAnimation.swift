public import Foundation

/// An animation of a property of the layer.
///
/// The key path names a property that is drawn, or a part of one: `position.x`, `bounds.size.width`,
/// `shadowOffset.height`, `transform.rotation.z`, `transform.scale`, `transform.translation.x`. Other key paths have no
/// effect.
open class CAPropertyAnimation: CAAnimation {
    open var keyPath: String?
    open var isAdditive = false
    open var isCumulative = false

    public required init() { super.init() }

    public convenience init(keyPath path: String?) {
        self.init()
        keyPath = path
    }

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CAPropertyAnimation else { return }
        (keyPath, isAdditive, isCumulative) = (other.keyPath, other.isAdditive, other.isCumulative)
    }

    override func apply(_ progress: AnimationProgress, to values: inout LayerValues) {
        guard let property = keyPath.flatMap(LayerProperty.init), let current = property.value(in: values) else {
            return
        }
        func value(_ progress: AnimationProgress) -> AnimatableValue? {
            self.value(progress, of: property, current: isAdditive ? current.zero : current)
        }
        guard var new = value(progress) else { return }
        if isCumulative, progress.repetition > 0,
            let last = value(
                AnimationProgress(fraction: 1, time: progress.duration, duration: progress.duration, repetition: 0))
        {
            for _ in 0..<progress.repetition { new = last.adding(new) }
        }
        property.set(isAdditive ? current.adding(new) : new, in: &values)
    }

    /// Returns the value of the property; overridden by subclasses.
    ///
    /// - Parameter current: The value without the animation.
    func value(
        _ progress: AnimationProgress, of property: LayerProperty, current: AnimatableValue
    ) -> AnimatableValue? { nil }
}

/// An animation between two values.
///
/// Values are numbers, points, sizes, rectangles, transforms, colors or paths, also as `NSNumber` and `NSValue`. Images
/// and other objects change at the end.
open class CABasicAnimation: CAPropertyAnimation {
    /// Nil for the value of the layer, or the difference of the two others.
    open var fromValue: Any?
    /// Nil for the value of the layer, or the sum of the two others.
    open var toValue: Any?
    /// The difference of the values.
    open var byValue: Any?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CABasicAnimation else { return }
        (fromValue, toValue, byValue) = (other.fromValue, other.toValue, other.byValue)
    }

    override func value(
        _ progress: AnimationProgress, of property: LayerProperty, current: AnimatableValue
    ) -> AnimatableValue? {
        let from = fromValue.flatMap { property.value(of: $0) }
        let to = toValue.flatMap { property.value(of: $0) }
        let by = byValue.flatMap { property.value(of: $0) }
        let (first, last): (AnimatableValue, AnimatableValue) =
            switch (from, to, by) {
            case (let from?, let to?, _): (from, to)
            case (let from?, nil, let by?): (from, from.adding(by))
            case (nil, let to?, let by?): (to.subtracting(by), to)
            case (let from?, nil, nil): (from, current)
            case (nil, let to?, nil): (current, to)
            case (nil, nil, let by?): (current, current.adding(by))
            case (nil, nil, nil): (current, current)
            }
        return first.interpolated(to: last, fraction(progress))
    }

    /// Returns the applied fraction of the difference between the values; overridden by subclasses.
    func fraction(_ progress: AnimationProgress) -> Double { progress.fraction }
}

/// An animation between two values with the motion of a spring.
open class CASpringAnimation: CABasicAnimation {
    open var mass: CGFloat = 1
    open var stiffness: CGFloat = 100
    open var damping: CGFloat = 10
    open var initialVelocity: CGFloat = 0

    /// The time in seconds in which the amplitude of the damped oscillator falls to a thousandth.
    ///
    /// The amplitude falls with exp(-t c / 2m), or above the critical damping with the slower of the two exponents of
    /// m x'' + c x' + k x = 0.
    open var settlingDuration: CFTimeInterval {
        let discriminant = damping * damping - 4 * mass * stiffness
        let rate = (damping - (discriminant > 0 ? discriminant.squareRoot() : 0)) / (2 * mass)
        return rate > 0 ? log(1000) / rate : .infinity
    }

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CASpringAnimation else { return }
        (mass, stiffness, damping) = (other.mass, other.stiffness, other.damping)
        initialVelocity = other.initialVelocity
    }

    /// Returns 1 minus the displacement of a damped oscillator that starts with a displacement of 1.
    override func fraction(_ progress: AnimationProgress) -> Double {
        guard mass > 0, stiffness > 0 else { return progress.fraction }
        let (decay, speed) = (damping / (2 * mass), -initialVelocity)
        let (time, discriminant) = (progress.time, decay * decay - stiffness / mass)
        let displacement: Double
        if discriminant < 0 {
            let frequency = (-discriminant).squareRoot()
            displacement =
                exp(-decay * time)
                * (cos(frequency * time) + (speed + decay) / frequency * sin(frequency * time))
        } else if discriminant == 0 {
            displacement = exp(-decay * time) * (1 + (speed + decay) * time)
        } else {
            let root = discriminant.squareRoot()
            let (slow, fast) = (-decay + root, -decay - root)
            let share = (speed - fast) / (slow - fast)
            displacement = share * exp(slow * time) + (1 - share) * exp(fast * time)
        }
        return 1 - displacement
    }
}
