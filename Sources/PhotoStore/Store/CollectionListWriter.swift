/// Writes changes of folders to the index, within a database transaction.
///
/// Each album and folder has one row in the table `collectionChild`: its folder, and its position there.
struct CollectionListWriter {
    /// The identifier of the list of the collections that are in no folder.
    static let topLevel = ""

    private let database: SQLiteConnection

    init(_ database: SQLiteConnection) {
        self.database = database
    }

    /// Creates an empty folder at the top level.
    func create(_ identifier: String, title: String) throws {
        var list = CollectionListRecord(id: nil, localIdentifier: identifier, title: title)
        try list.insert(database)
        try append(identifier)
    }

    /// Changes a folder. Returns the identifiers of the changed objects.
    func update(_ identifier: String, _ edits: CollectionEdits) throws -> [String] {
        guard identifier != Self.topLevel else {
            try apply(edits, to: identifier)
            return try children(of: identifier)
        }
        guard var list = try record(identifier) else {
            throw PHPhotosError(.identifierNotFound, "the library has no folder \(identifier)")
        }
        if let title = edits.title {
            list.title = title
            try list.update(database)
        }
        try apply(edits, to: identifier)
        return [identifier]
    }

    /// Deletes a folder with its content. Returns the identifiers of the deleted collections.
    func delete(_ identifier: String) throws -> [String] {
        guard let list = try record(identifier) else { return [] }
        var deleted = [identifier]
        for child in try children(of: identifier) {
            if try AlbumWriter(database).delete(child) { deleted.append(child) } else { deleted += try delete(child) }
        }
        try list.delete(database)
        try remove(identifier)
        return deleted
    }

    /// Appends a collection to the top level.
    func append(_ identifier: String) throws {
        try database.execute(
            """
            INSERT INTO collectionChild (childIdentifier, listIdentifier, position)
            SELECT ?1, ?2, IFNULL(MAX(position), -1) + 1 FROM collectionChild WHERE listIdentifier = ?2
            ON CONFLICT (childIdentifier)
            DO UPDATE SET listIdentifier = excluded.listIdentifier, position = excluded.position
            """, [identifier, Self.topLevel])
    }

    /// Removes the row of a deleted collection.
    func remove(_ identifier: String) throws {
        try database.execute("DELETE FROM collectionChild WHERE childIdentifier = ?", [identifier])
    }

    private func children(of identifier: String) throws -> [String] {
        try database.values(
            "SELECT childIdentifier FROM collectionChild WHERE listIdentifier = ? ORDER BY position", [identifier])
    }

    private func record(_ identifier: String) throws -> CollectionListRecord? {
        let lists: [CollectionListRecord] = try database.rows(
            "SELECT * FROM collectionList WHERE localIdentifier = ?", [identifier])
        return lists.first
    }

    private func apply(_ edits: CollectionEdits, to list: String) throws {
        guard !edits.steps.isEmpty else { return }
        let current = try children(of: list)
        let content = OrderedStep.content(current, base: edits.base, after: edits.steps)
        let ancestors = try self.ancestors(of: list)
        for child in content where !current.contains(child) {
            let known: [String] = try database.values(
                "SELECT childIdentifier FROM collectionChild WHERE childIdentifier = ?", [child])
            guard !known.isEmpty else {
                throw PHPhotosError(.identifierNotFound, "the library has no collection \(child) to add to a folder")
            }
            guard !ancestors.contains(child) else {
                throw PHPhotosError(.changeNotSupported, "the folder \(child) cannot contain itself")
            }
        }
        for (position, child) in content.enumerated() {
            try database.execute(
                "UPDATE collectionChild SET listIdentifier = ?, position = ? WHERE childIdentifier = ?",
                [list, position, child])
        }
        for child in current where !content.contains(child) { try append(child) }
    }

    /// Returns a list and the lists that contain it.
    private func ancestors(of list: String) throws -> [String] {
        var result = [list]
        while let last = result.last, last != Self.topLevel {
            let parents: [String] = try database.values(
                "SELECT listIdentifier FROM collectionChild WHERE childIdentifier = ?", [last])
            result.append(parents.first ?? Self.topLevel)
        }
        return result
    }
}
