import CaptureHAL
import Foundation

/// The assets that the program may read with limited authorization: those that the user has selected, and those that the
/// program has created. The index stores them with the name of the program.
extension PHPhotoLibrary {
    private static var client: String { ProcessInfo.processInfo.processName }

    /// The identifiers of the selected assets.
    package func selection() throws(PHPhotosError) -> Set<String> {
        let selected: [String] = try store().index.read { database in
            try database.values("SELECT localIdentifier FROM selectedAsset WHERE client = ?", [Self.client])
        }
        return state.withLock { $0.createdAssets }.union(selected)
    }

    /// Adds assets that the program has created to the selection.
    func selectCreated(_ localIdentifiers: [String]) {
        state.withLock { $0.createdAssets.formUnion(localIdentifiers) }
        // The assets are saved. If the selection cannot be stored, the program may read them in this run only.
        if status(for: .readWrite) == .limited { try? select(localIdentifiers) }
    }

    /// Adds assets to the selection.
    package func select(_ localIdentifiers: [String]) throws(PHPhotosError) {
        guard !localIdentifiers.isEmpty else { return }
        try store().index.write { try Self.insert(localIdentifiers, $0) }
    }

    /// Replaces the selection, as the user does with the picker for limited access. With limited authorization, notifies
    /// the observers: assets that are no longer selected are deleted for the program, and new ones are inserted.
    ///
    /// - Returns: The identifiers that were not selected before.
    @discardableResult
    package func replaceSelection(with localIdentifiers: Set<String>) throws(PHPhotosError) -> [String] {
        let before = try selection()
        try store().index.write { database in
            try database.execute("DELETE FROM selectedAsset WHERE client = ?", [Self.client])
            try Self.insert(localIdentifiers.sorted(), database)
        }
        state.withLock { $0.createdAssets = [] }
        let added = localIdentifiers.subtracting(before).sorted()
        guard status(for: .readWrite) == .limited else { return added }
        var outcome = ChangeOutcome()
        outcome.inserted = added
        outcome.deleted = before.subtracting(localIdentifiers).sorted()
        notify(outcome)
        return added
    }

    private static func insert(_ localIdentifiers: [String], _ database: SQLiteConnection) throws {
        for identifier in localIdentifiers {
            try database.execute(
                "INSERT OR IGNORE INTO selectedAsset (client, localIdentifier) VALUES (?, ?)", [client, identifier])
        }
    }
}
