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

        /// The character that changes to this set from any other.
        var change: Int {
            switch self {
            case .a: 101
            case .b: 100
            case .c: 99
            }
        }
    }

    static func symbol(_ text: String) throws(CodeError) -> CodeSymbol {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw CodeError(problem: "the text is empty", remedy: "write one") }
        guard bytes.count <= 48 else {
            throw CodeError(problem: "\(bytes.count) characters are too many", remedy: "write at most 48")
        }
        guard bytes.allSatisfy({ $0 < 128 }) else {
            throw CodeError(problem: "\"\(text)\" is not plain ASCII", remedy: "a QR code takes any text")
        }
        var values = values(of: bytes)
        // The check character weighs each by its place (4.3.4; annex A).
        let sum = values.enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) }
        values.append(sum % 103)
        var modules = values.flatMap { CodeSymbol.bars(Array(patterns[6 * $0..<6 * $0 + 6])) }
        modules += CodeSymbol.bars(stop)
        return CodeSymbol(
            rows: [modules], quietZone: CodeSymbol.QuietZone(left: 10, right: 10, top: 1, bottom: 1),
            caption: bytes.allSatisfy { $0 >= 32 } ? text : "")
    }

    /// Start, text and changes of the code set, without the check character: pairs of digits go in set C where that is
    /// shorter (annex E).
    private static func values(of bytes: [UInt8]) -> [Int] {
        var values: [Int] = []
        var present: CodeSet?
        func use(_ set: CodeSet) {
            guard present != set else { return }
            values.append(present == nil ? set.start : set.change)
            present = set
        }
        var index = 0
        while index < bytes.count {
            let digits = bytes[index...].prefix { (48...57).contains($0) }.count
            let reachesEnd = index + digits == bytes.count
            if digits >= (index == 0 || reachesEnd ? 4 : 6) || (digits == 2 && bytes.count == 2) {
                // An odd digit stays outside: before the pairs, or after them at the very beginning.
                if digits % 2 == 1, index > 0 || reachesEnd {
                    use(present == .a ? .a : .b)
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
            // Set A has the control characters, set B the small letters.
            if byte < 32 { use(.a) } else if byte >= 96 || present != .a { use(.b) }
            values.append(byte < 32 ? Int(byte) + 64 : Int(byte) - 32)
            index += 1
        }
        return values
    }
}
