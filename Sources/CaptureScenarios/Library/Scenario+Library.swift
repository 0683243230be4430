import StrictYAML

extension Scenario {
    /// The initial contents of the photo library.
    public struct Library: Sendable, Hashable {
        /// One or more assets with equal properties.
        package struct Asset: Sendable, Hashable {
            /// Where the contents of an asset come from.
            package enum Content: Sendable, Hashable {
                /// Width and height in pixels.
                case photo([Int])
                /// Width and height in pixels, and the duration in seconds.
                case movie([Int], duration: Double)
                /// A file with a path relative to the scenario.
                case file(String)
            }

            package var content: Content
            package var count = 1
            /// The titles of the albums with the asset.
            package var albums: [String] = []
            package var isFavorite = false
            package var isHidden = false
            /// Whether the user has selected the asset for an app with limited authorization.
            package var isSelected = false
        }

        /// The assets in the order of their import.
        package var assets: [Asset] = []
        /// The titles of albums that exist even if they have no assets.
        package var albums: [String] = []

        /// The titles of all albums, each once.
        package var allAlbums: [String] {
            (albums + assets.flatMap(\.albums)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }
}

extension Scenario.Library {
    /// The keys of the section `devices.library`.
    static let keys: [SchemaKey] = [
        SchemaKey("assets", ["type": "array", "items": ScenarioSchema.object(Asset.keys)]),
        SchemaKey("albums", ["type": "array", "items": ["$ref": "#/$defs/text"]]),
    ]

    /// Reads the section `devices.library`.
    init(_ value: YAMLValue) throws(YAMLError) {
        let map = try value.mapping(keys: Self.keys.map(\.name))
        for entry in try map["assets"]?.list(minimumCount: 0) ?? [] { assets.append(try Asset(entry)) }
        for title in try map["albums"]?.list(minimumCount: 0) ?? [] { albums.append(try title.string()) }
    }

    /// The keys and values in a scenario file.
    var fields: [KeyedValue] {
        (assets.isEmpty ? [] : [KeyedValue("assets", list(assets.map { flowMapping($0.fields) }))])
            + (albums.isEmpty ? [] : [KeyedValue("albums", list(albums.map(quoted)))])
    }
}

extension Scenario.Library.Asset {
    /// The keys of an asset.
    static let keys: [SchemaKey] = [
        SchemaKey("photo", ["$ref": "#/$defs/size"]), SchemaKey("movie", ["$ref": "#/$defs/size"]),
        SchemaKey("file", ["$ref": "#/$defs/text"]), SchemaKey("duration", ["$ref": "#/$defs/time"]),
        SchemaKey("count", ["type": "integer", "minimum": 1, "maximum": 1000]),
        SchemaKey("albums", ["type": "array", "items": ["$ref": "#/$defs/text"]]),
        SchemaKey("favorite", ["$ref": "#/$defs/flag"]), SchemaKey("hidden", ["$ref": "#/$defs/flag"]),
        SchemaKey("selected", ["$ref": "#/$defs/flag"]),
    ]

    /// Reads an asset.
    init(_ value: YAMLValue) throws(YAMLError) {
        let map = try value.mapping(keys: Self.keys.map(\.name))
        let contents = ["photo", "movie", "file"].compactMap { map[$0] }
        guard let first = contents.first else {
            throw value.error("the asset has no content", "add \"photo: 640x480\", \"movie: 640x480\" or \"file:\"")
        }
        if contents.count > 1 { throw contents[1].error("the asset already has a content", "write two assets") }
        if let duration = map["duration"], map["movie"] == nil {
            throw duration.error("only a movie of a size has a duration", "remove it")
        }
        func size(_ value: YAMLValue) throws(YAMLError) -> [Int] {
            let size = try value.size()
            guard (16...8192).contains(size.width), (16...8192).contains(size.height) else {
                throw value.error("the size is too small or too large", "write 16x16 to 8192x8192")
            }
            return [size.width / 2 * 2, size.height / 2 * 2]
        }
        if map["photo"] != nil {
            content = .photo(try size(first))
        } else if map["movie"] != nil {
            content = .movie(
                try size(first), duration: try map["duration"]?.quantity(.seconds, in: 0.1...60) ?? 1)
        } else {
            content = .file(try first.string())
        }
        count = try map["count"]?.integer(in: 1...1000) ?? 1
        for title in try map["albums"]?.list(minimumCount: 0) ?? [] { albums.append(try title.string()) }
        isFavorite = try map["favorite"]?.flag() ?? false
        isHidden = try map["hidden"]?.flag() ?? false
        isSelected = try map["selected"]?.flag() ?? false
    }

    /// The keys and values in a scenario file.
    var fields: [KeyedValue] {
        var fields: [KeyedValue]
        switch content {
        case .photo(let size): fields = [KeyedValue("photo", "\(size[0])x\(size[1])")]
        case .movie(let size, let duration):
            fields = [KeyedValue("movie", "\(size[0])x\(size[1])"), KeyedValue("duration", "\(duration) s")]
        case .file(let name): fields = [KeyedValue("file", text: name)]
        }
        if count > 1 { fields.append(KeyedValue("count", "\(count)")) }
        if !albums.isEmpty { fields.append(KeyedValue("albums", list(albums.map(quoted)))) }
        if isFavorite { fields.append(KeyedValue("favorite", true)) }
        if isHidden { fields.append(KeyedValue("hidden", true)) }
        if isSelected { fields.append(KeyedValue("selected", true)) }
        return fields
    }
}

/// Returns values as a YAML list in one line.
private func list(_ values: [String]) -> String { "[\(values.joined(separator: ", "))]" }
