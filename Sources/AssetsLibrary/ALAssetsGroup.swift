import CaptureHAL
public import Foundation
public import MediaTypes
import PhotoStore

/// A condition for the assets of a group.
public final class ALAssetsFilter: NSObject, Sendable {
    /// The type of the assets that pass the filter; nil for all.
    let mediaType: PHAssetMediaType?

    private init(_ mediaType: PHAssetMediaType?) {
        self.mediaType = mediaType
    }

    /// A filter that all assets pass.
    public override convenience init() {
        self.init(nil)
    }

    public class func allPhotos() -> ALAssetsFilter! { ALAssetsFilter(.image) }
    public class func allVideos() -> ALAssetsFilter! { ALAssetsFilter(.video) }
    public class func allAssets() -> ALAssetsFilter! { ALAssetsFilter(nil) }
}

/// The saved photos and movies, or an album.
///
/// Assets are in the order of the album, or in the order in which they were saved.
/// - Important: Thread-safe.
public final class ALAssetsGroup: NSObject, @unchecked Sendable {
    // SAFETY: `filter` has a lock; the other properties are constants.
    private let collection: PHAssetCollection
    private let system: SystemReference
    private let misuse: MisuseHandler
    private let filter = Lock<ALAssetsFilter>(ALAssetsFilter())
    private let images = ReturnedImages()

    init(_ collection: PHAssetCollection, in system: SystemReference) {
        self.collection = collection
        self.system = system
        misuse = CaptureSystem.current.misuse
    }

    private var isAlbum: Bool { collection.assetCollectionType == .album }
    var name: String { isAlbum ? collection.localizedTitle ?? "" : "Camera Roll" }
    var url: URL? { AssetURL.group(collection.localIdentifier) }

    /// Returns the value of a property; `ALErrorInvalidProperty` for a property that groups do not have.
    public func value(forProperty property: String!) -> Any! {
        switch property {
        case ALAssetsGroupPropertyName: name
        case ALAssetsGroupPropertyType:
            NSNumber(value: isAlbum ? ALAssetsGroupAlbum : ALAssetsGroupSavedPhotos)
        case ALAssetsGroupPropertyPersistentID: AssetURL.shortened(collection.localIdentifier, .album)
        case ALAssetsGroupPropertyURL: url ?? ALErrorInvalidProperty
        default: ALErrorInvalidProperty
        }
    }

    /// Returns the thumbnail of the last asset that passes the filter; nil if there is none.
    public func posterImage() -> Unmanaged<CGImage>! {
        images.unmanaged("poster") { self.assets().last?.squareThumbnail() }
    }

    /// Selects the assets that are counted and enumerated; nil for all.
    public func setAssetsFilter(_ filter: ALAssetsFilter!) {
        let new = filter ?? ALAssetsFilter()
        self.filter.withLock { $0 = new }
    }

    public func numberOfAssets() -> Int { assets().count }

    /// Enumerates the assets on the current thread.
    public func enumerateAssets(_ enumerationBlock: ALAssetsGroupEnumerationResultsBlock!) {
        enumerateAssets(options: [], using: enumerationBlock)
    }

    /// Enumerates the assets on the current thread.
    ///
    /// - Parameter options: `.reverse` begins with the last one.
    public func enumerateAssets(
        options: NSEnumerationOptions = [], using enumerationBlock: ALAssetsGroupEnumerationResultsBlock!
    ) {
        let assets = assets()
        enumerate(assets, Array(assets.indices), options, enumerationBlock)
    }

    /// Enumerates the assets with these indexes on the current thread.
    ///
    /// An index that does not exist is misuse (`NSRangeException`).
    public func enumerateAssets(
        at indexSet: IndexSet!, options: NSEnumerationOptions = [],
        using enumerationBlock: ALAssetsGroupEnumerationResultsBlock!
    ) {
        let (assets, indexes) = (assets(), indexSet ?? IndexSet())
        guard indexes.last ?? -1 < assets.count else {
            misuse.report(
                .range,
                "-[ALAssetsGroup enumerateAssetsAtIndexes:options:usingBlock:] index \(indexes.last ?? 0) beyond the "
                    + "\(assets.count) assets")
            return
        }
        enumerate(assets, Array(indexes), options, enumerationBlock)
    }

    /// Whether assets can be added: true for albums.
    public var isEditable: Bool { isAlbum }

    /// Adds an asset to an album.
    ///
    /// - Returns: False if the group is not an album, or if the change fails.
    public func add(_ asset: ALAsset!) -> Bool {
        guard isEditable, let asset else { return false }
        var isAdded = false
        system.run {
            do {
                try PHPhotoLibrary.shared().performChangesAndWait {
                    PHAssetCollectionChangeRequest(for: collection)?.addAssets([asset.asset])
                }
                isAdded = true
            } catch {
                // The result is false; this method cannot return the reason.
            }
        }
        return isAdded
    }

    /// Returns the assets that pass the filter.
    private func assets() -> [ALAsset] {
        let type = filter.withLock { $0 }.mediaType
        var result: [ALAsset] = []
        system.run {
            let all = PHAsset.fetchAssets(in: collection, options: nil)
            result = (0..<all.count).map { all.object(at: $0) }.filter { type == nil || $0.mediaType == type }
                .map { ALAsset($0, in: system) }
        }
        return result
    }

    private func enumerate(
        _ assets: [ALAsset], _ indexes: [Int], _ options: NSEnumerationOptions,
        _ block: ALAssetsGroupEnumerationResultsBlock?
    ) {
        var shouldStop: ObjCBool = false
        for index in options.contains(.reverse) ? indexes.reversed() : indexes {
            block?(assets[index], index, &shouldStop)
            if shouldStop.boolValue { return }
        }
        block?(nil, NSNotFound, &shouldStop)
    }
}
