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
        guard let (after, differences) = fetchResult.source.updated(after: outcome), !differences.isEmpty else {
            return nil
        }
        return PHFetchResultChangeDetails(before: fetchResult, after: after, differences)
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
    public var removedIndexes: IndexSet? { differences.removed.isEmpty ? nil : differences.removed }
    public var removedObjects: [ObjectType] { fetchResultBeforeChanges.objects(at: differences.removed) }
    public var insertedIndexes: IndexSet? { differences.inserted.isEmpty ? nil : differences.inserted }
    public var insertedObjects: [ObjectType] { fetchResultAfterChanges.objects(at: differences.inserted) }
    public var changedIndexes: IndexSet? { differences.changed.isEmpty ? nil : differences.changed }
    public var changedObjects: [ObjectType] { fetchResultAfterChanges.objects(at: differences.changed) }
    /// Whether the order of the remaining objects changed.
    public var hasMoves: Bool { differences.hasMoves }
    private let differences: FetchDifferences

    init(before: PHFetchResult<ObjectType>, after: PHFetchResult<ObjectType>, _ differences: FetchDifferences) {
        fetchResultBeforeChanges = before
        fetchResultAfterChanges = after
        self.differences = differences
    }

    /// Compares two fetch results, for example of the client's own fetches.
    public convenience init(
        from fromResult: PHFetchResult<ObjectType>, to toResult: PHFetchResult<ObjectType>,
        changedObjects: [ObjectType]
    ) {
        let differences = FetchDifferences(
            from: fromResult.source.localIdentifiers(), to: toResult.source.localIdentifiers(),
            changed: Set(changedObjects.map(\.localIdentifier)))
        self.init(before: fromResult, after: toResult, differences)
    }

    /// Calls `handler` with the moves that bring the objects into their new order, after the removals and insertions.
    ///
    /// The moves are applied one after another: the object at the first index is removed, and inserted at the second.
    public func enumerateMoves(_ handler: (Int, Int) -> Void) {
        guard hasMoves else { return }
        let target = fetchResultAfterChanges.source.localIdentifiers()
        var kept = fetchResultBeforeChanges.source.localIdentifiers().filter(Set(target).contains)[...]
        var items = target.indices.compactMap { differences.inserted.contains($0) ? target[$0] : kept.popFirst() }
        for index in target.indices where items[index] != target[index] {
            guard let current = items[index...].firstIndex(of: target[index]) else { continue }
            items.insert(items.remove(at: current), at: index)
            handler(current, index)
        }
    }
}

/// An observer of changes to the library.
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
    /// Called after a change, on the thread that applied it. A change by another process is reported within a second of
    /// real time, on a queue of the library.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}
