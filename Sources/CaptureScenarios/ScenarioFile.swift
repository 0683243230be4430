public import Foundation
public import MediaTypes
import SimDevices
import StrictYAML

/// A scenario on disk, with its golden event log.
public struct ScenarioFile: Sendable {
    /// The location of the scenario.
    public let url: URL
    /// The parsed scenario.
    public let scenario: Scenario
    /// The values of the variables of the matrix, such as `reason=audio-in-use,time=0.5 s`; nil without a matrix.
    public let combination: String?

    /// The name of the file without its extension, with the values of the variables of the matrix, such as
    /// `phone-call[reason=audio-in-use,time=0.5 s]`.
    public var name: String {
        url.deletingPathExtension().lastPathComponent + (combination.map { "[\($0)]" } ?? "")
    }

    /// `name` as a valid file name. In the values of the matrix, each character other than a letter, a digit, a space
    /// or one of `_-.,=` is replaced with an underscore.
    public var fileName: String { Self.fileName(of: url, combination) }

    private static func fileName(of scenario: URL, _ combination: String?) -> String {
        let values = combination.map { values in
            "[" + values.map { $0.isLetter || $0.isNumber || " _-.,=".contains($0) ? $0 : "_" } + "]"
        }
        return scenario.deletingPathExtension().lastPathComponent + (values ?? "")
    }

    /// The extensions of scenario files.
    static let extensions = ["yaml", "yml", "json"]

    /// An error in reading or writing a scenario file or its golden log.
    public struct FileError: Error, CustomStringConvertible {
        public let description: String
    }

    /// Creates a scenario file. Relative paths of profiles, scenes and golden files are resolved against the folder of
    /// `url`.
    package init(url: URL, scenario: Scenario, combination: String?) {
        (self.url, self.scenario, self.combination) = (url, scenario, combination)
    }

    /// Reads a scenario file without a matrix.
    ///
    /// - Throws: `YAMLError` with line and key, or `FileError` if the file cannot be read or describes several
    ///   scenarios.
    public init(path: String) throws {
        let files = try Self.load(path: path)
        guard files.count == 1, let file = files.first else {
            throw FileError(description: "\(path) describes \(files.count) scenarios; read them with ScenarioFile.load")
        }
        self = file
    }

