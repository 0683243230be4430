public import Foundation

/// Asks, inside a change block, to create, change or delete an album.
///
/// Assets are given as `PHAsset` or as placeholders of assets that the same block creates before.
/// - Important: Confined to the change block.
public final class PHAssetCollectionChangeRequest: PHChangeRequest {
    /// Stands for the album to be; with no meaning where the request is for one that exists.
    public let placeholderForCreatedAssetCollection: PHObjectPlaceholder
    public var title: String {
        didSet { edits.title = title }
    }
    /// What was asked for.
    private var edits = AlbumEdits()

    private init(identifier: String, title: String) {
        placeholderForCreatedAssetCollection = PHObjectPlaceholder(localIdentifier: identifier)
        self.title = title
        super.init()
    }

    /// Asks to create an album; several may have the same title.
    public class func creationRequestForAssetCollection(withTitle title: String) -> PHAssetCollectionChangeRequest {
        let block = ChangeBlock.expected(
            for: "+[PHAssetCollectionChangeRequest creationRequestForAssetCollectionWithTitle:]")
        let identifier = block?.makeIdentifier(of: .album) ?? ""
        let request = PHAssetCollectionChangeRequest(identifier: identifier, title: title)
        request.edits.title = title
        block?.add { .createAlbum(localIdentifier: identifier, request.edits) }
        return request
    }

    /// Asks to change an album.
    ///
    /// - Returns: Nil for a smart album, which cannot be changed.
    public convenience init?(for assetCollection: PHAssetCollection) {
        guard assetCollection.assetCollectionType == .album else { return nil }
        let identifier = assetCollection.localIdentifier
        self.init(identifier: identifier, title: assetCollection.localizedTitle ?? "")
        ChangeBlock.expected(for: "+[PHAssetCollectionChangeRequest changeRequestForAssetCollection:]")?.add {
            .updateAlbum(localIdentifier: identifier, self.edits)
        }
    }

    /// Asks to delete albums; their assets stay.
    public class func deleteAssetCollections(_ assetCollections: some Sequence<PHAssetCollection>) {
        let identifiers = assetCollections.map(\.localIdentifier)
        ChangeBlock.expected(for: "+[PHAssetCollectionChangeRequest deleteAssetCollections:]")?.add {
            .deleteAlbums(localIdentifiers: identifiers)
        }
    }

    /// As above, for an array of `PHAssetCollection`.
    public class func deleteAssetCollections(_ assetCollections: NSArray) {
        deleteAssetCollections(assetCollections.compactMap { $0 as? PHAssetCollection })
    }

    /// Adds assets at the end; those that the album holds already stay where they are.
    public func addAssets(_ assets: some Sequence<PHObject>) {
        edits.steps.append(.add(assets.map(\.localIdentifier)))
    }

    /// As above, for an array of `PHAsset` or `PHObjectPlaceholder`.
    public func addAssets(_ assets: NSArray) {
        addAssets(assets.compactMap { $0 as? PHObject })
    }

    /// As above, for what a fetch gave.
    public func addAssets(_ assets: PHFetchResult<PHAsset>) {
        addAssets(assets.objects)
    }

    /// Takes assets out of the album; they stay in the library.
    public func removeAssets(_ assets: some Sequence<PHObject>) {
        edits.steps.append(.remove(assets.map(\.localIdentifier)))
    }

    /// As above, for an array of `PHAsset`.
    public func removeAssets(_ assets: NSArray) {
        removeAssets(assets.compactMap { $0 as? PHObject })
    }

    /// As above, for what a fetch gave.
    public func removeAssets(_ assets: PHFetchResult<PHAsset>) {
        removeAssets(assets.objects)
    }
}
