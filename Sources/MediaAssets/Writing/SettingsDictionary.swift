import Foundation

/// Reads a client's dictionary of settings, whose values may be of any type.
package struct SettingsDictionary {
    /// Why a dictionary cannot be used.
    package struct Refusal: Error {
        package let reason: String

        package init(_ reason: String) { self.reason = reason }
    }

    let values: [String: Any]

    package init(_ values: [String: Any]) { self.values = values }

    func contains(_ key: String) -> Bool { values[key] != nil }

    /// A number in a range; nil where there is none.
    func number(_ key: String, _ range: ClosedRange<Double>) throws(Refusal) -> Double? {
        guard let value = values[key] else { return nil }
        let number: Double? =
            switch value {
            case let integer as any BinaryInteger: Double(integer)
            case let real as any BinaryFloatingPoint: Double(real)
            case let boxed as NSNumber: boxed.doubleValue
            default: nil
            }
        guard let number, range.contains(number) else {
            throw Refusal("\(value) is not a value for \(key): it takes \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A whole number in a range; nil where there is none.
    package func integer(_ key: String, _ range: ClosedRange<Int>) throws(Refusal) -> Int? {
        let number = try number(key, Double(range.lowerBound)...Double(range.upperBound))
        guard let number else { return nil }
        guard number.rounded() == number else { throw Refusal("\(number) is not a value for \(key): it must be whole") }
        return Int(number)
    }

    func bool(_ key: String) throws(Refusal) -> Bool? {
        switch values[key] {
        case nil: nil
        case let value as Bool: value
        case .some: try number(key, 0...1).map { $0 != 0 }
        }
    }

    package func text(_ key: String) throws(Refusal) -> String? {
        guard let value = values[key] else { return nil }
        if let text = value as? String { return text }
        if let type = value as? any RawRepresentable, let text = type.rawValue as? String { return text }
        throw Refusal("\(value) is not a value for \(key): it takes a string")
    }

    /// A dictionary inside; nil where there is none.
    func dictionary(_ key: String) throws(Refusal) -> SettingsDictionary? {
        guard let value = values[key] else { return nil }
        guard let dictionary = value as? [String: Any] else {
            throw Refusal("\(value) is not a value for \(key): it takes a dictionary")
        }
        return SettingsDictionary(dictionary)
    }
}
