import ArgumentParser
import MediaTypes
import SimDevices

/// Wrong usage of a command, other than the errors that the parser finds.
struct UsageError: Error {
    /// One sentence without a period.
    let message: String
    /// The command whose usage is printed. For an unknown subcommand, its parent.
    let command: any ParsableCommand.Type

    /// The message with the usage of the command, in the form of the parser's own errors.
    var fullMessage: String {
        let usage = command == Obscura.self ? Obscura.usageString() : Obscura.usageString(for: command)
        return "Error: \(message)\nUsage: \(usage)\n  See '\(Self.name(of: command)) --help' for more information.\n"
    }

    /// Returns the words that call a command: `obscura library list`.
    private static func name(of command: any ParsableCommand.Type) -> String {
        func path(from parent: any ParsableCommand.Type) -> [String]? {
            let name = parent.configuration.commandName ?? ""
            if parent == command { return [name] }
            return parent.configuration.subcommands.lazy.compactMap(path).first.map { [name] + $0 }
        }
        return path(from: Obscura.self)?.joined(separator: " ") ?? "obscura"
    }
}

extension ParsableCommand {
    /// Throws `UsageError` if the first words do not name a command, or if an option has the name of a value.
    ///
    /// The parser itself reports such a word only as unexpected, and suggests an unrelated option.
    static func checkNames(in arguments: some Sequence<String>) throws(UsageError) {
        var command: any ParsableCommand.Type = Self.self
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || argument.hasPrefix("-") { break }
            if command == Self.self, argument == "help" { continue }
            guard let next = subcommands.first(where: { $0.configuration.commandName == argument }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                throw UsageError(
                    message: "there is no command \"\(argument)\"; \(suggestion(for: argument, among: names))",
                    command: command)
            }
            command = next
        }
        for argument in arguments where argument.hasPrefix("--") {
            guard let option = option(withValue: String(argument.dropFirst(2))) else { continue }
            let help = helpMessage(for: command)
            // An option with a second name is listed as "--profile, --phone <profile>".
            guard help.contains("\(option) <") || help.contains("\(option), "), !help.contains("\(argument) ") else {
                continue
            }
            throw UsageError(
                message: "there is no option \(argument); did you mean \"\(option) \(argument.dropFirst(2))\"?",
                command: command)
        }
    }

    /// Returns the option that accepts a value; nil if none does.
    private static func option(withValue value: String) -> String? {
        let options = [
            ("--profile", DeviceProfile.builtInNames), ("--scene", SimScene.allCases.map(\.name)),
            ("--hold", Hold.names), ("--codec", RecordCommand.Codec.names), ("--preset", PresetName.shortNames),
            ("--pitch", PitchAlgorithm.names), ("--backend", ["sim", "linux"]),
        ]
        return options.first { $0.1.contains(value) }?.0
    }
}
