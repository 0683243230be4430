/// The conditions and the order of a list of assets, for tools.
package struct ListedAssetQuery: Sendable {
    /// A property by which assets can be sorted. Equal ones are in the order of their import.
    package enum SortKey: String, Sendable, CaseIterable {
        case created, added, modified, deleted, name, size, width, height, duration, camera

        /// The expressions of SQL, in the order of their significance.
        fileprivate var columns: [String] {
            switch self {
            case .created: ["asset.creationDate"]
            case .added: ["asset.addedDate"]
            case .modified: ["asset.modificationDate"]
            case .deleted: ["asset.deletedDate"]
            case .name: ["originalFilename"]
            case .size: ["IFNULL(original.byteCount, 0)"]
            case .width: ["asset.pixelWidth"]
            case .height: ["asset.pixelHeight"]
            case .duration: ["asset.duration"]
            case .camera: ["asset.cameraMake", "asset.cameraModel"]
            }
        }
    }

    /// The assets to list; nil for all.
    package var localIdentifiers: [String]?
    package var mediaType: PHAssetMediaType?
    package var isFavorite = false
    package var isEdited = false
    package var isLivePhoto = false
    package var hasRawPhoto = false
    /// Whether hidden assets are listed, too.
    package var includesHidden = false
    /// Whether the assets in Recently Deleted are listed, instead of all others; nil for both.
    package var isDeleted: Bool? = false
    /// The title of an album that contains the assets.
    package var album: String?
    /// A part of the manufacturer and name of the camera, in any case.
    package var camera: String?
    /// A part of the name of the imported file, in any case.
    package var name: String?
    /// The first creation date, and the first that is too late, in seconds since 1970.
    package var createdSince: Double?
    package var createdBefore: Double?
    package var sortKey = SortKey.created
    package var isAscending = true
    /// 0 for no limit.
    package var limit = 0
    /// Whether albums and files are listed.
    package var includesDetails = false
    private var condition: SQLCondition?

    package init() {}

    /// The keys that predicates can contain.
    package static let predicateKeys = [
        "creationDate", "modificationDate", "addedDate", "mediaType", "mediaSubtypes", "pixelWidth", "pixelHeight",
        "duration", "favorite", "hidden", "localIdentifier",
    ]

    /// Adds the condition of a format string, as those of `NSPredicate(format:)`.
    ///
    /// - Returns: Why the condition cannot be used; nil if it can.
    package mutating func require(predicate format: String) -> String? {
        do throws(PredicateFormatError) {
            let parsed = try PredicateParser.parse(format, [])
            guard parsed.isExpressibleInSQL, let condition = parsed.sqlCondition() else {
                return "only comparisons and logical operators with the keys "
                    + Self.predicateKeys.joined(separator: ", ") + " are possible"
            }
            self.condition = condition
            return nil
        } catch {
            return error.message
        }
    }

    func statement() throws -> (sql: String, values: [any SQLiteValue]) {
        let condition = try conditions()
        let direction = isAscending ? "ASC" : "DESC"
        let order = (sortKey.columns + ["asset.id"]).map { "\($0) \(direction)" }.joined(separator: ", ")
        let sql = """
            SELECT asset.*, IFNULL(original.originalFilename, '') AS originalFilename
            FROM asset LEFT JOIN resource AS original ON original.assetID = asset.id AND original.position = 0
            WHERE \(condition.sql) ORDER BY \(order)
            """
        return (sql + (limit > 0 ? " LIMIT \(limit)" : ""), condition.values)
    }

    private func conditions() throws -> SQLCondition {
        var conditions: [SQLCondition] = [.always]
        func add(_ sql: String, _ values: any SQLiteValue...) {
            conditions.append(SQLCondition(sql: sql, values: values))
        }
        if let isDeleted { add("asset.deletedDate IS \(isDeleted ? "NOT " : "")NULL") }
        if !includesHidden { add("asset.isHidden = 0") }
        if let localIdentifiers { conditions.append(try .isIn("asset.localIdentifier", localIdentifiers)) }
        if let mediaType { add("asset.mediaType = ?", mediaType.rawValue) }
        if isFavorite { add("asset.isFavorite = 1") }
        if isEdited { add("asset.adjustmentFormat IS NOT NULL") }
        if isLivePhoto { add("asset.mediaSubtypes & ?", Int(PHAssetMediaSubtype.photoLive.rawValue)) }
        if hasRawPhoto {
            add(
                "asset.id IN (SELECT assetID FROM resource WHERE type = ? AND uniformTypeIdentifier = ?)",
                PHAssetResourceType.alternatePhoto.rawValue, MediaKind.rawPhoto.uniformTypeIdentifier)
        }
        if let album {
            add(
                """
                asset.id IN (SELECT albumAsset.assetID FROM albumAsset JOIN album ON album.id = albumAsset.albumID
                    WHERE album.title = ?)
                """, album)
        }
        if let camera {
            add(
                "instr(lower(IFNULL(asset.cameraMake, '') || ' ' || IFNULL(asset.cameraModel, '')), lower(?)) > 0",
                camera)
        }
        if let name { add("instr(lower(original.originalFilename), lower(?)) > 0", name) }
        if let createdSince { add("asset.creationDate >= ?", createdSince) }
        if let createdBefore { add("asset.creationDate < ?", createdBefore) }
        if let condition { conditions.append(condition) }
        return .joined(conditions, by: "AND")
    }
}
