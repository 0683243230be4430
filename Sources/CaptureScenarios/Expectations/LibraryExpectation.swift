import MediaMeasurements
import StrictYAML

extension Scenario {
    /// The expected contents of the photo library at the end of a scenario: a number of assets or albums, and
    /// properties of the assets. A property that is nil is not checked.
    struct LibraryExpectation: Sendable, Hashable {
        static let keys = ["is", "album", "added", "duration", "size", "favorite", "hidden"]

        enum Kind: String, Sendable, CaseIterable {
            case assets, photos, movies, albums
        }

        var kind: Kind
        /// The number of assets or albums.
        var count: Bounds
        /// The title of the album that contains the assets.
        var album: String?
        /// True for assets that the scenario added, false for assets that the library contained at the start.
        var isAdded: Bool?
        /// The duration of each movie in seconds.
        var duration: Bounds?
        /// The width and height of each asset in pixels.
        var size: [Int]?
        var isFavorite: Bool?
        var isHidden: Bool?

        /// Reads an expectation.
        ///
        /// - Parameters:
        ///   - value: The value of its key `library`.
        ///   - map: All its keys.
        /// - Throws: An error for invalid values and for keys that do not apply to the kind.
        init(_ value: YAMLValue, _ map: YAMLMapping) throws(YAMLError) {
            kind = try value.choice(Kind.allCases.map { ($0.rawValue, $0) })
            count = try Bounds(map.required("is"), .none, in: 0...1e6)
            if kind == .albums, let key = Self.keys.dropFirst().first(where: { map[$0] != nil }), let extra = map[key] {
                throw extra.error("the number of albums has no \"\(key)\"", "remove it, or expect assets")
            }
            if kind != .movies, let extra = map["duration"] {
                throw extra.error("only movies have a duration", "write \"library: movies\"")
            }
            album = try map["album"]?.string()
            isAdded = try map["added"]?.flag()
            duration = try map["duration"].map { (value) throws(YAMLError) in
                try Bounds(value, .seconds, in: 0...1e6)
            }
            size = try map["size"].map { (value) throws(YAMLError) in
                let size = try value.size()
                return [size.width, size.height]
            }
            isFavorite = try map["favorite"]?.flag()
            isHidden = try map["hidden"]?.flag()
        }

        /// A description of the expectation for reports.
        var summary: String {
            var summary = "\(count.summary()) \(kind.rawValue) in the photo library"
            if let album { summary += " in the album \(album)" }
            if let isAdded { summary += isAdded ? ", added in the scenario" : ", present at the start" }
            if let duration { summary += ", of \(duration.summary("s"))" }
            if let size { summary += ", of \(size[0])x\(size[1])" }
            if let isFavorite { summary += isFavorite ? ", favorites" : ", no favorites" }
            if let isHidden { summary += isHidden ? ", hidden" : ", not hidden" }
            return summary
        }

        /// Compares the contents of a library with the expectation.
        ///
        /// - Returns: A description of the contents for reports, and whether they meet the expectation.
        func result(in contents: LibraryContents) -> (seen: String, isMet: Bool) {
            func text(_ count: Int) -> String { "\(count) \(kind.rawValue)" }
            guard kind != .albums else {
                let titles = contents.albums.isEmpty ? "" : ": \(contents.albums.joined(separator: ", "))"
                return (
                    text(contents.albums.count) + titles, count.contains(Double(contents.albums.count))
                )
            }
            let ofKind = contents.assets.filter { asset in
                switch kind {
                case .photos: !asset.isMovie
                case .movies: asset.isMovie
                case .assets, .albums: true
                }
            }
            let matching = ofKind.filter { matches($0) }
            var seen = text(matching.count)
            if matching.count != ofKind.count {
                seen += " of \(ofKind.count)"
                let durations = ofKind.map { shortNumber($0.duration) + " s" }.joined(separator: ", ")
                if duration != nil { seen += ", with durations of \(durations)" }
            }
            return (seen, count.contains(Double(matching.count)))
        }

        private func matches(_ asset: LibraryContents.Asset) -> Bool {
            (album.map { asset.albums.contains($0) } ?? true)
                && (isAdded.map { $0 == asset.isAdded } ?? true)
                && (duration?.contains(asset.duration, tolerance: 0.001) ?? true)
                && (size.map { $0 == asset.size } ?? true)
                && (isFavorite.map { $0 == asset.isFavorite } ?? true)
                && (isHidden.map { $0 == asset.isHidden } ?? true)
        }
    }
}
