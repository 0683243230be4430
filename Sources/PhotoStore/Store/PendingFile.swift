import Foundation

/// The name of a complete file in `incoming` that a change adds to the library.
///
/// A change renames its files to such names and flushes the folder before it commits to the index, and moves them to
/// their destinations afterwards. After an interruption, the name tells whether the change was committed.
struct PendingFile: Equatable {
    enum Kind: String {
        case original, thumbnail
    }

    /// The identifier of the index that the change belongs to.
    var index: String
    /// The number of the change in the index's history.
    var change: Int64
    var kind: Kind
    /// The name of the file at its destination, which can have components separated by "/".
    var name: String

    var fileName: String {
        "\(index).\(change).\(kind.rawValue).\(name.replacingOccurrences(of: "/", with: Self.separator))"
    }

    /// Stands for "/" in `fileName`. Names at destinations do not contain it; see `OriginalName`.
    private static let separator = "%2F"

    init(index: String, change: Int64, kind: Kind, name: String) {
        self.index = index
        self.change = change
        self.kind = kind
        self.name = name
    }

    /// Parses a name; nil if it has another form.
    init?(fileName: String) {
        let parts = fileName.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let change = Int64(parts[1]), let kind = Kind(rawValue: String(parts[2])),
            !parts[0].isEmpty, !parts[3].isEmpty
        else { return nil }
        let name = parts[3].replacingOccurrences(of: Self.separator, with: "/")
        self.init(index: String(parts[0]), change: change, kind: kind, name: name)
    }

    /// Returns the first file with a destination among the names in `incoming`; nil if there is none.
    static func first(_ kind: Kind, _ name: String, among fileNames: [String]) -> PendingFile? {
        fileNames.lazy.compactMap(PendingFile.init(fileName:)).first { $0.kind == kind && $0.name == name }
    }
}
