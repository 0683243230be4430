import Foundation

/// One change as a change block asked for it.
enum PendingChange: Sendable {
    case create(AssetDraft)
    case update(localIdentifier: String, AssetEdits)
    case delete(localIdentifiers: [String])
    case createAlbum(localIdentifier: String, AlbumEdits)
    case updateAlbum(localIdentifier: String, AlbumEdits)
    case deleteAlbums(localIdentifiers: [String])

    /// Whether consent to add alone is enough.
    var onlyAdds: Bool {
        switch self {
        case .create: true
        case .update, .delete, .createAlbum, .updateAlbum, .deleteAlbums: false
        }
    }
}

/// An asset to be.
struct AssetDraft: Sendable {
    var localIdentifier: String
    var resources: [ResourceDraft] = []
    var edits = AssetEdits()
}

/// A file or data to be imported.
struct ResourceDraft: Sendable {
    enum Content: Sendable {
        case data(Data)
        case file(URL)
    }

    var type: PHAssetResourceType
    var content: Content
    var originalFilename: String?
    var uniformTypeIdentifier: String?
    /// Whether the file goes away once the library holds its content.
    var shouldMoveFile = false

    /// What a message calls it.
    var displayName: String {
        switch content {
        case .file(let url): url.path
        case .data: originalFilename ?? "the \(type) data"
        }
    }
}

/// What is to be different; nil leaves it as it is.
struct AssetEdits: Sendable {
    var creationDate: Date?
    var isFavorite: Bool?
    var isHidden: Bool?
}

/// What is to be different about an album.
struct AlbumEdits: Sendable {
    /// One step in its assets, by their local identifiers.
    enum Step: Sendable {
        case add([String])
        case remove([String])
    }

    /// Nil leaves it as it is.
    var title: String?
    /// In order.
    var steps: [Step] = []
}

/// What a change did, by local identifiers.
struct ChangeOutcome: Sendable, Equatable {
    var inserted: [String] = []
    var updated: [String] = []
    var deleted: [String] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
