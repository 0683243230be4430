public import Foundation

/// The effects of a change to the library.
///
/// - Important: Thread-safe.
public final class PHChange: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants.
    let outcome: ChangeOutcome
    private let library: PHPhotoLibrary

    init(_ outcome: ChangeOutcome, in library: PHPhotoLibrary) {
        self.outcome = outcome
        self.library = library
    }

    /// Returns the changes to an asset, album or folder; nil if it did not change.
    public func changeDetails<ObjectType: PHObject>(for object: ObjectType) -> PHObjectChangeDetails<ObjectType>? {
        let identifier = object.localIdentifier
        let isDeleted = outcome.deleted.contains(identifier)
        guard isDeleted || outcome.updated.contains(identifier) else { return nil }
        let after: PHObject? =
            switch object {
            case is PHAsset:
                library.fetch(AssetQuery(localIdentifiers: [identifier], includesHidden: true), nil).firstObject
            case is PHAssetCollection:
                library.fetchAlbums(AlbumQuery(localIdentifiers: [identifier]), nil).firstObject
            case is PHCollectionList:
                library.fetchCollectionLists(CollectionListQuery(localIdentifiers: [identifier]), nil).firstObject
            default: nil
            }
        return PHObjectChangeDetails(
            before: object, after: isDeleted ? nil : after as? ObjectType,
            isContentChanged: outcome.contentChanged.contains(identifier), isDeleted: isDeleted)
    }

    /// Returns the changes to a fetch result; nil if it did not change.
    public func changeDetails<ObjectType: PHObject>(
        for fetchResult: PHFetchResult<ObjectType>
    ) -> PHFetchResultChangeDetails<ObjectType>? {
        guard let after = fetchResult.refetch() else { return nil }
        let details = PHFetchResultChangeDetails(
            before: fetchResult, after: after, changed: Set(outcome.updated + outcome.inserted))
        return details.isEmpty ? nil : details
    }
}

/// The changes to one object.
public final class PHObjectChangeDetails<ObjectType: PHObject>: NSObject {
    public let objectBeforeChanges: ObjectType
    /// The changed object; nil if it was deleted.
    public let objectAfterChanges: ObjectType?
    /// Whether the asset was edited, or its original was restored.
    public let assetContentChanged: Bool
    public let objectWasDeleted: Bool

    init(before: ObjectType, after: ObjectType?, isContentChanged: Bool, isDeleted: Bool) {
        objectBeforeChanges = before
        objectAfterChanges = after
        assetContentChanged = isContentChanged
        objectWasDeleted = isDeleted
    }
}

/// The changes to a fetch result.
///
/// Indexes of removed objects refer to the result before the change, all other indexes to the result after it.
public final class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject {
    public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
    public let fetchResultAfterChanges: PHFetchResult<ObjectType>
    public let hasIncrementalChanges = true
    public let removedIndexes: IndexSet?
    public let removedObjects: [ObjectType]
    public let insertedIndexes: IndexSet?
    public let insertedObjects: [ObjectType]
    public let changedIndexes: IndexSet?
    public let changedObjects: [ObjectType]
    /// Whether the order of the remaining objects changed.
    public let hasMoves: Bool

    /// Compares two fetch results.
    ///
    /// - Parameter changed: The local identifiers of the changed objects.
    init(before: PHFetchResult<ObjectType>, after: PHFetchResult<ObjectType>, changed: Set<String>) {
        let old = Set(before.objects.map(\.localIdentifier))
        let new = Set(after.objects.map(\.localIdentifier))
        func indexes(_ result: PHFetchResult<ObjectType>, _ isIncluded: (String) -> Bool) -> IndexSet {
            IndexSet(result.objects.indices.filter { isIncluded(result.objects[$0].localIdentifier) })
        }
        let removed = indexes(before) { !new.contains($0) }
        let inserted = indexes(after) { !old.contains($0) }
        let modified = indexes(after) { old.contains($0) && changed.contains($0) }
        fetchResultBeforeChanges = before
        fetchResultAfterChanges = after
        removedIndexes = removed.isEmpty ? nil : removed
        removedObjects = before.objects(at: removed)
        insertedIndexes = inserted.isEmpty ? nil : inserted
        insertedObjects = after.objects(at: inserted)
        changedIndexes = modified.isEmpty ? nil : modified
        changedObjects = after.objects(at: modified)
        hasMoves =
            before.objects.map(\.localIdentifier).filter(new.contains)
            != after.objects.map(\.localIdentifier).filter(old.contains)
    }

    /// Compares two fetch results, for example of the client's own fetches.
    public convenience init(
        from fromResult: PHFetchResult<ObjectType>, to toResult: PHFetchResult<ObjectType>,
        changedObjects: [ObjectType]
    ) {
        self.init(before: fromResult, after: toResult, changed: Set(changedObjects.map(\.localIdentifier)))
    }

    /// Calls `handler` with the moves that bring the objects into their new order, after the removals and insertions.
    ///
    /// The moves are applied one after another: the object at the first index is removed, and inserted at the second.
    public func enumerateMoves(_ handler: (Int, Int) -> Void) {
        let target = fetchResultAfterChanges.objects.map(\.localIdentifier)
        let inserted = insertedIndexes ?? []
        var kept = fetchResultBeforeChanges.objects.map(\.localIdentifier).filter(Set(target).contains)[...]
        var items = target.indices.compactMap { inserted.contains($0) ? target[$0] : kept.popFirst() }
        for index in target.indices {
            guard let current = items.firstIndex(of: target[index]), current != index else { continue }
            items.insert(items.remove(at: current), at: index)
            handler(current, index)
        }
    }

    var isEmpty: Bool { removedIndexes == nil && insertedIndexes == nil && changedIndexes == nil && !hasMoves }
}

/// An observer of changes to the library.
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
    /// Called after a change, on the thread that applied it.
    ///
    /// - Note: Unlike Apple, changes by other processes are not reported.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}
