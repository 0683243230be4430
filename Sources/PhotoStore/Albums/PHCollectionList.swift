import CaptureHAL
public import Foundation

/// An immutable snapshot of a folder of albums and other folders.
///
/// - Important: Thread-safe.
public final class PHCollectionList: PHCollection, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let collectionListType = PHCollectionListType.folder
    public let collectionListSubtype = PHCollectionListSubtype.regularFolder
    /// Always nil: only lists of moments have dates.
    public var startDate: Date? { nil }
    /// Always nil: only lists of moments have dates.
    public var endDate: Date? { nil }
    public var localizedLocationNames: [String] { [] }
    /// The content of a list that is not saved in the library; nil for a folder.
    let transientCollections: [PHCollection]?

    init(_ record: CollectionListRecord, in library: PHPhotoLibrary) {
        transientCollections = nil
        super.init(localIdentifier: record.localIdentifier, title: record.title, containsAssets: false, in: library)
    }

    private init(_ collections: [PHCollection], title: String?, in library: PHPhotoLibrary) {
        transientCollections = collections
        super.init(
            localIdentifier: library.makeTransientIdentifier(of: .collectionList), title: title,
            containsAssets: false, in: library)
    }

    override var isEditable: Bool { transientCollections == nil }

    /// Fetches the folder that contains a collection; the result is empty if it is in no folder.
    public class func fetchCollectionListsContaining(
        _ collection: PHCollection, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        collection.library.fetchCollectionLists(CollectionListQuery(child: collection.localIdentifier), options)
    }

    /// Fetches the folders with these identifiers. Identifiers that do not exist are ignored.
    public class func fetchCollectionLists(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        PHPhotoLibrary.shared().fetchCollectionLists(CollectionListQuery(localIdentifiers: identifiers), options)
    }

    /// Fetches the lists of a type, in the order of their creation. Only folders exist.
    public class func fetchCollectionLists(
        with collectionListType: PHCollectionListType, subtype: PHCollectionListSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        guard collectionListType == .folder, subtype == .any || subtype == .regularFolder else {
            return PHFetchResult([]) { nil }
        }
        return PHPhotoLibrary.shared().fetchCollectionLists(CollectionListQuery(), options)
    }

    /// Returns an empty result: the library has no moments.
    public class func fetchMomentLists(
        with momentListSubtype: PHCollectionListSubtype, containingMoment moment: PHAssetCollection,
        options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        PHFetchResult([]) { nil }
    }

    /// Returns an empty result: the library has no moments.
    public class func fetchMomentLists(
        with momentListSubtype: PHCollectionListSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> {
        PHFetchResult([]) { nil }
    }

    /// Creates a list that is not saved in the library.
    public class func transientCollectionList(with collections: [PHCollection], title: String?) -> PHCollectionList {
        PHCollectionList(collections, title: title, in: collections.first?.library ?? PHPhotoLibrary.shared())
    }

    /// Creates a list that is not saved in the library.
    public class func transientCollectionList(
        withCollectionsFetchResult fetchResult: PHFetchResult<PHCollection>, title: String?
    ) -> PHCollectionList {
        transientCollectionList(with: fetchResult.objects, title: title)
    }
}
