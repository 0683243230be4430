package import Foundation

/// An object whose properties key paths that are strings can name.
package protocol KeyPathTableProviding: NSObject {
    /// The tables of the class, of its superclasses and of its subclasses; tables of other classes are ignored.
    static var keyPathTables: [KeyPathTable] { get }
}

/// The properties of a class by the keys of key-value coding: `adjustingFocus` for `isAdjustingFocus`.
///
/// It contains the observable properties, and constants that are needed for key paths to other observable objects.
package struct KeyPathTable: Sendable {
    /// Returns the value of a property; nil also for an object of another class.
    package typealias Getter = @Sendable (NSObject) -> Any?

    /// A key that the table of a class does not contain.
    package struct UndefinedKey: Error {
        package let owner: String
        package let key: String

        package init(owner: String, key: String) {
            self.owner = owner
            self.key = key
        }

        /// Apple's message, without the receiver.
        package var message: String { "This class is not key value coding-compliant for the key \(key)." }
    }

    /// Whether an object is an instance of the class.
    package let contains: @Sendable (NSObject) -> Bool
    /// The properties that the class adds to the properties of its superclass.
    package let getters: [String: Getter]

    package init<Root: NSObject>(_ type: Root.Type, _ getters: [String: Getter]) {
        contains = { $0 is Root }
        self.getters = getters
    }

    /// Returns a function that reads a property.
    package static func value<Root: NSObject, Value>(_ keyPath: any KeyPath<Root, Value> & Sendable) -> Getter {
        { object in (object as? Root).flatMap { plainValue($0[keyPath: keyPath]) } }
    }

    /// Returns the tables of an object's class and of its superclasses.
    package static func tables(for object: NSObject) -> [KeyPathTable] {
        guard let provider = object as? any KeyPathTableProviding else { return [] }
        return type(of: provider).keyPathTables.filter { $0.contains(object) }
    }

    /// Returns the value of a key path and the properties on which it depends.
    package static func track(
        _ keys: some Sequence<String>, of root: Any?
    ) throws(UndefinedKey) -> KeyPathObservation.TrackedValue {
        var value = root
        var dependencies: [ObservedProperties.Dependency] = []
        for key in keys {
            guard let current = value else { break }
            guard let object = current as? NSObject, let getter = getter(key, of: object) else {
                throw UndefinedKey(owner: "\(type(of: current))", key: key)
            }
            if let owner = object as? any KeyValueObserving {
                let (next, new) = owner.observedProperties.tracking { getter(object) }
                value = next
                dependencies += new
            } else {
                value = getter(object)
            }
        }
        return (value, dependencies)
    }

    /// Returns the key for the name of a getter: `adjustingFocus` for `isAdjustingFocus`; nil for another name.
    package static func key(ofGetter name: String) -> String? {
        let suffix = name.dropFirst(2)
        guard name.hasPrefix("is"), let first = suffix.first, first.isUppercase else { return nil }
        return first.lowercased() + suffix.dropFirst()
    }

    private static func getter(_ key: String, of object: NSObject) -> Getter? {
        let keys = [key, Self.key(ofGetter: key)].compactMap { $0 }
        return tables(for: object).lazy.compactMap { table in
            keys.lazy.compactMap { table.getters[$0] }.first
        }.first
    }

    /// Returns the value of an optional, and the raw value of an enumeration.
    package static func plainValue(_ value: Any) -> Any? {
        if let optional = value as? any OptionalValue { return optional.wrapped.flatMap { plainValue($0) } }
        if let enumeration = value as? any RawRepresentable { return enumeration.rawValue }
        return value
    }
}

private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { map { $0 as Any } }
}
