/// Code 128 (ISO/IEC 15417:2007): any ASCII text.
enum Code128 {
    /// Widths of bars and spaces of the symbol characters 0 … 105 (table 1).
    private static let patterns =
        ("212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222"
        + "123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321"
        + "232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121"
        + "313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224"
        + "111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111"
        + "111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113"
        + "114311411113411311113141114131311141411131211412211214211232")
        .utf8.map { Int($0) - 48 }
    private static let stop = [2, 3, 3, 1, 1, 1, 2]

    private enum CodeSet {
        case a, b, c

        var start: Int {
            switch self {
            case .a: 103
            case .b: 104
            case .c: 105
            }
        }

        /// The character that switches to this code set from any other.
        var change: Int {
            switch self {
            case .a: 101
            case .b: 100
            case .c: 99
            }
        }
    }

    /// Encodes a text.
    ///
    /// - Throws: `CodeError` if the text is empty, too long or not ASCII.
    static func symbol(_ text: String) throws(CodeError) -> CodeSymbol {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw CodeError(problem: "the text is empty", remedy: "write some text") }
        guard bytes.count <= 48 else {
            throw CodeError(problem: "\(bytes.count) characters do not fit", remedy: "write at most 48")
        }
        guard bytes.allSatisfy({ $0 < 128 }) else {
            throw CodeError(problem: "\"\(text)\" is not plain ASCII", remedy: "a QR code takes any text")
        }
        var values = values(of: bytes)
        // The check character weights each value by its position (4.3.4; annex A).
        let sum = values.enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) }
        values.append(sum % 103)
        var modules = values.flatMap { CodeSymbol.bars(Array(patterns[6 * $0..<6 * $0 + 6])) }
        modules += CodeSymbol.bars(stop)
        return CodeSymbol(
            rows: [modules], quietZone: CodeSymbol.QuietZone(left: 10, right: 10, top: 1, bottom: 1),
            caption: bytes.allSatisfy { $0 >= 32 } ? text : "")
    }

    /// Returns start character, text and code set changes, without the check character. Pairs of digits use set C if
    /// that is shorter (annex E).
    private static func values(of bytes: [UInt8]) -> [Int] {
        var values: [Int] = []
        var current: CodeSet?
        func use(_ set: CodeSet) {
            guard current != set else { return }
            values.append(current == nil ? set.start : set.change)
            current = set
        }
        var index = 0
        while index < bytes.count {
            let digits = bytes[index...].prefix { (48...57).contains($0) }.count
            let reachesEnd = index + digits == bytes.count
            if digits >= (index == 0 || reachesEnd ? 4 : 6) || (digits == 2 && bytes.count == 2) {
                // An odd digit is encoded outside of set C: before the pairs, or after them at the very beginning.
                if digits % 2 == 1, index > 0 || reachesEnd {
                    use(current == .a ? .a : .b)
                    values.append(Int(bytes[index]) - 32)
                    index += 1
                }
                use(.c)
                for _ in 0..<digits / 2 {
                    values.append(Int(bytes[index] - 48) * 10 + Int(bytes[index + 1] - 48))
                    index += 2
                }
                continue
            }
            let byte = bytes[index]
            // Set A contains control characters, set B lowercase letters.
            if byte < 32 { use(.a) } else if byte >= 96 || current != .a { use(.b) }
            values.append(byte < 32 ? Int(byte) + 64 : Int(byte) - 32)
            index += 1
        }
        return values
    }
}
