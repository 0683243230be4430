/// A value by which assets are sorted.
enum SortValue: Sendable, Comparable {
    case number(Double)
    /// A text that is compared byte by byte, as SQLite does.
    case text([UInt8])
}

extension SortValue: SQLiteValue {
    func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
        switch self {
        case .number(let number): number.bind(to: statement, at: position)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self).bind(to: statement, at: position)
        }
    }

    init?(_ statement: OpaquePointer, at position: Int32) {
        if let number = Double(statement, at: position) {
            self = .number(number)
        } else if let text = String(statement, at: position) {
            self = .text(Array(text.utf8))
        } else {
            return nil
        }
    }

    static func < (first: SortValue, second: SortValue) -> Bool {
        switch (first, second) {
        case (.number(let first), .number(let second)): first < second
        case (.text(let first), .text(let second)): first.lexicographicallyPrecedes(second)
        case (.number, .text): true
        case (.text, .number): false
        }
    }
}
