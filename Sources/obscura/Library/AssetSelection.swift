import ArgumentParser
import CaptureHAL
import Foundation
import PhotoStore

/// The options that select and sort assets of the photo library.
struct AssetSelection: ParsableArguments {
    enum AssetType: String, NamedArgument {
        case picture, movie

        static let noun = "type"
    }

    @Option(
        help: "Only assets of a type: \(AssetType.names.joined(separator: " or ")). (default: both)",
        completion: .list(AssetType.names), transform: AssetType.init(argument:))
    var type: AssetType?
    @Option(help: ArgumentHelp("Only assets of the album with this title. (default: all)", valueName: "title"))
    var album: String?
    @Option(
        help: ArgumentHelp(
            "Only assets of cameras whose make and model contain this. (default: all)", valueName: "text"))
    var camera: String?
    @Option(help: ArgumentHelp("Only assets whose file name contains this. (default: all)", valueName: "text"))
    var name: String?
    @Option(
        help: ArgumentHelp(
            "Only assets created at this time or later, in UTC: 2024, 2024-05, 2024-05-17 or 2024-05-17T18:30:00Z. "
                + "(default: all)",
            valueName: "date"), transform: DateArgument.init(argument:))
    var since: DateArgument?
    @Option(
        help: ArgumentHelp(
            "Only assets created at this time or earlier; a year, month or day includes all of it. "
                + "(default: all)",
            valueName: "date"), transform: DateArgument.init(argument:))
    var until: DateArgument?
    @Option(
        help: ArgumentHelp(
            "Only assets with this condition, as in 'mediaType == 2 AND duration > 10'. (default: all)",
            valueName: "predicate"))
    var `where`: String?
    @Flag(help: "Only favorites. (default: off)") var favorite = false
    @Flag(help: "Only edited assets. (default: off)") var edited = false
    @Flag(help: "Only Live Photos. (default: off)") var live = false
    @Flag(help: "Only photos with a raw photo. (default: off)") var raw = false
    @Flag(help: "Also hidden assets. (default: off)") var hidden = false
    @Option(
        help: ArgumentHelp(
            "The property to sort by: \(ListedAssetQuery.SortKey.names.joined(separator: ", ")). (default: created)",
            valueName: "key"),
        completion: .list(ListedAssetQuery.SortKey.names), transform: ListedAssetQuery.SortKey.init(argument:))
    var sort = ListedAssetQuery.SortKey.created
    @Flag(help: "The opposite order: the newest, largest or last first. (default: off)") var reverse = false
    @Option(parsing: .unconditional, help: "The maximum number of assets. (default: no limit)") var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
        if let since, let until, since.start >= until.end {
            throw ValidationError("--since must not be later than --until")
        }
        if let `where` { _ = try query(predicate: `where`) }
    }

    /// Whether all options have their default values.
    var isDefault: Bool {
        type == nil && album == nil && camera == nil && name == nil && since == nil && until == nil && `where` == nil
            && !favorite && !edited && !live && !raw && !hidden && sort == .created && !reverse && limit == nil
    }

    /// Returns the query for the selected assets.
    ///
    /// - Parameter identifiers: The only assets that are selected, also hidden ones; empty for all.
    func query(_ identifiers: [String] = []) throws -> ListedAssetQuery {
        var query = try `where`.map(query(predicate:)) ?? ListedAssetQuery()
        query.localIdentifiers = identifiers.isEmpty ? nil : identifiers
        query.mediaType = type.map { $0 == .movie ? .video : .image }
        query.album = album
        query.camera = camera
        query.name = name
        query.createdSince = since?.start.timeIntervalSince1970
        query.createdBefore = until?.end.timeIntervalSince1970
        query.isFavorite = favorite
        query.isEdited = edited
        query.isLivePhoto = live
        query.hasRawPhoto = raw
        query.includesHidden = hidden || !identifiers.isEmpty
        query.sortKey = sort
        query.isAscending = !reverse
        query.limit = limit ?? 0
        return query
    }

    private func query(predicate: String) throws -> ListedAssetQuery {
        var query = ListedAssetQuery()
        if let reason = query.require(predicate: predicate) {
            throw ValidationError("--where '\(predicate)': \(reason)")
        }
        return query
    }

    /// Returns the selected assets of the current library.
    ///
    /// - Throws: `CommandFailure` if there is no album with the title, or no asset with one of the identifiers.
    func assets(_ identifiers: [String] = [], _ configure: (inout ListedAssetQuery) -> Void = { _ in }) throws
        -> [ListedAsset]
    {
        let library = PHPhotoLibrary.shared()
        if let album {
            let known = try library.storedAlbums()
            guard known.contains(album) else { throw LibraryAccess.noAlbum(album, among: known) }
        }
        var query = try query(identifiers)
        configure(&query)
        let assets = try library.listedAssets(query)
        try LibraryAccess.require(identifiers, isDeleted: query.isDeleted)
        return assets
    }
}

extension ListedAssetQuery.SortKey: NamedArgument {
    static let noun = "property"
}
