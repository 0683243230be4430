public import Foundation
import MediaTypes

/// An observation of a property, which ends when it is released.
public final class NSKeyValueObservation: NSObject, Sendable {
    private let cancellation: Lock<(@Sendable () -> Void)?>

    init(cancel: @escaping @Sendable () -> Void) { cancellation = Lock(cancel) }

    deinit { invalidate() }

    /// Ends the observation; further calls have no effect. A running handler may still finish.
    public func invalidate() {
        let action = cancellation.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}

/// The values and notifications that an observer receives.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Changes contain the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// Changes contain the old value.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The handler also runs immediately.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// The handler also runs before each change.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of a change; properties here are always set as a whole.
public enum NSKeyValueChange: UInt, Sendable {
    case setting = 1
    case insertion = 2
    case removal = 3
    case replacement = 4
}

/// A change of a property.
public struct NSKeyValueObservedChange<Value> {
    public typealias Kind = NSKeyValueChange

    public let kind: Kind
    /// The new value, with the option `.new`.
    public let newValue: Value?
    /// The old value, with the option `.old`.
    public let oldValue: Value?
    public let indexes: IndexSet?
    /// Whether the notification precedes the change, with the option `.prior`.
    public let isPrior: Bool
}
