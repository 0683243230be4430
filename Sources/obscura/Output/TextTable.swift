/// A table with a header: one line for each row, or several if the output is too narrow for the longest line.
struct TextTable {
    /// The lines, without padding at the end.
    let lines: [String]
    /// Whether the first line is the header.
    let hasHeader: Bool

    private static let indent = "    "

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - rows: The header and the rows, each with the same number of cells.
    ///   - columns: The width of the output in characters; nil if it is not limited.
    ///   - details: Returns the text below the first cell of a row in a narrow output.
    init(_ rows: [[String]], columns: Int?, details: ([String]) -> String) {
        let table = Self.aligned(rows)
        hasHeader = columns.map { width in table.allSatisfy { $0.count <= width } } ?? true
        guard !hasHeader, let columns else {
            lines = table
            return
        }
        lines = rows.dropFirst().flatMap { row in
            let lines = details(row).wrapped(toColumns: max(1, columns - Self.indent.count))
            return [row[0]] + lines.map { Self.indent + $0 }
        }
    }

    /// Returns a line for each row, with the columns aligned.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let padded = zip(row, widths).dropLast().map { cell, width in
                cell.padding(toLength: width, withPad: " ", startingAt: 0)
            }
            return (padded + row.suffix(1)).joined(separator: "  ")
        }
    }

    /// Prints the lines.
    ///
    /// - Throws: `CommandFailure` if they cannot be written.
    func print() throws(CommandFailure) {
        for (index, line) in lines.enumerated() {
            try printLine(hasHeader && index == 0 ? line.styled(.bold) : line)
        }
    }
}
