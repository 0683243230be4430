public import Foundation

/// A loadable property.
public class AVAnyAsyncProperty: @unchecked Sendable {
    // SAFETY: immutable after `init`.
    let name: String

    init(name: String) { self.name = name }
}

/// A loadable property of objects of type `Root`.
public class AVPartialAsyncProperty<Root>: AVAnyAsyncProperty, @unchecked Sendable {
    // SAFETY: as its superclass.
}

/// A loadable property with a value type.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    // SAFETY: as its superclass; `read` captures nothing.

    /// The loading state of a property.
    public enum Status {
        case notYetLoaded
        case loading
        case loaded(Value)
        case failed(NSError)
    }

    let read: (Root) throws -> Value

    package init(_ name: String, _ read: @escaping (Root) throws -> Value) {
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

/// The loading state of a value.
public enum AVKeyValueStatus: Int, Sendable {
    case unknown = 0
    case loading = 1
    case loaded = 2
    case failed = 3
    case cancelled = 4
}

/// An object with properties that are loaded on demand.
///
/// - Note: Unlike Apple, loading runs synchronously on the caller's thread, since it only reads the index of a file.
///   Only values of metadata items can be loaded asynchronously.
public protocol AVAsynchronousKeyValueLoading: AnyObject {
    /// Loads the data from which all properties are read.
    ///
    /// - Throws: An `AVError`.
    func loadValues() throws
    /// Loads the data and waits until it is available.
    ///
    /// - Throws: An `AVError`, or the error of a client's handler.
    func waitForValues(isolation: isolated (any Actor)?) async throws
    /// The loading state of the data.
    var valueStatus: AVKeyValueStatus { get }
    /// The reason that loading failed; nil if it has not failed.
    var valueError: (any Error)? { get }
}

extension AVAsynchronousKeyValueLoading {
    public func waitForValues(isolation: isolated (any Actor)?) async throws { try loadValues() }

    /// Returns a property's value, loading it if necessary.
    ///
    /// - Throws: An `AVError`.
    public func load<T>(
        _ property: AVAsyncProperty<Self, T>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> T {
        try await waitForValues(isolation: isolation)
        return try property.read(self)
    }

    public func load<A, B>(
        _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B) {
        try await waitForValues(isolation: isolation)
        return (try first.read(self), try second.read(self))
    }

    public func load<A, B, C>(
        _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>, _ third: AVAsyncProperty<Self, C>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C) {
        try await waitForValues(isolation: isolation)
        return (try first.read(self), try second.read(self), try third.read(self))
    }

    public func load<A, B, C, D>(
        _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>, _ third: AVAsyncProperty<Self, C>,
        _ fourth: AVAsyncProperty<Self, D>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D) {
        try await waitForValues(isolation: isolation)
        return (try first.read(self), try second.read(self), try third.read(self), try fourth.read(self))
    }

    public func load<A, B, C, D, E>(
        _ first: AVAsyncProperty<Self, A>, _ second: AVAsyncProperty<Self, B>, _ third: AVAsyncProperty<Self, C>,
        _ fourth: AVAsyncProperty<Self, D>, _ fifth: AVAsyncProperty<Self, E>,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (A, B, C, D, E) {
        try await waitForValues(isolation: isolation)
        return (
            try first.read(self), try second.read(self), try third.read(self), try fourth.read(self),
            try fifth.read(self)
        )
    }

    /// Returns the loading state of a property, with its value if loaded.
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

    /// Returns the loading state of all values, which are loaded together.
    public func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>?) -> AVKeyValueStatus {
        if let valueError { outError?.pointee = valueError as NSError }
        return valueStatus
    }

    /// Loads all values and calls the handler, on the caller's thread.
    public func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (() -> Void)? = nil) {
        // The status of each value reports a failure.
        try? loadValues()
        handler?()
    }
}
