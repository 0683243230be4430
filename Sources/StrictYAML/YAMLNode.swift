/// A node of a document and its position.
package struct YAMLNode: Sendable, Hashable {
    /// A key and its value.
    package struct Pair: Sendable, Hashable {
        let key: YAMLNode
        let value: YAMLNode
    }

    /// The value of a node by its kind.
    package indirect enum Content: Sendable, Hashable {
        case scalar(String)
        /// The pairs in the order of the document.
        case mapping([Pair])
        case sequence([YAMLNode])
        case alias
    }

    let content: Content
    /// From 1.
    let line: Int
    /// From 1, in Unicode scalars.
    let column: Int

    init(_ content: Content, line: Int = 1, column: Int = 1) {
        (self.content, self.line, self.column) = (content, line, column)
    }

    /// Creates a scalar that does not occur in the document.
    init(_ text: String) { self.init(.scalar(text)) }

    /// The text of a scalar; nil for other nodes.
    var text: String? { if case .scalar(let text) = content { text } else { nil } }

    /// Returns a node with another content at the same position.
    func with(_ content: Content) -> YAMLNode { YAMLNode(content, line: line, column: column) }
}
