public import Foundation

/// A request to create, change or delete an album.
///
/// Assets are passed as `PHAsset`, or as placeholders of assets that the same block creates before or after this
/// request.
/// - Important: Confined to the change block.
public final class PHAssetCollectionChangeRequest: PHChangeRequest {
    /// The placeholder of a new album; for an existing album, a placeholder with the album's identifier.
    public let placeholderForCreatedAssetCollection: PHObjectPlaceholder
    public var title: String {
        didSet { edits.title = title }
    }
    /// The requested changes.
    private var edits = CollectionEdits()

    private init(identifier: String, title: String) {
        placeholderForCreatedAssetCollection = PHObjectPlaceholder(localIdentifier: identifier)
        self.title = title
        super.init()
    }

    /// Requests a new album. Several albums may have the same title.
    @discardableResult
    public class func creationRequestForAssetCollection(withTitle title: String) -> PHAssetCollectionChangeRequest {
        let block = ChangeBlock.current(
            for: "+[PHAssetCollectionChangeRequest creationRequestForAssetCollectionWithTitle:]")
        let identifier = block?.makeIdentifier(of: .album) ?? ""
        let request = PHAssetCollectionChangeRequest(identifier: identifier, title: title)
        request.edits.title = title
        block?.add { .createAlbum(localIdentifier: identifier, request.edits) }
        return request
    }

    /// Requests changes to an album.
    ///
    /// - Returns: Nil for a smart album or a transient collection, which cannot be changed.
    public convenience init?(for assetCollection: PHAssetCollection) {
        self.init(
            album: assetCollection, base: nil,
            method: "+[PHAssetCollectionChangeRequest changeRequestForAssetCollection:]")
    }

    /// Requests changes to an album. Indexes refer to the fetched assets, even if the album has changed since.
    ///
    /// - Returns: Nil for a smart album or a transient collection, which cannot be changed.
    public convenience init?(for assetCollection: PHAssetCollection, assets: PHFetchResult<PHAsset>) {
        self.init(
            album: assetCollection, base: assets.objects.map(\.localIdentifier),
            method: "+[PHAssetCollectionChangeRequest changeRequestForAssetCollection:assets:]")
    }

    private convenience init?(album: PHAssetCollection, base: [String]?, method: String) {
        guard album.isEditable else { return nil }
        let identifier = album.localIdentifier
        self.init(identifier: identifier, title: album.localizedTitle ?? "")
        edits.base = base
        ChangeBlock.current(for: method, using: [album])?.add {
            .updateAlbum(localIdentifier: identifier, self.edits)
        }
    }

    /// Requests the deletion of albums. Their assets remain in the library.
    public class func deleteAssetCollections(_ assetCollections: some Sequence<PHAssetCollection>) {
        let albums = Array(assetCollections)
        let identifiers = albums.map(\.localIdentifier)
        ChangeBlock.current(for: "+[PHAssetCollectionChangeRequest deleteAssetCollections:]", using: albums)?.add {
            .deleteAlbums(localIdentifiers: identifiers)
        }
    }

    /// Requests the deletion of an array of `PHAssetCollection`.
    public class func deleteAssetCollections(_ assetCollections: NSArray) {
        deleteAssetCollections(assetCollections.compactMap { $0 as? PHAssetCollection })
    }

    /// Appends assets. Assets that are already in the album keep their positions.
    public func addAssets(_ assets: some Sequence<PHObject>) {
        append("addAssets:", Array(assets)) { .add($0) }
    }

    /// Appends an array of `PHAsset` or `PHObjectPlaceholder`.
    public func addAssets(_ assets: NSArray) {
        addAssets(assets.compactMap { $0 as? PHObject })
    }

    /// Appends the assets of a fetch result.
    public func addAssets(_ assets: PHFetchResult<PHAsset>) {
        addAssets(assets.objects)
    }

    /// Removes assets from the album but not from the library.
    public func removeAssets(_ assets: some Sequence<PHObject>) {
        append("removeAssets:", Array(assets)) { .remove($0) }
    }

    /// Removes an array of `PHAsset` from the album.
    public func removeAssets(_ assets: NSArray) {
        removeAssets(assets.compactMap { $0 as? PHObject })
    }

    /// Removes the assets of a fetch result from the album.
    public func removeAssets(_ assets: PHFetchResult<PHAsset>) {
        removeAssets(assets.objects)
    }

    func append(_ method: String, _ objects: [PHObject], _ step: ([String]) -> OrderedStep) {
        edits.append("-[PHAssetCollectionChangeRequest \(method)]", objects, step)
    }
}
