/// A signed integer of any size, by school arithmetic: the model that exact results are compared with.
struct WideInteger: Comparable {
    /// Least significant first, without leading zeros.
    private var digits: [UInt32]
    private var isNegative: Bool

    init(_ value: some BinaryInteger) {
        isNegative = value < 0
        digits = []
        var rest = value.magnitude
        while rest != 0 {
            digits.append(UInt32(truncatingIfNeeded: rest))
            rest >>= 32
        }
    }

    private init(digits: [UInt32], isNegative: Bool) {
        var digits = digits
        while digits.last == 0 { digits.removeLast() }
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
    }

    var magnitude: WideInteger { WideInteger(digits: digits, isNegative: false) }

    static prefix func - (number: WideInteger) -> WideInteger {
        WideInteger(digits: number.digits, isNegative: !number.isNegative)
    }

    static func * (a: WideInteger, b: WideInteger) -> WideInteger {
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
        return WideInteger(digits: result, isNegative: a.isNegative != b.isNegative)
    }

    static func + (a: WideInteger, b: WideInteger) -> WideInteger {
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
            return WideInteger(digits: result, isNegative: a.isNegative)
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
        return WideInteger(digits: result, isNegative: large.isNegative)
    }

    static func - (a: WideInteger, b: WideInteger) -> WideInteger { a + (-b) }

    static func < (a: WideInteger, b: WideInteger) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        let isSmaller =
            a.digits.count != b.digits.count
            ? a.digits.count < b.digits.count : a.digits.reversed().lexicographicallyPrecedes(b.digits.reversed())
        return a.digits != b.digits && isSmaller != a.isNegative
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): a small generator whose numbers follow from its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
