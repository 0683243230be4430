/// The imports of modules and submodules that do not exist on Linux.
enum ImportedModules {
    private static let kinds: Set = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]

    static func findings(in tokens: [SwiftToken], file: String) -> [PortFinding] {
        tokens.indices.compactMap { index in
            guard tokens[index].kind == .identifier, tokens[index].text == "import" else { return nil }
            var rest = tokens[(index + 1)...].prefix { $0.line == tokens[index].line }
            let hasKind = rest.first.map { kinds.contains($0.text) } ?? false
            if hasKind { rest = rest.dropFirst() }
            guard let module = rest.first else { return nil }
            if let advice = LinuxModules.advice[module.text] {
                return PortFinding(.missingModule, file, tokens[index].line, "import \(module.text)", advice)
            }
            let path = rest.prefix { $0.kind == .identifier || $0.text == "." }.map(\.text)
            guard !hasKind, path.count > 1, LinuxModules.exists(module.text) == true else { return nil }
            return PortFinding(
                .missingModule, file, tokens[index].line, "import \(path.joined())",
                "write `import \(module.text)`: modules on Linux have no submodules")
        }
    }
}
