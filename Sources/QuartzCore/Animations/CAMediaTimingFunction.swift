public import Foundation

/// The name of a common timing function.
public struct CAMediaTimingFunctionName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let linear = CAMediaTimingFunctionName(rawValue: "linear")
    public static let easeIn = CAMediaTimingFunctionName(rawValue: "easeIn")
    public static let easeOut = CAMediaTimingFunctionName(rawValue: "easeOut")
    public static let easeInEaseOut = CAMediaTimingFunctionName(rawValue: "easeInEaseOut")
    public static let `default` = CAMediaTimingFunctionName(rawValue: "default")
}

/// The progress of an animation over time: a cubic Bézier curve from (0, 0) to (1, 1).
///
/// - Important: Thread-safe.
public final class CAMediaTimingFunction: NSObject, Sendable {
    private let first: (x: Float, y: Float)
    private let second: (x: Float, y: Float)

    /// Creates a function with the control points that Apple documents for a name; linear for an unknown name.
    public convenience init(name: CAMediaTimingFunctionName) {
        switch name {
        case .easeIn: self.init(controlPoints: 0.42, 0, 1, 1)
        case .easeOut: self.init(controlPoints: 0, 0, 0.58, 1)
        case .easeInEaseOut: self.init(controlPoints: 0.42, 0, 0.58, 1)
        case .default: self.init(controlPoints: 0.25, 0.1, 0.25, 1)
        default: self.init(controlPoints: 0, 0, 1, 1)
        }
    }

    public init(controlPoints c1x: Float, _ c1y: Float, _ c2x: Float, _ c2y: Float) {
        first = (c1x, c1y)
        second = (c2x, c2y)
    }

    /// Writes the coordinates of a control point to two values.
    ///
    /// - Parameter idx: 0 to 3; 0 and 3 are the ends of the curve.
    public func getControlPoint(at idx: Int, values ptr: UnsafeMutablePointer<Float>) {
        let points = [(0, 0), first, second, (1, 1)]
        guard points.indices.contains(idx) else { return }
        (ptr[0], ptr[1]) = points[idx]
    }

    /// Returns the progress of the animation at a fraction of its time.
    ///
    /// - Parameter fraction: From 0 to 1.
    func value(at fraction: Double) -> Double {
        guard fraction > 0 else { return 0 }
        guard fraction < 1 else { return 1 }
        func curve(_ first: Float, _ second: Float, _ t: Double) -> Double {
            let (a, b) = (3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t))
            return a * Double(first) + b * Double(second) + t * t * t
        }
        // If the x coordinate of a control point is outside of 0 to 1, several points can have this time; bisection
        // finds one of them.
        var (low, high) = (0.0, 1.0)
        for _ in 0..<52 {
            let middle = (low + high) / 2
            if curve(first.x, second.x, middle) < fraction { low = middle } else { high = middle }
        }
        return curve(first.y, second.y, (low + high) / 2)
    }
}
