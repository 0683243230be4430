public import Foundation
import MediaTypes

/// Keeps an observer of a property; invalidated when it is released.
public final class NSKeyValueObservation: NSObject, Sendable {
    private let cancellation: Lock<(@Sendable () -> Void)?>

    init(cancel: @escaping @Sendable () -> Void) { cancellation = Lock(cancel) }

    deinit { invalidate() }

    /// Ends the observation; more calls do nothing. A handler that is running now may still finish.
    public func invalidate() {
        let action = cancellation.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}

/// What an observer wants to be told.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Changes carry the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// Changes carry the value before.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The handler also runs at once.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// The handler also runs before each change.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of a change; the properties here are all set as a whole.
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
    /// With the option `.new`.
    public let newValue: Value?
    /// With the option `.old`.
    public let oldValue: Value?
    public let indexes: IndexSet?
    /// Whether this comes before the change, by the option `.prior`.
    public let isPrior: Bool
}
