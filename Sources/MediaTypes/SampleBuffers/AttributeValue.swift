import Foundation

/// Returns the value of an attribute that is an integer, a Boolean or an `NSNumber`.
///
/// - Returns: nil for other types, and for values that `type` cannot represent.
func integerValue<Number: FixedWidthInteger>(_ attribute: Any?, as type: Number.Type) -> Number? {
    switch attribute {
    case let number as Int: Number(exactly: number)
    case let number as any BinaryInteger: Number(exactly: number)
    case let flag as Bool: flag ? 1 : 0
    // A number that `Int` cannot represent.
    case let number as NSNumber: (number as? UInt).flatMap(Number.init(exactly:))
    default: nil
    }
}

/// Returns the value of an attribute that is a number; nil for other types.
func doubleValue(_ attribute: Any?) -> Double? {
    switch attribute {
    case let number as Double: number
    case let number as any BinaryFloatingPoint: Double(number)
    case let number as any BinaryInteger: Double(number)
    case let number as NSNumber: number.doubleValue
    default: nil
    }
}

/// Returns whether two attribute dictionaries have the same keys and equal values.
func areEqual(_ first: [String: Any], _ second: [String: Any]) -> Bool {
    first.count == second.count
        && first.allSatisfy { key, value in second[key].map { areEqual(value, $0) } ?? false }
}

/// Returns whether two attribute values are equal.
///
/// Dictionaries and arrays are compared by their elements, numbers by value, other types by `==` or by identity.
func areEqual(_ first: Any, _ second: Any) -> Bool {
    if let first = first as? [String: Any], let second = second as? [String: Any] {
        return areEqual(first, second)
    }
    if let first = first as? [Any], let second = second as? [Any] {
        return first.count == second.count && zip(first, second).allSatisfy { areEqual($0, $1) }
    }
    if let double = doubleValue(first), let other = doubleValue(second) {
        // Above 2^53, different integers have the same `Double`.
        return double == other
            && (double.magnitude < 0x1p53
                || integerValue(first, as: Int128.self) == integerValue(second, as: Int128.self))
    }
    if let first = first as? AnyHashable, let second = second as? AnyHashable { return first == second }
    return (first as AnyObject) === (second as AnyObject)
}
