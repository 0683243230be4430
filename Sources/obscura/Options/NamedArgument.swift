import ArgumentParser
import MediaTypes

/// One of several names on the command line.
protocol NamedArgument: RawRepresentable<String>, CaseIterable {
    /// What the names are, for messages: `orientation`.
    static var noun: String { get }
}

extension NamedArgument {
    /// Parses a name.
    ///
    /// - Throws: `ValidationError` with the nearest name.
    init(argument: String) throws {
        guard let value = Self(rawValue: argument) else {
            throw ValidationError(
                "there is no \(Self.noun) \"\(argument)\"; \(suggestion(for: argument, among: Self.names))")
        }
        self = value
    }

    static var names: [String] { allCases.map(\.rawValue) }
}
