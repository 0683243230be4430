import CaptureHAL
public import Foundation
public import ImageTypes
import MediaTypes

public typealias PHLivePhotoRequestID = Int32

/// The identifier of an invalid request.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID = 0

/// Info key of a request for a Live Photo: the `PHPhotosError`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"
/// Info key of a request for a Live Photo: whether a result of higher quality follows; always false.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"
/// Info key of a request for a Live Photo: whether the request was cancelled.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"

/// A photo with a movie of the moments before and after it.
///
/// `PHAssetResource.assetResources(for:)` returns its files. Those of the library remain until the object is released.
/// - Note: Unlike Apple, there is no view that plays it.
/// - Important: Thread-safe.
public final class PHLivePhoto: NSObject, Sendable {
    /// The size of the upright photo in pixels.
    public let size: CGSize
    /// The photo, then the movie.
    let resources: [PHAssetResource]
    /// Keep the files of the library.
    private let leases: [FileLease]

    private init(size: CGSize, _ resources: [PHAssetResource], _ leases: [FileLease]) {
        (self.size, self.resources, self.leases) = (size, resources, leases)
    }

    /// Reads the Live Photo of an asset: the edited photo, if it was edited, and the movie.
    ///
    /// - Throws: `.requestNotSupportedForAsset` if the asset is not a Live Photo, `.missingResource` without a file.
    package convenience init(
        _ asset: PHAsset, version: PHImageRequestOptionsVersion = .current
    ) throws(PHPhotosError) {
        let store = try asset.library.store()
        let records = try store.index.resources(ofAsset: asset.localIdentifier)
        let edited = version == .current ? records.last(where: \.isEditedContent) : nil
        let photos = [PHAssetResourceType.photo.rawValue, PHAssetResourceType.photoProxy.rawValue]
        guard let photo = edited ?? records.first(where: { photos.contains($0.type) }),
            let movie = records.first(where: { $0.type == PHAssetResourceType.pairedVideo.rawValue })
        else {
            throw PHPhotosError(
                .requestNotSupportedForAsset, "the asset \(asset.localIdentifier) is not a Live Photo")
        }
        var leases: [FileLease] = []
        for record in [photo, movie] { leases.append(try FileLease(store.original(record.fileName), in: store)) }
        self.init(
            size: CGSize(width: photo.pixelWidth, height: photo.pixelHeight),
            [photo, movie].map { PHAssetResource($0, asset: asset.localIdentifier, in: asset.library) }, leases)
    }

    /// Reads the Live Photo of a photo and a movie, in any order.
    ///
    /// - Throws: `.invalidResource` if the files are not a photo and a movie with the same content identifier, or cannot
    ///   be read.
    private convenience init(files: [URL], in library: PHPhotoLibrary) throws(PHPhotosError) {
        func file(_ type: PHAssetResourceType) -> URL? { files.first { PHAssetResourceType(contentsOf: $0) == type } }
        guard files.count == 2, let photo = file(.photo), let movie = file(.video) else {
            throw PHPhotosError(.invalidResource, "a Live Photo has two files, a photo and a movie")
        }
        guard let identifier = ContentIdentifier.read(photo, as: .photo),
            ContentIdentifier.read(movie, as: .video) == identifier
        else {
            throw PHPhotosError(
                .invalidResource,
                "\(photo.lastPathComponent) and \(movie.lastPathComponent) do not have the same content identifier")
        }
        let resources = try [(photo, PHAssetResourceType.photo), (movie, .pairedVideo)].map {
            (url, type) throws(PHPhotosError) in try PHAssetResource(file: url, type, in: library)
        }
        self.init(
            size: CGSize(width: resources[0].pixelWidth, height: resources[0].pixelHeight), resources, [])
    }

    /// Requests a Live Photo from its files.
    ///
    /// - Parameters:
    ///   - fileURLs: A photo and a movie with the same content identifier, in any order. They must remain while the Live
    ///     Photo is used.
    ///   - resultHandler: Runs once, on the main queue, with the Live Photo, or with `PHPhotosError.invalidResource`.
    @preconcurrency @discardableResult
    public class func request(
        withResourceFileURLs fileURLs: [URL], placeholderImage image: UIImage?, targetSize: CGSize,
        contentMode: PHImageContentMode, resultHandler: @escaping @Sendable (PHLivePhoto?, [AnyHashable: Any]) -> Void
    ) -> PHLivePhotoRequestID {
        let library = PHPhotoLibrary.shared()
        let number = library.editingRequests.begin()
        library.worker.submit {
            let result = Result { () throws(PHPhotosError) in try PHLivePhoto(files: fileURLs, in: library) }
            library.system.deliver(on: .main) {
                let isCancelled = library.editingRequests.isCancelled(number)
                library.editingRequests.end(number)
                var info: [AnyHashable: Any] = [PHLivePhotoInfoIsDegradedKey: false]
                if isCancelled {
                    info[PHLivePhotoInfoCancelledKey] = true
                    return resultHandler(nil, info)
                }
                switch result {
                case .success(let photo): resultHandler(photo, info)
                case .failure(let error):
                    info[PHLivePhotoInfoErrorKey] = error
                    resultHandler(nil, info)
                }
            }
        }
        return number
    }

    public class func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) {
        PHPhotoLibrary.shared().editingRequests.cancel(requestID)
    }
}
