public import Foundation

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
