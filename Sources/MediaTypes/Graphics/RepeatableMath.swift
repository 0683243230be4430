/// Mathematical functions with the same result on all machines.
///
/// System libraries differ in the last bits of these functions. The functions here use only operations whose results
/// are defined exactly by IEEE 754.
package enum RepeatableMath {
    /// Returns the base-2 logarithm of a positive number, with a precision of 2^-40; 1024 for infinity, −1024 for 0,
    /// negative numbers and NaN.
    package static func log2(_ x: Double) -> Double {
        guard x > 0, x.isFinite else { return x > 0 ? 1024 : -1024 }
        var result = Double(x.exponent)
        var mantissa = x.significand
        var bit = 1.0
        for _ in 0..<40 {
            mantissa *= mantissa
            bit /= 2
            if mantissa >= 2 {
                mantissa /= 2
                result += bit
            }
        }
        return result
    }

    /// Returns 2 to the power of `x`, which is clamped to −1000 to 1000.
    package static func exp2(_ x: Double) -> Double {
        let x = min(max(x, -1000), 1000)
        let whole = x.rounded(.down)
        var fraction = x - whole
        var root = 2.0
        var result = 1.0
        for _ in 0..<48 {
            root = root.squareRoot()
            fraction *= 2
            if fraction >= 1 {
                result *= root
                fraction -= 1
            }
        }
        return Double(sign: .plus, exponent: Int(whole), significand: result)
    }

    /// Returns the cosine of an angle between -π and π, from its power series.
    package static func cos(_ radians: Double) -> Double {
        let square = radians * radians
        var term = 1.0
        var sum = 1.0
        for n in stride(from: 1.0, through: 23, by: 2) {
            term *= -square / (n * (n + 1))
            sum += term
        }
        return sum
    }

    /// Returns the amplitude relative to full scale for a level in decibels.
    package static func amplitude(decibels: Double) -> Double {
        // log2(10) / 20
        exp2(decibels * 0.16609640474436813)
    }
}
