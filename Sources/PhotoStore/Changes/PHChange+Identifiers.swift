extension PHChange {
    /// The local identifiers of new assets, albums and folders.
    package var insertedIdentifiers: [String] { outcome.inserted }
    /// The local identifiers of changed assets, albums and folders.
    package var updatedIdentifiers: [String] { outcome.updated }
    /// The local identifiers of deleted assets, albums and folders.
    package var deletedIdentifiers: [String] { outcome.deleted }
}
