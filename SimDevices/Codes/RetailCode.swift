/// The retail codes EAN-13 and UPC-E (ISO/IEC 15420:2009).
enum RetailCode {
    /// Element widths of the digits in number set A. Set B is A mirrored; set C has the widths of A, but begins with a
    /// bar (table 1).
    private static let widths = [
        [3, 2, 1, 1], [2, 2, 2, 1], [2, 1, 2, 2], [1, 4, 1, 1], [1, 1, 3, 2], [1, 2, 3, 1], [1, 1, 1, 4], [1, 3, 1, 2],
        [1, 2, 1, 3], [3, 1, 1, 2],
    ]
    /// Number sets of the left digits, by the first digit of an EAN-13 (table 3).
    private static let ean13LeftSets = [
        "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA", "ABBABA",
    ]
    /// Number sets of the digits, by the check digit of a UPC-E with number system 0 (table 4).
    private static let upcESets = [
        "BBBAAA", "BBABAA", "BBAABA", "BBAAAB", "BABBAA", "BAABBA", "BAAABB", "BABABA", "BABAAB", "BAABAB",
    ]

    /// Encodes an EAN-13 of 12 digits, or of 13 with a valid check digit.
    static func ean13(_ text: String) throws(CodeError) -> CodeSymbol {
        let digits = try checked(text, count: 12)
        var modules = CodeSymbol.bars([1, 1, 1])
        for (digit, set) in zip(digits[1...6], ean13LeftSets[digits[0]]) { modules += left(digit, set) }
        modules += [false, true, false, true, false]
        for digit in digits[7...12] { modules += CodeSymbol.bars(widths[digit]) }
        modules += CodeSymbol.bars([1, 1, 1])
        return CodeSymbol(
            rows: [modules], quietZone: CodeSymbol.QuietZone(left: 11, right: 7, top: 1, bottom: 1),
            longBars: [0..<3, 45..<50, 92..<95], caption: digits.map(String.init).joined())
    }

    /// Encodes a UPC-E of 6 digits, of 7 with the number system 0 before them, or of 8 with the check digit, too.
    static func upcE(_ text: String) throws(CodeError) -> CodeSymbol {
        let digits = try digits(text)
        guard (6...8).contains(digits.count) else {
            throw CodeError(problem: "\"\(text)\" has \(digits.count) digits", remedy: "a UPC-E has 6 to 8")
        }
        guard digits.count == 6 || digits[0] == 0 else {
            throw CodeError(problem: "\"\(text)\" begins with \(digits[0])", remedy: "a UPC-E's number system is 0")
        }
        let core = digits.count == 6 ? digits : Array(digits[1...6])
        let check = checkDigit(of: expanded(core))
        if digits.count == 8, digits[7] != check { throw wrongCheckDigit(digits[7], in: text, expected: check) }
        var modules = CodeSymbol.bars([1, 1, 1])
        for (digit, set) in zip(core, upcESets[check]) { modules += left(digit, set) }
        modules += [false, true, false, true, false, true]
        return CodeSymbol(
            rows: [modules], quietZone: CodeSymbol.QuietZone(left: 9, right: 7, top: 1, bottom: 1),
            longBars: [0..<3, 45..<51], caption: ([0] + core + [check]).map(String.init).joined())
    }

    /// Returns the check digit: with it, the sum of all digits is a multiple of ten if every second one from the right
    /// is counted three times (annex A).
    static func checkDigit(of digits: [Int]) -> Int {
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() { sum += index % 2 == 0 ? 3 * digit : digit }
        return (10 - sum % 10) % 10
    }

    /// Returns the UPC-A without check digit that a UPC-E represents (table 5).
    private static func expanded(_ core: [Int]) -> [Int] {
        let last = core[5]
        return switch last {
        case 0...2: [0, core[0], core[1], last, 0, 0, 0, 0, core[2], core[3], core[4]]
        case 3: [0, core[0], core[1], core[2], 0, 0, 0, 0, 0, core[3], core[4]]
        case 4: [0, core[0], core[1], core[2], core[3], 0, 0, 0, 0, 0, core[4]]
        default: [0, core[0], core[1], core[2], core[3], core[4], 0, 0, 0, 0, last]
        }
    }

    /// Returns a digit of the left half, which begins with a space.
    private static func left(_ digit: Int, _ set: Character) -> [Bool] {
        let widths = widths[digit]
        return CodeSymbol.bars([0] + (set == "A" ? widths : widths.reversed()))
    }

    private static func digits(_ text: String) throws(CodeError) -> [Int] {
        let digits = text.utf8.compactMap { (48...57).contains($0) ? Int($0) - 48 : nil }
        guard digits.count == text.utf8.count, !digits.isEmpty else {
            throw CodeError(problem: "\"\(text)\" contains characters other than digits", remedy: "use 0 to 9 only")
        }
        return digits
    }

    /// Returns the digits of a text with the check digit, which the text may omit.
    ///
    /// - Parameter count: The number of digits without the check digit.
    private static func checked(_ text: String, count: Int) throws(CodeError) -> [Int] {
        let digits = try digits(text)
        guard digits.count == count || digits.count == count + 1 else {
            throw CodeError(
                problem: "\"\(text)\" has \(digits.count) digits",
                remedy: "an EAN-13 has 13, of which the last is optional")
        }
        let check = checkDigit(of: Array(digits[..<count]))
        if digits.count > count, digits[count] != check {
            throw wrongCheckDigit(digits[count], in: text, expected: check)
        }
        return Array(digits[..<count]) + [check]
    }

    private static func wrongCheckDigit(_ found: Int, in text: String, expected: Int) -> CodeError {
        CodeError(
            problem: "the check digit of \"\(text)\" is \(expected), not \(found)", remedy: "end it with \(expected)")
    }
}
