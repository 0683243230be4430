import CaptureScenarios
import Foundation

/// The results of a run of scenarios, with logs, photos and movies, as a JSON file.
struct ResultsFile: Codable {
    /// The version of the format.
    private var results = 1
    /// The part of the scenarios that was played; nil if all were played.
    var shard: Shard?
    var scenarios: [ScenarioReport]

    init(shard: Shard?, scenarios: [ScenarioReport]) {
        self.shard = shard
        self.scenarios = scenarios
    }

    /// Reads a file.
    private init(path: String) throws(CommandFailure) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure("\(path) cannot be read: \(errorReason(error))")
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw CommandFailure("\(path) does not contain results; 'obscura replay --results FILE' writes them")
        }
        guard results == 1 else { throw CommandFailure("\(path) has the version \(results) of the format, not 1") }
    }

    /// Writes the file.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try OutputFile.replace(encoder.encode(self), at: path)
    }

    /// Reads the results of several files.
    ///
    /// - Returns: The scenarios in the order in which one run plays them.
    /// - Throws: `CommandFailure` also if a shard is missing or present twice, since its scenarios could have failed.
    static func merge(_ paths: [String]) throws(CommandFailure) -> [ScenarioReport] {
        var files: [(path: String, file: ResultsFile)] = []
        for path in paths { files.append((path, try ResultsFile(path: path))) }
        guard let count = files.compactMap({ $0.file.shard?.count }).first else {
            return files.flatMap(\.file.scenarios)
        }
        var shards: [Int: (path: String, file: ResultsFile)] = [:]
        for entry in files {
            guard let shard = entry.file.shard, shard.count == count else {
                throw CommandFailure(
                    "\(entry.path) has \(entry.file.shard.map { "shard \($0)" } ?? "all scenarios"), and others have shards of \(count)"
                )
            }
            if let other = shards[shard.index] {
                throw CommandFailure("\(other.path) and \(entry.path) are both shard \(shard)")
            }
            shards[shard.index] = entry
        }
        let missing = (1...count).filter { shards[$0] == nil }
        guard missing.isEmpty else {
            throw CommandFailure(
                "the results of shard \(missing.map { "\($0)/\(count)" }.joined(separator: ", ")) are missing")
        }
        // Shard k contains every n-th scenario from number k on. A single run plays the first scenario of each shard,
        // then the second of each, and so on.
        let lists = shards.sorted { $0.key < $1.key }.map(\.value.file.scenarios)
        return (0..<(lists.map(\.count).max() ?? 0)).flatMap { row in
            lists.compactMap { $0.indices.contains(row) ? $0[row] : nil }
        }
    }
}
