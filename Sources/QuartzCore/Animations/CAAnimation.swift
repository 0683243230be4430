public import Foundation

/// The time of an animation.
public protocol CAMediaTiming: AnyObject {
    /// The begin on the clock of `CACurrentMediaTime()` in seconds; 0 is the time when the animation is added.
    var beginTime: CFTimeInterval { get set }
    /// In seconds, without repetitions; 0 is the duration of the transaction.
    var duration: CFTimeInterval { get set }
    /// How fast time passes, relative to the clock.
    var speed: Float { get set }
    /// The time of the animation at its begin.
    var timeOffset: CFTimeInterval { get set }
    /// How often the animation runs; 0 means once.
    var repeatCount: Float { get set }
    /// How long the animation repeats in seconds; 0 means that `repeatCount` applies.
    var repeatDuration: CFTimeInterval { get set }
    /// Whether each repetition also runs backwards, which takes the same time again.
    var autoreverses: Bool { get set }
    /// Without effect, because animations are not drawn.
    var fillMode: CAMediaTimingFillMode { get set }
}

/// What an animation shows before and after its time.
public struct CAMediaTimingFillMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
    public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
    public static let both = CAMediaTimingFillMode(rawValue: "both")
    public static let removed = CAMediaTimingFillMode(rawValue: "removed")
}

/// Receives the begin and the end of an animation on the main queue.
public protocol CAAnimationDelegate: AnyObject {
    func animationDidStart(_ anim: CAAnimation)
    /// - Parameter flag: False if the animation was removed before its end.
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool)
}

extension CAAnimationDelegate {
    public func animationDidStart(_ anim: CAAnimation) {}
    public func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {}
}

/// A change of a layer over time; the base class of animations.
///
/// `CALayer.add(_:forKey:)` starts a copy. It lasts as long as on Apple's systems, on the clock of the capture system, and
/// its delegate and the completion block of its transaction are called.
/// - Note: Unlike Apple, it is not drawn: a layer always shows the values of its own properties.
/// - Important: Confined.
open class CAAnimation: NSObject, NSCopying, CAMediaTiming {
    open var beginTime: CFTimeInterval = 0
    open var duration: CFTimeInterval = 0
    open var speed: Float = 1
    open var timeOffset: CFTimeInterval = 0
    open var repeatCount: Float = 0
    open var repeatDuration: CFTimeInterval = 0
    open var autoreverses = false
    open var fillMode = CAMediaTimingFillMode.removed
    open var timingFunction: CAMediaTimingFunction?
    /// Retained until the animation is removed.
    open var delegate: (any CAAnimationDelegate)?
    open var isRemovedOnCompletion = true
    private var values: [String: Any] = [:]

    public required override init() { super.init() }

    /// The value that a client stored under a key.
    open func value(forKey key: String) -> Any? { values[key] }
    /// Stores a value, for example to recognize the animation in its delegate.
    open func setValue(_ value: Any?, forKey key: String) { values[key] = value }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self()
        copy.copyValues(of: self)
        return copy
    }

    /// Copies the properties of an animation of the same class.
    func copyValues(of other: CAAnimation) {
        (beginTime, duration, speed, timeOffset) = (other.beginTime, other.duration, other.speed, other.timeOffset)
        (repeatCount, repeatDuration) = (other.repeatCount, other.repeatDuration)
        (autoreverses, fillMode) = (other.autoreverses, other.fillMode)
        (timingFunction, delegate) = (other.timingFunction, other.delegate)
        (isRemovedOnCompletion, values) = (other.isRemovedOnCompletion, other.values)
    }

    /// The time from begin to end with all repetitions in seconds; infinity if the animation does not end.
    ///
    /// - Parameter defaultDuration: The duration of the transaction.
    func activeDuration(defaultDuration: CFTimeInterval) -> CFTimeInterval {
        guard speed > 0 else { return .infinity }
        let once = (duration > 0 ? duration : defaultDuration) * (autoreverses ? 2 : 1)
        let total = repeatDuration > 0 ? repeatDuration : once * (repeatCount > 0 ? Double(repeatCount) : 1)
        return max(0, total - timeOffset) / Double(speed)
    }
}

/// An animation of a property of the layer.
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
}

/// An animation between two values.
open class CABasicAnimation: CAPropertyAnimation {
    open var fromValue: Any?
    open var toValue: Any?
    open var byValue: Any?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CABasicAnimation else { return }
        (fromValue, toValue, byValue) = (other.fromValue, other.toValue, other.byValue)
    }
}

/// An animation between two values with the motion of a spring.
open class CASpringAnimation: CABasicAnimation {
    open var mass: CGFloat = 1
    open var stiffness: CGFloat = 100
    open var damping: CGFloat = 10
    open var initialVelocity: CGFloat = 0

    /// The time in which the amplitude of the damped oscillator falls to a thousandth, in seconds.
    ///
    /// The amplitude falls with exp(-t c / 2m), or over the critical damping with the slower of the two exponents of
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
}

/// How values between those of key frames are calculated.
public struct CAAnimationCalculationMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let linear = CAAnimationCalculationMode(rawValue: "linear")
    public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
    public static let paced = CAAnimationCalculationMode(rawValue: "paced")
    public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
    public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")
}

/// An animation over several values.
open class CAKeyframeAnimation: CAPropertyAnimation {
    open var values: [Any]?
    /// From 0 to 1.
    open var keyTimes: [NSNumber]?
    open var timingFunctions: [CAMediaTimingFunction]?
    open var calculationMode = CAAnimationCalculationMode.linear

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CAKeyframeAnimation else { return }
        (values, keyTimes) = (other.values, other.keyTimes)
        (timingFunctions, calculationMode) = (other.timingFunctions, other.calculationMode)
    }
}

/// Animations that begin together and end with the group.
open class CAAnimationGroup: CAAnimation {
    open var animations: [CAAnimation]?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        if let other = other as? CAAnimationGroup { animations = other.animations }
    }
}

/// A transition between two states of a layer.
open class CATransition: CAAnimation {
    open var type = CATransitionType.fade
    open var subtype: CATransitionSubtype?
    open var startProgress: Float = 0
    open var endProgress: Float = 1

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CATransition else { return }
        (type, subtype) = (other.type, other.subtype)
        (startProgress, endProgress) = (other.startProgress, other.endProgress)
    }
}

/// The kind of a transition.
public struct CATransitionType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let fade = CATransitionType(rawValue: "fade")
    public static let moveIn = CATransitionType(rawValue: "moveIn")
    public static let push = CATransitionType(rawValue: "push")
    public static let reveal = CATransitionType(rawValue: "reveal")
}

/// The side from which a transition comes.
public struct CATransitionSubtype: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let fromRight = CATransitionSubtype(rawValue: "fromRight")
    public static let fromLeft = CATransitionSubtype(rawValue: "fromLeft")
    public static let fromTop = CATransitionSubtype(rawValue: "fromTop")
    public static let fromBottom = CATransitionSubtype(rawValue: "fromBottom")
}
