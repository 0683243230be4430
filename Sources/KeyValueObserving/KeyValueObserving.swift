public import Foundation
import MediaTypes

/// An object with observable properties, with the methods of Apple's Foundation.
///
/// Foundation on Linux has no key-value observing, so this module defines its types. Conforming classes document which
/// of their properties are observable.
public protocol KeyValueObserving: NSObject {
    /// The observers of the object's properties; for use by the library.
    var observedProperties: ObservedProperties { get }
}

extension KeyValueObserving {
    /// Calls `changeHandler` after each change of a property until the observation is invalidated or released.
    ///
    /// A property that a subclass computes from others changes when they change. Observing a property that never
    /// reports changes, such as a constant, is misuse; the message contains the class and the key path.
    /// - Parameters:
    ///   - keyPath: An observable property of the object.
    ///   - options: The values that a change contains. With `.initial` the handler also runs immediately, with `.prior`
    ///     also before each change.
    ///   - changeHandler: Runs on the thread that changes the property; if the hardware changes it, on a queue of the
    ///     library.
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        observedProperties.observe(
            { [weak self] in self }, { $0[keyPath: keyPath] }, options, "-[\(type(of: self))", keyPath, changeHandler)
    }
}

extension ObservedProperties {
    /// Calls `handler` after each change of a value that is read from an object.
    ///
    /// - Parameters:
    ///   - object: Returns the observed object; nil after it is released.
    ///   - read: Returns the value; called immediately to determine the properties on which it depends. If there are
    ///     none, that is reported as misuse.
    ///   - receiver: The object's class in the message, after `-[` for an object and `+[` for a class.
    ///   - keyPath: The key path in the message.
    package func observe<Object, Value>(
        _ object: @escaping () -> Object?, _ read: @escaping (Object) -> Value,
        _ options: NSKeyValueObservingOptions, _ receiver: @autoclosure () -> String, _ keyPath: AnyKeyPath,
        _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let (value, dependencies) = tracking { object().map(read) }
        if dependencies.isEmpty {
            reportMisuse(
                "\(receiver()) observe(_:options:changeHandler:)] The key path \(keyPath) cannot be observed, because "
                    + "changes of the property are not reported")
        }
        let observer = PropertyObserver(object, read, value, options, handler)
        let cancellations = dependencies.map { $0.observe { observer.changed() } }
        if options.contains(.initial) { observer.notifyInitial() }
        return NSKeyValueObservation { for cancel in cancellations { cancel() } }
    }
}

/// One observer of one property.
private final class PropertyObserver<Object, Value>: @unchecked Sendable {
    // SAFETY: `last` is behind a lock; the closures are constant and capture a weak reference and a key path, which
    // consists only of accessors.
    private let object: () -> Object?
    private let read: (Object) -> Value
    private let options: NSKeyValueObservingOptions
    private let handler: @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
    /// The value of the last notification; nil if the object had been released.
    private let last: Lock<UncheckedSendable<Value?>>

    init(
        _ object: @escaping () -> Object?, _ read: @escaping (Object) -> Value, _ value: Value?,
        _ options: NSKeyValueObservingOptions,
        _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.object = object
        self.read = read
        self.options = options
        self.handler = handler
        last = Lock(UncheckedSendable(value: value))
    }

    func notifyInitial() {
        guard let object = object() else { return }
        handler(object, change(new: options.contains(.new) ? read(object) : nil))
    }

    func changed() {
        guard let object = object() else { return }
        let new = read(object)
        let old = last.withLock { last in
            defer { last = UncheckedSendable(value: new) }
            return last.value
        }
        let reportedOld = options.contains(.old) ? old : nil
        if options.contains(.prior) { handler(object, change(old: reportedOld, isPrior: true)) }
        handler(object, change(new: options.contains(.new) ? new : nil, old: reportedOld))
    }

    private func change(
        new: Value? = nil, old: Value? = nil, isPrior: Bool = false
    ) -> NSKeyValueObservedChange<Value> {
        NSKeyValueObservedChange(kind: .setting, newValue: new, oldValue: old, indexes: nil, isPrior: isPrior)
    }
}

/// Allows a lock to protect a value that is not sendable.
struct UncheckedSendable<Value>: @unchecked Sendable {
    // SAFETY: only read and replaced under the locks of the observers.
    let value: Value
}
