import ArgumentParser
import CaptureScenarios

extension ScenarioCommand {
    /// `obscura scenario schema`.
    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema",
            abstract: "Prints the JSON Schema of scenario files, for editors that check and complete them.")

        func run() throws {
            try printText(String(decoding: try ScenarioSchema.json(), as: UTF8.self))
        }
    }
}
