import Foundation

/// The locations of the library's files.
struct LibraryFolder: Sendable {
    let root: URL

    init(_ root: URL) {
        self.root = root.standardizedFileURL
    }

    var index: URL { root.appendingPathComponent("index.sqlite") }
    /// The unmodified original files, the edited files and their adjustment data, named after their assets.
    var originals: URL { root.appendingPathComponent("originals", isDirectory: true) }
    /// A small upright JPEG per asset.
    var thumbnails: URL { root.appendingPathComponent("thumbnails", isDirectory: true) }
    /// Files that are being written. Remaining files of an interrupted import can be deleted.
    var incoming: URL { root.appendingPathComponent("incoming", isDirectory: true) }
    /// Folders in which clients write edited files before they request the change; see `EditFolder`.
    var edits: URL { root.appendingPathComponent("edits", isDirectory: true) }

    /// Whether permissions let users other than the owner access the library. False if there is no library.
    var isOpenToOthers: Bool {
        func isOpen(_ url: URL) -> Bool {
            var status = stat()
            return stat(url.path, &status) == 0 && status.st_mode & 0o077 != 0
        }
        return isOpen(root) && [index, originals, thumbnails, incoming, edits].contains(where: isOpen)
    }

    func original(_ name: String) -> URL { originals.appendingPathComponent(name) }
    func thumbnail(_ name: String) -> URL { thumbnails.appendingPathComponent(name) }
    func incoming(_ name: String) -> URL { incoming.appendingPathComponent(name) }
}
