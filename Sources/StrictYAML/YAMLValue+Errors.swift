import Yams

extension YAMLValue {
    /// A private-use character that replaces a removed element of a list, so that the others keep their indices.
    private static let removedElement = "\u{E002}"

    /// Whether an element of a list was removed.
    static func isRemoved(_ node: Node) -> Bool { node.scalar?.string == removedElement }

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

    private func nodeRemoving(_ error: YAMLError) -> Node? {
        var isFound = false
        /// Returns the node of an entry without the part that the error concerns; nil if that is the entry.
        func rest(_ node: Node, _ path: String) -> Node? {
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
        switch node {
        case .mapping(let mapping):
            let pairs = mapping.compactMap { key, value -> (Node, Node)? in
                let name = key.scalar?.string ?? ""
                return rest(value, path.isEmpty ? name : "\(path).\(name)").map { (key, $0) }
            }
            return isFound ? .mapping(Node.Mapping(pairs, mapping.tag, mapping.style, mapping.mark)) : nil
        case .sequence(let sequence):
            let nodes = sequence.enumerated().map { rest($1, "\(path)[\($0)]") ?? Node(Self.removedElement) }
            return isFound ? .sequence(Node.Sequence(nodes, sequence.tag, sequence.style, sequence.mark)) : nil
        case .scalar, .alias: return nil
        }
    }
}
