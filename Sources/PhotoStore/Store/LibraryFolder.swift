import Foundation

/// The locations of the library's files.
struct LibraryFolder: Sendable {
    let root: URL

    init(_ root: URL) {
        self.root = root.standardizedFileURL
    }

    var index: URL { root.appendingPathComponent("index.sqlite") }
    /// The unmodified original files, the edited files and their adjustment data; see `OriginalName`.
    var originals: URL { root.appendingPathComponent("originals", isDirectory: true) }
    /// A small upright JPEG per asset.
    var thumbnails: URL { root.appendingPathComponent("thumbnails", isDirectory: true) }
    /// Files of a change that is in progress or was interrupted: incomplete ones (see `partial`) and complete ones (see
    /// `PendingFile`).
    var incoming: URL { root.appendingPathComponent("incoming", isDirectory: true) }
    /// Folders in which clients write edited files before they request the change; see `EditFolder`.
    var edits: URL { root.appendingPathComponent("edits", isDirectory: true) }

    /// Whether permissions let users other than the owner read the library: they can enter its folder, and can read the
    /// index or list a folder in it. False if there is no library.
    var isOpenToOthers: Bool {
        func permissions(of url: URL) -> mode_t {
            var status = stat()
            return stat(url.path, &status) == 0 ? status.st_mode : 0
        }
        let folder = permissions(of: root)
        let contents = [index, originals, thumbnails, incoming, edits].reduce(0) { $0 | permissions(of: $1) }
        let isOpenToGroup = folder & 0o010 != 0 && contents & 0o040 != 0
        return isOpenToGroup || (folder & 0o001 != 0 && contents & 0o004 != 0)
    }

    func original(_ name: String) -> URL { originals.appendingPathComponent(name) }
    func thumbnail(_ name: String) -> URL { thumbnails.appendingPathComponent(name) }
    /// Returns the kind and the name of a file at its destination; nil for a file elsewhere.
    func name(of url: URL) -> (kind: PendingFile.Kind, name: String)? {
        for (kind, parent) in [(PendingFile.Kind.original, originals), (.thumbnail, thumbnails)]
        where url.path.hasPrefix(parent.path + "/") {
            return (kind, String(url.path.dropFirst(parent.path.count + 1)))
        }
        return nil
    }

    /// The location of a file that is being written.
    func partial(_ name: String) -> URL { incoming.appendingPathComponent(name + Self.partialSuffix) }
    /// The location of a complete file of a change that is not finished.
    func pending(_ file: PendingFile) -> URL { incoming.appendingPathComponent(file.fileName) }
    /// The destination of a file.
    func destination(_ kind: PendingFile.Kind, _ name: String) -> URL {
        switch kind {
        case .original: original(name)
        case .thumbnail: thumbnail(name)
        }
    }

    static let partialSuffix = ".partial"
}
