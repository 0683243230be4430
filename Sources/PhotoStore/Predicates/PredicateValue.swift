import Foundation

/// A value in a predicate.
enum PredicateValue: Hashable {
    case null
    /// An integer, a Boolean, or the raw value of an enumeration or option set.
    case integer(Int64)
    case number(Double)
    case string(String)
    case date(Date)
    case list([PredicateValue])
    /// A value of any other hashable type, which can only be compared for equality.
    case object(AnyHashable)

    /// Creates the value of an argument or a property.
    init(_ value: Any?) {
        switch value {
        case nil: self = .null
        case let value as PredicateValue: self = value
        case let value as Bool: self = .integer(value ? 1 : 0)
        case let value as any BinaryInteger: self = .integer(Int64(clamping: value))
        case let value as any BinaryFloatingPoint: self = .number(Double(value))
        case let value as NSNumber:
            let integer = value.int64Value
            self = Double(integer) == value.doubleValue ? .integer(integer) : .number(value.doubleValue)
        case let value as String: self = .string(value)
        case let value as NSString: self = .string(String(describing: value))
        case let value as Date: self = .date(value)
        case let value as NSDate:
            self = .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
        case let value as any RawRepresentable: self = PredicateValue(value.rawValue)
        case is NSNull: self = .null
        case let value as [Any]: self = .list(value.map(PredicateValue.init))
        case let value as NSArray: self = .list(value.map(PredicateValue.init))
        case let value as Set<AnyHashable>: self = .list(value.map(PredicateValue.init))
        case let value as NSSet: self = .list(value.map(PredicateValue.init))
        case let value as AnyHashable: self = .object(value)
        default: self = .null
        }
    }

    private var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// Returns the order of two numbers, strings or dates; nil if they cannot be compared.
    func order(_ other: PredicateValue) -> ComparisonResult? {
        func compare<Value: Comparable>(_ first: Value, _ second: Value) -> ComparisonResult {
            first < second ? .orderedAscending : first > second ? .orderedDescending : .orderedSame
        }
        switch (self, other) {
        case (.integer(let first), .integer(let second)): return compare(first, second)
        case (.string(let first), .string(let second)): return compare(first, second)
        case (.date(let first), .date(let second)): return compare(first, second)
        default:
            guard let first = number, let second = other.number else { return nil }
            return compare(first, second)
        }
    }

    func isEqual(to other: PredicateValue) -> Bool {
        order(other).map { $0 == .orderedSame } ?? (self == other)
    }

    /// Returns the string, folded by the options of a comparison: `c` ignores case, `d` ignores diacritics. Nil for
    /// other values.
    func text(_ options: Set<Character>) -> String? {
        guard case .string(let text) = self else { return nil }
        var folding: String.CompareOptions = []
        if options.contains("c") { folding.insert(.caseInsensitive) }
        if options.contains("d") { folding.insert(.diacriticInsensitive) }
        return folding.isEmpty ? text : text.folding(options: folding, locale: nil)
    }
}
