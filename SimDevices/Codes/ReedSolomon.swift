/// Reed-Solomon error correction over GF(2^8), as used by QR codes (ISO/IEC 18004:2015, 7.5.2).
enum ReedSolomon {
    /// Powers of the primitive element 2, modulo x^8 + x^4 + x^3 + x^2 + 1.
    private static let powers: [UInt8] = {
        var value = 1
        return (0..<255).map { _ in
            defer { value = value << 1 ^ (value >= 128 ? 0x11d : 0) }
            return UInt8(value)
        }
    }()

    /// The exponent of each power.
    private static let exponents: [Int] = {
        var exponents = [Int](repeating: 0, count: 256)
        for (exponent, power) in powers.enumerated() { exponents[Int(power)] = exponent }
        return exponents
    }()

    /// Returns the product of two field elements.
    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        guard a != 0, b != 0 else { return 0 }
        return powers[(exponents[Int(a)] + exponents[Int(b)]) % 255]
    }

    /// Returns the remainder of the data polynomial divided by (x - 1)(x - 2)(x - 4)… of degree `count`.
    static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        // Without the leading coefficient, which is 1; highest degree first.
        var generator = [UInt8](repeating: 0, count: count)
        generator[count - 1] = 1
        for root in 0..<count {
            for index in 0..<count {
                generator[index] = product(generator[index], powers[root])
                if index + 1 < count { generator[index] ^= generator[index + 1] }
            }
        }
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder[0]
            remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }
}
