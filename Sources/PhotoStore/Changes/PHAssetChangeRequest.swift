public import Foundation

/// A change that a change block asks for.
public class PHChangeRequest: NSObject {
    override init() {
        super.init()
    }
}

/// Asks, inside a change block, to create, change or delete an asset.
///
/// - Important: Confined to the change block.
public class PHAssetChangeRequest: PHChangeRequest {
    /// Stands for the asset to be; nil where the request is for one that exists.
    public let placeholderForCreatedAsset: PHObjectPlaceholder?
    /// When it was taken; nil takes what the file tells.
    public var creationDate: Date? {
        didSet { edits.creationDate = creationDate }
    }
    public var isFavorite: Bool {
        didSet { edits.isFavorite = isFavorite }
    }
    public var isHidden: Bool {
        didSet { edits.isHidden = isHidden }
    }
    /// What was set.
    private var edits = AssetEdits()
    var resources: [ResourceDraft] = []

    /// Asks to change an asset.
    public init(for asset: PHAsset) {
        placeholderForCreatedAsset = nil
        creationDate = asset.creationDate
        isFavorite = asset.isFavorite
        isHidden = asset.isHidden
        super.init()
        let identifier = asset.localIdentifier
        ChangeBlock.expected(for: "+[PHAssetChangeRequest changeRequestForAsset:]")?.add {
            .update(localIdentifier: identifier, self.edits)
        }
    }

    /// Asks to create an asset of the given files.
    init(creating resources: [ResourceDraft], method: String) {
        let block = ChangeBlock.expected(for: method)
        placeholderForCreatedAsset = block.map {
            PHObjectPlaceholder(localIdentifier: $0.makeIdentifier(of: .asset))
        }
        creationDate = nil
        isFavorite = false
        isHidden = false
        self.resources = resources
        super.init()
        guard let placeholderForCreatedAsset else { return }
        block?.add {
            .create(
                AssetDraft(
                    localIdentifier: placeholderForCreatedAsset.localIdentifier, resources: self.resources,
                    edits: self.edits))
        }
    }

    /// Asks to create an asset of a picture.
    ///
    /// - Parameter fileURL: A JPEG or PNG file.
    /// - Returns: Nil where there is no such file.
    public class func creationRequestForAssetFromImage(atFileURL fileURL: URL) -> PHAssetChangeRequest? {
        creationRequest(.photo, fileURL, method: "+[PHAssetChangeRequest creationRequestForAssetFromImageAtFileURL:]")
    }

    /// Asks to create an asset of a movie.
    ///
    /// - Returns: Nil where there is no such file.
    public class func creationRequestForAssetFromVideo(atFileURL fileURL: URL) -> PHAssetChangeRequest? {
        creationRequest(.video, fileURL, method: "+[PHAssetChangeRequest creationRequestForAssetFromVideoAtFileURL:]")
    }

    private class func creationRequest(
        _ type: PHAssetResourceType, _ url: URL, method: String
    ) -> PHAssetChangeRequest? {
        guard url.isFileURL, ChangeBlock.current?.library.storage.fileExists(at: url) ?? true else { return nil }
        return PHAssetChangeRequest(creating: [ResourceDraft(type: type, content: .file(url))], method: method)
    }

    /// Asks to delete assets; those that are gone already are left out.
    ///
    /// - Note: Unlike Apple, nobody is asked to confirm it.
    public class func deleteAssets(_ assets: some Sequence<PHAsset>) {
        let identifiers = assets.map(\.localIdentifier)
        ChangeBlock.expected(for: "+[PHAssetChangeRequest deleteAssets:]")?.add {
            .delete(localIdentifiers: identifiers)
        }
    }

    /// As above, for an array of `PHAsset`.
    public class func deleteAssets(_ assets: NSArray) {
        deleteAssets(assets.compactMap { $0 as? PHAsset })
    }

    /// As above, for what a fetch gave.
    public class func deleteAssets(_ assets: PHFetchResult<PHAsset>) {
        deleteAssets(assets.objects)
    }
}
