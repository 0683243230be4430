import Foundation

/// The conditions and the order of a fetch of assets.
struct AssetQuery: @unchecked Sendable {
    // SAFETY: the predicate is only evaluated, which Foundation allows on any thread.

    /// A property by which assets can be sorted. The raw value is the name of its column.
    enum SortKey: String, Sendable, CaseIterable {
        case creationDate, modificationDate, addedDate, mediaType, mediaSubtypes, pixelWidth, pixelHeight, duration
        case isFavorite, isHidden, localIdentifier
    }

    struct SortTerm: Sendable {
        var key: SortKey
        var isAscending: Bool
    }

    /// The assets to fetch; nil for all.
    var localIdentifiers: [String]?
    /// Whether the assets are in the order of `localIdentifiers`, unless `order` contains another one.
    var keepsIdentifierOrder = false
    var mediaType: PHAssetMediaType?
    /// Subtypes, one of which the assets must have; empty for no condition.
    var mediaSubtypes: PHAssetMediaSubtype = []
    /// Whether only photos of a front camera are fetched.
    var isSelfie = false
    /// Whether only photos with a raw photo are fetched.
    var hasRawPhoto = false
    /// The burst of the photos to fetch; nil for no condition.
    var burstIdentifier: String?
    /// Whether only the representatives of bursts are fetched: the first photo of each in the order of the import.
    var representsBurst = false
    /// Whether all photos of bursts are fetched, and not only their representatives.
    var includesAllBurstPhotos = false
    /// The earliest date of the import, in seconds since 1970; nil for no condition.
    var addedSince: Double?
    /// The album that contains the assets, and that determines their order; nil for no condition.
    var albumIdentifier: String?
    /// Whether only favorites are fetched.
    var isFavorite = false
    /// Whether only hidden assets are fetched. Requires `includesHidden`.
    var isHidden = false
    var includesHidden = false
    /// Whether the assets in Recently Deleted are fetched, instead of all others; nil for both.
    var isDeleted: Bool? = false
    /// The sort terms. Assets that compare equal are in the order of their import.
    var order: [SortTerm] = []
    var predicate: NSPredicate?
    /// 0 for no limit.
    var limit = 0
    /// The assets that an app with limited authorization may read; nil with full authorization.
    var selectedIdentifiers: Set<String>?

    /// Whether the photos of a burst match regardless of each other. The selection of a limited authorization consists of
    /// single photos.
    var showsAllOfBursts: Bool {
        includesAllBurstPhotos || localIdentifiers != nil || selectedIdentifiers != nil
    }

    /// Returns the collections that match the predicate, up to the limit.
    func select<Object>(from objects: [Object]) -> [Object] {
        let matching = predicate.map { predicate in objects.filter { predicate.evaluate(with: $0) } } ?? objects
        return limit > 0 ? Array(matching.prefix(limit)) : matching
    }
}
