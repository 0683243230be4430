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
