import CaptureHAL
import Foundation

/// A collection of assets, or a folder of collections.
public class PHCollection: PHObject, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let localizedTitle: String?
    public let canContainAssets: Bool
    public let canContainCollections: Bool
    let library: PHPhotoLibrary

    init(localIdentifier: String, title: String?, containsAssets: Bool, in library: PHPhotoLibrary) {
        localizedTitle = title
        canContainAssets = containsAssets
        canContainCollections = !containsAssets
        self.library = library
        super.init(localIdentifier: localIdentifier)
    }

    /// Whether the collection can be changed: true for albums and folders of the user.
    var isEditable: Bool { false }

    /// Whether an operation on the collection is possible.
    public func canPerform(_ anOperation: PHCollectionEditOperation) -> Bool {
        isEditable
    }

    /// Fetches the albums and folders in a folder, in its order.
    ///
    /// Of the options, only the predicate and the limit have an effect.
    public class func fetchCollections(
        in collectionList: PHCollectionList, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollection> {
        if let collections = collectionList.transientCollections {
            return PHFetchResult(collectionList.library.filter(of: options).select(from: collections)) { nil }
        }
        return collectionList.library.fetchChildren(of: collectionList.localIdentifier, options)
    }

    /// Fetches the albums and folders that are in no folder.
    ///
    /// Of the options, only the predicate and the limit have an effect.
    public class func fetchTopLevelUserCollections(with options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
        PHPhotoLibrary.shared().fetchChildren(of: CollectionListWriter.topLevel, options)
    }
}
