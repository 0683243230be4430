import CaptureHAL
public import Foundation
public import ImageTypes
public import MediaTypes

/// A provider of the images of assets.
///
/// - Important: Thread-safe. A handler runs once on the caller's thread if the request is synchronous, and on the main
///   queue otherwise. An asynchronous request for an image with `.opportunistic` can call its handler twice.
public class PHImageManager: NSObject, @unchecked Sendable {
    // SAFETY: the state of this class and of its one subclass is constant or behind a lock.
    private let requests = RequestNumbers()

    public override init() {
        super.init()
    }

    /// The manager of the current capture system. Request identifiers are unique within a manager.
    public class func `default`() -> PHImageManager {
        CaptureSystem.current.component(PHImageManager.self) { PHImageManager() }
    }

    /// Requests the file of a photo with its type and orientation, or a JPEG of a movie's first frame.
    @preconcurrency @discardableResult
    public func requestImageDataAndOrientation(
        for asset: PHAsset, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let version = options?.version ?? .current
        return perform(for: asset, isSynchronous: options?.isSynchronous ?? false) { () throws(PHPhotosError) in
            try ImageSource(asset, version: version).encodedImage()
        } deliver: { result, info in
            resultHandler(result?.data, result?.uniformTypeIdentifier, result?.orientation ?? .up, info)
        }
    }

    /// Requests an upright image.
    ///
    /// With `.opportunistic` (the default), an asynchronous request for an image that is larger than the thumbnail first
    /// delivers a smaller one, with `PHImageResultIsDegradedKey` in the info.
    /// - Parameter targetSize: In pixels; `PHImageManagerMaximumSize` for the full size.
    @preconcurrency @discardableResult
    public func requestImage(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (UIImage?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let request = ImageRequest(asset, targetSize, contentMode, options)
        let preview: @Sendable () -> CVPixelBuffer? = {
            self.cachedImage(for: request) == nil ? request.preview() : nil
        }
        return perform(for: asset, isSynchronous: options?.isSynchronous ?? false, preview: preview) {
            () throws(PHPhotosError) in
            if let image = self.cachedImage(for: request) { return image }
            return try request.image()
        } deliver: { pixels, info in
            resultHandler(pixels.map { UIImage(cgImage: CGImage(pixelBuffer: $0)) }, info)
        }
    }

    /// Returns an image that was prepared; nil if there is none.
    func cachedImage(for request: ImageRequest) -> CVPixelBuffer? { nil }

    /// Cancels a request. Its handler receives no image, and `PHImageCancelledKey` in the info.
    public func cancelImageRequest(_ requestID: PHImageRequestID) {
        requests.cancel(requestID)
    }

    /// Runs `work` on the library's worker, or on the caller's thread if the request is synchronous, and delivers its
    /// value and the info of the request. The value is nil if the request failed or was cancelled.
    ///
    /// - Parameter preview: Returns a value of lower quality, which is delivered first if the request is asynchronous;
    ///   nil if there is none.
    package func perform<Value: Sendable>(
        for asset: PHAsset, isSynchronous: Bool, preview: (@Sendable () -> Value?)? = nil,
        _ work: @escaping @Sendable () throws(PHPhotosError) -> Value,
        deliver: @escaping @Sendable (Value?, [AnyHashable: Any]) -> Void
    ) -> PHImageRequestID {
        let number = requests.begin()
        let run: @Sendable () -> Result<Value, PHPhotosError>? = {
            self.requests.isCancelled(number) ? nil : Result { () throws(PHPhotosError) in try work() }
        }
        let finish: @Sendable (Result<Value, PHPhotosError>?) -> Void = { result in
            let isCancelled = self.requests.isCancelled(number)
            self.requests.end(number)
            var info = Self.info(of: number, isDegraded: false)
            switch result {
            case .success(let value)? where !isCancelled: deliver(value, info)
            case .failure(let error)?:
                info[PHImageErrorKey] = error
                deliver(nil, info)
            default:
                info[PHImageCancelledKey] = true
                deliver(nil, info)
            }
        }
        if isSynchronous {
            finish(run())
        } else {
            let system = asset.library.system
            asset.library.worker.submit {
                if !self.requests.isCancelled(number), let value = preview?() {
                    system.deliver(on: .main) {
                        guard !self.requests.isCancelled(number) else { return }
                        deliver(value, Self.info(of: number, isDegraded: true))
                    }
                }
                let result = run()
                system.deliver(on: .main) { finish(result) }
            }
        }
        return number
    }

    private static func info(of number: PHImageRequestID, isDegraded: Bool) -> [AnyHashable: Any] {
        [
            PHImageResultRequestIDKey: number, PHImageResultIsDegradedKey: isDegraded,
            PHImageResultIsInCloudKey: false,
        ]
    }
}
