/// A machine-readable code as it is printed: dark and light modules, without its quiet zone.
struct CodeSymbol: Sendable, Hashable {
    /// The light margin around a code, in modules.
    struct QuietZone: Sendable, Hashable {
        var left: Int
        var right: Int
        var top: Int
        var bottom: Int
    }

    /// From top to bottom, each as long as the others; a linear code has one row, of any height. True is dark.
    var rows: [[Bool]]
    var quietZone: QuietZone
    /// Columns whose bars reach below the others, between the printed digits.
    var longBars: [Range<Int>] = []
    /// What a person reads below the bars; empty for none.
    var caption = ""

    var columnCount: Int { rows[0].count }
    var isLinear: Bool { rows.count == 1 }

    /// Columns with the quiet zone.
    var fullWidth: Int { quietZone.left + columnCount + quietZone.right }

    /// Bars and spaces in turn, beginning with a bar, each so many modules wide.
    static func bars(_ widths: [Int]) -> [Bool] {
        widths.enumerated().flatMap { index, width in [Bool](repeating: index % 2 == 0, count: width) }
    }
}

/// Why a text cannot be printed as a code.
struct CodeError: Error, Sendable, Hashable {
    /// What is wrong, without a full stop.
    var problem: String
    /// What would be right, without a full stop.
    var remedy: String
}
