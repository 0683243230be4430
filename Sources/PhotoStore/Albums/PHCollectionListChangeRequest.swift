public import Foundation

/// A request to create, change or delete a folder.
///
/// Collections are passed as albums, folders, or placeholders of albums and folders that the same block creates. A
/// collection is in one folder at most: adding it to a folder removes it from its previous one.
/// - Important: Confined to the change block.
public final class PHCollectionListChangeRequest: PHChangeRequest {
    /// The placeholder of a new folder; for an existing folder, a placeholder with the folder's identifier.
    public let placeholderForCreatedCollectionList: PHObjectPlaceholder
    public var title: String {
        didSet { edits.title = title }
    }
    /// The requested changes.
    private var edits = CollectionEdits()

    private init(identifier: String, title: String) {
        placeholderForCreatedCollectionList = PHObjectPlaceholder(localIdentifier: identifier)
        self.title = title
        super.init()
    }

    /// Requests a new folder. Several folders may have the same title.
    @discardableResult
    public class func creationRequestForCollectionList(withTitle title: String) -> PHCollectionListChangeRequest {
        let block = ChangeBlock.current(
            for: "+[PHCollectionListChangeRequest creationRequestForCollectionListWithTitle:]")
        let identifier = block?.makeIdentifier(of: .collectionList) ?? ""
        let request = PHCollectionListChangeRequest(identifier: identifier, title: title)
        request.edits.title = title
        block?.add { .createCollectionList(localIdentifier: identifier, request.edits) }
        return request
    }

    /// Requests changes to a folder.
    ///
    /// - Returns: Nil for a transient list, which cannot be changed.
    public convenience init?(for collectionList: PHCollectionList) {
        self.init(
            list: collectionList, base: nil, method: "+[PHCollectionListChangeRequest changeRequestForCollectionList:]")
    }

    /// Requests changes to a folder. Indexes refer to the fetched content, even if the folder has changed since.
    ///
    /// - Returns: Nil for a transient list, which cannot be changed.
    public convenience init?(for collectionList: PHCollectionList, childCollections: PHFetchResult<PHCollection>) {
        self.init(
            list: collectionList, base: childCollections.objects.map(\.localIdentifier),
            method: "+[PHCollectionListChangeRequest changeRequestForCollectionList:childCollections:]")
    }

    /// Requests changes to the order of the albums and folders that are in no folder.
    public convenience init?(forTopLevelCollectionListUserCollections childCollections: PHFetchResult<PHCollection>) {
        self.init(identifier: CollectionListWriter.topLevel, title: "")
        edits.base = childCollections.objects.map(\.localIdentifier)
        ChangeBlock.current(
            for: "+[PHCollectionListChangeRequest changeRequestForTopLevelCollectionListUserCollections:]",
            using: childCollections.objects
        )?.add { .updateCollectionList(localIdentifier: CollectionListWriter.topLevel, self.edits) }
    }

    private convenience init?(list: PHCollectionList, base: [String]?, method: String) {
        guard list.isEditable else { return nil }
        let identifier = list.localIdentifier
        self.init(identifier: identifier, title: list.localizedTitle ?? "")
        edits.base = base
        ChangeBlock.current(for: method, using: [list])?.add {
            .updateCollectionList(localIdentifier: identifier, self.edits)
        }
    }

    /// Requests the deletion of folders with the albums and folders in them. Assets remain in the library.
    public class func deleteCollectionLists(_ collectionLists: some Sequence<PHCollectionList>) {
        let lists = Array(collectionLists)
        let identifiers = lists.map(\.localIdentifier)
        ChangeBlock.current(for: "+[PHCollectionListChangeRequest deleteCollectionLists:]", using: lists)?.add {
            .deleteCollectionLists(localIdentifiers: identifiers)
        }
    }

    /// Requests the deletion of an array of `PHCollectionList`.
    public class func deleteCollectionLists(_ collectionLists: NSArray) {
        deleteCollectionLists(collectionLists.compactMap { $0 as? PHCollectionList })
    }

    /// Appends collections. Collections that are already in the folder keep their positions.
    public func addChildCollections(_ collections: some Sequence<PHObject>) {
        append("addChildCollections:", Array(collections)) { .add($0) }
    }

    /// Appends an array of `PHCollection` or `PHObjectPlaceholder`.
    public func addChildCollections(_ collections: NSArray) {
        addChildCollections(collections.compactMap { $0 as? PHObject })
    }

    /// Inserts collections so that they are at the indexes afterwards.
    public func insertChildCollections(_ collections: some Sequence<PHObject>, at indexes: IndexSet) {
        append("insertChildCollections:atIndexes:", Array(collections)) { .insert($0, at: indexes) }
    }

    /// Inserts an array of `PHCollection` or `PHObjectPlaceholder`.
    public func insertChildCollections(_ collections: NSArray, at indexes: IndexSet) {
        insertChildCollections(collections.compactMap { $0 as? PHObject }, at: indexes)
    }

    /// Removes collections from the folder. They are in no folder afterwards.
    public func removeChildCollections(_ collections: some Sequence<PHObject>) {
        append("removeChildCollections:", Array(collections)) { .remove($0) }
    }

    /// Removes an array of `PHCollection` from the folder.
    public func removeChildCollections(_ collections: NSArray) {
        removeChildCollections(collections.compactMap { $0 as? PHObject })
    }

    public func removeChildCollections(at indexes: IndexSet) {
        edits.steps.append(.removeAt(indexes))
    }

    public func replaceChildCollections(
        at indexes: IndexSet, withChildCollections collections: some Sequence<PHObject>
    ) {
        append("replaceChildCollectionsAtIndexes:withChildCollections:", Array(collections)) {
            .replace(indexes, with: $0)
        }
    }

    /// Replaces collections with an array of `PHCollection` or `PHObjectPlaceholder`.
    public func replaceChildCollections(at indexes: IndexSet, withChildCollections collections: NSArray) {
        replaceChildCollections(at: indexes, withChildCollections: collections.compactMap { $0 as? PHObject })
    }

    /// Moves collections so that the first one is at `toIndex` afterwards.
    public func moveChildCollections(at indexes: IndexSet, to toIndex: Int) {
        edits.steps.append(.move(indexes, to: toIndex))
    }

    private func append(_ method: String, _ objects: [PHObject], _ step: ([String]) -> OrderedStep) {
        edits.append("-[PHCollectionListChangeRequest \(method)]", objects, step)
    }
}
