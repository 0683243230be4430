public import Foundation
import SimDevices

/// A scenario on disk, with its golden event log.
public struct ScenarioFile {
    public let url: URL
    public let scenario: Scenario

    /// Why a scenario file or its golden log cannot be read or written.
    public struct FileError: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Throws: `YAMLError` with line and key, or `FileError`.
    public init(path: String) throws {
        url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw FileError(
                description: isFolder.boolValue ? "\(path) is a folder, no scenario" : "there is no file \(path)")
        }
        let text: String
        do {
            text = try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw FileError(description: "\(path): the scenario cannot be read: \(error.localizedDescription)")
        }
        scenario = try Scenario(yaml: text, file: path)
    }

    /// Where the golden log stands: beside the scenario, or in the folder `Golden` beside the scenario's own.
    public var goldenURL: URL {
        let name = url.deletingPathExtension().lastPathComponent + ".log"
        let beside = url.deletingLastPathComponent().appendingPathComponent(name)
        let folder = url.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Golden")
        let isThere = FileManager.default.fileExists(atPath: folder.path)
        return isThere && !FileManager.default.fileExists(atPath: beside.path)
            ? folder.appendingPathComponent(name) : beside
    }

    /// Plays the scenario in a folder of its own, which is removed afterwards.
    ///
    /// - Parameter keep: Called with the folder before that.
    /// - Returns: The event log.
    public func play(keep: (URL) throws -> Void = { _ in }) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-scenario-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // What cannot be removed is left to the system's own cleaning of temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        let outcome = try ScenarioPlayer(scenario, folder: folder, profiles: url.deletingLastPathComponent()).play()
        try keep(folder)
        return outcome.log
    }

    /// Where `lines` differ from the golden log, nil where they do not.
    public func compare(_ lines: [String]) throws -> LogDifference? {
        let text: String
        do {
            text = try String(contentsOf: goldenURL, encoding: .utf8)
        } catch {
            throw FileError(
                description: "\(url.relativePath): there is no golden log \(goldenURL.path); "
                    + "look at what happens, then make it with 'obscura replay --update-golden'")
        }
        var golden = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if golden.last == "" { golden.removeLast() }
        return LogDifference(expected: golden, actual: lines)
    }

    /// Makes `lines` the golden log.
    public func writeGolden(_ lines: [String]) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: goldenURL, options: .atomic)
    }
}
