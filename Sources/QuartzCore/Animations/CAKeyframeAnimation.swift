public import Foundation
import MediaTypes
public import VectorGraphics

/// The interpolation of values between key frames.
public struct CAAnimationCalculationMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let linear = CAAnimationCalculationMode(rawValue: "linear")
    public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
    public static let paced = CAAnimationCalculationMode(rawValue: "paced")
    public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
    public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")
}

/// The rotation of a layer that moves along a path.
public struct CAAnimationRotationMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The x axis of the layer points along the path.
    public static let rotateAuto = CAAnimationRotationMode(rawValue: "auto")
    /// The x axis of the layer points against the direction of the path.
    public static let rotateAutoReverse = CAAnimationRotationMode(rawValue: "autoReverse")
}

/// An animation over several values.
open class CAKeyframeAnimation: CAPropertyAnimation {
    /// Ignored if there is a path.
    open var values: [Any]?
    /// The path of a point. Each line and curve is a step between two key frames.
    open var path: CGPath?
    /// The times of the key frames, from 0 to 1; nil for equal intervals. Paced modes ignore them.
    ///
    /// In `discrete` mode, each value starts at its time. One additional time can mark the end of the last value.
    open var keyTimes: [NSNumber]?
    /// One for each step between two key frames.
    open var timingFunctions: [CAMediaTimingFunction]?
    open var calculationMode = CAAnimationCalculationMode.linear
    /// Applies to movements along a path; nil, the default, for no rotation.
    open var rotationMode: CAAnimationRotationMode?
    /// The sharpness of cubic curves at each key frame, from -1 to 1; 0 by default.
    open var tensionValues: [NSNumber]?
    /// The smoothness of corners of cubic curves at each key frame, from -1 to 1; 0 by default.
    open var continuityValues: [NSNumber]?
    /// The position of the bend of cubic curves at each key frame, from -1 (before) to 1 (after); 0 by default.
    open var biasValues: [NSNumber]?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CAKeyframeAnimation else { return }
        (values, path, keyTimes) = (other.values, other.path?.copy(), other.keyTimes)
        (timingFunctions, calculationMode) = (other.timingFunctions, other.calculationMode)
        (rotationMode, tensionValues) = (other.rotationMode, other.tensionValues)
        (continuityValues, biasValues) = (other.continuityValues, other.biasValues)
    }

    override func value(
        _ progress: AnimationProgress, of property: LayerProperty, current: AnimatableValue
    ) -> AnimatableValue? {
        if let path {
            guard case .point = current else { return nil }
            return position(progress.fraction, on: path.segments).map { .point($0.0.point(at: $0.1)) }
        }
        let values = (values ?? []).compactMap { property.value(of: $0) }
        guard let last = values.last else { return nil }
        if calculationMode == .discrete {
            // The start time of each value. Without key times for all values, the intervals are equal.
            let times = stepTimes(values.count, keyTimes?.count == values.count ? values.count : values.count + 1)
            return values[max(0, (times.prefix(values.count).lastIndex { $0 <= progress.fraction } ?? 0))]
        }
        guard values.count > 1 else { return last }
        let isPaced = calculationMode == .paced || calculationMode == .cubicPaced
        let lengths = isPaced ? zip(values, values.dropFirst()).map { $0.distance(to: $1) } : []
        let (step, fraction) = step(progress.fraction, lengths, count: values.count - 1)
        guard calculationMode == .cubic || calculationMode == .cubicPaced else {
            return values[step].interpolated(to: values[step + 1], fraction)
        }
        return cubic(values, step, fraction)
    }

    override func apply(_ progress: AnimationProgress, to values: inout LayerValues) {
        super.apply(progress, to: &values)
        guard let angle = rotation(progress) else { return }
        values.state.transform = CATransform3DRotate(values.state.transform, angle, 0, 0, 1)
    }

    /// Returns the rotation of a layer that moves along the path, in radians; nil without a path or a rotation mode.
    private func rotation(_ progress: AnimationProgress) -> Double? {
        guard let path, let rotationMode, let (segment, t) = position(progress.fraction, on: path.segments) else {
            return nil
        }
        return segment.angle(at: t) + (rotationMode == .rotateAutoReverse ? Double.pi : 0)
    }

    /// Returns the segment of a path at a fraction of the animation, and the curve parameter (0 to 1) of the point on
    /// it.
    private func position(_ fraction: Double, on segments: [CGPath.Segment]) -> (CGPath.Segment, Double)? {
        guard let first = segments.first else { return nil }
        if calculationMode == .discrete {
            let times = stepTimes(segments.count + 1, segments.count + 2)
            let index = times.lastIndex { $0 <= fraction } ?? 0
            return index == 0 ? (first, 0) : (segments[min(index, segments.count) - 1], 1)
        }
        let isPaced = calculationMode == .paced || calculationMode == .cubicPaced
        let lengths = isPaced ? segments.map { Double($0.length) } : []
        let (step, t) = step(fraction, lengths, count: segments.count)
        return (segments[step], isPaced ? segments[step].parameter(atLength: t * segments[step].length) : t)
    }

    /// Returns the step between two key frames at a fraction of the animation, and the fraction of the step.
    ///
    /// - Parameters:
    ///   - lengths: The lengths of the steps in paced modes; otherwise empty.
    ///   - count: The number of steps.
    private func step(_ fraction: Double, _ lengths: [Double], count: Int) -> (Int, Double) {
        let times: [Double]
        if lengths.isEmpty {
            times = stepTimes(count + 1, count + 1)
        } else {
            let total = lengths.reduce(0, +)
            guard total > 0 else { return (0, 0) }
            times = lengths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1 / total) }
        }
        let index = min(max(0, (times.lastIndex { $0 <= fraction } ?? 0)), count - 1)
        let length = times[index + 1] - times[index]
        let part = length > 0 ? (fraction - times[index]) / length : 1
        let function = timingFunctions.flatMap { index < $0.count ? $0[index] : nil }
        // Outside of the key times, the first or last value applies. Without key times, the first and last steps are
        // extrapolated if the timing function of the animation returns a fraction below 0 or above 1.
        let limited = keyTimes == nil ? part : min(max(part, 0), 1)
        return (index, function?.value(at: limited) ?? limited)
    }

    /// Returns the key times, or times at equal intervals from 0 to 1 if there are fewer key times than key frames.
    ///
    /// - Parameters:
    ///   - keyFrames: The number of key frames.
    ///   - fallbackCount: The number of times at equal intervals.
    private func stepTimes(_ keyFrames: Int, _ fallbackCount: Int) -> [Double] {
        if let keyTimes, keyTimes.count >= keyFrames { return keyTimes.map(\.doubleValue) }
        guard fallbackCount > 1 else { return [0] }
        return (0..<fallbackCount).map { Double($0) / Double(fallbackCount - 1) }
    }

    /// Returns a value of the Kochanek-Bartels spline through the values (SIGGRAPH 1984).
    private func cubic(_ values: [AnimatableValue], _ step: Int, _ fraction: Double) -> AnimatableValue {
        func parameter(_ list: [NSNumber]?, _ index: Int) -> CGFloat {
            list.flatMap { index < $0.count ? CGFloat($0[index].doubleValue) : nil } ?? 0
        }
        func tangent(_ index: Int, incoming: Bool) -> [CGFloat]? {
            let (tension, bias) = (parameter(tensionValues, index), parameter(biasValues, index))
            let continuity = parameter(continuityValues, index) * (incoming ? -1 : 1)
            guard let here = values[index].components,
                let before = values[max(0, index - 1)].components,
                let after = values[min(values.count - 1, index + 1)].components
            else { return nil }
            let first = (1 - tension) * (1 + continuity) * (1 + bias) / 2
            let second = (1 - tension) * (1 - continuity) * (1 - bias) / 2
            return here.indices.map { first * (here[$0] - before[$0]) + second * (after[$0] - here[$0]) }
        }
        guard let start = values[step].components, let end = values[step + 1].components,
            let leaving = tangent(step, incoming: false), let arriving = tangent(step + 1, incoming: true)
        else { return values[step].interpolated(to: values[step + 1], fraction) }
        let t = CGFloat(fraction)
        let (t2, t3) = (t * t, t * t * t)
        return values[step].with(
            start.indices.map { index in
                (2 * t3 - 3 * t2 + 1) * start[index] + (t3 - 2 * t2 + t) * leaving[index]
                    + (3 * t2 - 2 * t3) * end[index] + (t3 - t2) * arriving[index]
            })
    }
}
