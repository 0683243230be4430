import AssetTypes
import CaptureHAL
import Dispatch
public import Foundation
import MediaTypes

/// A request for a part of a resource, which the delegate of a resource loader handles.
///
/// - Important: Thread-safe.
public final class AVAssetResourceLoadingRequest: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are thread-safe objects.

    /// What is requested.
    ///
    /// - Note: Unlike Apple, it is not a `URLRequest`: with that type, every program would load the networking
    ///   libraries of Foundation.
    public struct Request: Sendable, Hashable {
        /// The URL of the resource.
        public let url: URL?
        /// The header fields, which specify the range of bytes.
        public let allHTTPHeaderFields: [String: String]?

        /// Creates a request for a whole resource.
        public init(url: URL) { self.init(url, nil) }

        init(_ url: URL, _ fields: [String: String]?) {
            self.url = url
            allHTTPHeaderFields = fields
        }

        /// Returns the value of a header field.
        public func value(forHTTPHeaderField field: String) -> String? {
            allHTTPHeaderFields?.first { $0.key.lowercased() == field.lowercased() }?.value
        }
    }

    private struct State {
        var isFinished = false
        var isCancelled = false
        var redirect: Request?
        /// How the request ended; nil while it is pending.
        var result: Result<Void, AVError>?
    }

    public let request: Request
    /// The request to use instead, with a `file`, `http` or `https` URL; evaluated when this request is finished.
    ///
    /// Only the request for the content information can be redirected; the asset is then read from the new URL.
    public var redirect: Request? {
        get { state.withLock { $0.redirect } }
        set { state.withLock { $0.redirect = newValue } }
    }
    /// The requested properties of the resource; nil if none are requested.
    public let contentInformationRequest: AVAssetResourceLoadingContentInformationRequest?
    /// The requested range of bytes; never nil.
    public let dataRequest: AVAssetResourceLoadingDataRequest?
    private let misuse: MisuseHandler
    private let state = Lock(State())
    private let ended = DispatchSemaphore(value: 0)

    init(
        _ url: URL, _ information: AVAssetResourceLoadingContentInformationRequest?, offset: Int64, length: Int,
        _ misuse: MisuseHandler
    ) {
        request = Request(url, ["Range": "bytes=\(offset)-\(offset + Int64(length) - 1)"])
        contentInformationRequest = information
        dataRequest = AVAssetResourceLoadingDataRequest(offset: offset, length: length)
        self.misuse = misuse
    }

    /// Whether the request was finished by the delegate.
    public var isFinished: Bool { state.withLock { $0.isFinished } }
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the request after the requested bytes were provided, or all bytes up to the end of the resource.
    public func finishLoading() { finish(.success(())) }

    /// Ends the request with a failure.
    public func finishLoading(with error: (any Error)?) {
        let reason = error.map { ($0 as? AVError)?.errorDescription ?? $0.localizedDescription } ?? "no reason is known"
        finish(.failure(AVError(.failedToLoadMediaData, "\(name) cannot be loaded: \(reason)", cause: error)))
    }

    private var name: String { request.url?.absoluteString ?? "the resource" }

    private func finish(_ result: Result<Void, AVError>) {
        let isFirst = state.withLock { state in
            guard !state.isFinished else { return false }
            state.isFinished = true
            return true
        }
        guard isFirst else {
            return misuse.report(
                .internalInconsistency, "-[AVAssetResourceLoadingRequest finishLoading] the request is already finished"
            )
        }
        end(result)
    }

    /// Ends the request, because the delegate does not load the resource.
    func refuse() {
        end(.failure(AVError(.failedToLoadMediaData, "the delegate of the resource loader does not load \(name)")))
    }

    /// Cancels the request.
    ///
    /// - Returns: False if the request has already ended.
    func cancel() -> Bool {
        let isPending = state.withLock { state in
            guard state.result == nil else { return false }
            state.isCancelled = true
            return true
        }
        if isPending { end(.failure(AVError(.operationCancelled, "the loading of \(name) was cancelled"))) }
        return isPending
    }

    private func end(_ result: Result<Void, AVError>) {
        let isFirst = state.withLock { state in
            guard state.result == nil else { return false }
            state.result = result
            return true
        }
        if isFirst { ended.signal() }
    }

    /// Blocks until the request ends, and returns the provided bytes.
    func wait() throws(AVError) -> [UInt8] {
        ended.wait()
        ended.signal()
        try state.withLock { $0.result }?.get()
        return dataRequest?.bytes ?? []
    }
}

/// The properties of a resource, which a delegate sets.
///
/// - Important: Thread-safe.
public final class AVAssetResourceLoadingContentInformationRequest: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    private struct State {
        var contentType: String?
        var contentLength: Int64 = 0
        var hasByteRanges = false
        var isAvailable = false
        var renewalDate: Date?
    }

    private let state = Lock(State())

    /// The uniform type identifier of the resource. It has no effect: the type of a file is detected from its contents.
    public var contentType: String? {
        get { state.withLock { $0.contentType } }
        set { state.withLock { $0.contentType = newValue } }
    }

    /// Nil: all types are accepted.
    public var allowedContentTypes: [String]? { nil }

    /// The number of bytes of the resource; required.
    public var contentLength: Int64 {
        get { state.withLock { $0.contentLength } }
        set { state.withLock { $0.contentLength = newValue } }
    }

    /// Whether any range of bytes can be requested; required.
    public var isByteRangeAccessSupported: Bool {
        get { state.withLock { $0.hasByteRanges } }
        set { state.withLock { $0.hasByteRanges = newValue } }
    }

    /// Whether all bytes can be provided at once. The value has no effect.
    public var isEntireLengthAvailableOnDemand: Bool {
        get { state.withLock { $0.isAvailable } }
        set { state.withLock { $0.isAvailable = newValue } }
    }

    /// When the resource expires. It has no effect: resources are not renewed.
    public var renewalDate: Date? {
        get { state.withLock { $0.renewalDate } }
        set { state.withLock { $0.renewalDate = newValue } }
    }
}

/// A range of bytes of a resource, which a delegate provides.
///
/// - Important: Thread-safe.
public final class AVAssetResourceLoadingDataRequest: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `provided`; the constants are values.
    /// The offset of the first requested byte.
    public let requestedOffset: Int64
    /// The number of requested bytes.
    public let requestedLength: Int
    private let provided = Lock<[UInt8]>([])

    init(offset: Int64, length: Int) {
        requestedOffset = offset
        requestedLength = length
    }

    /// False: ranges of known length are requested.
    public var requestsAllDataToEndOfResource: Bool { false }
    /// The offset after the bytes that were provided.
    public var currentOffset: Int64 { requestedOffset + Int64(provided.withLock { $0.count }) }

    /// Provides the next bytes. Bytes after the requested range are ignored.
    public func respond(with data: Data) {
        provided.withLock { $0 += data.prefix(requestedLength - $0.count) }
    }

    var bytes: [UInt8] { provided.withLock { $0 } }
}
