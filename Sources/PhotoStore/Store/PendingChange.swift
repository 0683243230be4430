import CoreLocation
import Foundation
import MediaCodecs

/// A change requested by a change block.
enum PendingChange: Sendable {
    case create(AssetDraft)
    case update(localIdentifier: String, AssetEdits)
    /// Replaces the proxy of an asset by its finished photo.
    case finishPhoto(localIdentifier: String)
    /// Moves assets to Recently Deleted.
    case delete(localIdentifiers: [String])
    /// Returns assets from Recently Deleted.
    case restore(localIdentifiers: [String])
    /// Removes assets and their files at once.
    case remove(localIdentifiers: [String])
    case createAlbum(localIdentifier: String, CollectionEdits)
    case updateAlbum(localIdentifier: String, CollectionEdits)
    case deleteAlbums(localIdentifiers: [String])
    case createCollectionList(localIdentifier: String, CollectionEdits)
    case updateCollectionList(localIdentifier: String, CollectionEdits)
    case deleteCollectionLists(localIdentifiers: [String])

    /// Whether add-only authorization is sufficient.
    var onlyAdds: Bool {
        switch self {
        case .create, .finishPhoto: true
        case .update, .delete, .restore, .remove, .createAlbum, .updateAlbum, .deleteAlbums, .createCollectionList,
            .updateCollectionList, .deleteCollectionLists:
            false
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
    /// The creation date of the asset if nothing else determines it.
    var fallbackCreationDate: Date?

    /// The name used in messages.
    var displayName: String {
        switch content {
        case .file(let url): url.path
        case .data: originalFilename ?? "the \(type) data"
        }
    }
}

extension ResourceDraft {
    /// Returns a proxy that contains no other photo as a photo; other resources do not change.
    func photoIfFinished() -> ResourceDraft {
        guard type == .photoProxy else { return self }
        let file =
            switch content {
            case .data(let data): data
            // The import reports a file that cannot be read.
            case .file(let url): (try? Data(contentsOf: url)) ?? Data()
            }
        guard DeferredPhotoFile.finished(file) == nil else { return self }
        var photo = self
        photo.type = .photo
        return photo
    }
}

/// Changes to an asset; nil properties remain unchanged.
struct AssetEdits: Sendable {
    var creationDate: Date?
    var isFavorite: Bool?
    var isHidden: Bool?
    var rating: PHAsset.Rating?
    /// The new location; `.some(nil)` removes it.
    var location: CLLocation??
    var content: ContentEdit?
    /// Whether the original content is restored. The edit, if any, is applied afterwards.
    var revertsContent = false

    /// Whether restoring the original content is the only change.
    var onlyRevertsContent: Bool {
        revertsContent && content == nil && creationDate == nil && isFavorite == nil && isHidden == nil
            && rating == nil && location == nil
    }
}

/// An edit of the image or movie of an asset.
struct ContentEdit: Sendable {
    /// The edited file, which is removed after the import.
    var renderedContent: URL
    /// Keeps the file until it is imported.
    var files: RenderedFiles
    /// Describes the edit; nil if the client did not set it.
    var adjustment: PHAdjustmentData?
}

/// Changes to an album or a folder.
struct CollectionEdits: Sendable {
    /// The new title; nil if it is unchanged.
    var title: String?
    var steps: [OrderedStep] = []
    /// The assets or collections to which indexes refer; nil for the current ones.
    var base: [String]?

    /// Adds a step with objects, unless one of them cannot be used in the change block, which is misuse of `method`.
    mutating func append(_ method: String, _ objects: [PHObject], _ step: ([String]) -> OrderedStep) {
        guard ChangeBlock.current?.accepts(objects, method) ?? true else { return }
        steps.append(step(objects.map(\.localIdentifier)))
    }
}

/// The local identifiers of the objects that a change affected.
struct ChangeOutcome: Sendable, Equatable {
    var inserted: [String] = []
    var updated: [String] = []
    var deleted: [String] = []
    /// The assets with a changed image or movie; they are also in `updated`.
    var contentChanged: [String] = []
    /// The number of the change in the history; nil if nothing changed.
    var change: Int64?

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Removes updates of objects that the same change deletes.
    mutating func removeUpdatesOfDeletedObjects() {
        let deleted = Set(deleted)
        updated.removeAll(where: deleted.contains)
        contentChanged.removeAll(where: deleted.contains)
    }
}
