import Foundation

@testable import CaptureTesting

/// Plays scenarios that drive an app.
enum AppScenarioFixture {
    /// Writes a scenario to a file, plays it with an app, and returns the failures.
    ///
    /// - Parameters:
    ///   - timeline: The steps, indented by two spaces.
    ///   - expect: The expectations, indented by two spaces.
    ///   - additionalKeys: Other keys of the scenario, such as `matrix: {…}`.
    static func failures(
        _ timeline: String, expect: String, end: String = "3 s", additionalKeys: String = "",
        app: @MainActor (ScenarioApp) throws -> Void
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("app.yaml")
        let text = """
            scenario: 1
            name: An app
            devices: {scene: grey}
            timeline:
            \(timeline)
            end: \(end)
            \(expect.isEmpty ? "" : "expect:\n" + expect)
            \(additionalKeys)
            """
        try Data(text.utf8).write(to: url)
        return AppScenarioRun.failures(url.path, checksLeaks: true, app: app)
    }
}
