import Foundation

/// A change requested by a change block.
enum PendingChange: Sendable {
    case create(AssetDraft)
    case update(localIdentifier: String, AssetEdits)
    case delete(localIdentifiers: [String])
    case createAlbum(localIdentifier: String, AlbumEdits)
    case updateAlbum(localIdentifier: String, AlbumEdits)
    case deleteAlbums(localIdentifiers: [String])

    /// Whether add-only authorization is sufficient.
    var onlyAdds: Bool {
        switch self {
        case .create: true
        case .update, .delete, .createAlbum, .updateAlbum, .deleteAlbums: false
        }
    }
}

/// An asset to be created.
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
    /// Whether the file is removed after the import.
    var shouldMoveFile = false

    /// The name used in messages.
    var displayName: String {
        switch content {
        case .file(let url): url.path
        case .data: originalFilename ?? "the \(type) data"
        }
    }
}

/// Changes to an asset; nil properties remain unchanged.
struct AssetEdits: Sendable {
    var creationDate: Date?
    var isFavorite: Bool?
    var isHidden: Bool?
}

/// Changes to an album.
struct AlbumEdits: Sendable {
    /// A change to the album's assets, by their local identifiers.
    enum Step: Sendable {
        case add([String])
        case remove([String])
    }

    /// The new title; nil if it is unchanged.
    var title: String?
    var steps: [Step] = []
}

/// The local identifiers of the objects that a change affected.
struct ChangeOutcome: Sendable, Equatable {
    var inserted: [String] = []
    var updated: [String] = []
    var deleted: [String] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
