/// Code 128 (ISO/IEC 15417:2007): any ASCII text.
enum Code128 {
    /// The maximum number of characters; the standard defines none.
    private static let maximumCount = 48
    /// Widths of the bars and spaces of the symbol characters 0 … 105, six for each (table 1).
    private static let patterns =
        ("212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222"
        + "123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321"
        + "232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121"
        + "313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224"
        + "111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111"
        + "111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113"
        + "114311411113411311113141114131311141411131211412211214211232")
        .utf8.map { Int($0) - 48 }
    /// Widths of the bars and spaces of the stop character.
    private static let stopWidths = [2, 3, 3, 1, 1, 1, 2]

    private enum CodeSet {
        case a, b, c

        /// The value of the start character.
        var startValue: Int {
            switch self {
            case .a: 103
            case .b: 104
            case .c: 105
            }
        }

        /// The value of the character that switches to this code set from any other.
        var switchValue: Int {
            switch self {
            case .a: 101
            case .b: 100
            case .c: 99
            }
        }
    }

    /// Encodes text.
    ///
    /// - Throws: `CodeError` if the text is empty, too long or not ASCII.
    static func symbol(_ text: String) throws(CodeError) -> CodeSymbol {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw CodeError(problem: "the text is empty", remedy: "write some text") }
        guard bytes.count <= maximumCount else {
            throw CodeError(problem: "\(bytes.count) characters do not fit", remedy: "write at most \(maximumCount)")
        }
        guard bytes.allSatisfy({ $0 < 128 }) else {
            throw CodeError(problem: "\"\(text)\" is not plain ASCII", remedy: "a QR code takes any text")
        }
        var values = values(of: bytes)
        // The check character weights each value by its position (4.3.4; annex A).
        let sum = values.enumerated().reduce(0) { $0 + $1.element * max(1, $1.offset) }
        values.append(sum % 103)
        var modules = values.flatMap { CodeSymbol.bars(Array(patterns[6 * $0..<6 * $0 + 6])) }
        modules += CodeSymbol.bars(stopWidths)
        return CodeSymbol(
            rows: [modules], quietZone: CodeSymbol.QuietZone(left: 10, right: 10, top: 1, bottom: 1),
            caption: bytes.allSatisfy { $0 >= 32 } ? text : "")
    }

    /// Returns the values of the start character, the text and the code set characters, without the check character.
    /// Pairs of digits use set C if that is shorter (annex E).
    private static func values(of bytes: [UInt8]) -> [Int] {
        var values: [Int] = []
        var current: CodeSet?
        func switchTo(_ set: CodeSet) {
            guard current != set else { return }
            values.append(current == nil ? set.startValue : set.switchValue)
            current = set
        }
        var index = 0
        while index < bytes.count {
            let digitCount = bytes[index...].prefix { (48...57).contains($0) }.count
            let reachesEnd = index + digitCount == bytes.count
            if digitCount >= (index == 0 || reachesEnd ? 4 : 6) || (digitCount == 2 && bytes.count == 2) {
                // If the number of digits is odd, the first one is encoded outside of set C, or the last one if the
                // digits begin a longer text.
                if digitCount % 2 == 1, index > 0 || reachesEnd {
                    switchTo(current == .a ? .a : .b)
                    values.append(Int(bytes[index]) - 32)
                    index += 1
                }
                switchTo(.c)
                for _ in 0..<digitCount / 2 {
                    values.append(Int(bytes[index] - 48) * 10 + Int(bytes[index + 1] - 48))
                    index += 2
                }
                continue
            }
            let byte = bytes[index]
            // Set A contains control characters, set B lowercase letters.
            if byte < 32 { switchTo(.a) } else if byte >= 96 || current != .a { switchTo(.b) }
            values.append(byte < 32 ? Int(byte) + 64 : Int(byte) - 32)
            index += 1
        }
        return values
    }
}
