package import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import PixelKernels
import StrictYAML

extension Scenario {
    /// The properties that a scenario expects of a movie file. A property that is nil is not checked.
    package struct MovieExpectation: Sendable, Hashable {
        static let keys = ["exists", "duration", "frames", "longest-gap", "size", "rotation", "tracks", "playable"]

        /// The name of the file in the folder of the scenario's files.
        var name: String
        var exists = true
        /// The duration in seconds.
        package var duration: Bounds?
        /// The number of video frames.
        package var frames: Bounds?
        /// The longest time between the presentation times of consecutive frames, in seconds.
        package var longestGap: Bounds?
        /// Width and height in pixels as displayed.
        package var size: [Int]?
        /// The rotation for display in degrees clockwise.
        package var rotation: Int?
        /// The kinds of the tracks in their order: `video`, `audio`, `metadata`, `timecode` or `other`.
        package var tracks: [String]?
        package var isPlayable: Bool?

        /// Creates an expectation that a movie exists.
        package init(movie name: String) { self.name = name }

        init(_ value: YAMLValue, _ map: YAMLMapping) throws(YAMLError) {
            name = try value.string()
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

        /// Compares the movie in a folder with the expectation. A movie that cannot be read does not meet it.
        package func results(in folder: URL) -> [PropertyResult] {
            let url = folder.appendingPathComponent(name)
            if let result = PropertyResult.existence(of: url, isExpected: exists) { return [result] }
            do {
                return try results(of: MovieMeasurement(url))
            } catch {
                return [PropertyResult("a readable movie", "it cannot be read: \(error)", isMet: false)]
            }
        }

        /// Descriptions of the expected properties.
        var requirements: [String] {
            exists ? results(of: nil).map(\.expected) : ["that it does not exist"]
        }

        /// Compares a movie with the expectation. If it is nil, only the `expected` texts of the results are valid.
        private func results(of movie: MovieMeasurement?) -> [PropertyResult] {
            var results: [PropertyResult] = []
            func add(_ name: String, _ bounds: Bounds?, _ value: Double?, _ unit: String, tolerance: Double = 0) {
                guard let bounds else { return }
                let value = value ?? .nan
                results.append(
                    PropertyResult(
                        "\(name) \(bounds.summary(unit))",
                        "\(name) \(number(value))" + (unit.isEmpty ? "" : " \(unit)"),
                        isMet: bounds.contains(value, tolerance: tolerance)))
            }
            func add(_ name: String, _ expected: String?, _ value: String) {
                guard let expected else { return }
                results.append(PropertyResult("\(name) \(expected)", "\(name) \(value)", isMet: expected == value))
            }
            add("duration", duration, movie?.duration, "s", tolerance: 0.001)
            add("frames", frames, (movie?.frameTimes.count).map(Double.init), "")
            add("longest gap", longestGap, movie?.longestGap, "s", tolerance: 0.001)
            add("size", size.map { "\($0[0])x\($0[1])" }, movie.map { "\($0.width)x\($0.height)" } ?? "")
            add("rotation", rotation.map { "\($0)" }, movie?.rotation.map { "\($0)" } ?? "none")
            add("tracks", tracks?.joined(separator: ", "), movie?.tracks.joined(separator: ", ") ?? "")
            if let isPlayable {
                let defect = movie?.defect
                results.append(
                    PropertyResult(
                        isPlayable ? "playable" : "not playable", defect.map { "not playable: \($0)" } ?? "playable",
                        isMet: isPlayable == (defect == nil)))
            }
            if results.isEmpty { results.append(PropertyResult("that it exists", "it exists", isMet: true)) }
            return results
        }
    }

    /// The result of comparing one property of a file.
    package struct PropertyResult {
        package var expected: String
        package var seen: String
        package var isMet: Bool

        init(_ expected: String, _ seen: String, isMet: Bool) {
            (self.expected, self.seen, self.isMet) = (expected, seen, isMet)
        }

        /// Checks whether a file exists; nil if it exists as expected, so that its properties can be compared.
        static func existence(of url: URL, isExpected: Bool) -> PropertyResult? {
            let expected = isExpected ? "that it exists" : "that it does not exist"
            guard FileManager.default.fileExists(atPath: url.path) else {
                return PropertyResult(expected, "there is no file \(url.lastPathComponent)", isMet: !isExpected)
            }
            return isExpected ? nil : PropertyResult(expected, "it exists", isMet: false)
        }
    }
}

/// The properties of a movie file.
struct MovieMeasurement {
    /// The duration in seconds; 0 if it is not known.
    var duration: Double
    /// The presentation times of the video frames in seconds, ascending.
    var frameTimes: [Double] = []
    /// The width in pixels, as displayed; 0 if there is no video.
    var width = 0
    /// The height in pixels, as displayed; 0 if there is no video.
    var height = 0
    /// The clockwise rotation of the video for display in degrees; nil if there is no video.
    var rotation: Int?
    /// The kinds of the tracks in their order, as in `MovieExpectation.tracks`.
    var tracks: [String]
    /// Why the movie cannot be played; nil if it can.
    var defect: String?

    /// The longest time between the presentation times of consecutive frames, in seconds; 0 with fewer than two frames.
    var longestGap: Double { zip(frameTimes, frameTimes.dropFirst()).map { $1 - $0 }.max() ?? 0 }

    /// Measures a movie.
    ///
    /// - Throws: `StorageError` if the file cannot be read. Invalid contents are a `defect`.
    init(_ url: URL) throws {
        let file = try DiskStorage().open(url, for: .reading)
        let map = try MovieMap(reading: file)
        duration = map.duration.isNumeric ? map.duration.seconds : 0
        tracks = map.tracks.map { track in
            switch track.handler {
            case "vide": "video"
            case "soun": "audio"
            case "meta": "metadata"
            case "tmcd": "timecode"
            default: "other"
            }
        }
        if let track = map.tracks.first(where: \.isVideo) {
            frameTimes = track.presentedRuns.flatMap { run in
                (0..<Int64(run.count)).map { track.time(run.presentationTime + $0 * Int64(run.duration)).seconds }
            }.sorted()
        }
        let problems = try MovieChecker.problems(of: map, in: file)
        defect = problems.first { $0.severity == .error }.map { "\($0)" }
        do {
            let reader = try MediaFileReader(path: url.path)
            guard let track = reader.tracks.first(where: \.isVideo), case .video(let video) = track.content else {
                if reader.tracks.isEmpty { defect = defect ?? "it has no tracks" }
                return
            }
            let (stored, isSwapped) = (video.dimensions, video.rotation.swapsWidthAndHeight)
            (width, height) =
                isSwapped
                ? (Int(stored.height), Int(stored.width)) : (Int(stored.width), Int(stored.height))
            rotation = video.rotation.rawValue
            if frameTimes.isEmpty { defect = defect ?? "it has no frame" }
        } catch {
            defect = defect ?? error.message
        }
    }
}
