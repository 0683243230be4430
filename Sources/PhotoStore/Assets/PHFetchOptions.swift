public import Foundation

/// Which objects a fetch gives, and in what order.
///
/// - Important: Confined.
public final class PHFetchOptions: NSObject {
    /// Keeps the objects for which it holds; on Linux `NSPredicate(block:)` makes one.
    public var predicate: NSPredicate?
    /// By `NSSortDescriptor(key:ascending:)` with the name of a property of `PHAsset`.
    public var sortDescriptors: [NSSortDescriptor]?
    public var includeHiddenAssets = false
    /// The most objects to give; 0 for no limit.
    public var fetchLimit = 0
    /// Taken for what it says: changes always come with their details.
    public var wantsIncrementalChangeDetails = true

    public override init() {
        super.init()
    }
}

extension NSSortDescriptor {
    /// Sorts assets by a property of `PHAsset` that is named by a string.
    ///
    /// - Note: Unlike Apple, Foundation on Linux knows no properties by name; the photo library brings those of
    ///   `PHAsset`. To fetch by any other is misuse.
    public convenience init(key: String, ascending: Bool) {
        // The index sorts: nobody asks the comparator, which stands here because not all properties compare.
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
            self.init(keyPath: \PHAsset.self, ascending: ascending, comparator: comparator)
        }
    }
}

extension AssetQuery.SortKey {
    /// The key of a property, or nil for one by which the index cannot sort.
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
    /// This query with what the options add.
    ///
    /// - Returns: Nil and a message where the options ask for what cannot be.
    func adding(_ options: PHFetchOptions?) -> (query: AssetQuery?, misuse: String?) {
        guard let options else { return (self, nil) }
        var query = self
        query.includesHidden = includesHidden || options.includeHiddenAssets
        query.predicate = options.predicate
        query.limit = max(0, options.fetchLimit)
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
