import Foundation

/// Reads a client's settings dictionary, in which values can have any type.
package struct SettingsDictionary {
    /// The reason that a settings dictionary cannot be used.
    package struct SettingsError: Error {
        package let reason: String

        /// Creates an error with a message for the client.
        package init(_ reason: String) { self.reason = reason }
    }

    package let values: [String: Any]

    /// Creates a reader of a dictionary.
    package init(_ values: [String: Any]) { self.values = values }

    /// Whether the dictionary has a value for a key.
    package func contains(_ key: String) -> Bool { values[key] != nil }

    /// Throws an error if the dictionary has a key that is neither supported nor in `ignored`, so that no key is
    /// ignored silently.
    package func checkKeys(_ supported: [String], ignoring ignored: [String] = []) throws(SettingsError) {
        guard let key = values.keys.filter({ !supported.contains($0) && !ignored.contains($0) }).min() else { return }
        throw SettingsError("\(key) is not supported; the supported keys are \(supported.joined(separator: ", "))")
    }

    /// Returns a number in a range; nil if the key is missing.
    package func number(_ key: String, _ range: ClosedRange<Double>) throws(SettingsError) -> Double? {
        guard let value = values[key] else { return nil }
        let number: Double? =
            switch value {
            case let integer as any BinaryInteger: Double(integer)
            case let real as any BinaryFloatingPoint: Double(real)
            case let boxed as NSNumber: boxed.doubleValue
            default: nil
            }
        guard let number, range.contains(number) else {
            throw SettingsError(
                "\(value) is not a value for \(key): the range is \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns an integer in a range; nil if the key is missing.
    package func integer(_ key: String, _ range: ClosedRange<Int>) throws(SettingsError) -> Int? {
        let number = try number(key, Double(range.lowerBound)...Double(range.upperBound))
        guard let number else { return nil }
        guard number.rounded() == number else {
            throw SettingsError("\(number) is not a value for \(key): it must be an integer")
        }
        return Int(number)
    }

    /// Returns a Boolean, or whether a number is not 0; nil if the key is missing.
    package func bool(_ key: String) throws(SettingsError) -> Bool? {
        switch values[key] {
        case nil: nil
        case let value as Bool: value
        case .some: try number(key, 0...1).map { $0 != 0 }
        }
    }

    /// Returns a string or the raw value of a string enumeration; nil if the key is missing.
    package func text(_ key: String) throws(SettingsError) -> String? {
        guard let value = values[key] else { return nil }
        if let text = value as? String { return text }
        if let type = value as? any RawRepresentable, let text = type.rawValue as? String { return text }
        throw SettingsError("\(value) is not a value for \(key): it must be a string")
    }

    /// Returns a nested dictionary; nil if the key is missing.
    package func dictionary(_ key: String) throws(SettingsError) -> SettingsDictionary? {
        guard let value = values[key] else { return nil }
        guard let dictionary = value as? [String: Any] else {
            throw SettingsError("\(value) is not a value for \(key): it must be a dictionary")
        }
        return SettingsDictionary(dictionary)
    }
}

extension [String: Any] {
    /// The settings with strings as `NSString` and numbers as `NSNumber`, as in Apple's dictionaries.
    ///
    /// Clients can cast these objects to `String`, `AVVideoCodecType` and every numeric type that represents the value
    /// exactly. A value of a Swift type casts to that type only.
    package var plainSettings: [String: Any] {
        mapValues { value -> Any in
            switch value {
            case let settings as [String: Any]: settings.plainSettings
            case let text as NSString: text
            case let number as NSNumber: number
            default: value
            }
        }
    }
}
