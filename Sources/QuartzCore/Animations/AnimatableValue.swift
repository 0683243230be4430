import Foundation
import MediaTypes
import VectorGraphics

/// The value of a layer's property.
enum AnimatableValue {
    case number(Double)
    case point(CGPoint)
    case size(CGSize)
    case rect(CGRect)
    case transform(CATransform3D)
    /// Red, green, blue and alpha.
    case color([CGFloat])
    case path(CGPath)
    /// A value that cannot be interpolated.
    case object(Any?)

    /// The components of the value; nil for a path or an object.
    var components: [CGFloat]? {
        switch self {
        case .number(let number): [CGFloat(number)]
        case .point(let point): [point.x, point.y]
        case .size(let size): [size.width, size.height]
        case .rect(let rect): [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height]
        case .transform(let transform): transform.rows.flatMap { $0 }
        case .color(let components): components
        case .path, .object: nil
        }
    }

    /// Returns a value of the same kind with other components.
    func with(_ numbers: [CGFloat]) -> AnimatableValue {
        switch self {
        case .number: .number(Double(numbers[0]))
        case .point: .point(CGPoint(x: numbers[0], y: numbers[1]))
        case .size: .size(CGSize(width: numbers[0], height: numbers[1]))
        case .rect: .rect(CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        case .transform:
            .transform(CATransform3D(rows: [0, 4, 8, 12].map { start in Array(numbers[start..<start + 4]) }))
        case .color: .color(numbers)
        case .path, .object: self
        }
    }

    /// The neutral element of `adding(_:)`.
    var zero: AnimatableValue {
        if case .transform = self { return .transform(CATransform3DIdentity) }
        return components.map { with([CGFloat](repeating: 0, count: $0.count)) } ?? self
    }

    /// Returns the interpolation between this value (fraction 0) and another one (fraction 1).
    ///
    /// Two-dimensional transforms are interpolated by their translation, rotation, scale and shear. Values that cannot
    /// be interpolated change at the end.
    func interpolated(to other: AnimatableValue, _ fraction: Double) -> AnimatableValue {
        switch (self, other) {
        case (.transform(let first), .transform(let last)): return .transform(first.interpolated(to: last, fraction))
        case (.path(let first), .path(let last)):
            if let path = first.interpolated(to: last, fraction) { return .path(path) }
        default:
            if let first = components, let last = other.components, first.count == last.count {
                let fraction = CGFloat(fraction)
                return with(zip(first, last).map { $0 + ($1 - $0) * fraction })
            }
        }
        return fraction < 1 ? self : other
    }

    /// Returns the sum of two values; for transforms, the one that applies `other` first and then this transform.
    func adding(_ other: AnimatableValue) -> AnimatableValue {
        if case (.transform(let first), .transform(let second)) = (self, other) {
            return .transform(CATransform3DConcat(second, first))
        }
        guard let first = components, let second = other.components, first.count == second.count else { return other }
        return with(zip(first, second).map { $0 + $1 })
    }

    /// Returns the value to which `other` must be added to get this value.
    func subtracting(_ other: AnimatableValue) -> AnimatableValue {
        if case (.transform(let first), .transform(let second)) = (self, other) {
            return .transform(CATransform3DConcat(CATransform3DInvert(second), first))
        }
        guard let first = components, let second = other.components, first.count == second.count else { return self }
        return with(zip(first, second).map { $0 - $1 })
    }

    /// Returns the Euclidean distance of two values; 1 for values without components.
    func distance(to other: AnimatableValue) -> Double {
        guard let first = components, let second = other.components, first.count == second.count else { return 1 }
        var sum: CGFloat = 0
        for (a, b) in zip(first, second) { sum += (a - b) * (a - b) }
        return Double(sum.squareRoot())
    }
}

extension AnimatableValue {
    /// Returns the number that a client passed; nil for other objects.
    static func number(of value: Any) -> Double? {
        switch value {
        case let number as Double: number
        case let number as CGFloat: Double(number)
        case let number as Float: Double(number)
        case let number as Int: Double(number)
        case let flag as Bool: flag ? 1 : 0
        case let number as NSNumber: number.doubleValue
        case let number as any BinaryInteger: Double(number)
        default: nil
        }
    }

    /// Returns the contents of an `NSValue` that a client passed; nil if its type is not that of the example.
    static func contents<Value>(_ value: Any, like example: NSValue, _ read: (NSValue) -> Value) -> Value? {
        guard let value = value as? NSValue, strcmp(value.objCType, example.objCType) == 0 else { return nil }
        return read(value)
    }
}
