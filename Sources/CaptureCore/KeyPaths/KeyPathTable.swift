import Foundation
import KeyValueObserving

/// The properties of a class by the keys of key-value coding: `adjustingFocus` for `isAdjustingFocus`.
///
/// It contains the observable properties, and constants that are needed for key paths to other observable objects.
struct KeyPathTable: Sendable {
    /// Returns the value of a property; nil also for an object of another class.
    typealias Getter = @Sendable (NSObject) -> Any?

    /// A key that the table of a class does not contain.
    struct UndefinedKey: Error {
        let owner: String
        let key: String

        /// Apple's message, without the receiver.
        var message: String { "This class is not key value coding-compliant for the key \(key)." }
    }

    private static let all = devices + session + outputs

    /// Whether an object is an instance of the class.
    let contains: @Sendable (NSObject) -> Bool
    /// The properties that the class adds to the properties of its superclass.
    let getters: [String: Getter]

    init<Root: NSObject>(_ type: Root.Type, _ getters: [String: Getter]) {
        contains = { $0 is Root }
        self.getters = getters
    }

    /// Returns a function that reads a property.
    static func value<Root: NSObject, Value>(_ keyPath: any KeyPath<Root, Value> & Sendable) -> Getter {
        { object in (object as? Root).flatMap { plainValue($0[keyPath: keyPath]) } }
    }

    /// Returns the tables of an object's class and of its superclasses.
    static func tables(for object: NSObject) -> [KeyPathTable] { all.filter { $0.contains(object) } }

    /// Returns the value of a key path and the properties on which it depends.
    static func track(
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
    static func key(ofGetter name: String) -> String? {
        let suffix = name.dropFirst(2)
        guard name.hasPrefix("is"), let first = suffix.first, first.isUppercase else { return nil }
        return first.lowercased() + suffix.dropFirst()
    }

    private static func getter(_ key: String, of object: NSObject) -> Getter? {
        let keys = [key, Self.key(ofGetter: key)].compactMap { $0 }
        return all.lazy.filter { $0.contains(object) }.compactMap { table in
            keys.lazy.compactMap { table.getters[$0] }.first
        }.first
    }

    /// Returns the value of an optional, and the raw value of an enumeration.
    static func plainValue(_ value: Any) -> Any? {
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
