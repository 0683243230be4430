#if Everything || Scenarios
import CaptureScenarios
import Foundation
public import Testing

/// A scenario in a folder, as an argument of a parameterized test.
public struct ScenarioCase: Sendable, Hashable, Codable, CustomTestStringConvertible {
    /// The path of the scenario file.
    public let path: String
    /// The combination of the file's matrix, such as `reason=background,length=1 s`; nil without a matrix.
    public let combination: String?

    /// The name of the file without its extension, followed by the combination in brackets.
    public var testDescription: String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return name + (combination.map { "[\($0)]" } ?? "")
    }

    /// Reads the scenario.
    ///
    /// - Throws: An error if the file cannot be read, or no longer contains the combination.
    func load() throws -> ScenarioFile {
        let files = try ScenarioFile.load(path: path)
        guard let file = files.first(where: { $0.combination == combination }) else {
            throw MissingCombination(path: path, combination: combination)
        }
        return file
    }

    /// The matrix of a file has changed since the cases were listed.
    private struct MissingCombination: Error, CustomStringConvertible {
        let path: String
        let combination: String?
        var description: String { "\(path) has no scenario \(combination.map { "[\($0)]" } ?? "without a matrix")" }
    }
}

/// Returns the scenarios in a folder, as the arguments of a parameterized test:
///
/// ```swift
/// @Test(arguments: try scenarios(in: "Scenarios"))
/// func scenario(_ scenario: ScenarioCase) { expectScenario(scenario) }
/// ```
/// Each combination of a matrix is a case. An unreadable file is a single case, which fails.
///
/// - Parameter folder: The folder; a relative path is relative to the working directory, which for `swift test` is the
///   folder of the package.
/// - Throws: An error if the folder has no scenario.
public func scenarios(in folder: String) throws -> [ScenarioCase] {
    try ScenarioFile.paths(in: folder).flatMap { path in
        // The case of an unreadable file reports the error.
        let files = try? ScenarioFile.load(path: path)
        return (files?.map(\.combination) ?? [nil]).map { ScenarioCase(path: path, combination: $0) }
    }
}

/// Expects that a scenario meets its expectations, and that its event log equals its golden log if there is one.
///
/// This is the counterpart of `XCTAssertScenario(_:)` for Swift Testing. Scenarios, and tests with the trait
/// `simulated`, run one after another. The function blocks the thread meanwhile, so do not call it on the main actor.
///
/// - Parameters:
///   - scenario: A scenario that `scenarios(in:)` returned.
///   - sourceLocation: The source location at which failures are recorded.
public func expectScenario(_ scenario: ScenarioCase, sourceLocation: SourceLocation = #_sourceLocation) {
    SimulatedSystemTrait.runAlone {
        do {
            for failure in try ScenarioRun.failures(scenario.load()) {
                Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
            }
        } catch {
            Issue.record(Comment(rawValue: "\(error)"), sourceLocation: sourceLocation)
        }
    }
}
#endif
