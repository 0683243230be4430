extension YAMLValue {
    /// A private-use character that stands for the value of an entry whose error has been reported.
    private static let reportedValue = "\u{E003}"

    /// Whether the error of the value has been reported. Reading it returns some valid value, so that the errors of
    /// other values are found.
    package var isReported: Bool { node.text == Self.reportedValue }

    /// Returns the value with an entry that reads as valid, in place of the one that an error concerns.
    ///
    /// - Returns: nil if the error concerns no entry of a mapping in the value.
    package func reporting(_ error: YAMLError) -> YAMLValue? {
        guard error.missingKey != nil || !error.key.hasSuffix("]") else { return nil }
        let rest = file == error.file ? nodeReporting(error) : nil
        let others = overridden.map { $0.reporting(error) }
        guard rest != nil || others.contains(where: { $0 != nil }) else { return nil }
        return YAMLValue(
            node: rest ?? node, file: file, path: path, overridden: zip(overridden, others).map { $1 ?? $0 })
    }

    private func nodeReporting(_ error: YAMLError) -> YAMLNode? {
        if path == error.key {
            guard let key = error.missingKey, case .mapping(let pairs) = node.content else { return nil }
            return node.with(.mapping(pairs + [YAMLNode.Pair(key: YAMLNode(key), value: YAMLNode(Self.reportedValue))]))
        }
        /// Returns the node of an entry with the reported value in it; nil if the error does not concern it.
        func reported(_ node: YAMLNode, _ path: String) -> YAMLNode? {
            if path == error.key, error.missingKey == nil { return YAMLNode(Self.reportedValue) }
            let isInside = path.isEmpty || path == error.key || [".", "["].contains { error.key.hasPrefix(path + $0) }
            return isInside ? YAMLValue(node: node, file: file, path: path).nodeReporting(error) : nil
        }
        var isFound = false
        switch node.content {
        case .mapping(let pairs):
            let changed = pairs.map { pair -> YAMLNode.Pair in
                let name = pair.key.text ?? ""
                guard let node = reported(pair.value, path.isEmpty ? name : "\(path).\(name)") else { return pair }
                isFound = true
                return YAMLNode.Pair(key: pair.key, value: node)
            }
            return isFound ? node.with(.mapping(changed)) : nil
        case .sequence(let nodes):
            let changed = nodes.enumerated().map { index, element -> YAMLNode in
                guard let node = reported(element, "\(path)[\(index)]") else { return element }
                isFound = true
                return node
            }
            return isFound ? node.with(.sequence(changed)) : nil
        case .scalar, .alias: return nil
        }
    }

    /// A private-use character that replaces a removed element of a list, so that the others keep their indices.
    private static let removedElement = "\u{E002}"

    /// Whether an element of a list was removed.
    static func isRemoved(_ node: YAMLNode) -> Bool { node.text == removedElement }

    /// Returns the value without the entry that an error concerns, so that reading it again finds the next error.
    ///
    /// - Returns: nil if the error does not concern an entry of the value, but the value as a whole.
    package func removing(_ error: YAMLError) -> YAMLValue? {
        let rest = file == error.file ? nodeRemoving(error) : nil
        let others = overridden.map { $0.removing(error) }
        guard rest != nil || others.contains(where: { $0 != nil }) else { return nil }
        return YAMLValue(
            node: rest ?? node, file: file, path: path, overridden: zip(overridden, others).map { $1 ?? $0 })
    }

    private func nodeRemoving(_ error: YAMLError) -> YAMLNode? {
        var isFound = false
        /// Returns the node of an entry without the part that the error concerns; nil if that is the entry.
        func rest(_ node: YAMLNode, _ path: String) -> YAMLNode? {
            guard error.key.hasPrefix(path) else { return node }
            let next = error.key.dropFirst(path.count).first
            if next == nil {
                isFound = true
                return nil
            }
            guard next == "." || next == "[" else { return node }
            guard let rest = YAMLValue(node: node, file: file, path: path).nodeRemoving(error) else { return node }
            isFound = true
            return rest
        }
        switch node.content {
        case .mapping(let pairs):
            let others = pairs.compactMap { pair -> YAMLNode.Pair? in
                let name = pair.key.text ?? ""
                return rest(pair.value, path.isEmpty ? name : "\(path).\(name)").map {
                    YAMLNode.Pair(key: pair.key, value: $0)
                }
            }
            return isFound ? node.with(.mapping(others)) : nil
        case .sequence(let nodes):
            let others = nodes.enumerated().map { rest($1, "\(path)[\($0)]") ?? YAMLNode(Self.removedElement) }
            return isFound ? node.with(.sequence(others)) : nil
        case .scalar, .alias: return nil
        }
    }
}
