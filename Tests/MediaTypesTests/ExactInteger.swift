/// A signed integer of arbitrary size, the reference for exact results.
struct ExactInteger: Comparable {
    /// Base 2^32, least significant first, without leading zeros.
    private var digits: [UInt32]
    private var isNegative: Bool

    init(_ value: some BinaryInteger) {
        isNegative = value < 0
        digits = []
        var remaining = value.magnitude
        while remaining != 0 {
            digits.append(UInt32(truncatingIfNeeded: remaining))
            remaining >>= 32
        }
    }

    private init(digits: [UInt32], isNegative: Bool) {
        var digits = digits
        while digits.last == 0 { digits.removeLast() }
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
    }

    var magnitude: ExactInteger { ExactInteger(digits: digits, isNegative: false) }

    static prefix func - (number: ExactInteger) -> ExactInteger {
        ExactInteger(digits: number.digits, isNegative: !number.isNegative)
    }

    static func * (a: ExactInteger, b: ExactInteger) -> ExactInteger {
        var result = [UInt32](repeating: 0, count: a.digits.count + b.digits.count)
        for (i, x) in a.digits.enumerated() {
            var carry: UInt64 = 0
            for (j, y) in b.digits.enumerated() {
                let sum = UInt64(x) * UInt64(y) + UInt64(result[i + j]) + carry
                result[i + j] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            result[i + b.digits.count] = UInt32(carry)
        }
        return ExactInteger(digits: result, isNegative: a.isNegative != b.isNegative)
    }

    static func + (a: ExactInteger, b: ExactInteger) -> ExactInteger {
        if a.isNegative == b.isNegative {
            var result: [UInt32] = []
            var carry: UInt64 = 0
            for index in 0..<max(a.digits.count, b.digits.count) {
                let x = index < a.digits.count ? a.digits[index] : 0
                let y = index < b.digits.count ? b.digits[index] : 0
                carry += UInt64(x) + UInt64(y)
                result.append(UInt32(truncatingIfNeeded: carry))
                carry >>= 32
            }
            result.append(UInt32(carry))
            return ExactInteger(digits: result, isNegative: a.isNegative)
        }
        let (large, small) = a.magnitude >= b.magnitude ? (a, b) : (b, a)
        var result: [UInt32] = []
        var borrow: Int64 = 0
        for index in large.digits.indices {
            var digit = Int64(large.digits[index]) - borrow
            if index < small.digits.count { digit -= Int64(small.digits[index]) }
            borrow = digit < 0 ? 1 : 0
            result.append(UInt32(truncatingIfNeeded: digit))
        }
        return ExactInteger(digits: result, isNegative: large.isNegative)
    }

    static func - (a: ExactInteger, b: ExactInteger) -> ExactInteger { a + (-b) }

    static func < (a: ExactInteger, b: ExactInteger) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        let isSmaller =
            a.digits.count != b.digits.count
            ? a.digits.count < b.digits.count : a.digits.reversed().lexicographicallyPrecedes(b.digits.reversed())
        return a.digits != b.digits && isSmaller != a.isNegative
    }
}
