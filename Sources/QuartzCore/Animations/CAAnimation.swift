public import Foundation

/// Receives the start and the end of an animation on the main queue.
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
/// `CALayer.add(_:forKey:)` starts a copy on the clock of the capture system. `CALayer.presentation()` has the values
/// during the animation, and `AVVideoCompositionCoreAnimationTool` draws them in movies.
/// - Important: Confined to one thread at a time.
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

    /// Returns the value that a client stored under a key.
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

    /// The timing of the animation.
    ///
    /// - Parameters:
    ///   - begin: Replaces a begin time of 0.
    ///   - defaultDuration: Replaces a duration of 0.
    func timing(begin: CFTimeInterval, defaultDuration: CFTimeInterval) -> MediaTiming {
        MediaTiming(
            beginTime: beginTime == 0 ? begin : beginTime, duration: duration > 0 ? duration : defaultDuration,
            speed: speed, timeOffset: timeOffset, repeatCount: repeatCount, repeatDuration: repeatDuration,
            autoreverses: autoreverses, fillMode: fillMode)
    }

    /// Applies the animation to the values of a layer; has no effect at times at which it is not active.
    ///
    /// - Parameters:
    ///   - time: In the time of the layer or the group.
    ///   - timing: The timing in that time.
    ///   - includesEnd: Whether the animation is active exactly at its end.
    final func apply(
        to values: inout LayerValues, at time: CFTimeInterval, _ timing: MediaTiming,
        includingEnd includesEnd: Bool = false
    ) {
        guard let position = timing.position(at: time, includingEnd: includesEnd) else { return }
        let fraction = timing.duration > 0 ? position.time / timing.duration : 1
        let eased = timingFunction?.value(at: fraction) ?? fraction
        apply(
            AnimationProgress(
                fraction: eased, time: eased * timing.duration, duration: timing.duration,
                repetition: position.repetition), to: &values)
    }

    /// Applies the animation to the values of a layer; overridden by subclasses.
    func apply(_ progress: AnimationProgress, to values: inout LayerValues) {}
}

/// The progress of an animation.
struct AnimationProgress {
    /// The result of the timing function: from 0 to 1, or outside of this range for some functions.
    let fraction: Double
    /// `fraction` of the duration, in seconds.
    let time: CFTimeInterval
    /// In seconds, without repetitions.
    let duration: CFTimeInterval
    /// The number of completed repetitions.
    let repetition: Int
}
