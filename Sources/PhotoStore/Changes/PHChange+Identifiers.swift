extension PHChange {
    /// The local identifiers of new assets and albums.
    package var insertedIdentifiers: [String] { outcome.inserted }
    /// The local identifiers of changed assets and albums.
    package var updatedIdentifiers: [String] { outcome.updated }
    /// The local identifiers of deleted assets and albums.
    package var deletedIdentifiers: [String] { outcome.deleted }
}
