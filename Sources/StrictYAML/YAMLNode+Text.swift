/// Parsed documents as text that is read without a YAML parser.
///
/// A line of the text has the nodes that begin on a line of the document, separated by bars: first the number of the
/// line, then the column of each node, and a scalar after `=`, or the number of elements of a mapping after `{` or of a
/// list after `[`. The elements follow their mapping or list.
extension YAMLNode {
    private static let separator: Character = "|"

    /// The document as text; nil if a scalar contains a bar or several lines, or if a node is an alias.
    package var parsed: String? {
        var text = ""
        var lastLine = 0
        return append(to: &text, &lastLine) ? text : nil
    }

    private func append(to text: inout String, _ lastLine: inout Int) -> Bool {
        if line != lastLine { text += (lastLine == 0 ? "" : "\n") + "\(line)" }
        lastLine = line
        text += "\(Self.separator)\(column)"
        switch content {
        case .scalar(let scalar):
            text += "=" + scalar
            return !scalar.contains { $0 == Self.separator || $0.isNewline }
        case .mapping(let pairs):
            text += "{\(pairs.count)"
            for node in pairs.flatMap({ [$0.key, $0.value] }) where !node.append(to: &text, &lastLine) { return false }
            return true
        case .sequence(let nodes):
            text += "[\(nodes.count)"
            for node in nodes where !node.append(to: &text, &lastLine) { return false }
            return true
        case .alias: return false
        }
    }

    /// Reads a document that `parsed` has returned; nil if the text has another form.
    package init?(parsed text: String) {
        var entries: [Entry] = []
        for row in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let fields = row.split(separator: UInt8(ascii: "|"))
            guard let line = fields.first.flatMap({ Int(Substring($0)) }) else { return nil }
            for field in fields.dropFirst() {
                guard let entry = Entry(field, line: line) else { return nil }
                entries.append(entry)
            }
        }
        var rest = entries[...]
        guard let node = YAMLNode(&rest), rest.isEmpty else { return nil }
        self = node
    }

    /// A node without its elements.
    private struct Entry {
        let line: Int
        let column: Int
        let kind: UInt8
        let text: Substring

        init?(_ field: Substring.UTF8View, line: Int) {
            let digits = field.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let column = Int(Substring(digits)), let kind = field[digits.endIndex...].first else { return nil }
            (self.line, self.column, self.kind) = (line, column, kind)
            text = Substring(field[digits.endIndex...].dropFirst())
        }
    }

    private init?(_ entries: inout ArraySlice<Entry>) {
        guard let entry = entries.popFirst() else { return nil }
        let content: Content
        switch entry.kind {
        case UInt8(ascii: "="): content = .scalar(String(entry.text))
        case UInt8(ascii: "{"):
            guard let count = Int(entry.text) else { return nil }
            var pairs: [Pair] = []
            for _ in 0..<count {
                guard let key = YAMLNode(&entries), let value = YAMLNode(&entries) else { return nil }
                pairs.append(Pair(key: key, value: value))
            }
            content = .mapping(pairs)
        case UInt8(ascii: "["):
            guard let count = Int(entry.text) else { return nil }
            var nodes: [YAMLNode] = []
            for _ in 0..<count {
                guard let node = YAMLNode(&entries) else { return nil }
                nodes.append(node)
            }
            content = .sequence(nodes)
        default: return nil
        }
        self.init(content, line: entry.line, column: entry.column)
    }
}
