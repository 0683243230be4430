import Foundation
import MediaStorage

/// The locations to which a client writes the result of an edit, one for each format.
///
/// The files are removed when the object is deallocated.
final class RenderedFiles: Sendable {
    /// Keeps the folder locked; nil if it could not be locked.
    private let folder: EditFolder?
    private let storage: any CaptureStorage
    private let kinds: [MediaKind]
    /// The location without the extension.
    private let base: URL

    init(_ kinds: [MediaKind], at base: URL, in folder: EditFolder?, storage: any CaptureStorage) {
        self.folder = folder
        self.storage = storage
        self.kinds = kinds
        self.base = base
    }

    deinit {
        for kind in kinds where storage.fileExists(at: url(kind)) {
            // A later change of the library removes remaining files.
            try? storage.remove(url(kind))
        }
    }

    /// The location of the file in a format.
    func url(_ kind: MediaKind) -> URL { base.appendingPathExtension(kind.fileExtension) }
}
