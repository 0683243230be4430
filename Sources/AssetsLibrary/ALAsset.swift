import CaptureHAL
import CoreLocation
public import Foundation
import ImageTypes
public import MediaTypes
import PhotoStore

/// A photo or movie.
///
/// - Important: Thread-safe.
public final class ALAsset: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants, or have a lock.
    let asset: PHAsset
    private let system: SystemReference
    private let representations = Lock<[ALAssetRepresentation]?>(nil)
    private let images = ReturnedImages()
    /// The side of a square thumbnail in pixels: 75 points at the scale 2.
    private static let thumbnailSide: CGFloat = 150

    init(_ asset: PHAsset, in system: SystemReference) {
        self.asset = asset
        self.system = system
    }

    var url: URL? { asset.assetURL }

    /// Returns the value of a property; `ALErrorInvalidProperty` for one that the asset does not have.
    public func value(forProperty property: String!) -> Any! {
        let value: Any? =
            switch property {
            case ALAssetPropertyType: typeName
            case ALAssetPropertyLocation: defaultRepresentation()?.location
            case ALAssetPropertyDuration: asset.mediaType == .video ? NSNumber(value: asset.duration) : nil
            case ALAssetPropertyOrientation: NSNumber(value: (defaultRepresentation()?.orientation() ?? .up).rawValue)
            case ALAssetPropertyDate: asset.creationDate
            case ALAssetPropertyRepresentations: allRepresentations.map(\.resource.uniformTypeIdentifier)
            case ALAssetPropertyURLs: urls
            case ALAssetPropertyAssetURL: url
            default: nil
            }
        return value ?? ALErrorInvalidProperty
    }

    private var typeName: String {
        switch asset.mediaType {
        case .image: ALAssetTypePhoto
        case .video: ALAssetTypeVideo
        case .audio, .unknown: ALAssetTypeUnknown
        }
    }

    /// The URL of each representation under its uniform type identifier.
    private var urls: [String: URL] {
        Dictionary(
            allRepresentations.compactMap { representation in
                representation.url().map { (representation.resource.uniformTypeIdentifier, $0) }
            }
        ) { first, _ in first }
    }

    private var allRepresentations: [ALAssetRepresentation] {
        if let existing = representations.withLock({ $0 }) { return existing }
        var new: [ALAssetRepresentation] = []
        system.run {
            new = PHAssetResource.assetResources(for: asset).map {
                ALAssetRepresentation($0, of: asset, in: system)
            }
        }
        return representations.withLock { representations in
            let kept = representations ?? new
            representations = kept
            return kept
        }
    }

    /// Returns the primary file; nil if the asset was deleted.
    public func defaultRepresentation() -> ALAssetRepresentation! { allRepresentations.first }

    /// Returns the file of a type; nil if there is none.
    public func representation(forUTI representationUTI: String!) -> ALAssetRepresentation! {
        allRepresentations.first { $0.resource.uniformTypeIdentifier == representationUTI }
    }

    /// Returns an upright square image of 150 pixels; nil if it cannot be read. The asset retains the image.
    public func thumbnail() -> Unmanaged<CGImage>! {
        images.unmanaged("square") { self.squareThumbnail() }
    }

    /// Returns an upright image of at most 300 x 300 pixels; nil if it cannot be read. The asset retains the image.
    public func aspectRatioThumbnail() -> Unmanaged<CGImage>! {
        images.unmanaged("aspect ratio") {
            let side = 2 * Self.thumbnailSide
            return self.asset.image(CGSize(width: side, height: side), .aspectFit, .fast, in: self.system)
        }
    }

    func squareThumbnail() -> CGImage? {
        asset.image(CGSize(width: Self.thumbnailSide, height: Self.thumbnailSide), .aspectFill, .exact, in: system)
    }

    // MARK: Changes

    /// Always nil: the library does not record from which asset another one was created.
    public var original: ALAsset! { nil }

    /// Always false: the contents of assets cannot be replaced.
    public var isEditable: Bool { false }

    /// Saves image data as a new asset, like `ALAssetsLibrary.writeImageData`.
    public func writeModifiedImageData(
        toSavedPhotosAlbum imageData: Data!, metadata: [AnyHashable: Any]!,
        completionBlock: ALAssetsLibraryWriteImageCompletionBlock!
    ) {
        makeLibrary().writeImageData(
            toSavedPhotosAlbum: imageData, metadata: metadata, completionBlock: completionBlock)
    }

    /// Saves a movie as a new asset, like `ALAssetsLibrary.writeVideoAtPath`.
    public func writeModifiedVideoAtPath(
        toSavedPhotosAlbum videoPathURL: URL!, completionBlock: ALAssetsLibraryWriteVideoCompletionBlock!
    ) {
        makeLibrary().writeVideoAtPath(toSavedPhotosAlbum: videoPathURL, completionBlock: completionBlock)
    }

    /// Fails with `ALAssetsLibraryWriteFailedError`, because the asset is not editable.
    public func setImageData(
        _ imageData: Data!, metadata: [AnyHashable: Any]!, completionBlock: ALAssetsLibraryWriteImageCompletionBlock!
    ) {
        refuse(completionBlock)
    }

    /// Fails with `ALAssetsLibraryWriteFailedError`, because the asset is not editable.
    public func setVideoAtPath(
        _ videoPathURL: URL!, completionBlock: ALAssetsLibraryWriteVideoCompletionBlock!
    ) {
        refuse(completionBlock)
    }

    private func refuse(_ completion: ((URL?, (any Error)?) -> Void)?) {
        makeLibrary().perform {
            throw makeLibraryError(ALAssetsLibraryWriteFailedError, "the contents of the asset cannot be replaced")
        } deliver: {
        } fail: {
            completion?(nil, $0)
        }
    }

    private func makeLibrary() -> ALAssetsLibrary {
        var library: ALAssetsLibrary?
        system.run { library = ALAssetsLibrary() }
        return library ?? ALAssetsLibrary()
    }
}

extension PHAsset {
    /// The URL of the asset in the assets library.
    var assetURL: URL? {
        let file = PHAssetResource.assetResources(for: self).first
        return AssetURL.asset(localIdentifier, fileExtension: file?.fileExtensions.first ?? "JPG")
    }

    /// Returns the upright image; nil if it cannot be read.
    func image(
        _ size: CGSize, _ mode: PHImageContentMode, _ resize: PHImageRequestOptionsResizeMode,
        in system: SystemReference
    ) -> CGImage? {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.deliveryMode = .highQualityFormat
        options.resizeMode = resize
        let image = Lock<CGImage?>(nil)
        system.run {
            PHImageManager.default().requestImage(
                for: self, targetSize: size, contentMode: mode, options: options
            ) { result, _ in
                image.withLock { $0 = result?.cgImage }
            }
        }
        return image.withLock { $0 }
    }
}
