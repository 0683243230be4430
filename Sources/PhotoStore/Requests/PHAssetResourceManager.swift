import CaptureHAL
public import Foundation
import MediaStorage
import MediaTypes

public typealias PHAssetResourceDataRequestID = Int32

/// The number of no request.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHInvalidAssetResourceDataRequestID: PHAssetResourceDataRequestID = 0

/// How a resource is read.
///
/// - Important: Confined.
public final class PHAssetResourceRequestOptions: NSObject {
    /// Taken for what it says: all resources are here.
    public var isNetworkAccessAllowed = false
    /// Told how far reading has come, from 0 to 1.
    public var progressHandler: (@Sendable (Double) -> Void)?

    public override init() {
        super.init()
    }
}

/// Reads the files of assets.
///
/// - Important: Thread-safe. Handlers run one at a time on a serial queue of the library's.
public final class PHAssetResourceManager: NSObject, Sendable {
    private static let shared = PHAssetResourceManager()
    private static let chunkByteCount = 1 << 20

    private let requests = RequestNumbers()

    private override init() {
        super.init()
    }

    public class func `default`() -> PHAssetResourceManager { shared }

    /// Reads a resource piece by piece.
    ///
    /// - Parameters:
    ///   - handler: Gets the pieces, at most a mebibyte each, in order.
    ///   - completionHandler: Runs once, last, with a `PHPhotosError` where not all could be read.
    @preconcurrency @discardableResult
    public func requestData(
        for resource: PHAssetResource, options: PHAssetResourceRequestOptions?,
        dataReceivedHandler handler: @escaping @Sendable (Data) -> Void,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> PHAssetResourceDataRequestID {
        let number = requests.begin()
        let progress = options?.progressHandler
        resource.library.worker.submit {
            let failure = self.read(resource, number: number, progress: progress) { (data) throws(StorageError) in
                handler(data)
            }
            self.requests.end(number)
            completionHandler(failure)
        }
        return number
    }

    /// Ends a request early; its completion handler gets `PHPhotosError.userCancelled`.
    public func cancelDataRequest(_ requestID: PHAssetResourceDataRequestID) {
        requests.cancel(requestID)
    }

    /// Writes a resource to a new file.
    ///
    /// The file appears when it is whole; one that exists is not replaced.
    /// - Parameter completionHandler: Runs once, with a `PHPhotosError` where there is no such file now.
    @preconcurrency
    public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let progress = options?.progressHandler
        resource.library.worker.submit { completionHandler(self.write(resource, to: fileURL, progress: progress)) }
    }

    /// As above, and waits for the end.
    public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writeData(for: resource, toFile: fileURL, options: options) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    private func write(
        _ resource: PHAssetResource, to url: URL, progress: (@Sendable (Double) -> Void)?
    ) -> PHPhotosError? {
        let storage = resource.library.storage
        let partial = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).partial")
        do throws(StorageError) {
            guard !storage.fileExists(at: url) else { throw StorageError(.alreadyExists, .create, path: url.path) }
            // Left by a write that broke off.
            if storage.fileExists(at: partial) { try storage.remove(partial) }
            let file = try storage.create(partial)
            var offset: Int64 = 0
            let failure = read(resource, number: nil, progress: progress) { (data) throws(StorageError) in
                try file.write(data, at: offset)
                offset += Int64(data.count)
            }
            if let failure {
                // The reason is told already; what stays behind is replaced by the next try.
                try? storage.remove(partial)
                return failure
            }
            try file.flush()
            try file.close()
            try storage.rename(partial, to: url)
            return nil
        } catch {
            // As above.
            if error.operation != .create, storage.fileExists(at: partial) { try? storage.remove(partial) }
            return PHPhotosError(error)
        }
    }

    /// Reads a resource and says what went wrong, if anything did.
    private func read(
        _ resource: PHAssetResource, number: PHAssetResourceDataRequestID?, progress: (@Sendable (Double) -> Void)?,
        receive: (Data) throws(StorageError) -> Void
    ) -> PHPhotosError? {
        do {
            let file = try resource.library.storage.open(resource.fileURL(), for: .reading)
            let byteCount = try file.byteCount()
            var offset: Int64 = 0
            while offset < byteCount {
                if let number, requests.isCancelled(number) {
                    return PHPhotosError(.userCancelled, "the request was cancelled")
                }
                let data = try file.data(at: offset, byteCount: Self.chunkByteCount)
                if data.isEmpty { break }
                try receive(data)
                offset += Int64(data.count)
                progress?(Double(offset) / Double(byteCount))
            }
            try file.close()
            return nil
        } catch {
            return PHPhotosError(error, index: resource.assetLocalIdentifier)
        }
    }
}
