/// The module matrix of a QR code: function patterns and data (ISO/IEC 18004:2015, 6.3 and 7.7 to 7.10).
struct QRMatrix {
    let side: Int
    private let version: Int
    private var dark: [[Bool]]
    /// Modules that are not data: function patterns, and the areas of format and version information.
    private var isFunction: [[Bool]]

    /// Creates the unmasked matrix.
    ///
    /// - Parameter codewords: The final message.
    init(version: Int, codewords: [UInt8]) {
        self.version = version
        side = 17 + 4 * version
        dark = [[Bool]](repeating: [Bool](repeating: false, count: side), count: side)
        isFunction = dark
        drawPatterns()
        place(codewords)
    }

    // MARK: Patterns

    private mutating func set(_ row: Int, _ column: Int, _ value: Bool) {
        guard (0..<side).contains(row), (0..<side).contains(column) else { return }
        dark[row][column] = value
        isFunction[row][column] = true
    }

    private mutating func drawPatterns() {
        // Timing patterns (6.3.5). Finders and separators (6.3.3, 6.3.4) are drawn over them.
        for index in 0..<side {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, side - 4), (side - 4, 3)] {
            for dy in -4...4 {
                for dx in -4...4 {
                    let ring = max(abs(dx), abs(dy))
                    set(row + dy, column + dx, ring != 2 && ring != 4)
                }
            }
        }
        let centers = Self.alignmentCenters(version)
        for row in centers {
            for column in centers where !isCorner(row, column) {
                for dy in -2...2 {
                    for dx in -2...2 { set(row + dy, column + dx, max(abs(dx), abs(dy)) != 1) }
                }
            }
        }
        // Reserved for the format information, which depends on the mask (7.9).
        for index in 0...8 {
            if index != 6 {
                set(8, index, false)
                set(index, 8, false)
            }
            if index < 8 { set(8, side - 1 - index, false) }
            if index < 7 { set(side - 1 - index, 8, false) }
        }
        set(side - 8, 8, true)
        drawVersion()
    }

    /// Returns the coordinates of the alignment patterns (annex E, table E.1).
    private static func alignmentCenters(_ version: Int) -> [Int] {
        guard version > 1 else { return [] }
        let last = 10 + 4 * version
        return version < 7 ? [6, last] : [6, (last + 6) / 2, last]
    }

    private func isCorner(_ row: Int, _ column: Int) -> Bool {
        let last = side - 7
        return (row, column) == (6, 6) || (row, column) == (6, last) || (row, column) == (last, 6)
    }

    /// Draws the version information, 18 bits of a Golay code, from version 7 on (7.10).
    private mutating func drawVersion() {
        guard version >= 7 else { return }
        let bits = version << 12 | Self.remainder(of: version << 12, by: 0x1f25, degree: 12)
        for index in 0..<18 {
            let bit = bits >> index & 1 == 1
            set(index / 3, side - 11 + index % 3, bit)
            set(side - 11 + index % 3, index / 3, bit)
        }
    }

    /// Returns the remainder of a polynomial division over GF(2).
    private static func remainder(of value: Int, by generator: Int, degree: Int) -> Int {
        var remainder = value
        for shift in stride(from: 8, through: 0, by: -1) where remainder >> (degree + shift) & 1 == 1 {
            remainder ^= generator << shift
        }
        return remainder
    }

    // MARK: Data

    /// Places the codewords in pairs of columns from the right, alternately upward and downward (7.7.3).
    private mutating func place(_ codewords: [UInt8]) {
        var bit = 0
        var isUpward = true
        var right = side - 1
        while right > 0 {
            // The vertical timing pattern is not part of a pair.
            if right == 6 { right -= 1 }
            for step in 0..<side {
                let row = isUpward ? side - 1 - step : step
                for column in [right, right - 1] where !isFunction[row][column] {
                    if bit < codewords.count * 8 {
                        dark[row][column] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
                    }
                    bit += 1
                }
            }
            isUpward.toggle()
            right -= 2
        }
    }

    // MARK: Masks

    /// Returns the modules with a mask and its format information.
    func masked(by mask: Int, _ level: QRCode.Level) -> [[Bool]] {
        var modules = dark
        for row in 0..<side {
            for column in 0..<side where !isFunction[row][column] {
                if Self.flips(mask, row, column) { modules[row][column].toggle() }
            }
        }
        let data = level.indicator << 3 | mask
        let format = (data << 10 | Self.remainder(of: data << 10, by: 0x537, degree: 10)) ^ 0x5412
        for index in 0..<15 {
            let bit = format >> index & 1 == 1
            // Around the top left finder (figure 25), and along the other two.
            switch index {
            case 0...5: modules[index][8] = bit
            case 6, 7: modules[index + 1][8] = bit
            case 8: modules[8][7] = bit
            default: modules[8][14 - index] = bit
            }
            if index < 8 { modules[8][side - 1 - index] = bit } else { modules[side - 15 + index][8] = bit }
        }
        return modules
    }

    /// Returns the mask with the lowest penalty, and the masked modules (7.8.3).
    func bestMasked(_ level: QRCode.Level) -> (mask: Int, modules: [[Bool]]) {
        var best = (mask: 0, modules: masked(by: 0, level))
        var lowestPenalty = QRPenalty.of(best.modules)
        for mask in 1..<8 {
            let modules = masked(by: mask, level)
            let penalty = QRPenalty.of(modules)
            if penalty < lowestPenalty { (best, lowestPenalty) = ((mask, modules), penalty) }
        }
        return best
    }

    /// Returns whether a mask inverts a module (table 10).
    private static func flips(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
        let (i, j) = (row, column)
        return switch mask {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: i * j % 2 + i * j % 3 == 0
        case 6: (i * j % 2 + i * j % 3) % 2 == 0
        default: ((i + j) % 2 + i * j % 3) % 2 == 0
        }
    }
}

/// The penalty score of a masked symbol (ISO/IEC 18004:2015, 7.8.3.1).
enum QRPenalty {
    static func of(_ modules: [[Bool]]) -> Int {
        let side = modules.count
        let columns = (0..<side).map { column in modules.map { $0[column] } }
        var penalty = 0
        for line in modules + columns { penalty += runs(line) + finders(line) }
        var darkCount = 0
        for row in 0..<side {
            for column in 0..<side {
                if modules[row][column] { darkCount += 1 }
                guard row + 1 < side, column + 1 < side else { continue }
                let block = [
                    modules[row][column], modules[row][column + 1], modules[row + 1][column],
                    modules[row + 1][column + 1],
                ]
                if block.allSatisfy({ $0 == block[0] }) { penalty += 3 }
            }
        }
        // 10 for each full 5 % of deviation from 50 % dark modules.
        return penalty + abs(darkCount * 20 - side * side * 10) / (side * side) * 10
    }

    /// Five modules of the same color in a line count 3, each additional one counts 1.
    private static func runs(_ line: [Bool]) -> Int {
        var penalty = 0
        var length = 0
        for index in line.indices {
            length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// Each finder-like pattern, 1:1:3:1:1 with four light modules before or after it, counts 40.
    private static func finders(_ line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        var penalty = 0
        for start in 0...line.count - 7 where Array(line[start..<start + 7]) == finder {
            let before = (start - 4..<start).allSatisfy { $0 < 0 || !line[$0] }
            let after = (start + 7..<start + 11).allSatisfy { $0 >= line.count || !line[$0] }
            if before || after { penalty += 40 }
        }
        return penalty
    }
}
