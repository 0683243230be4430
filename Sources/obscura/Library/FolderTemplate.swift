import Foundation
import MediaTypes
import PhotoStore

/// The folders of exported assets: a relative path with placeholders, such as `{year}/{month}`.
struct FolderTemplate {
    private enum Part {
        case text(String)
        case placeholder(Placeholder)
    }

    private enum Placeholder: String, CaseIterable {
        case year, month, day, album, camera, type
    }

    static let placeholderNames = Placeholder.allCases.map { "{\($0.rawValue)}" }

    /// The parts of each folder of the path.
    private let folders: [[Part]]

    /// - Throws: `CommandFailure` with the reason if the template cannot be used.
    init(_ template: String) throws(CommandFailure) {
        var folders: [[Part]] = []
        for folder in template.split(separator: "/", omittingEmptySubsequences: false) {
            guard !folder.isEmpty, folder != ".", folder != ".." else {
                throw CommandFailure(
                    "the template '\(template)' must be a relative path without empty names, '.' and '..'")
            }
            folders.append(try Self.parts(folder, of: template))
        }
        self.folders = folders
    }

    private static func parts(_ folder: Substring, of template: String) throws(CommandFailure) -> [Part] {
        var parts: [Part] = []
        var rest = folder
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw CommandFailure("the template '\(template)' has a { without a }")
            }
            let name = rest[rest.index(after: open)..<close]
            guard let placeholder = Placeholder(rawValue: String(name)) else {
                throw CommandFailure(
                    "the template '\(template)' has an unknown placeholder {\(name)}; "
                        + suggestion(for: "{\(name)}", among: placeholderNames))
            }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.placeholder(placeholder))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return parts
    }

    /// Returns the relative paths of the folders of an asset: one, or with `{album}` one for each of its albums.
    func paths(for asset: ListedAsset) -> [String] {
        let usesAlbums = folders.joined().contains { if case .placeholder(.album) = $0 { true } else { false } }
        let albums: [String?] = usesAlbums && !asset.albums.isEmpty ? asset.albums : [nil]
        return albums.map { album in
            folders.map { parts in
                parts.map { part in
                    switch part {
                    case .text(let text): text
                    case .placeholder(let placeholder): Self.fileName(value(placeholder, of: asset, album: album))
                    }
                }.joined()
            }.joined(separator: "/")
        }
    }

    private func value(_ placeholder: Placeholder, of asset: ListedAsset, album: String?) -> String {
        let date = Date(timeIntervalSince1970: asset.creationDate).ISO8601Format()
        let parts = date.prefix { $0 != "T" }.split(separator: "-")
        return switch placeholder {
        case .year: parts.count == 3 ? String(parts[0]) : ""
        case .month: parts.count == 3 ? String(parts[1]) : ""
        case .day: parts.count == 3 ? String(parts[2]) : ""
        case .album: album ?? "no album"
        case .camera: [asset.cameraMake, asset.cameraModel].compactMap { $0 }.joined(separator: " ")
        case .type: asset.mediaType == .video ? "movies" : "pictures"
        }
    }

    /// Returns a text without the characters that a file name cannot contain; "unknown" instead of an empty one.
    private static func fileName(_ text: String) -> String {
        let name = String(text.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "_" : $0 })
        let visible = name.hasPrefix(".") ? "_" + name.dropFirst() : name
        return visible.isEmpty ? "unknown" : String(visible.prefix(80))
    }
}
