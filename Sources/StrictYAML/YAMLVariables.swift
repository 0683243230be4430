import Foundation
import MediaTypes

/// Variables: `${name}` in a value is replaced by the value of the variable.
extension YAMLValue {
    /// Private-use characters that replace the braces, which are not allowed in unquoted values of flow mappings.
    private static let (opening, closing): (Character, Character) = ("\u{E000}", "\u{E001}")

    /// Parses a document in which values may contain variables. Call `substituting` before reading values.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - file: The file name for errors.
    package static func parseWithVariables(_ text: String, file: String) throws(YAMLError) -> YAMLValue {
        var marked = ""
        var rest = text[...]
        while let start = rest.range(of: "${") {
            marked += rest[..<start.lowerBound]
            let after = rest[start.upperBound...]
            guard let end = after.firstIndex(where: { "{}\n".contains($0) }), after[end] == "}" else {
                marked += "${"
                rest = after
                continue
            }
            marked += "$\(opening)\(after[..<end])\(closing)"
            rest = after[after.index(after: end)...]
        }
        return try parse(marked + rest, file: file)
    }

    /// Returns the value with all variables replaced by their values, at each level.
    ///
    /// - Parameters:
    ///   - variables: The values of the variables.
    ///   - use: Called with the name of each replaced variable.
    package func substituting(
        _ variables: [String: String], use: (String) -> Void = { _ in }
    ) throws(YAMLError) -> YAMLValue {
        var others: [YAMLValue] = []
        for other in overridden { others.append(try other.substituting(variables, use: use)) }
        return YAMLValue(
            node: try substitute(variables, use), file: file, path: path, overridden: others)
    }

    private func substitute(_ variables: [String: String], _ use: (String) -> Void) throws(YAMLError) -> YAMLNode {
        switch node.content {
        case .scalar(let text): return node.with(.scalar(try substitute(variables, in: text, use)))
        case .sequence(let nodes):
            var changed: [YAMLNode] = []
            for (index, node) in nodes.enumerated() {
                let value = YAMLValue(node: node, file: file, path: "\(path)[\(index)]")
                changed.append(try value.substitute(variables, use))
            }
            return node.with(.sequence(changed))
        case .mapping(let pairs):
            var changed: [YAMLNode.Pair] = []
            for pair in pairs {
                let name = pair.key.text ?? ""
                if name.contains(Self.opening) {
                    throw YAMLValue(node: pair.key, file: file, path: path)
                        .error("a key cannot contain a variable", "write the name of the key")
                }
                let value = YAMLValue(node: pair.value, file: file, path: path.isEmpty ? name : "\(path).\(name)")
                changed.append(YAMLNode.Pair(key: pair.key, value: try value.substitute(variables, use)))
            }
            return node.with(.mapping(changed))
        case .alias: return node
        }
    }

    private func substitute(
        _ variables: [String: String], in text: String, _ use: (String) -> Void
    ) throws(YAMLError) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: Self.opening),
            let end = rest[start...].firstIndex(of: Self.closing)
        {
            let name = String(rest[rest.index(after: start)..<end])
            guard let value = variables[name] else {
                throw error(
                    "there is no variable \"\(name)\"",
                    variables.isEmpty
                        ? "add it to \"variables:\"" : suggestion(for: name, among: variables.keys.sorted()))
            }
            use(name)
            // The dollar sign precedes the opening brace.
            result += rest[..<start].dropLast() + value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
