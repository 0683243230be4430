import Foundation

/// Where the library keeps what.
struct LibraryFolder: Sendable {
    let root: URL

    init(_ root: URL) {
        self.root = root.standardizedFileURL
    }

    var index: URL { root.appendingPathComponent("index.sqlite") }
    /// The files as they were given, each named for its asset.
    var originals: URL { root.appendingPathComponent("originals", isDirectory: true) }
    /// One small JPEG for each asset, upright.
    var thumbnails: URL { root.appendingPathComponent("thumbnails", isDirectory: true) }
    /// Files that are being written; nothing in here is of worth once their writer is gone.
    var incoming: URL { root.appendingPathComponent("incoming", isDirectory: true) }

    func original(_ name: String) -> URL { originals.appendingPathComponent(name) }
    func thumbnail(_ name: String) -> URL { thumbnails.appendingPathComponent(name) }
    func incoming(_ name: String) -> URL { incoming.appendingPathComponent(name) }
}
