public import Foundation
import SimDevices

/// A scenario on disk, with its golden event log.
public struct ScenarioFile {
    /// The location of the scenario.
    public let url: URL
    /// The parsed scenario.
    public let scenario: Scenario

    /// An error in reading or writing a scenario file or its golden log.
    public struct FileError: Error, CustomStringConvertible {
        public let description: String
    }

    /// Reads a scenario file.
    ///
    /// - Throws: `YAMLError` with line and key, or `FileError`.
    public init(path: String) throws {
        url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw FileError(
                description: isFolder.boolValue ? "\(path) is a folder, not a scenario" : "there is no file \(path)")
        }
        let text: String
        do {
            text = try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw FileError(description: "\(path): the scenario cannot be read: \(error.localizedDescription)")
        }
        scenario = try Scenario(yaml: text, file: path)
    }

    /// The location of the golden log: in the folder of the scenario, or in `../Golden` if that folder exists and the
    /// former file does not.
    public var goldenURL: URL {
        let (sibling, inGoldenFolder) = Self.goldenCandidates(of: url)
        let hasGoldenFolder = FileManager.default.fileExists(atPath: inGoldenFolder.deletingLastPathComponent().path)
        return hasGoldenFolder && !FileManager.default.fileExists(atPath: sibling.path) ? inGoldenFolder : sibling
    }

    /// Whether there is a golden log.
    public var hasGoldenLog: Bool { FileManager.default.fileExists(atPath: goldenURL.path) }

    /// Returns the two possible locations of a scenario's golden log: beside the scenario, and in `../Golden`.
    package static func goldenCandidates(of scenario: URL) -> (sibling: URL, inGoldenFolder: URL) {
        let name = scenario.deletingPathExtension().lastPathComponent + ".log"
        let folder = scenario.deletingLastPathComponent()
        return (
            folder.appendingPathComponent(name),
            folder.deletingLastPathComponent().appendingPathComponent("Golden").appendingPathComponent(name)
        )
    }

    /// Plays the scenario in a temporary folder.
    ///
    /// - Parameters:
    ///   - keep: Called with the folder before it is removed.
    ///   - reportProgress: Called on the calling thread after each event, with the played fraction, 0 … 1.
    /// - Returns: The event log.
    public func play(
        keep: (URL) throws -> Void = { _ in }, reportProgress: ((Double) -> Void)? = nil
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-scenario-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Files that cannot be removed are left to the system's cleaning of temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        let player = try ScenarioPlayer(scenario, folder: folder, profiles: url.deletingLastPathComponent())
        player.reportProgress = reportProgress
        let outcome = try player.play()
        try keep(folder)
        return outcome.log
    }

    /// Compares an event log with the golden log; nil if they are equal.
    public func compare(_ lines: [String]) throws -> LogDifference? {
        let text: String
        do {
            text = try String(contentsOf: goldenURL, encoding: .utf8)
        } catch {
            throw FileError(
                description: "\(url.relativePath): there is no golden log \(goldenURL.path); "
                    + "check the event log, then write it with 'obscura replay --update-golden'")
        }
        var golden = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if golden.last == "" { golden.removeLast() }
        return LogDifference(expected: golden, actual: lines)
    }

    /// Writes an event log as the golden log.
    public func writeGolden(_ lines: [String]) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: goldenURL, options: .atomic)
    }
}
