public import Foundation

/// Options that filter and sort the results of a fetch.
///
/// - Important: Confined to one thread at a time.
public final class PHFetchOptions: NSObject {
    /// The condition that objects must satisfy: a block, or a format with the keys that `NSPredicate(format:)`
    /// supports.
    public var predicate: NSPredicate?
    /// The order of assets. Create the descriptors with `NSSortDescriptor(key:ascending:)` and the name of a property
    /// of `PHAsset`.
    public var sortDescriptors: [NSSortDescriptor]?
    public var includeHiddenAssets = false
    /// Whether all photos of bursts are fetched. If false, only the photo is fetched that represents its burst.
    ///
    /// Fetches by local identifiers, and those with limited authorization, return each photo of a burst.
    public var includeAllBurstAssets = false
    /// Has no effect: `PHAsset.extendedMetadata` reads the file at each access.
    public var prefetchAssetExtendedMetadata = false
    /// Where assets come from; an empty set for all. The library has only assets of the user's library.
    public var includeAssetSourceTypes: PHAssetSourceType = []
    /// The maximum number of objects; 0 for no limit.
    public var fetchLimit = 0
    /// Has no effect, because details of changes are always available.
    public var wantsIncrementalChangeDetails = true

    public override init() {
        super.init()
    }
}

extension NSSortDescriptor {
    /// Creates a sort descriptor for a property of `PHAsset`.
    ///
    /// - Note: Unlike on Apple's systems, Foundation on Linux cannot look up properties by name, so only the properties
    ///   of `PHAsset` are supported. A fetch with any other key is misuse.
    public convenience init(key: String, ascending: Bool) {
        // The index sorts, so the comparator is never called. It is needed because not all properties are comparable.
        let comparator: Comparator = { _, _ in .orderedSame }
        switch AssetQuery.SortKey(rawValue: key) {
        case .creationDate:
            self.init(keyPath: \PHAsset.creationDate, ascending: ascending, comparator: comparator)
        case .modificationDate:
            self.init(keyPath: \PHAsset.modificationDate, ascending: ascending, comparator: comparator)
        case .addedDate:
            self.init(keyPath: \PHAsset.addedDate, ascending: ascending, comparator: comparator)
        case .mediaType:
            self.init(keyPath: \PHAsset.mediaType, ascending: ascending, comparator: comparator)
        case .mediaSubtypes:
            self.init(keyPath: \PHAsset.mediaSubtypes, ascending: ascending, comparator: comparator)
        case .pixelWidth:
            self.init(keyPath: \PHAsset.pixelWidth, ascending: ascending, comparator: comparator)
        case .pixelHeight:
            self.init(keyPath: \PHAsset.pixelHeight, ascending: ascending, comparator: comparator)
        case .duration:
            self.init(keyPath: \PHAsset.duration, ascending: ascending, comparator: comparator)
        case .isFavorite:
            self.init(keyPath: \PHAsset.isFavorite, ascending: ascending, comparator: comparator)
        case .isHidden:
            self.init(keyPath: \PHAsset.isHidden, ascending: ascending, comparator: comparator)
        case .localIdentifier:
            self.init(keyPath: \PHAsset.localIdentifier, ascending: ascending, comparator: comparator)
        case nil:
            // The fetch finds no sort key for this key path, and reports misuse.
            self.init(keyPath: \PHAsset.self, ascending: ascending, comparator: comparator)
        }
    }
}

extension AssetQuery.SortKey {
    /// Creates the sort key of a property; nil if the index cannot sort by it.
    init?(_ keyPath: AnyKeyPath?) {
        guard let key = Self.allCases.first(where: { $0.keyPath == keyPath }) else { return nil }
        self = key
    }

    private var keyPath: PartialKeyPath<PHAsset> {
        switch self {
        case .creationDate: \PHAsset.creationDate
        case .modificationDate: \PHAsset.modificationDate
        case .addedDate: \PHAsset.addedDate
        case .mediaType: \PHAsset.mediaType
        case .mediaSubtypes: \PHAsset.mediaSubtypes
        case .pixelWidth: \PHAsset.pixelWidth
        case .pixelHeight: \PHAsset.pixelHeight
        case .duration: \PHAsset.duration
        case .isFavorite: \PHAsset.isFavorite
        case .isHidden: \PHAsset.isHidden
        case .localIdentifier: \PHAsset.localIdentifier
        }
    }
}

extension AssetQuery {
    /// Returns the query with the options added.
    ///
    /// - Returns: Nil and a message if the options contain an unsupported sort descriptor.
    func adding(_ options: PHFetchOptions?) -> (query: AssetQuery?, misuse: String?) {
        guard let options else { return (self, nil) }
        var query = self
        query.includesHidden = includesHidden || options.includeHiddenAssets
        query.includesAllBurstPhotos = includesAllBurstPhotos || options.includeAllBurstAssets
        query.predicate = options.predicate
        query.limit = max(0, options.fetchLimit)
        if !options.includeAssetSourceTypes.isEmpty, !options.includeAssetSourceTypes.contains(.typeUserLibrary) {
            query.localIdentifiers = []
        }
        for descriptor in options.sortDescriptors ?? [] {
            guard let key = SortKey(descriptor.keyPath) else {
                let keys = SortKey.allCases.map(\.rawValue).joined(separator: ", ")
                return (nil, "Unsupported sort descriptor in fetch options; assets can be sorted by \(keys)")
            }
            query.order.append(SortTerm(key: key, isAscending: descriptor.ascending))
        }
        return (query, nil)
    }
}
