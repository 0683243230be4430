/// The dark and light modules of a machine-readable code, without its quiet zone.
struct CodeSymbol: Sendable, Hashable {
    /// The light margin around a code, in modules.
    struct QuietZone: Sendable, Hashable {
        var left: Int
        var right: Int
        var top: Int
        var bottom: Int
    }

    /// From top to bottom, all of the same length; true is dark. A linear code has one row, of any height.
    var rows: [[Bool]]
    var quietZone: QuietZone
    /// Columns with bars that extend below the others, between the printed digits.
    var longBars: [Range<Int>] = []
    /// The human-readable text below the bars; empty for none.
    var caption = ""

    var columnCount: Int { rows[0].count }
    var isLinear: Bool { rows.count == 1 }

    /// Returns the modules of alternating bars and spaces, beginning with a bar, with the given widths.
    static func bars(_ widths: [Int]) -> [Bool] {
        widths.enumerated().flatMap { index, width in [Bool](repeating: index % 2 == 0, count: width) }
    }
}

/// The reason why a text cannot be encoded.
struct CodeError: Error, Sendable, Hashable {
    /// What is wrong, without a period.
    var problem: String
    /// What to write instead, without a period.
    var remedy: String
}
