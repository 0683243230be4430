/// A key in the dictionary of a change.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The raw value of an `NSKeyValueChange`, a `UInt`.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// The new value, with the option `.new`; `NSNull` for nil.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// The old value, with the option `.old`; `NSNull` for nil.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    /// True in the notification before a change, with the option `.prior`.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// An observer of key paths that are strings.
///
/// On Apple's systems every object is an observer, and its class overrides `observeValue`. Swift on Linux has no
/// Objective-C runtime: the class conforms to this protocol, and its method neither has `override` nor calls `super`.
public protocol KeyPathObserver: AnyObject {
    /// Called when the value of a key path has changed.
    ///
    /// - Parameters:
    ///   - keyPath: As in `addObserver(_:forKeyPath:options:context:)`.
    ///   - object: The object whose method `addObserver` was called.
    ///   - change: The kind and the requested values. The value of an enumeration is its raw value.
    ///   - context: As in `addObserver(_:forKeyPath:options:context:)`.
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?)
}
