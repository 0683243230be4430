public import Foundation

extension PHAssetCollectionChangeRequest {
    /// Inserts assets so that they are at the indexes afterwards. Assets that are already in the album are moved.
    public func insertAssets(_ assets: some Sequence<PHObject>, at indexes: IndexSet) {
        append("insertAssets:atIndexes:", Array(assets)) { .insert($0, at: indexes) }
    }

    /// Inserts an array of `PHAsset` or `PHObjectPlaceholder`.
    public func insertAssets(_ assets: NSArray, at indexes: IndexSet) {
        insertAssets(assets.compactMap { $0 as? PHObject }, at: indexes)
    }

    /// Inserts the assets of a fetch result.
    public func insertAssets(_ assets: PHFetchResult<PHAsset>, at indexes: IndexSet) {
        insertAssets(assets.objects, at: indexes)
    }

    public func removeAssets(at indexes: IndexSet) {
        append("removeAssetsAtIndexes:", []) { _ in .removeAt(indexes) }
    }

    public func replaceAssets(at indexes: IndexSet, withAssets assets: some Sequence<PHObject>) {
        append("replaceAssetsAtIndexes:withAssets:", Array(assets)) { .replace(indexes, with: $0) }
    }

    /// Replaces assets with an array of `PHAsset` or `PHObjectPlaceholder`.
    public func replaceAssets(at indexes: IndexSet, withAssets assets: NSArray) {
        replaceAssets(at: indexes, withAssets: assets.compactMap { $0 as? PHObject })
    }

    /// Moves assets so that the first one is at `toIndex` afterwards.
    public func moveAssets(at fromIndexes: IndexSet, to toIndex: Int) {
        append("moveAssetsAtIndexes:toIndex:", []) { _ in .move(fromIndexes, to: toIndex) }
    }
}