    /// Reads the scenarios of a file: one, or one for each combination of the values of its matrix.
    ///
    /// - Throws: `YAMLError` with line and key, or `FileError`.
    public static func load(path: String) throws -> [ScenarioFile] {
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw FileError(
                description: isFolder.boolValue ? "\(path) is a folder, not a scenario" : "there is no file \(path)")
        }
        let text: String
        do {
            text = try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw FileError(description: "\(path): the scenario cannot be read: \(errorReason(error))")
        }
        let document = try ScenarioDocument(text: text, file: path)
        return try document.combinations.map { combination in
            let values = combination.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            return ScenarioFile(
                url: url, scenario: try document.scenario(combination, checksNames: true),
                combination: combination.isEmpty ? nil : values)
        }
    }

    /// Returns the scenario files of a folder, sorted by name: the `.yaml`, `.yml` and `.json` files with the key
    /// `scenario` or a misspelling of it, and those that cannot be read: `load` reports the error. The folder may also
    /// contain profiles, scenes and included files.
    ///
    /// - Throws: `FileError` if the folder cannot be read or has no scenario.
    public static func paths(in folder: String) throws -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw FileError(description: "the folder \(folder) cannot be read: \(errorReason(error))")
        }
        let paths = names.filter { extensions.contains(($0 as NSString).pathExtension) }.map { name in
            folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        }
        let scenarios = paths.filter { path in
            // `load` reports why the file cannot be read.
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
            let isJSON = path.hasSuffix(".json")
            // Text before a colon is a key. In JSON the key is quoted; in YAML the top-level keys are not indented.
            return text.split(whereSeparator: { isJSON ? "\n{,".contains($0) : $0 == "\n" }).contains { line in
                guard let colon = line.firstIndex(of: ":") else { return false }
                let key = line[..<colon].trimmingCharacters(in: isJSON ? [" ", "\t", "\""] : [])
                // A file with a misspelled key is a scenario with an error, not a file of another kind.
                return abs(key.count - 8) <= 2 && editDistance(key.lowercased(), "scenario") <= 2
            }
        }
        guard !scenarios.isEmpty else { throw FileError(description: "there is no scenario in the folder \(folder)") }
        return scenarios
    }

    /// The location of the golden log: in the folder of the scenario, or in `../Golden` if that folder exists and the
    /// folder of the scenario contains no golden log.
    public var goldenURL: URL {
        let (sibling, inGoldenFolder) = Self.goldenCandidates(of: url, combination: combination)
        let hasGoldenFolder = FileManager.default.fileExists(atPath: inGoldenFolder.deletingLastPathComponent().path)
        return hasGoldenFolder && !FileManager.default.fileExists(atPath: sibling.path) ? inGoldenFolder : sibling
    }

    /// Whether there is a golden log.
    public var hasGoldenLog: Bool { FileManager.default.fileExists(atPath: goldenURL.path) }

    /// Returns the two possible locations of a scenario's golden log: beside the scenario, and in `../Golden`.
    ///
    /// - Parameter combination: The values of the variables of the matrix; nil without a matrix.
    package static func goldenCandidates(
        of scenario: URL, combination: String? = nil
    ) -> (sibling: URL, inGoldenFolder: URL) {
        let name = fileName(of: scenario, combination) + ".log"
        let folder = scenario.deletingLastPathComponent()
        return (
            folder.appendingPathComponent(name),
            folder.deletingLastPathComponent().appendingPathComponent("Golden").appendingPathComponent(name)
        )
    }

    /// Plays the scenario in a temporary folder, and checks the expectations.
    ///
    /// - Parameters:
    ///   - updatesGoldenLog: Whether the event log is written as the golden log, if the scenario needs or has one.
    ///   - showsEvents: Whether the result contains small pictures of the events.
    ///   - keep: Called with the folder of the files that the scenario wrote, before the folder is removed.
    ///   - reportProgress: Called on the calling thread after each event, with the played fraction, 0 … 1.
    ///   - pace: Waits until another clock reaches a time of the scenario, so that the scenario plays at that clock's
    ///     rate; nil plays it as fast as possible.
    ///   - stop: A time at which the scenario stops, and a function that receives a description of the state.
    /// - Throws: `FileError` if the scenario drives an app or the golden log cannot be read, errors in setting up the
    ///   simulated system or in reading and writing files, and errors of `keep`.
    public func run(
        updatesGoldenLog: Bool = false, showsEvents: Bool = false, keep: (URL) throws -> Void = { _ in },
        reportProgress: ((Double) -> Void)? = nil,
        pace: ((CMTime) -> Void)? = nil, stop: (time: CMTime, handle: (String) -> Void)? = nil
    ) throws -> ScenarioResult {
        try run(updatesGoldenLog: updatesGoldenLog, showsEvents: showsEvents, keep: keep) { player in
            player.reportProgress = reportProgress
            player.pace = pace
            player.stop = stop
        }
    }

    /// Plays the scenario in a temporary folder, and checks the expectations.
    ///
    /// - Parameter prepare: Called with the player before it plays.
    package func run(
        updatesGoldenLog: Bool = false, showsEvents: Bool = false, keep: (URL) throws -> Void = { _ in },
        prepare: (ScenarioPlayer) -> Void
    ) throws -> ScenarioResult {
        guard !scenario.needsApp else {
            throw FileError(
                description: "\(url.relativePath): the scenario drives an app; play it in a test with "
                    + "XCTAssertScenario(_:app:)")
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-scenario-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The system eventually deletes temporary files that cannot be removed here.
        defer { try? FileManager.default.removeItem(at: folder) }
        let pictures = showsEvents ? EventPictures() : nil
        let (outcome, deviceIDs) = try play(in: folder, pictures, prepare)
        let log = outcome.log
        var goldenLog = try compare(log)
        if updatesGoldenLog, goldenLog != .unneeded { goldenLog = try update(goldenLog, to: log) }
        var result = result(
            of: log, folder: folder, deviceIDs: deviceIDs, library: outcome.library, comparison: goldenLog,
            pictures: pictures)
        result.work = outcome.work
        try keep(folder)
        return result
    }

    /// Plays the scenario and releases the simulated system, so that the photo library writes all changes to its
    /// database.
    ///
    /// - Returns: The outcome, and the IDs of the devices.
    private func play(
        in folder: URL, _ pictures: EventPictures?, _ prepare: (ScenarioPlayer) -> Void
    ) throws -> (outcome: ScenarioPlayer.Outcome, deviceIDs: [String]) {
        let player = try ScenarioPlayer(
            scenario, folder: folder, profiles: url.deletingLastPathComponent(), pictures: pictures)
        prepare(player)
        let deviceIDs = player.host.devices.map(\.descriptor.uniqueID)
        return (try player.play(), deviceIDs)
    }

    /// Checks the expectations against a run.
    ///
    /// - Parameters:
    ///   - log: The event log.
    ///   - folder: The folder with the files of the run.
    ///   - deviceIDs: The IDs of the devices.
    ///   - library: The contents of the photo library at the end.
    ///   - comparison: The result of the comparison with the golden log. The log of an app is not compared.
    ///   - pictures: The frames of the run; nil for a result without pictures of events.
    func result(
        of log: [String], folder: URL, deviceIDs: [String], library: LibraryContents,
        comparison: ScenarioResult.GoldenLog = .unneeded,
        pictures: EventPictures? = nil
    ) -> ScenarioResult {
        let checker = ExpectationChecker(
            log: log, entries: LogEntry.parse(log), end: scenario.end.nanoseconds / 1000,
            folder: folder, goldenFolder: goldenURL.deletingLastPathComponent(), deviceIDs: deviceIDs, library: library)
        let verdicts = scenario.expectations.map { expectation in
            checker.verdict(of: expectation) ?? verdict(of: comparison, expectation)
        }
        let compared = zip(scenario.expectations, verdicts).compactMap { expectation, verdict -> ComparedPicture? in
            guard !verdict.isMet, case .picture(let picture) = expectation.kind else { return nil }
            return picture.comparison(expectation, in: folder, goldenFolder: checker.goldenFolder)
        }
        return ScenarioResult(
            log: log, goldenLog: comparison, verdicts: verdicts,
            eventPictures: pictures?.pictures(of: checker.entries, in: folder) ?? [],
            cameraPictures: pictures?.cameraPictures ?? [], comparedPictures: compared)
    }

    /// Compares an event log with the golden log.
    private func compare(_ lines: [String]) throws -> ScenarioResult.GoldenLog {
        guard hasGoldenLog else {
            let isNeeded = scenario.expectations.isEmpty || scenario.expectations.contains { $0.kind == .goldenLog }
            return isNeeded ? .missing : .unneeded
        }
        return LogDifference(expected: try goldenLog(), actual: lines).map { .different($0) } ?? .equal
    }

    /// Reads the lines of the golden log.
    package func goldenLog() throws -> [String] {
        let text: String
        do {
            text = try String(contentsOf: goldenURL, encoding: .utf8)
        } catch {
            throw FileError(
                description: "\(goldenURL.path): the golden log cannot be read: \(errorReason(error))")
        }
        var golden = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if golden.last == "" { golden.removeLast() }
        return golden
    }

    /// Returns the verdict of the expectation that the event log equals the golden log.
    private func verdict(
        of goldenLog: ScenarioResult.GoldenLog, _ expectation: Scenario.Expectation
    ) -> Verdict {
        var verdict = Verdict(
            file: expectation.file, line: expectation.line, isMet: true,
            expected: "the golden log \(goldenURL.lastPathComponent)",
            seen: "the same log", time: nil, logExcerpt: [])
        switch goldenLog {
        case .equal, .unneeded, .written: break
        case .missing: (verdict.isMet, verdict.seen) = (false, "there is no golden log \(goldenURL.path)")
        case .different(let difference):
            (verdict.isMet, verdict.seen) = (false, "another log from line \(difference.line) on")
            verdict.logExcerpt = difference.description.split(separator: "\n").dropFirst().map(String.init)
        }
        return verdict
    }

    /// Writes an event log as the golden log, unless both are equal.
    private func update(
        _ comparison: ScenarioResult.GoldenLog, to log: [String]
    ) throws -> ScenarioResult.GoldenLog {
        var difference: LogDifference?
        switch comparison {
        case .equal, .written: return .equal
        case .different(let first): difference = first
        case .missing, .unneeded: break
        }
        do {
            try Data((log.joined(separator: "\n") + "\n").utf8).write(to: goldenURL, options: .atomic)
        } catch {
            throw FileError(
                description: "\(goldenURL.path): the golden log cannot be written: \(errorReason(error))")
        }
        return .written(difference)
    }
}
