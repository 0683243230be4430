import MediaMeasurements
import StrictYAML

extension MovieExpectation {
    static let keys = ["exists", "duration", "frames", "longest-gap", "size", "rotation", "tracks", "playable"]

    /// Reads an expectation.
    ///
    /// - Parameters:
    ///   - value: The value of its key `movie`.
    ///   - map: All its keys.
    init(_ value: YAMLValue, _ map: YAMLMapping) throws(YAMLError) {
        self.init(movie: try value.string())
        exists = try map["exists"]?.flag() ?? true
        if !exists, let key = Self.keys.first(where: { $0 != "exists" && map[$0] != nil }), let extra = map[key] {
            throw extra.error("a movie that does not exist has no \"\(key)\"", "remove it")
        }
        func bounds(_ key: String, _ unit: YAMLUnit) throws(YAMLError) -> Bounds? {
            try map[key].map { (value) throws(YAMLError) in try Bounds(value, unit, in: 0...1e9) }
        }
        duration = try bounds("duration", .seconds)
        frames = try bounds("frames", .none)
        longestGap = try bounds("longest-gap", .seconds)
        size = try map["size"].map { (value) throws(YAMLError) in
            let size = try value.size()
            return [size.width, size.height]
        }
        rotation = try map["rotation"]?.choice([0, 90, 180, 270].map { (degrees: Int) in ("\(degrees)", degrees) })
        tracks = try map["tracks"]?.list().map { (value) throws(YAMLError) in
            try value.choice(["video", "audio", "metadata", "timecode", "other"].map { ($0, $0) })
        }
        isPlayable = try map["playable"]?.flag()
    }
}
