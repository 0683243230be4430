import ArgumentParser
import CaptureScenarios
import Foundation

/// The version that `--version` prints.
private let version = "0.1.0"

/// The command line.
///
/// Each command sets `commandName`: deriving the name from the type dominates the start-up time of the parser.
@main
struct Obscura: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "obscura",
        abstract: "Captures movies and photos from simulated, recorded and real cameras.",
        version: version,
        subcommands: [
            DevicesCommand.self, RecordCommand.self, PhotoCommand.self, LibraryCommand.self, SheetCommand.self,
            PlayCommand.self, EditCommand.self,
            ChartCommand.self, ReplayCommand.self, ScenarioCommand.self, TraceCommand.self, DoctorCommand.self,
            InspectCommand.self,
            RepairCommand.self, ProfileCommand.self, PortCommand.self,
        ])

    static func main() {
        do {
            try checkNames(in: CommandLine.arguments.dropFirst())
            var command = try parseAsRoot()
            do {
                try command.run()
            } catch let error as ValidationError {
                // The parser would print the usage of the whole tool.
                throw UsageError(message: error.message, command: type(of: command))
            } catch  where !(error is CommandFailure || error is ExitCode || exitCode(for: error) == .success) {
                // A request for help is an error of the parser with the status 0.
                throw CommandFailure(errorReason(error))
            }
        } catch let error as UsageError {
            _ = writeAll(error.fullMessage, to: STDERR_FILENO)
            Foundation.exit(ExitCode.validationFailure.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}
