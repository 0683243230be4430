public import CoreLocation
public import Foundation
public import ImageTypes

/// A change requested by a change block.
public class PHChangeRequest: NSObject {
    override init() {
        super.init()
    }
}

/// A request to create, change or delete an asset.
///
/// - Important: Confined to the change block.
public class PHAssetChangeRequest: PHChangeRequest {
    /// The placeholder of a new asset; nil if the request is for an existing one.
    public let placeholderForCreatedAsset: PHObjectPlaceholder?
    /// The capture date. Nil leaves it unchanged; for a new asset, nil selects the date in the file.
    public var creationDate: Date? {
        didSet { edits.creationDate = creationDate }
    }
    public var isFavorite: Bool {
        didSet { edits.isFavorite = isFavorite }
    }
    public var isHidden: Bool {
        didSet { edits.isHidden = isHidden }
    }
    public var rating: PHAsset.Rating {
        didSet { edits.rating = rating }
    }
    /// Where the photo or movie was taken. Setting nil removes the location. A new asset has the location in its file
    /// unless the client sets this property, even to nil.
    public var location: CLLocation? {
        didSet { edits.location = .some(location) }
    }
    /// The edited content; nil if it is unchanged.
    public var contentEditingOutput: PHContentEditingOutput?
    /// The properties that were set.
    private var edits = AssetEdits()
    var resources: [ResourceDraft] = []

    /// Requests changes to an asset.
    public init(for asset: PHAsset) {
        placeholderForCreatedAsset = nil
        creationDate = asset.creationDate
        isFavorite = asset.isFavorite
        isHidden = asset.isHidden
        rating = asset.rating
        location = asset.location
        super.init()
        let identifier = asset.localIdentifier
        ChangeBlock.current(for: "+[PHAssetChangeRequest changeRequestForAsset:]", using: [asset])?.add {
            .update(localIdentifier: identifier, self.finalEdits)
        }
    }

    /// Requests a new asset with resources.
    required init(creating resources: [ResourceDraft], method: String) {
        let block = ChangeBlock.current(for: method)
        placeholderForCreatedAsset = block.map {
            PHObjectPlaceholder(localIdentifier: $0.makeIdentifier(of: .asset))
        }
        creationDate = nil
        isFavorite = false
        isHidden = false
        rating = .unset
        location = nil
        self.resources = resources
        super.init()
        guard let placeholderForCreatedAsset else { return }
        block?.add {
            .create(
                AssetDraft(
                    localIdentifier: placeholderForCreatedAsset.localIdentifier, resources: self.resources,
                    edits: self.finalEdits))
        }
    }

    private var finalEdits: AssetEdits {
        var edits = edits
        edits.content = contentEditingOutput.map {
            ContentEdit(renderedContent: $0.renderedContentURL, files: $0.files, adjustment: $0.adjustmentData)
        }
        return edits
    }

    /// Requests that the original photo or movie replaces the edited one. An asset without edits does not change.
    public func revertAssetContentToOriginal() {
        edits.revertsContent = true
    }

    /// Requests a new asset for an image, which is saved as a JPEG file.
    @discardableResult
    public class func creationRequestForAsset(from image: UIImage) -> Self {
        let data = image.jpegData(compressionQuality: 1) ?? Data()
        return Self(
            creating: [ResourceDraft(type: .photo, content: .data(data))],
            method: "+[PHAssetChangeRequest creationRequestForAssetFromImage:]")
    }

    /// Requests a new asset for a photo.
    ///
    /// - Parameter fileURL: A JPEG, PNG, HEIF, WebP or DNG file.
    /// - Returns: Nil if the file does not exist.
    @discardableResult
    public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> PHAssetChangeRequest? {
        creationRequest(.photo, fileURL, method: "+[PHAssetChangeRequest creationRequestForAssetFromImageAtFileURL:]")
    }

    /// Requests a new asset for a movie.
    ///
    /// - Returns: Nil if the file does not exist.
    @discardableResult
    public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> PHAssetChangeRequest? {
        creationRequest(.video, fileURL, method: "+[PHAssetChangeRequest creationRequestForAssetFromVideoAtFileURL:]")
    }

    private class func creationRequest(
        _ type: PHAssetResourceType, _ url: URL, method: String
    ) -> PHAssetChangeRequest? {
        guard url.isFileURL, ChangeBlock.current?.library.storage.fileExists(at: url) ?? true else { return nil }
        return PHAssetChangeRequest(creating: [ResourceDraft(type: type, content: .file(url))], method: method)
    }

    /// Requests the deletion of assets. Assets that no longer exist are ignored.
    ///
    /// Deleted assets remain in Recently Deleted for 30 days, where the user can restore them.
    /// - Note: Unlike Apple, the user is not asked for confirmation.
    public class func deleteAssets(_ assets: some Sequence<PHAsset>) {
        let assets = Array(assets)
        let identifiers = assets.map(\.localIdentifier)
        ChangeBlock.current(for: "+[PHAssetChangeRequest deleteAssets:]", using: assets)?.add {
            .delete(localIdentifiers: identifiers)
        }
    }

    /// Requests the deletion of an array of `PHAsset`.
    public class func deleteAssets(_ assets: NSArray) {
        deleteAssets(assets.compactMap { $0 as? PHAsset })
    }

    /// Requests the deletion of the assets of a fetch result.
    public class func deleteAssets(_ assets: PHFetchResult<PHAsset>) {
        deleteAssets(assets.objects)
    }
}
