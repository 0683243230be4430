public import Foundation
import MediaTypes

/// An object whose properties can be watched, by the calls that Apple's Foundation has for it.
///
/// The classes of this module conform; the properties that can be watched say so. Foundation on Linux has no
/// key-value observing, so the types that belong to it are here.
public protocol KeyValueObserving: NSObject {
    /// Who watches what; for the library itself.
    var observedProperties: ObservedProperties { get }
}

extension KeyValueObserving {
    /// Calls `changeHandler` after each change of a property until the observation is invalidated or released.
    ///
    /// A property that a subclass computes from others changes when they do.
    /// - Parameters:
    ///   - keyPath: A property of the object, one that can be watched.
    ///   - options: Which values a change carries; with `.initial` the handler also runs at once, with `.prior` also
    ///     directly before each change is told.
    ///   - changeHandler: Runs on the thread on which the property changes; for what hardware changes by itself, on a
    ///     queue of the library.
    @preconcurrency
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        observedProperties.observe({ [weak self] in self }, { $0[keyPath: keyPath] }, options, changeHandler)
    }
}

extension ObservedProperties {
    /// Calls `handler` after each change of what `read` reads of an object.
    ///
    /// - Parameters:
    ///   - object: What is watched; nil once it has gone.
    ///   - read: The value; called at once to learn on which properties it depends.
    package func observe<Object, Value>(
        _ object: @escaping () -> Object?, _ read: @escaping (Object) -> Value,
        _ options: NSKeyValueObservingOptions,
        _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let watch = PropertyWatch(self, object, read, options, handler)
        let number = add(watch.names) { watch.changed() }
        if options.contains(.initial) { watch.tellInitial() }
        return NSKeyValueObservation { [weak self] in self?.remove(number) }
    }
}

/// One observer of one property.
private final class PropertyWatch<Object, Value>: @unchecked Sendable {
    // SAFETY: `last` is behind a lock; the closures are constant; they hold a weak reference and a key path, which
    // holds only accessors here.
    private let object: () -> Object?
    private let read: (Object) -> Value
    private let options: NSKeyValueObservingOptions
    private let handler: @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
    /// The value that was told last; nil where the object had gone before.
    private let last: Lock<UncheckedBox<Value?>>
    /// The watched properties that are read.
    let names: Set<String>

    init(
        _ properties: ObservedProperties, _ object: @escaping () -> Object?,
        _ read: @escaping (Object) -> Value, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.object = object
        self.read = read
        self.options = options
        self.handler = handler
        let (value, names) = properties.tracking { object().map(read) }
        self.names = names
        last = Lock(UncheckedBox(value: value))
    }

    func tellInitial() {
        guard let object = object() else { return }
        handler(object, change(new: options.contains(.new) ? read(object) : nil))
    }

    func changed() {
        guard let object = object() else { return }
        let new = read(object)
        let old = last.withLock { last in
            defer { last = UncheckedBox(value: new) }
            return last.value
        }
        let toldOld = options.contains(.old) ? old : nil
        if options.contains(.prior) { handler(object, change(old: toldOld, isPrior: true)) }
        handler(object, change(new: options.contains(.new) ? new : nil, old: toldOld))
    }

    private func change(
        new: Value? = nil, old: Value? = nil, isPrior: Bool = false
    ) -> NSKeyValueObservedChange<Value> {
        NSKeyValueObservedChange(kind: .setting, newValue: new, oldValue: old, indexes: nil, isPrior: isPrior)
    }
}

/// A value on its way between threads that its lock keeps apart.
private struct UncheckedBox<Value>: @unchecked Sendable {
    // SAFETY: only read and replaced under the lock of `PropertyWatch`.
    let value: Value
}
