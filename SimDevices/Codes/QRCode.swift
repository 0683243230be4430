/// A QR code of version 1 to 10 in byte mode (ISO/IEC 18004:2015).
struct QRCode: Sendable, Hashable {
    /// The error correction level: L, M, Q and H recover about 7, 15, 25 and 30 % of the codewords (6.5.1).
    enum Level: String, Sendable, Hashable, CaseIterable {
        case l = "L"
        case m = "M"
        case q = "Q"
        case h = "H"

        /// The level in the format information (table 12).
        var indicator: Int {
            switch self {
            case .l: 1
            case .m: 0
            case .q: 3
            case .h: 2
            }
        }

        /// Error correction codewords per block, for versions 1 to 10 (table 9).
        fileprivate var correctionCounts: [Int] {
            switch self {
            case .l: [7, 10, 15, 20, 26, 18, 20, 24, 30, 18]
            case .m: [10, 16, 26, 18, 24, 16, 18, 22, 22, 26]
            case .q: [13, 22, 18, 26, 18, 24, 18, 22, 20, 24]
            case .h: [17, 28, 22, 16, 22, 28, 26, 26, 24, 28]
            }
        }

        /// Number of blocks, for versions 1 to 10 (table 9).
        fileprivate var blockCounts: [Int] {
            switch self {
            case .l: [1, 1, 1, 1, 1, 2, 2, 2, 2, 4]
            case .m: [1, 1, 1, 2, 2, 4, 4, 4, 5, 5]
            case .q: [1, 1, 2, 2, 4, 4, 6, 6, 8, 8]
            case .h: [1, 1, 2, 4, 4, 4, 5, 6, 8, 8]
            }
        }
    }

    static let versions = 1...10
    /// Number of codewords for data and error correction, for versions 1 to 10 (table 1).
    private static let codewordCounts = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]

    let version: Int
    let level: Level
    /// Data mask pattern, 0 … 7 (7.8.2).
    let mask: Int
    /// Rows from top to bottom; true is dark.
    let modules: [[Bool]]

    /// Creates the smallest code that fits a text.
    ///
    /// - Parameter mask: The mask pattern; nil for the one with the lowest penalty, as the standard requires.
    /// - Throws: `CodeError` if the text is empty or too long.
    init(_ text: String, level: Level = .m, mask: Int? = nil) throws(CodeError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw CodeError(problem: "the text is empty", remedy: "write some text") }
        let isASCII = bytes.allSatisfy { $0 < 128 }
        /// Returns the maximum number of bytes of the text. The ECI header has 12 bits, the mode 4.
        func maximumByteCount(_ version: Int) -> Int {
            (8 * Self.dataCount(version, level) - (isASCII ? 0 : 12) - 4 - Self.countBits(version)) / 8
        }
        guard let fitting = Self.versions.first(where: { bytes.count <= maximumByteCount($0) }) else {
            let maximum = maximumByteCount(Self.versions.upperBound)
            throw CodeError(
                problem: "\(bytes.count) bytes do not fit into a QR code of level \(level.rawValue)",
                remedy: "write at most \(maximum)")
        }
        self.level = level
        version = fitting
        let data = Self.data(bytes, version: version, level: level, isASCII: isASCII)
        let matrix = QRMatrix(version: version, codewords: Self.message(data, version: version, level: level))
        let choice = mask.map { ($0, matrix.masked(by: $0, level)) } ?? matrix.bestMasked(level)
        (self.mask, modules) = choice
    }

    /// The code with a quiet zone of four modules (6.3.8).
    var symbol: CodeSymbol {
        CodeSymbol(rows: modules, quietZone: CodeSymbol.QuietZone(left: 4, right: 4, top: 4, bottom: 4))
    }

    /// Returns the number of codewords available for data.
    static func dataCount(_ version: Int, _ level: Level) -> Int {
        codewordCounts[version - 1] - level.correctionCounts[version - 1] * level.blockCounts[version - 1]
    }

    /// Returns the length of the character count indicator in bits (table 3).
    private static func countBits(_ version: Int) -> Int { version < 10 ? 8 : 16 }

    /// Returns mode, count, bytes, terminator and padding (7.4).
    private static func data(_ bytes: [UInt8], version: Int, level: Level, isASCII: Bool) -> [UInt8] {
        var bits: [Bool] = []
        func put(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        // An ECI header declares the bytes as UTF-8 (7.4.2; AIM assignment number 26).
        if !isASCII {
            put(0b0111, 4)
            put(26, 8)
        }
        put(0b0100, 4)
        put(bytes.count, countBits(version))
        for byte in bytes { put(Int(byte), 8) }
        let capacity = dataCount(version, level)
        put(0, min(4, 8 * capacity - bits.count))
        put(0, (8 - bits.count % 8) % 8)
        var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<capacity - codewords.count { codewords.append(index % 2 == 0 ? 0xec : 0x11) }
        return codewords
    }

    /// Returns the blocks with their error correction, interleaved (7.5, 7.6).
    private static func message(_ data: [UInt8], version: Int, level: Level) -> [UInt8] {
        let blockCount = level.blockCounts[version - 1]
        let correctionCount = level.correctionCounts[version - 1]
        // Blocks of `shortLength` codewords are followed by `longCount` blocks with one more codeword.
        let shortLength = data.count / blockCount
        let longCount = data.count % blockCount
        var blocks: [ArraySlice<UInt8>] = []
        var start = 0
        for index in 0..<blockCount {
            let length = index < blockCount - longCount ? shortLength : shortLength + 1
            blocks.append(data[start..<start + length])
            start += length
        }
        let corrections = blocks.map { ReedSolomon.correction(of: Array($0), count: correctionCount) }
        var message: [UInt8] = []
        for index in 0...shortLength {
            for block in blocks where index < block.count { message.append(block[block.startIndex + index]) }
        }
        for index in 0..<correctionCount {
            for correction in corrections { message.append(correction[index]) }
        }
        return message
    }
}
