/// The imports of modules that do not exist on Linux.
enum ImportedModules {
    private static let kinds: Set = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]

    static func findings(in tokens: [SwiftToken], file: String) -> [PortFinding] {
        tokens.indices.compactMap { index in
            guard tokens[index].kind == .identifier, tokens[index].text == "import" else { return nil }
            var rest = tokens[(index + 1)...].prefix { $0.line == tokens[index].line }
            if let kind = rest.first, kinds.contains(kind.text) { rest = rest.dropFirst() }
            guard let module = rest.first, let advice = LinuxModules.advice[module.text] else { return nil }
            return PortFinding(.missingModule, file, tokens[index].line, "import \(module.text)", advice)
        }
    }
}
