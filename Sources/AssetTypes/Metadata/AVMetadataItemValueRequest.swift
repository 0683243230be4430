public import Foundation
import MediaTypes

/// A request for the value of a metadata item that is loaded on demand.
///
/// - Important: Thread-safe. Only the first response has an effect.
public final class AVMetadataItemValueRequest: NSObject, @unchecked Sendable {
    // SAFETY: constants.
    private let item: WeakReference<AVMetadataItem>
    private let loader: MetadataValueLoader

    init(_ item: AVMetadataItem, _ loader: MetadataValueLoader) {
        self.item = WeakReference(item)
        self.loader = loader
    }

    /// The item whose value is requested; nil after the item is released.
    public var metadataItem: AVMetadataItem? { item.object }

    /// Supplies the value.
    public func respond(value: any NSObjectProtocol & NSCopying) {
        loader.finish(.success(value.copy(with: nil) as? any NSCopying & NSObjectProtocol))
    }

    /// Reports why the value cannot be loaded.
    public func respond(error: any Error) { loader.finish(.failure(error)) }
}

/// Loads the value of a metadata item once, with the client's handler.
///
/// - Important: Thread-safe.
final class MetadataValueLoader: @unchecked Sendable {
    // SAFETY: all state is behind `state`; the value is an immutable copy.
    typealias Value = any NSCopying & NSObjectProtocol

    private struct State {
        var isStarted = false
        /// The response; nil before it arrives.
        var result: Result<Value?, any Error>?
        /// The closures to call when the response arrives.
        var waiters: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())
    private let handler: @Sendable (AVMetadataItemValueRequest) -> Void

    init(_ handler: @escaping @Sendable (AVMetadataItemValueRequest) -> Void) { self.handler = handler }

    /// The response; nil before it arrives.
    var result: Result<Value?, any Error>? { state.withLock { $0.result } }

    var status: AVKeyValueStatus {
        state.withLock { state in
            switch state.result {
            case .success: .loaded
            case .failure: .failed
            case nil: state.isStarted ? .loading : .unknown
            }
        }
    }

    /// Calls the client's handler unless it was called before.
    func start(for item: AVMetadataItem) {
        let mustStart = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if mustStart { handler(AVMetadataItemValueRequest(item, self)) }
    }

    /// Calls `body` when the response arrives; immediately if it has already arrived.
    func whenFinished(_ body: @escaping @Sendable () -> Void) {
        let isFinished = state.withLock { state in
            if state.result == nil { state.waiters.append(body) }
            return state.result != nil
        }
        if isFinished { body() }
    }

    /// Stores the response and calls the waiting closures. Only the first call has an effect.
    func finish(_ result: Result<Value?, any Error>) {
        let waiters = state.withLock { state in
            guard state.result == nil else { return [@Sendable () -> Void]() }
            state.result = result
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter() }
    }
}

extension AVMetadataItem {
    /// Creates an item with the properties of another one and a value that is loaded on demand.
    ///
    /// The handler is called once, when the value is first read or loaded, on the thread that does so. It may respond
    /// later, from any thread; until then `value` is nil, and `load(_:)` waits.
    /// - Note: Unlike Apple, reading `value` does not wait for the response.
    public convenience init(
        propertiesOf metadataItem: AVMetadataItem,
        valueLoadingHandler handler: @escaping @Sendable (AVMetadataItemValueRequest) -> Void
    ) {
        var fields = metadataItem.fields.withLock { $0 }
        fields.value = nil
        fields.loader = MetadataValueLoader(handler)
        self.init(fields)
    }

    private var loader: MetadataValueLoader? { fields.withLock { $0.loader } }

    /// The stored value, or the response of the loading handler, which is called if necessary; nil until it responds.
    var loadedValue: (any NSCopying & NSObjectProtocol)? {
        guard let loader else { return fields.withLock { $0.value } }
        loader.start(for: self)
        if case .success(let value) = loader.result { return value }
        return nil
    }
}

extension AVMetadataItem: AVAsynchronousKeyValueLoading {
    public func loadValues() throws {
        loader?.start(for: self)
        if case .failure(let error) = loader?.result { throw error }
    }

    public func waitForValues(isolation: isolated (any Actor)?) async throws {
        guard let loader else { return }
        loader.start(for: self)
        await withCheckedContinuation(isolation: isolation) { continuation in
            loader.whenFinished { continuation.resume() }
        }
        try loadValues()
    }

    public var valueStatus: AVKeyValueStatus { loader?.status ?? .loaded }

    public var valueError: (any Error)? {
        if case .failure(let error) = loader?.result { return error }
        return nil
    }

    /// Loads the value and calls the handler when it is available, on the thread of the response.
    public func loadValuesAsynchronously(
        forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
    ) {
        guard let loader else {
            handler?()
            return
        }
        loader.start(for: self)
        loader.whenFinished { handler?() }
    }
}
