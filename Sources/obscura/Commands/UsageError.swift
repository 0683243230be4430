import ArgumentParser
import StrictYAML

extension ParsableCommand {
    /// Throws `UnknownCommand` if the first words do not name a command.
    ///
    /// The parser itself reports such a word only as unexpected.
    static func checkNames(in arguments: some Sequence<String>) throws(UnknownCommand) {
        var command: any ParsableCommand.Type = Self.self
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || argument.hasPrefix("-") { return }
            if command == Self.self, argument == "help" { continue }
            guard let next = subcommands.first(where: { $0.configuration.commandName == argument }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                throw UnknownCommand(
                    message: "there is no command \"\(argument)\"; \(suggestion(for: argument, among: names))",
                    parent: command)
            }
            command = next
        }
    }
}

/// A word that names no command.
struct UnknownCommand: Error {
    /// With a suggestion.
    let message: String
    /// The command whose subcommand the word should name.
    let parent: any ParsableCommand.Type

    /// The message with the usage of `parent`, in the form of the parser's own errors.
    var fullMessage: String {
        let usage = parent == Obscura.self ? Obscura.usageString() : Obscura.usageString(for: parent)
        let name = parent == Obscura.self ? "obscura" : "obscura \(parent.configuration.commandName ?? "")"
        return "Error: \(message)\nUsage: \(usage)\n  See '\(name) --help' for more information.\n"
    }
}
