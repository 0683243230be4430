import Foundation
public import MediaTypes

/// The timing of the layer relative to its superlayer. It applies to the animations and sublayers of the layer.
///
/// In movies, a layer is drawn only between its start and its end. By default, it has no start and an infinite
/// duration, and is always drawn.
extension CALayer: CAMediaTiming {
    public var beginTime: CFTimeInterval {
        get { timing.beginTime }
        set { setTiming(\.beginTime, newValue) }
    }
    public var duration: CFTimeInterval {
        get { timing.duration }
        set { setTiming(\.duration, newValue) }
    }
    public var speed: Float {
        get { timing.speed }
        set { setTiming(\.speed, newValue) }
    }
    public var timeOffset: CFTimeInterval {
        get { timing.timeOffset }
        set { setTiming(\.timeOffset, newValue) }
    }
    public var repeatCount: Float {
        get { timing.repeatCount }
        set { setTiming(\.repeatCount, newValue) }
    }
    public var repeatDuration: CFTimeInterval {
        get { timing.repeatDuration }
        set { setTiming(\.repeatDuration, newValue) }
    }
    public var autoreverses: Bool {
        get { timing.autoreverses }
        set { setTiming(\.autoreverses, newValue) }
    }
    public var fillMode: CAMediaTimingFillMode {
        get { timing.fillMode }
        set { setTiming(\.fillMode, newValue) }
    }

    private var timing: MediaTiming { state.withLock { $0.timing } }

    private func setTiming<Value>(_ path: WritableKeyPath<MediaTiming, Value>, _ value: Value) {
        state.withLock { $0.timing[keyPath: path] = value }
        rescheduleAnimations()
    }

    /// Converts a time from the time of another layer; nil means that of the clock, as `CACurrentMediaTime()`.
    public func convertTime(_ t: CFTimeInterval, from l: CALayer?) -> CFTimeInterval {
        timings.reversed().reduce(l?.clockTime(t) ?? t) { $1.localTime($0) }
    }

    /// Converts a time to the time of another layer; nil means that of the clock, as `CACurrentMediaTime()`.
    public func convertTime(_ t: CFTimeInterval, to l: CALayer?) -> CFTimeInterval {
        guard let l else { return clockTime(t) }
        return l.convertTime(t, from: self)
    }

    private func clockTime(_ t: CFTimeInterval) -> CFTimeInterval { timings.reduce(t) { $1.parentTime($0) } }

    /// The timings from this layer to the root of its tree.
    private var timings: [MediaTiming] {
        var result: [MediaTiming] = []
        var layer: CALayer? = self
        while let current = layer {
            result.append(current.timing)
            layer = current.state.withLock { $0.model }?.superlayer ?? current.superlayer
        }
        return result
    }

    /// Whether the time of the layer is stopped.
    var isTimeStopped: Bool { timings.contains { $0.speed == 0 } }
}
