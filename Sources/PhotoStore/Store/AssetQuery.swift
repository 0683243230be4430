import Foundation

/// What a fetch asks for.
struct AssetQuery: @unchecked Sendable {
    // SAFETY: the predicate is only evaluated, which Foundation allows on any thread.

    /// A property by which assets can be ordered; the raw value is its column.
    enum SortKey: String, Sendable, CaseIterable {
        case creationDate, modificationDate, addedDate, mediaType, mediaSubtypes, pixelWidth, pixelHeight, duration
        case isFavorite, isHidden, localIdentifier
    }

    struct SortTerm: Sendable {
        var key: SortKey
        var isAscending: Bool
    }

    /// Nil for all; the result follows the index's order, not this one.
    var localIdentifiers: [String]?
    var mediaType: PHAssetMediaType?
    /// Nil for all; else only the assets of this album, in its order.
    var albumIdentifier: String?
    /// Whether only favourites are wanted.
    var isFavorite = false
    /// Whether only hidden assets are wanted; `includesHidden` too then.
    var isHidden = false
    var includesHidden = false
    /// Equals stand in the order in which they were imported.
    var order: [SortTerm] = []
    var predicate: NSPredicate?
    /// 0 for no limit.
    var limit = 0

    /// Those for which the predicate holds, no more than the limit.
    func select<Object>(from objects: [Object]) -> [Object] {
        let kept = predicate.map { predicate in objects.filter { predicate.evaluate(with: $0) } } ?? objects
        return limit > 0 ? Array(kept.prefix(limit)) : kept
    }
}
