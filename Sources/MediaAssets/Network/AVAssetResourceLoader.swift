import AssetTypes
import CaptureHAL
public import Dispatch
public import Foundation
import MediaTypes

/// A delegate that loads the resources of an asset.
public protocol AVAssetResourceLoaderDelegate: AnyObject, Sendable {
    /// Returns whether the delegate loads a resource. If so, it must finish the request, immediately or later.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool
    /// Called when a request was canceled because its data is no longer needed.
    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest)
}

extension AVAssetResourceLoaderDelegate {
    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool { false }

    public func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {}
}

/// Requests the data of an asset from a delegate if the asset's URL has a scheme other than `file`, `http` and `https`.
///
/// The first request is for the content information and two bytes, as on Apple's systems; later requests are for ranges
/// of bytes. The thread that reads the asset blocks until the delegate finishes the request, so do not read the asset
/// on the delegate's queue.
/// - Important: Thread-safe.
public final class AVAssetResourceLoader: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are thread-safe objects.
    private struct State {
        weak var delegate: (any AVAssetResourceLoaderDelegate)?
        var queue: DispatchQueue?
        /// Requests that are not finished.
        var pending: [AVAssetResourceLoadingRequest] = []
    }

    /// The key of a queue-specific value that identifies the delegate's queue.
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    private let url: URL
    private let system: CaptureSystem
    private let state = Lock(State())

    init(_ url: URL, system: CaptureSystem) {
        self.url = url
        self.system = system
    }

    /// The delegate; a weak reference.
    public var delegate: (any AVAssetResourceLoaderDelegate)? { state.withLock { $0.delegate } }
    public var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Sets the delegate and its queue, the main queue by default.
    public func setDelegate(_ delegate: (any AVAssetResourceLoaderDelegate)?, queue delegateQueue: DispatchQueue?) {
        if let delegateQueue {
            delegateQueue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(delegateQueue))
        }
        state.withLock { ($0.delegate, $0.queue) = (delegate, delegateQueue) }
    }

    /// The location of the resource according to the delegate.
    enum Location {
        /// The delegate loads the resource.
        case delegate(RemoteFile)
        case redirect(URL)
    }

    /// Requests the content information from the delegate, which may respond with a redirect.
    func locate() throws(AVError) -> Location {
        let information = AVAssetResourceLoadingContentInformationRequest()
        let request = AVAssetResourceLoadingRequest(url, information, offset: 0, length: 2, system.misuse)
        _ = try load(request)
        if let url = request.redirect?.url { return .redirect(url) }
        let byteCount = information.contentLength
        guard information.isByteRangeAccessSupported, byteCount > 0 else {
            throw AVError(
                .serverIncorrectlyConfigured,
                "\(url.absoluteString) cannot be read: the delegate of the resource loader must set a contentLength and "
                    + "isByteRangeAccessSupported")
        }
        let file = RemoteFile(url, byteCount: byteCount, clock: system.clock) { [weak self] offset, count in
            guard let self else { throw AVError(.noLongerPlayable, "the asset no longer exists") }
            return try load(
                AVAssetResourceLoadingRequest(url, nil, offset: offset, length: count, system.misuse))
        }
        return .delegate(file)
    }

    /// Cancels all pending requests and notifies the delegate.
    func cancel() {
        let (requests, delegate) = state.withLock { ($0.pending, $0.delegate) }
        for request in requests where request.cancel() {
            guard let delegate else { continue }
            runOnQueue { delegate.resourceLoader(self, didCancel: request) }
        }
    }

    /// Passes a request to the delegate, and waits until it is finished.
    private func load(_ request: AVAssetResourceLoadingRequest) throws(AVError) -> [UInt8] {
        guard let delegate else {
            throw AVError(
                .operationNotSupportedForAsset,
                "\(url.absoluteString) has \(url.scheme.map { "the scheme \($0)" } ?? "no scheme"); only file, http "
                    + "and https are read without a delegate of the asset's resourceLoader",
                cause: nil, ["NSURL": url])
        }
        state.withLock { $0.pending.append(request) }
        defer { state.withLock { state in state.pending.removeAll { $0 === request } } }
        runOnQueue { [self] in
            if !delegate.resourceLoader(self, shouldWaitForLoadingOfRequestedResource: request) { request.refuse() }
        }
        return try request.wait()
    }

    /// Calls the delegate: synchronously if the current code runs on its queue, otherwise asynchronously on its queue.
    private func runOnQueue(_ call: @escaping @Sendable () -> Void) {
        let queue = delegateQueue ?? .main
        let isOnQueue =
            DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(queue)
            || queue === DispatchQueue.main && Thread.isMainThread
        if isOnQueue { return system.run(call) }
        queue.async { [system] in system.run(call) }
    }
}
