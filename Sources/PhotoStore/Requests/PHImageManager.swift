import CaptureHAL
public import Foundation
public import ImageTypes
public import MediaTypes
import PixelKernels

/// A provider of the images of assets.
///
/// - Important: Thread-safe. A handler runs once: on the caller's thread if the request is synchronous, and on the main
///   queue otherwise.
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
    /// - Parameter targetSize: In pixels; `PHImageManagerMaximumSize` for the full size.
    @preconcurrency @discardableResult
    public func requestImage(
        for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?,
        resultHandler: @escaping @Sendable (UIImage?, [AnyHashable: Any]?) -> Void
    ) -> PHImageRequestID {
        let (resizeMode, delivery) = (options?.resizeMode ?? .fast, options?.deliveryMode ?? .opportunistic)
        let version = options?.version ?? .current
        let crop = resizeMode == .exact ? options?.normalizedCropRect : nil
        return perform(for: asset, isSynchronous: options?.isSynchronous ?? false) { () throws(PHPhotosError) in
            let source = try ImageSource(asset, version: version)
            // The size of the original can differ from the size of the edited image.
            let file = version == .current ? nil : try source.primaryFile()
            let full = (
                width: file?.pixelWidth ?? asset.pixelWidth, height: file?.pixelHeight ?? asset.pixelHeight
            )
            let part = crop.flatMap { PixelRect($0, width: full.width, height: full.height) }
            let size = ImageSize(
                asset: (part?.width ?? full.width, part?.height ?? full.height), target: targetSize, mode: contentMode,
                resize: resizeMode)
            if let part { return try source.image(of: size, cropping: part, from: full) }
            return try source.image(of: size, fromThumbnail: delivery == .fastFormat)
        } deliver: { pixels, info in
            resultHandler(pixels.map { UIImage(cgImage: CGImage(pixelBuffer: $0)) }, info)
        }
    }

    /// Cancels a request. Its handler receives no image, and `PHImageCancelledKey` in the info.
    public func cancelImageRequest(_ requestID: PHImageRequestID) {
        requests.cancel(requestID)
    }

    /// Runs `work` on the library's worker, or on the caller's thread if the request is synchronous, and delivers its
    /// value and the info of the request. The value is nil if the request failed or was cancelled.
    package func perform<Value: Sendable>(
        for asset: PHAsset, isSynchronous: Bool,
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
            var info: [AnyHashable: Any] = [
                PHImageResultRequestIDKey: number, PHImageResultIsDegradedKey: false,
                PHImageResultIsInCloudKey: false,
            ]
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
                let result = run()
                system.deliver(on: .main) { finish(result) }
            }
        }
        return number
    }
}
