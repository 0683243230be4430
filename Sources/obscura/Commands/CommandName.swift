import ArgumentParser
import StrictYAML

extension ParsableCommand {
    /// Throws `ValidationError` with a suggestion if the first words do not name a command.
    ///
    /// The parser itself reports such a word only as unexpected.
    static func checkNames(in arguments: some Sequence<String>) throws {
        var command: any ParsableCommand.Type = Self.self
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || argument.hasPrefix("-") { return }
            if command == Self.self, argument == "help" { continue }
            guard let next = subcommands.first(where: { $0.configuration.commandName == argument }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                throw ValidationError("there is no command \"\(argument)\"; \(suggestion(for: argument, among: names))")
            }
            command = next
        }
    }
}
