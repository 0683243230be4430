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
        let watch = PropertyWatch(self, keyPath, options, changeHandler)
        let number = observedProperties.add(watch.names) { watch.changed() }
        if options.contains(.initial) { watch.tellInitial() }
        return NSKeyValueObservation { [weak observedProperties] in observedProperties?.remove(number) }
    }
}

/// One observer of one property.
private final class PropertyWatch<Object: KeyValueObserving, Value>: @unchecked Sendable {
    // SAFETY: `last` is behind a lock; the key path and the handler are constant, and key paths hold only accessors here.
    private weak let object: Object?
    private let keyPath: KeyPath<Object, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
    private let last: Lock<UncheckedBox<Value>>
    /// The watched properties that the key path reads.
    let names: Set<String>

    init(
        _ object: Object, _ keyPath: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.object = object
        self.keyPath = keyPath
        self.options = options
        self.handler = handler
        let (value, names) = object.observedProperties.tracking { object[keyPath: keyPath] }
        self.names = names
        last = Lock(UncheckedBox(value: value))
    }

    func tellInitial() {
        guard let object else { return }
        handler(object, change(new: options.contains(.new) ? object[keyPath: keyPath] : nil))
    }

    func changed() {
        guard let object else { return }
        let new = object[keyPath: keyPath]
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
