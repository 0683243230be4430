/// The timing of an animation or a layer.
public protocol CAMediaTiming: AnyObject {
    /// The start in seconds, in the time of the parent: the layer of an animation, the group or the superlayer.
    ///
    /// For an animation of a layer, 0 means the time when it is added.
    var beginTime: CFTimeInterval { get set }
    /// In seconds, without repetitions. For an animation, 0 means the duration of the transaction or the group; a layer
    /// has an infinite duration by default.
    var duration: CFTimeInterval { get set }
    /// The speed of time relative to the parent; 0 stops it.
    var speed: Float { get set }
    /// The local time at the start, in seconds.
    var timeOffset: CFTimeInterval { get set }
    /// The number of repetitions; 0 means one.
    var repeatCount: Float { get set }
    /// The duration of all repetitions in seconds; 0 means that `repeatCount` applies.
    var repeatDuration: CFTimeInterval { get set }
    /// Whether each repetition also runs backward, which doubles its duration.
    var autoreverses: Bool { get set }
    /// Whether the animation applies before its start and after its end; neither by default.
    var fillMode: CAMediaTimingFillMode { get set }
}

/// Whether an animation or a layer applies before its start and after its end.
public struct CAMediaTimingFillMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
    public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
    public static let both = CAMediaTimingFillMode(rawValue: "both")
    public static let removed = CAMediaTimingFillMode(rawValue: "removed")
}

/// The values of `CAMediaTiming`, which map the time of a parent to that of an animation or a layer.
struct MediaTiming: Sendable {
    var beginTime: CFTimeInterval = 0
    var duration: CFTimeInterval = 0
    var speed: Float = 1
    var timeOffset: CFTimeInterval = 0
    var repeatCount: Float = 0
    var repeatDuration: CFTimeInterval = 0
    var autoreverses = false
    var fillMode = CAMediaTimingFillMode.removed

    /// The resolution of clocks in seconds. Times that differ by less are equal: an animation that begins at
    /// `AVCoreAnimationBeginTimeAtZero` is active at zero.
    private static let tolerance: CFTimeInterval = 1e-9

    /// A time within one repetition.
    struct Position {
        /// From 0 to the duration, in seconds.
        let time: CFTimeInterval
        /// The number of completed repetitions.
        let repetition: Int
    }

    /// The duration with all repetitions in seconds.
    private var total: CFTimeInterval {
        guard repeatDuration <= 0 else { return repeatDuration }
        return period * (repeatCount > 0 ? Double(repeatCount) : 1)
    }

    /// The duration of a repetition in seconds.
    private var period: CFTimeInterval { duration * (autoreverses ? 2 : 1) }

    /// The time from start to end in seconds of the parent's time; infinity if the end is never reached.
    var activeDuration: CFTimeInterval {
        guard speed != 0 else { return .infinity }
        return max(0, speed > 0 ? total - timeOffset : timeOffset) / Double(abs(speed))
    }

    /// Converts a time of the parent to local time, ignoring start, end and repetitions.
    func localTime(_ parent: CFTimeInterval) -> CFTimeInterval { (parent - beginTime) * Double(speed) + timeOffset }

    /// Converts a local time to that of the parent; returns the start if the time is stopped.
    func parentTime(_ local: CFTimeInterval) -> CFTimeInterval {
        speed == 0 ? beginTime : (local - timeOffset) / Double(speed) + beginTime
    }

    /// Returns the position at a time of the parent; nil before the start and from the end on, unless the fill mode
    /// includes that time.
    ///
    /// - Parameter includesEnd: Whether there is a position exactly at the end.
    func position(at parent: CFTimeInterval, includingEnd includesEnd: Bool = false) -> Position? {
        let fillsBefore = fillMode == .backwards || fillMode == .both
        let fillsAfter = fillMode == .forwards || fillMode == .both
        guard parent >= beginTime - Self.tolerance else { return fillsBefore ? position(local: timeOffset) : nil }
        let local = localTime(parent)
        if includesEnd, abs(local - total) < Self.tolerance { return position(local: total) }
        if local < -Self.tolerance { return (speed < 0 ? fillsAfter : fillsBefore) ? position(local: 0) : nil }
        if local >= total - Self.tolerance {
            return (speed < 0 ? fillsBefore : fillsAfter) ? position(local: total) : nil
        }
        return position(local: local)
    }

    private func position(local: CFTimeInterval) -> Position {
        let time = min(max(local, 0), total)
        guard period > 0, period.isFinite else { return Position(time: time, repetition: 0) }
        // The end belongs to the last repetition.
        var repetition = (time / period).rounded(.down)
        if time >= total, repetition > 0, repetition * period >= time { repetition -= 1 }
        let elapsed = time - repetition * period
        return Position(time: elapsed > duration ? period - elapsed : elapsed, repetition: Int(repetition))
    }
}
