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
    func incoming(_ name: String) -> URL { incoming.appendingPathComponent(name) }
}
