import ArgumentParser

/// The command line: each command is a thin call of the library.
///
/// Every command says its name: to make it of the type's costs the parser more than all else at the start.
@main
struct Obscura: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "obscura",
        abstract: "Captures movies and photos from simulated, recorded and real cameras.",
        subcommands: [
            DevicesCommand.self, RecordCommand.self, PhotoCommand.self, LibraryCommand.self, SheetCommand.self,
            ChartCommand.self, ReplayCommand.self, TraceCommand.self, DoctorCommand.self, InspectCommand.self,
            RepairCommand.self,
        ])
}
