import Foundation
import MediaAssets
import MediaTypes

/// A value that changes over time: in steps, and linearly within ramps.
///
/// Before the first step or ramp, the value is the initial one; after a step or a ramp, it keeps its last value.
///
/// Invariant: the ramps are in the order of their start times, and those with a duration do not overlap.
struct ValueRamps<Value: LinearlyInterpolated>: Sendable {
    /// A linear change, or a step if it starts and ends at the same time.
    struct Ramp: Sendable {
        let start: CMTime
        let end: CMTime
        let first: Value
        let last: Value

        var isStep: Bool { start == end }

        func value(at time: CMTime) -> Value {
            guard time < end else { return last }
            let fraction = (time - start).seconds / (end - start).seconds
            return first.interpolated(to: last, fraction)
        }
    }

    let initial: Value
    private(set) var ramps: [Ramp] = []

    init(initial: Value) { self.initial = initial }

    /// Whether the value is always the initial one.
    var isEmpty: Bool { ramps.isEmpty }

    /// Adds a step. It replaces a step at the same time.
    ///
    /// - Returns: False if the time is not numeric.
    mutating func set(_ value: Value, at time: CMTime) -> Bool {
        guard time.isNumeric else { return false }
        ramps.removeAll { $0.isStep && $0.start == time }
        insert(Ramp(start: time, end: time, first: value, last: value))
        return true
    }

    /// Adds a ramp.
    ///
    /// - Returns: False if the range is not numeric, is empty, or overlaps another ramp.
    mutating func setRamp(from first: Value, to last: Value, in range: CMTimeRange) -> Bool {
        guard range.start.isNumeric, range.duration.isNumeric, range.duration > .zero,
            !ramps.contains(where: { !$0.isStep && $0.start < range.end && range.start < $0.end })
        else { return false }
        insert(Ramp(start: range.start, end: range.end, first: first, last: last))
        return true
    }

    /// A step precedes a ramp that starts at the same time, and so has no effect.
    private mutating func insert(_ ramp: Ramp) {
        let index = ramps.firstIndex { ramp.isStep ? $0.start >= ramp.start : $0.start > ramp.start }
        ramps.insert(ramp, at: index ?? ramps.count)
    }

    func value(at time: CMTime) -> Value { ramps.last { $0.start <= time }?.value(at: time) ?? initial }

    /// Returns the step or ramp that determines the value at a time; nil before the first one and after a ramp's end.
    ///
    /// - Returns: The first and last values and the time range, which for a step lasts until the next change.
    func ramp(at time: CMTime) -> (first: Value, last: Value, range: CMTimeRange)? {
        guard let index = ramps.lastIndex(where: { $0.start <= time }) else { return nil }
        let ramp = ramps[index]
        guard ramp.isStep else {
            return time < ramp.end
                ? (ramp.first, ramp.last, CMTimeRangeFromTimeToTime(start: ramp.start, end: ramp.end)) : nil
        }
        let end = ramps[(index + 1)...].first?.start ?? .positiveInfinity
        return (ramp.first, ramp.last, CMTimeRange(start: ramp.start, duration: end - ramp.start))
    }

    /// Whether the value changes within a time range.
    func changes(in range: CMTimeRange) -> Bool {
        ramps.contains {
            $0.isStep ? $0.start > range.start && $0.start < range.end : $0.start < range.end && $0.end > range.start
        }
    }
}

/// A value that can change linearly to another one.
protocol LinearlyInterpolated: Sendable {
    /// Returns the value between this one (fraction 0) and another one (fraction 1).
    func interpolated(to other: Self, _ fraction: Double) -> Self
}

extension Float: LinearlyInterpolated {
    func interpolated(to other: Float, _ fraction: Double) -> Float {
        Float(Double(self) + (Double(other) - Double(self)) * fraction)
    }
}

extension CGAffineTransform: LinearlyInterpolated {
    func interpolated(to other: CGAffineTransform, _ fraction: Double) -> CGAffineTransform {
        func mix(_ path: KeyPath<CGAffineTransform, CGFloat>) -> CGFloat {
            self[keyPath: path] + (other[keyPath: path] - self[keyPath: path]) * fraction
        }
        return CGAffineTransform(
            a: mix(\.a), b: mix(\.b), c: mix(\.c), d: mix(\.d), tx: mix(\.tx), ty: mix(\.ty))
    }
}

extension CGRect: LinearlyInterpolated {
    /// An infinite rectangle cannot be interpolated: the value changes at the end of the ramp only.
    func interpolated(to other: CGRect, _ fraction: Double) -> CGRect {
        guard !isInfinite, !other.isInfinite else { return self }
        func mix(_ first: CGFloat, _ last: CGFloat) -> CGFloat { first + (last - first) * fraction }
        return CGRect(
            x: mix(minX, other.minX), y: mix(minY, other.minY), width: mix(width, other.width),
            height: mix(height, other.height))
    }
}
