/// An HTML table of the differences between two logs, with the lines around each difference.
struct LogDifferenceTable {
    /// A line that is in one log or in both.
    private struct Line {
        enum Kind { case both, expected, seen }
        /// The logs that contain the line.
        var kind: Kind
        var text: String
    }

    private let expected: [String]
    private let seen: [String]
    /// The number of equal lines before and after a difference.
    private static let contextCount = 3
    /// The maximum number of lines of each log that are compared, from the first difference on.
    private static let maximumCount = 400

    init(expected: [String], seen: [String]) {
        self.expected = expected
        self.seen = seen
    }

    var html: String {
        let (lines, isComplete) = lines
        var rows: [String] = []
        var lastShownIndex = -1
        for (index, line) in lines.enumerated() {
            let isNear = lines[max(0, index - Self.contextCount)...min(lines.count - 1, index + Self.contextCount)]
                .contains { $0.kind != .both }
            guard isNear else { continue }
            if index > lastShownIndex + 1 { rows.append("<tr class=\"gap\"><td colspan=\"2\">…</td></tr>") }
            lastShownIndex = index
            let (mark, style) =
                switch line.kind {
                case .both: ("<td></td>", "")
                case .expected: ("<td>− expected</td>", " class=\"expected\"")
                case .seen: ("<td>+ seen</td>", " class=\"seen\"")
                }
            rows.append("<tr\(style)>\(mark)<td>\(line.text.xmlEscaped)</td></tr>")
        }
        let note = isComplete ? "" : "<p>Only the first \(Self.maximumCount) lines that differ are compared.</p>"
        return """
            <div class="scroll" role="region" aria-label="Difference of the logs" tabindex="0"><table class="difference">
            <caption>Difference of the logs</caption>
            <thead><tr><th scope="col">Log</th><th scope="col">Event</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>\(note)
            """
    }

    /// The merged lines of both logs, and whether no line was omitted.
    private var lines: (lines: [Line], isComplete: Bool) {
        let prefix = zip(expected, seen).prefix { $0 == $1 }.count
        let (oldTail, newTail) = (expected.dropFirst(prefix), seen.dropFirst(prefix))
        let (old, new) = (Array(oldTail.prefix(Self.maximumCount)), Array(newTail.prefix(Self.maximumCount)))
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines = expected.prefix(prefix).map { Line(kind: .both, text: $0) }
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if removed.contains(i) {
                lines.append(Line(kind: .expected, text: old[i]))
                i += 1
            } else if inserted.contains(j) {
                lines.append(Line(kind: .seen, text: new[j]))
                j += 1
            } else {
                lines.append(Line(kind: .both, text: new[j]))
                i += 1
                j += 1
            }
        }
        return (lines, oldTail.count == old.count && newTail.count == new.count)
    }
}
