import Foundation

/// Returns an attribute that is an integer, a Boolean or an `NSNumber`; nil if it is not representable.
func integer<Number: FixedWidthInteger>(_ attribute: Any?, as type: Number.Type) -> Number? {
    switch attribute {
    case let number as Int: Number(exactly: number)
    case let number as any BinaryInteger: Number(exactly: number)
    case let flag as Bool: flag ? 1 : 0
    case let number as NSNumber: Number(exactly: number.doubleValue)
    default: nil
    }
}

/// Returns an attribute that is a number; nil if it is not.
func real(_ attribute: Any?) -> Double? {
    switch attribute {
    case let number as Double: number
    case let number as any BinaryFloatingPoint: Double(number)
    case let number as any BinaryInteger: Double(number)
    case let number as NSNumber: number.doubleValue
    default: nil
    }
}

/// Compares two dictionaries of attributes by their values.
func areEqual(_ first: [String: Any], _ second: [String: Any]) -> Bool {
    first.count == second.count
        && first.allSatisfy { key, value in second[key].map { areEqual(value, $0) } ?? false }
}

/// Compares two attribute values: dictionaries and arrays by their entries, numbers by value, the rest by `Equatable`.
func areEqual(_ first: Any, _ second: Any) -> Bool {
    if let first = first as? [String: Any], let second = second as? [String: Any] {
        return areEqual(first, second)
    }
    if let first = first as? [Any], let second = second as? [Any] {
        return first.count == second.count && zip(first, second).allSatisfy { areEqual($0, $1) }
    }
    if let first = real(first), let second = real(second) { return first == second }
    if let first = first as? AnyHashable, let second = second as? AnyHashable { return first == second }
    return (first as AnyObject) === (second as AnyObject)
}
