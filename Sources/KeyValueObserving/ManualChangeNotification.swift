public import Foundation

/// An object that posts changes of its properties, with the methods of Apple's Foundation.
public protocol _KeyValueCodingAndObserving {}

extension NSObject: _KeyValueCodingAndObserving {}

extension NSObject {
    /// Has no effect: `didChangeValue(forKey:)` notifies the observers.
    ///
    /// - Note: Unlike Apple, observers with the option `.prior` are notified after the change, and the old value is
    ///   that of the last notification.
    public func willChangeValue(forKey key: String) {}

    /// Notifies the observers of a property.
    ///
    /// - Parameter key: As in Objective-C, such as `running`, or the name of the getter, `isRunning`.
    /// - Note: Unlike Apple, only objects that conform to `KeyValueObserving` have observers.
    public func didChangeValue(forKey key: String) {
        let getter = "is" + key.prefix(1).uppercased() + key.dropFirst()
        (self as? any KeyValueObserving)?.observedProperties.changed([key, getter])
    }
}

extension _KeyValueCodingAndObserving {
    /// Has no effect; see `willChangeValue(forKey:)`.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {}

    /// Notifies the observers of a property; see `didChangeValue(forKey:)`.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        guard let object = self as? any KeyValueObserving else { return }
        for dependency in object.observedProperties.tracking({ self[keyPath: keyPath] }).1 { dependency.notify() }
    }
}
