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

/// The pace of an animation: a cubic Bézier curve from (0,0) to (1,1) over time.
///
/// - Important: Thread-safe.
public final class CAMediaTimingFunction: NSObject, Sendable {
    private let first: (x: Float, y: Float)
    private let second: (x: Float, y: Float)

    /// The control points are those that Apple documents for the names; an unknown name is linear.
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
}
