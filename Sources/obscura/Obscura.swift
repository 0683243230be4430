import ArgumentParser

/// The command line: each command is a thin call of the library.
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
