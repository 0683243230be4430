package import Foundation

/// The properties that a test or scenario expects of a movie file. A property that is nil is not checked.
package struct MovieExpectation: Sendable, Hashable {
    /// The name of the file in its folder.
    package var name: String
    package var exists = true
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
    package var requirements: [String] {
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
