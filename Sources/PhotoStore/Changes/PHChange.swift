public import Foundation

/// What one change did to the library.
///
/// - Important: Thread-safe.
public final class PHChange: NSObject, @unchecked Sendable {
    // SAFETY: constants only.
    private let outcome: ChangeOutcome
    private let library: PHPhotoLibrary

    init(_ outcome: ChangeOutcome, in library: PHPhotoLibrary) {
        self.outcome = outcome
        self.library = library
    }

    /// What became of an asset or album, or nil where nothing did.
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
            default: nil
            }
        return PHObjectChangeDetails(
            before: object, after: isDeleted ? nil : after as? ObjectType, isDeleted: isDeleted)
    }

    /// How a fetch differs now from what it gave, or nil where it does not.
    public func changeDetails<ObjectType: PHObject>(
        for fetchResult: PHFetchResult<ObjectType>
    ) -> PHFetchResultChangeDetails<ObjectType>? {
        guard let after = fetchResult.refetch() else { return nil }
        let details = PHFetchResultChangeDetails(
            before: fetchResult, after: after, changed: Set(outcome.updated + outcome.inserted))
        return details.isEmpty ? nil : details
    }
}

/// What a change did to one object.
public final class PHObjectChangeDetails<ObjectType: PHObject>: NSObject {
    public let objectBeforeChanges: ObjectType
    /// Nil where it was deleted.
    public let objectAfterChanges: ObjectType?
    /// Whether the picture or movie itself is another; originals do not change here.
    public let assetContentChanged = false
    public let objectWasDeleted: Bool

    init(before: ObjectType, after: ObjectType?, isDeleted: Bool) {
        objectBeforeChanges = before
        objectAfterChanges = after
        objectWasDeleted = isDeleted
    }
}

/// How what a fetch gives has changed.
///
/// Indexes of what was removed are those before the change; all others those after it. Objects that only changed
/// places count as moved: take the new result where `hasMoves`.
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
    /// Whether objects that stayed stand in another order.
    public let hasMoves: Bool

    /// - Parameter changed: The local identifiers of objects that are not as they were.
    init(before: PHFetchResult<ObjectType>, after: PHFetchResult<ObjectType>, changed: Set<String>) {
        let old = Set(before.objects.map(\.localIdentifier))
        let new = Set(after.objects.map(\.localIdentifier))
        func indexes(_ result: PHFetchResult<ObjectType>, _ isWanted: (String) -> Bool) -> IndexSet {
            IndexSet(result.objects.indices.filter { isWanted(result.objects[$0].localIdentifier) })
        }
        let removed = indexes(before) { !new.contains($0) }
        let inserted = indexes(after) { !old.contains($0) }
        let kept = indexes(after) { old.contains($0) && changed.contains($0) }
        fetchResultBeforeChanges = before
        fetchResultAfterChanges = after
        removedIndexes = removed.isEmpty ? nil : removed
        removedObjects = before.objects(at: removed)
        insertedIndexes = inserted.isEmpty ? nil : inserted
        insertedObjects = after.objects(at: inserted)
        changedIndexes = kept.isEmpty ? nil : kept
        changedObjects = after.objects(at: kept)
        hasMoves =
            before.objects.map(\.localIdentifier).filter(new.contains)
            != after.objects.map(\.localIdentifier).filter(old.contains)
    }

    var isEmpty: Bool { removedIndexes == nil && insertedIndexes == nil && changedIndexes == nil && !hasMoves }
}

/// Is told of changes to the library.
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
    /// A change has been made; called on the thread on which it was made.
    ///
    /// - Note: Unlike Apple, changes that another process makes are not told.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}
