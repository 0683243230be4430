import CaptureHAL
public import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes

public typealias PHAssetResourceDataRequestID = Int32

/// Called with the progress of reading a resource, from 0 to 1.
public typealias PHAssetResourceProgressHandler = @Sendable (Double) -> Void

/// The identifier of an invalid request.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHInvalidAssetResourceDataRequestID: PHAssetResourceDataRequestID = 0

/// Options for reading a resource.
///
/// - Important: Confined to one thread at a time.
public final class PHAssetResourceRequestOptions: NSObject {
    /// Has no effect, because all resources are local.
    public var isNetworkAccessAllowed = false
    /// Called with the progress from 0 to 1.
    @preconcurrency
    public var progressHandler: PHAssetResourceProgressHandler?

    public override init() {
        super.init()
    }
}

/// A reader of the files of assets.
///
/// - Important: Thread-safe. Handlers run on a serial queue of the library.
public final class PHAssetResourceManager: NSObject, Sendable {
    private static let chunkByteCount = 1 << 20

    private let requests = RequestNumbers()

    private override init() {
        super.init()
    }

    /// The manager of the current capture system. Request identifiers are unique within a manager.
    public class func `default`() -> PHAssetResourceManager {
        CaptureSystem.current.component(PHAssetResourceManager.self) { PHAssetResourceManager() }
    }

    /// Reads a resource in chunks.
    ///
    /// - Parameters:
    ///   - handler: Receives the chunks of at most 1 MiB in order.
    ///   - completionHandler: Runs once, after all chunks, with a `PHPhotosError` if reading failed. It is
    ///     `invalidResource` if the chunks are not what was imported because the file was damaged.
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
                resource.library.system.run { handler(data) }
            }
            self.requests.end(number)
            resource.library.system.run { completionHandler(failure) }
        }
        return number
    }

    /// Cancels a request. Its completion handler receives `PHPhotosError.userCancelled`.
    public func cancelDataRequest(_ requestID: PHAssetResourceDataRequestID) {
        requests.cancel(requestID)
    }

    /// Writes a resource to a new file.
    ///
    /// The file appears only when it is complete. An existing file is not replaced.
    /// - Parameter completionHandler: Runs once, with a `PHPhotosError` if the file was not written.
    @preconcurrency
    public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let progress = options?.progressHandler
        resource.library.worker.submit {
            let failure = self.write(resource, to: fileURL, progress: progress)
            resource.library.system.run { completionHandler(failure) }
        }
    }

    /// Writes a resource to a new file and waits until it is complete.
    public func writeData(
        for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writeData(for: resource, toFile: fileURL, options: options) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Writes a resource to a new file on the calling thread.
    package func write(_ resource: PHAssetResource, to url: URL) throws(PHPhotosError) {
        if let failure = write(resource, to: url, progress: nil) { throw failure }
    }

    private func write(
        _ resource: PHAssetResource, to url: URL, progress: (@Sendable (Double) -> Void)?
    ) -> PHPhotosError? {
        let storage = resource.library.storage
        let partial = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).partial")
        do throws(StorageError) {
            guard !storage.fileExists(at: url) else { throw StorageError(.alreadyExists, .create, path: url.path) }
            // Remove the file of an interrupted write.
            if storage.fileExists(at: partial) { try storage.remove(partial) }
            let file = try storage.create(partial)
            var offset: Int64 = 0
            let failure = read(resource, number: nil, progress: progress) { (data) throws(StorageError) in
                try file.write(data, at: offset)
                offset += Int64(data.count)
            }
            if let failure {
                // The first error is returned. A remaining file is replaced by the next attempt.
                try? storage.remove(partial)
                return failure
            }
            try file.flush()
            try file.close()
            try storage.rename(partial, to: url)
            return nil
        } catch {
            // If the file cannot be removed, the next attempt replaces it.
            if error.operation != .create, storage.fileExists(at: partial) { try? storage.remove(partial) }
            // The partial file is a detail of this function.
            let isPartial = error.path == partial.path
            return PHPhotosError(
                isPartial
                    ? StorageError(error.code, error.operation, path: url.path, reason: error.reason) : error)
        }
    }

    /// Reads a resource and returns the error, if any.
    private func read(
        _ resource: PHAssetResource, number: PHAssetResourceDataRequestID?, progress: (@Sendable (Double) -> Void)?,
        receive: (Data) throws(StorageError) -> Void
    ) -> PHPhotosError? {
        let url: URL
        do throws(PHPhotosError) {
            url = try resource.fileURL()
        } catch {
            return error
        }
        do throws(StorageError) {
            let file = try resource.library.storage.open(url, for: .reading)
            let byteCount = try file.byteCount()
            let checksum = resource.checksum.flatMap { _ in SHA256() }
            var offset: Int64 = 0
            while offset < byteCount {
                if let number, requests.isCancelled(number) {
                    return PHPhotosError(.userCancelled, "the request was cancelled")
                }
                let data = try file.data(at: offset, byteCount: Self.chunkByteCount)
                if data.isEmpty { break }
                data.withUnsafeBytes { checksum?.add($0) }
                try receive(data)
                offset += Int64(data.count)
                if let progress { resource.library.system.run { progress(Double(offset) / Double(byteCount)) } }
            }
            try file.close()
            let reason = FileDamage.reason(
                url, foundByteCount: offset, byteCount: resource.byteCount, foundChecksum: checksum?.hexadecimal(),
                checksum: resource.checksum)
            return reason.map { reason in
                PHPhotosError(
                    .invalidResource, "a file of the asset \(resource.assetLocalIdentifier) is damaged: \(reason)")
            }
        } catch {
            return PHPhotosError(error)
        }
    }
}
