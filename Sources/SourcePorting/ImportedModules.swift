/// The imports of modules that do not exist on Linux.
enum ImportedModules {
    private static let kinds: Set = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]

    /// Returns the names of the modules that source code imports, without submodules.
    static func names(in tokens: [SwiftToken]) -> [String] {
        tokens.indices.compactMap { path(at: $0, of: tokens).first?.text }
    }

    static func findings(in tokens: [SwiftToken], file: String) -> [PortFinding] {
        tokens.indices.compactMap { index in
            let path = path(at: index, of: tokens)
            guard let module = path.first else { return nil }
            if let advice = LinuxModules.advice(for: module.text) {
                return PortFinding(.missingModule, file, module.line, "import \(module.text)", advice)
            }
            // `import class UIKit.UIView` names a declaration, `import UIKit.UIView` a submodule.
            let isSubmodule = tokens[index + 1].text == module.text && path.count > 1
            guard isSubmodule, LinuxModules.exists(module.text) == true else { return nil }
            let name = path.map(\.text).joined(separator: ".")
            return PortFinding(
                .missingModule, file, module.line, "import \(name)",
                "write `import \(module.text)`: modules on Linux have no submodules")
        }
    }

    /// Returns the words of the path after `import`; none if there is no import at the index.
    private static func path(at index: Int, of tokens: [SwiftToken]) -> [SwiftToken] {
        guard tokens[index].kind == .identifier, tokens[index].text == "import" else { return [] }
        var rest = tokens[(index + 1)...].prefix { $0.line == tokens[index].line }
        if let kind = rest.first, kinds.contains(kind.text) { rest = rest.dropFirst() }
        var path: [SwiftToken] = []
        for token in rest {
            if path.isEmpty || token.kind == .identifier { path.append(token) } else if token.text != "." { break }
        }
        return path
    }
}
