public import Foundation

/// A property of some kind of object that can be loaded.
public class AVAnyAsyncProperty: @unchecked Sendable {
    // SAFETY: nothing changes after `init`.
    let name: String

    init(name: String) { self.name = name }
}

/// A property of a kind of object that can be loaded.
public class AVPartialAsyncProperty<Root>: AVAnyAsyncProperty, @unchecked Sendable {
    // SAFETY: as its superclass.
}

/// A property with its type that can be loaded.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    // SAFETY: as its superclass; `read` captures nothing.

    /// How far the loading of a property is.
    public enum Status {
        case notYetLoaded
        case loading
        case loaded(Value)
        case failed(NSError)
    }

    let read: (Root) throws -> Value

    init(_ name: String, _ read: @escaping (Root) throws -> Value) {
        self.read = read
        super.init(name: name)
    }
}

extension AVAsyncProperty.Status: Equatable where Value: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.notYetLoaded, .notYetLoaded), (.loading, .loading): true
        case (.loaded(let left), .loaded(let right)): left == right
        case (.failed(let left), .failed(let right)): left.domain == right.domain && left.code == right.code
        default: false
        }
    }
}

/// How far the loading of a value is.
public enum AVKeyValueStatus: Int, Sendable {
    case unknown = 0
    case loading = 1
    case loaded = 2
    case failed = 3
    case cancelled = 4
}

/// An object whose properties are loaded when they are asked for.
///
/// - Note: Unlike Apple, loading is done by the caller, who waits: what there is to load is an index on a disk.
public protocol AVAsynchronousKeyValueLoading: AnyObject {
    /// Loads what all properties come from.
    ///
    /// - Throws: An `AVError`.
    func loadValues() throws
    /// Whether it is loaded.
    var valueStatus: AVKeyValueStatus { get }
    /// Why it could not be loaded.
    var valueError: (any Error)? { get }
}

extension AVAsynchronousKeyValueLoading {
    /// The value of a property, loaded where it is not.
    ///
    /// - Throws: An `AVError`.
    public func load<T>(
        _ property: AVAsyncProperty<Self, T>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> T {
        try loadValues()
        return try property.read(self)
    }

    public func load<A, B>(
        _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B) {
        try loadValues()
        return (try first.read(self), try second.read(self))
    }

    public func load<A, B, C>(
        _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>, _ third: AVAsyncProperty<Self, C>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C) {
        try loadValues()
        return (try first.read(self), try second.read(self), try third.read(self))
    }

    public func load<A, B, C, D>(
        _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>, _ third: AVAsyncProperty<Self, C>,
        _ fourth: AVAsyncProperty<Self, D>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D) {
        try loadValues()
        return (try first.read(self), try second.read(self), try third.read(self), try fourth.read(self))
    }

    public func load<A, B, C, D, E>(
        _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>, _ third: AVAsyncProperty<Self, C>,
        _ fourth: AVAsyncProperty<Self, D>, _ fifth: AVAsyncProperty<Self, E>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D, E) {
        try loadValues()
        return (
            try first.read(self), try second.read(self), try third.read(self), try fourth.read(self),
            try fifth.read(self)
        )
    }

    /// Whether a property is loaded, and its value.
    public func status<T>(of property: AVAsyncProperty<Self, T>) -> AVAsyncProperty<Self, T>.Status {
        switch valueStatus {
        case .unknown, .cancelled: return .notYetLoaded
        case .loading: return .loading
        case .loaded, .failed:
            if let valueError { return .failed(valueError as NSError) }
            do {
                return .loaded(try property.read(self))
            } catch {
                return .failed(error as NSError)
            }
        }
    }

    /// Whether the values of the class are loaded; all come at once.
    public func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        if let valueError { outError?.pointee = valueError as NSError }
        return valueStatus
    }

    /// Loads values and calls back, on the caller's thread.
    public func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (() -> Void)? = nil) {
        // A failure is told by the status of each value.
        try? loadValues()
        handler?()
    }
}
