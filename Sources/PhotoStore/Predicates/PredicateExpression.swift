import Foundation

/// An expression in a predicate. Its value depends on the evaluated object.
indirect enum PredicateExpression {
    case constant(PredicateValue)
    /// The object itself.
    case object
    /// A key path, for example `creationDate`.
    case key([String])
    /// The bitwise OR of two integers if `isUnion` is true, otherwise their bitwise AND.
    case bits(PredicateExpression, PredicateExpression, isUnion: Bool)
    case list([PredicateExpression])

    func value(of object: Any?) throws(PredicateFormatError) -> PredicateValue {
        switch self {
        case .constant(let value): return value
        case .object: return PredicateValue(object)
        case .key(let path): return try Self.value(of: object, path)
        case .bits(let first, let second, let isUnion):
            guard case .integer(let first) = try first.value(of: object),
                case .integer(let second) = try second.value(of: object)
            else { throw PredicateFormatError(message: "& and | need integers") }
            return .integer(isUnion ? first | second : first & second)
        case .list(let expressions):
            var values: [PredicateValue] = []
            for expression in expressions { values.append(try expression.value(of: object)) }
            return .list(values)
        }
    }

    private static func value(of object: Any?, _ path: [String]) throws(PredicateFormatError) -> PredicateValue {
        var current = object
        for (index, key) in path.enumerated() {
            switch current {
            case nil: return .null
            case let owner as any PredicateObject:
                guard index == path.count - 1, let value = owner.predicateValue(forKey: key) else {
                    throw PredicateFormatError(message: "\(type(of: owner)) has no key \(key)")
                }
                return value
            case let owner as [String: Any]: current = owner[key]
            default: throw PredicateFormatError(message: "\(type(of: current)) has no key \(key)")
            }
        }
        return PredicateValue(current)
    }
}
